/**
 * The flags of a match that can be told from its URL (W); `glued` and `hyphen-break` come from the extraction.
 */
import { type Authority, type Parts, splitUserinfo } from "./split.ts";

const CONTROL_TRIPLET = /%(?:[01][0-9A-F]|7F)/i;
const NUMERIC_HOST = /^(?:[0-9]+|0x[0-9a-f]*)(?:\.(?:[0-9]+|0x[0-9a-f]*)){0,3}\.?$/i;

/** W `encoded-control`: path and query without the triplets that gopher and prospero ask for. */
function withoutOwnControls(scheme: string, path: string): string {
  if (scheme === "prospero") {
    return path.replaceAll("%00", " ");
  }
  if (scheme !== "gopher") {
    return path;
  }
  const pieces = path.split("%09");
  return pieces.map((piece, tabs) => (tabs < 3 ? piece : piece.replace(/%0D%0A/gi, " "))).join(" ");
}

/** W: the flags of the host and the port. */
function authorityFlags(scheme: string, standardPort: number | null, authority: Authority): string[] {
  const flags: string[] = [];
  if (authority.userinfo !== null && /^https?$/.test(scheme)) {
    flags.push("userinfo");
  }
  if (splitUserinfo(authority.userinfo).password) {
    flags.push("password");
  }
  if (authority.port && standardPort !== null && Number(authority.port) !== standardPort) {
    flags.push("odd-port", ...(Number(authority.port) < 1024 ? ["reserved-port"] : []));
  }
  const host = authority.host.replace(/%([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (NUMERIC_HOST.test(host)) {
    flags.push("numeric-host");
  }
  if (!host.startsWith("[") && /[\x80-\xFF]|(?:^|\.)xn--/i.test(host)) {
    flags.push("idn");
  }
  return flags;
}

/** W: the flags of a raw URL (a byte string); `parts` is null where it cannot be split. */
export function flagsOf(raw: string, parts: Parts | null): string[] {
  const flags = parts?.authority ? authorityFlags(parts.scheme.toLowerCase(), parts.row?.port ?? null, parts.authority) : [];
  const host = parts?.authority?.host ?? "";
  const literal = host.startsWith("[") ? host : "";
  const hostControls = literal === "" ? host : literal.replace(/%(?:25(?=[^\]]))?/, " ");
  const afterHost = parts === null ? raw : withoutOwnControls(parts.scheme.toLowerCase(), `${parts.path}?${parts.query ?? ""}`);
  if (CONTROL_TRIPLET.test([parts?.authority?.userinfo, hostControls, afterHost, parts?.fragment].join(" "))) {
    flags.push("encoded-control");
  }
  if (/%(?![0-9A-F]{2})/i.test(raw.replace(literal, ""))) {
    flags.push("bad-percent");
  }
  return flags;
}
