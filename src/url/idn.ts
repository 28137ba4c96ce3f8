// Hosts that are not ASCII: the core decodes them, the platform's URL makes A-labels of them (N1, UTS 46).
import { HOST_AREA, STATE_HOST_LENGTH } from "#core/tables/areas.js";
import type { Core } from "../core/core.ts";

const decoder = new TextDecoder();

/** Hosts whose A-labels are remembered: the platform takes a microsecond for each. */
const KNOWN_HOSTS_MAX = 4096;
const knownHosts = new Map<string, string>();

function toALabels(host: string): string {
  let labels = knownHosts.get(host);
  if (labels === undefined) {
    if (knownHosts.size >= KNOWN_HOSTS_MAX) knownHosts.clear();
    labels = hostnameOf(host);
    knownHosts.set(host, labels);
  }
  return labels;
}

function hostnameOf(host: string): string {
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return "";
  }
}

/** Puts the A-labels of the host in HOST_AREA in its place; an empty host tells the core that there are none. @see docs/rules.md N1 */
export function supplyALabels(core: Core): void {
  const length = core.words[STATE_HOST_LENGTH >> 2] as number;
  const labels = toALabels(decoder.decode(core.bytes.subarray(HOST_AREA, HOST_AREA + length)));
  for (let i = 0; i < labels.length; i++) core.bytes[HOST_AREA + i] = labels.charCodeAt(i);
  core.words[STATE_HOST_LENGTH >> 2] = labels.length;
}
