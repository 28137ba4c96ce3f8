// The IP address of a host in any notation. (C214)

const LITERAL = /^\[([0-9a-f:.]+)(?:%25[^\]]*)?\]$/;
/** An IPv4-mapped IPv6 address, in the forms of N7 and of the WHATWG URL Standard. */
const MAPPED = /^::ffff:(?:([0-9.]+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/;
const DOTTED = /^[0-9]+(?:\.[0-9]+){3}$/;

/** Returns the IP address, without brackets, that the host of a normal form is; undefined if the host is no address. (C214) */
export function addressOf(host: string): string | undefined {
  if (!host.startsWith("[")) return numberAddress(host);
  const literal = LITERAL.exec(host)?.[1];
  const [isMapped, dotted, high = "", low = ""] = MAPPED.exec(literal ?? "") ?? [];
  if (isMapped === undefined) return literal;
  return dotted ?? numberAddress(`0x${high}${low.padStart(4, "0")}`);
}

/** Reads a host as an IPv4 address, as the platform's URL does. Returns it in dotted decimal, or undefined. */
function numberAddress(host: string): string | undefined {
  // Most hosts are names.
  if (!/^[0-9][0-9a-fx.]*$/.test(host)) return undefined;
  try {
    const { hostname } = new URL(`http://${host}`);
    return DOTTED.test(hostname) ? hostname : undefined;
  } catch {
    return undefined;
  }
}
