// Hosts that are not ASCII: the core decodes them, the platform's URL makes A-labels of them (N1, UTS 46).
import { HOST_REGION, STATE_HOST_LENGTH } from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";

const decoder = new TextDecoder();

/**
 * Longest host that is not ASCII, decoded, in bytes; longer ones are refused. (A name of the DNS has at most 253 in A-labels.) For long
 * ones platforms differ, and some take a time that grows with the square of the length.
 */
const HOST_BYTES_MAX = 1024;
/** Hosts whose A-labels are remembered, and the longest of them: the platform takes a microsecond for each. */
const KNOWN_HOSTS_MAX = 4096;
const KNOWN_HOST_LENGTH_MAX = 256;
const knownHosts = new Map<string, string>();

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

/** Puts the A-labels of the host in HOST_REGION in its place; an empty host tells the core that there are none. @see docs/rules.md N1 */
export function supplyALabels(core: Core): void {
  const length = core.words[STATE_HOST_LENGTH >> 2] as number;
  const labels = length > HOST_BYTES_MAX ? "" : toALabels(decoder.decode(core.bytes.subarray(HOST_REGION, HOST_REGION + length)));
  for (let i = 0; i < labels.length; i++) core.bytes[HOST_REGION + i] = labels.charCodeAt(i);
  core.words[STATE_HOST_LENGTH >> 2] = labels.length;
}
