// Hosts that are not ASCII: the core decodes them, the platform's URL makes A-labels of them (N1, UTS 46).

/** Hosts whose A-labels are remembered, and the longest of them: the platform takes a microsecond for each. */
const KNOWN_HOSTS_MAX = 4096;
const KNOWN_HOST_LENGTH_MAX = 256;
const knownHosts = new Map<string, string>();

/** Returns the A-labels of a host, or "" where it has none. (N1) */
export function toALabels(host: string): string {
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
