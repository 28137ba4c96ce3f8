// Hosts that are not ASCII: the core decodes them, the platform's URL converts them to A-labels (N1, UTS 46).
import { HOST_REGION } from "#core/layout/memory.js";

/** Most hosts whose A-labels are cached. */
const KNOWN_HOSTS_MAX = 4096;
/** Longest host whose A-labels are cached, in UTF-16 code units. */
const KNOWN_HOST_LENGTH_MAX = 256;
const knownHosts = new Map<string, string>();

/**
 * Longest decoded host that is not ASCII, in bytes; longer ones are refused. (A DNS name has at most 253 bytes in A-labels.) Platforms
 * differ in longer hosts, and some take quadratic time.
 */
const HOST_BYTES_MAX = 1024;

const decoder = new TextDecoder();

/** Returns the callback `toALabels` of the core with the memory `bytes`. */
export function aLabelsIn(bytes: Uint8Array): (length: number) => number {
  return (length) => {
    const labels = length > HOST_BYTES_MAX ? "" : toALabels(decoder.decode(bytes.subarray(HOST_REGION, HOST_REGION + length)));
    for (let i = 0; i < labels.length; i++) bytes[HOST_REGION + i] = labels.charCodeAt(i);
    return labels.length;
  };
}

/** Returns a host in A-labels, or "" if the platform's URL refuses the host. (N1) */
function toALabels(host: string): string {
  const known = knownHosts.get(host);
  if (known !== undefined) return known;
  const labels = hostnameOf(host);
  if (host.length > KNOWN_HOST_LENGTH_MAX) return labels;
  if (knownHosts.size >= KNOWN_HOSTS_MAX) knownHosts.clear();
  knownHosts.set(host, labels);
  return labels;
}

function hostnameOf(host: string): string {
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return "";
  }
}
