// The IP address of a host in any notation. (C214)

const PART = /^(?:0x[0-9a-f]*|0[0-7]*|[1-9][0-9]*)$/;
const LITERAL = /^\[([0-9a-f:.]+)(?:%25[^\]]*)?\]$/;
/** An IPv4-mapped IPv6 address, in the forms of N7 and of the WHATWG URL Standard. */
const MAPPED = /^::ffff:(?:([0-9.]+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/;

/** Returns the IP address, without brackets, that the host of a normal form is; undefined if the host is no address. (C214) */
export function addressOf(host: string): string | undefined {
  if (!host.startsWith("[")) return numberAddress(host);
  const literal = LITERAL.exec(host)?.[1];
  const [isMapped, dotted, high = "", low = ""] = MAPPED.exec(literal ?? "") ?? [];
  if (isMapped === undefined) return literal;
  return dotted ?? dottedOf(Number.parseInt(high, 16) * 0x10000 + Number.parseInt(low, 16));
}

/** Reads a host as an IPv4 address, as the WHATWG URL Standard does. Returns it in dotted decimal, or undefined. */
function numberAddress(host: string): string | undefined {
  // Most hosts are names.
  if (!/^[0-9]/.test(host)) return undefined;
  const parts = host.replace(/\.$/, "").split(".");
  const numbers = parts.map(numberOf);
  const last = numbers.pop();
  const fits = last !== undefined && last < 256 ** (4 - numbers.length) && numbers.every((number) => number !== undefined && number < 256);
  if (parts.length > 4 || !fits) return undefined;
  return dottedOf(numbers.reduce<number>((sum, number, index) => sum + (number ?? 0) * 256 ** (3 - index), last));
}

function numberOf(part: string): number | undefined {
  if (!PART.test(part)) return undefined;
  if (part.startsWith("0x")) return part === "0x" ? 0 : Number(part);
  return Number.parseInt(part, part.startsWith("0") ? 8 : 10);
}

function dottedOf(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
}
