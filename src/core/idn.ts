// Hosts that are not ASCII: the core decodes them, the platform's URL makes A-labels of them (N1, UTS 46).
import { HOST_REGION } from "#core/layout/memory.js";

/** Hosts whose A-labels are remembered, and the longest of them: the platform takes a microsecond for each. */
const KNOWN_HOSTS_MAX = 4096;
const KNOWN_HOST_LENGTH_MAX = 256;
const knownHosts = new Map<string, string>();

/**
 * Longest host that is not ASCII, decoded, in bytes; longer ones are refused. (A name of the DNS has at most 253 in A-labels.) For long
 * ones platforms differ, and some take a time that grows with the square of the length.
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

/** Returns the A-labels of a host, or "" where it has none. (N1) */
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
