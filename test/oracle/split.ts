/**
 * One URL as a byte string, taken apart: authority (X2), address literals (N7), shapes (X6) and the generic split of P0.
 */
import { isKnown, KNOWN, type SchemeRow, type Schemes } from "./schemes.ts";
import { bytesOf, CONTROLS, textOf } from "./unicode.ts";

/** Why a candidate or a URL is refused (X12; `empty` and `no-scheme`: P0). */
export type Reason = "empty" | "no-scheme" | "no-host" | "bad-host" | "bad-port" | "bad-shape" | "overlong" | "defanged" | "no-base";

/** An authority as written; offsets in bytes. `end` is where X2 ends it: `stop` if all of it is good. */
export interface Authority {
  userinfo: string | null;
  host: string;
  port: string | null;
  hostStart: number;
  hostEnd: number;
  end: number;
  stop: number;
}

/** Components as written, as byte strings (P0). Known opaque schemes have no authority; `row` is that of a known scheme. */
export interface Parts {
  scheme: string;
  row: SchemeRow | undefined;
  authority: Authority | null;
  path: string;
  query: string | null;
  fragment: string | null;
}

/** What `oracleParse` gives for a good URL: components as written, null where absent (P0). */
export interface Components {
  scheme: string;
  userinfo: string | null;
  user: string | null;
  password: string | null;
  host: string | null;
  port: number | null;
  path: string;
  query: string | null;
  fragment: string | null;
}

const EDGES = new RegExp(`^[${CONTROLS}]+|[${CONTROLS}]+$`, "g");
const USERINFO = /^[A-Za-z0-9\-._~!$&'()*+,;=:%\x80-\xFF]*$/;
const IP_FUTURE = /^v[0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+$/i;
const IPV4_TAIL = /(?<=^|:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/;
const DECIMAL_OCTET = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;
const ZONE = /^%(?:25(?=.))?((?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+)$/;

/** Length of the host byte or triplet at an offset, or 0 (X2); what X4 ends lies after the limit, so every non-ASCII byte is one. */
function hostLengthAt(bytes: string, at: number, limit: number): number {
  if (at >= limit) {
    return 0;
  }
  const ascii = /^(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})/.exec(bytes.slice(at, Math.min(at + 3, limit)));
  return ascii?.[0].length ?? (bytes.charAt(at) >= "\x80" ? 1 : 0);
}

/** End of the longest run of host bytes after `from`, before `limit` (X2). */
export function hostNameEnd(bytes: string, from: number, limit: number): number {
  let end = from;
  for (let length = hostLengthAt(bytes, end, limit); length > 0; length = hostLengthAt(bytes, end, limit)) {
    end += length;
  }
  return end;
}

/** The eight groups of an IPv6 address without brackets and zone, or null (X2, N7; RFC 3986 IPv6address). */
export function ipv6Groups(address: string): number[] | null {
  const dotted = IPV4_TAIL.exec(address)?.slice(1) ?? [];
  if (!dotted.every((octet) => DECIMAL_OCTET.test(octet))) {
    return null;
  }
  const [a = 0, b = 0, c = 0, d = 0] = dotted.map(Number);
  const halves = address.replace(IPV4_TAIL, `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`).split("::");
  const [left = [], right = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - left.length - right.length;
  const fits = halves.length === 1 ? missing === 0 : halves.length === 2 && missing >= 1;
  if (!fits || ![...left, ...right].every((group) => /^[0-9a-f]{1,4}$/i.test(group))) {
    return null;
  }
  return [...left, ...Array<string>(missing).fill("0"), ...right].map((group) => Number.parseInt(group, 16));
}

/** Address and zone of an IP literal with its brackets; null if it can be none (X2, N7). An IPvFuture has no groups. */
export function splitIpLiteral(literal: string): { groups: number[] | null; future: string | null; zone: string | null } | null {
  const inside = /^\[(.*)\]$/s.exec(literal)?.[1] ?? "";
  if (IP_FUTURE.test(inside)) {
    return { groups: null, future: inside, zone: null };
  }
  const percent = inside.indexOf("%");
  const groups = ipv6Groups(percent < 0 ? inside : inside.slice(0, percent));
  const zone = percent < 0 ? null : (ZONE.exec(inside.slice(percent))?.[1] ?? "");
  return groups === null || zone === "" ? null : { groups, future: null, zone };
}

/** X2: reads userinfo, host and port between two offsets. `emptyHost` says where a host may be missing, `lengthOf` where text begins. */
export function readAuthority(
  bytes: string,
  from: number,
  limit: number,
  schemes: Schemes,
  emptyHost: (hostStart: number, stop: number) => boolean,
  lengthOf = (host: string): number => host.length,
): Authority | { reason: Reason } {
  const stop = from + bytes.slice(from, limit).search(/[/?#]|$/);
  const at = bytes.slice(from, stop).lastIndexOf("@");
  const userinfo = at >= 0 && !bytes.slice(from, from + at).includes("\\") ? bytes.slice(from, from + at) : null;
  const isProper = USERINFO.test(userinfo ?? "");
  const hostStart = userinfo === null ? from : from + at + 1;
  let hostEnd = hostStart;
  if (hostStart < stop && bytes[hostStart] === "[") {
    hostEnd = hostStart + bytes.slice(hostStart, stop).indexOf("]") + 1;
    if (splitIpLiteral(bytes.slice(hostStart, hostEnd)) === null) {
      return { reason: "bad-host" };
    }
  } else {
    hostEnd = hostNameEnd(bytes, hostStart, stop);
    const host = bytes.slice(hostStart, hostEnd);
    if ((host === "" && !emptyHost(hostStart, stop)) || /^[-.]/.test(host)) {
      return { reason: isProper ? "no-host" : "bad-host" };
    }
    if (isKnown(schemes, host) && bytes.startsWith("://", hostEnd)) {
      return { reason: "bad-host" };
    }
    const end = hostStart + lengthOf(host);
    if (end < hostEnd) {
      return { userinfo, host: bytes.slice(hostStart, end), port: null, hostStart, hostEnd: end, end, stop };
    }
  }
  const port = readPort(bytes, hostEnd, stop, limit);
  if (port === "bad-port") {
    return { reason: port };
  }
  const end = port === null ? hostEnd : hostEnd + 1 + port.length;
  return { userinfo, host: bytes.slice(hostStart, hostEnd), port, hostStart, hostEnd, end, stop };
}

/** X2: the digits after the host's colon; null where the host (or its colon) ends the match. */
function readPort(bytes: string, hostEnd: number, stop: number, limit: number): string | null {
  if (hostEnd >= stop || bytes[hostEnd] !== ":") {
    return null;
  }
  const digits = /^[0-9]*/.exec(bytes.slice(hostEnd + 1, stop))?.[0] ?? "";
  const after = hostEnd + 1 + digits.length;
  if (after < stop && bytes[after] === ":" && hostLengthAt(bytes, after + 1, stop) > 0) {
    return "bad-port";
  }
  if (digits === "") {
    return after === stop && stop < limit ? "" : null;
  }
  const tail = after + bytes.slice(after, stop).search(/[^-._]|$/);
  const isAsciiHostByte = tail < stop && bytes.charAt(tail) < "\x80" && hostLengthAt(bytes, tail, stop) > 0;
  if (isAsciiHostByte) {
    return null;
  }
  return Number(digits) > 65535 ? "bad-port" : digits;
}

/** X6: something, `@` or `%40`, and a host; or header fields. */
function isMailtoShape(rest: string): boolean {
  const [, addresses = "", fields] = /^([^?]*)(?:\?(.*))?$/s.exec(rest) ?? [];
  const [, before = "", hosts = ""] = /^(.*)(?:@|%40)(.*)$/s.exec(addresses) ?? [];
  const host = hosts.replace(/,.*$/s, "");
  const staysName = !/^(?:[-.]|%2[de])|%7e/i.test(host);
  const isName = staysName && host !== "" && hostNameEnd(host, 0, host.length) === host.length;
  return fields?.includes("=") || (before !== "" && (isName || isAddressLiteral(host)));
}

/** X6: the address literal of a mail domain (RFC 5321), its brackets encoded or not. */
function isAddressLiteral(domain: string): boolean {
  const [, address = ""] = /^(?:\[|%5B)(.*)(?:\]|%5D)$/is.exec(domain) ?? [];
  const octets = address.split(".");
  const isIpv4 = octets.length === 4 && octets.every((octet) => DECIMAL_OCTET.test(octet));
  return isIpv4 || (/^ipv6:/i.test(address) && ipv6Groups(address.slice(5)) !== null);
}

/** X6: whether the body of a scheme in text, which has its shape, is more than a label. `before`, `next`: the bytes around the match. */
export function isNoLabel(scheme: string, body: string, before: string, next: string): boolean {
  const rest = body.replace(/^([^#]*)#$/s, "$1");
  if (scheme === "tel") {
    const number = /^\+([0-9().-]*)(?![^;?#])/.exec(rest)?.[1] ?? "";
    const isLocal = /^[0-9][0-9a-f*().pw-]*;(?:.*;)?phone-context=./is.test(rest);
    return number.replace(/[^0-9]/g, "").length >= 7 || isLocal;
  }
  if ((scheme === "news" || scheme === "snews") && rest === "*") {
    const isEdge = (byte: string): boolean => byte < " " && byte !== "\t";
    return isEdge(before) ? isEdge(next) : before >= "\x7F" || /[()[\]{}"'`<>\\=]/.test(before);
  }
  return true;
}

/** X6: whether what comes after the colon has the shape of a known scheme without `//`. */
export function hasShape(schemes: Schemes, scheme: string, body: string): boolean {
  const rest = body.replace(/^([^#]*)#$/s, "$1");
  if (schemes.anyShape.has(scheme)) {
    return rest !== "";
  }
  switch (scheme) {
    case "mailto":
      return isMailtoShape(rest);
    case "news":
    case "snews":
      return rest === "*" || /^[a-z][a-z0-9+_-]*(\.[a-z0-9+_-]+)+$/i.test(rest) || /.@./s.test(rest);
    case "urn":
      return /^[a-z0-9][a-z0-9-]{0,30}[a-z0-9]:./is.test(rest);
    case "tel":
      return /^\+?[0-9]/.test(rest);
    case "magnet":
      return rest.includes("?");
    default:
      return /.@./s.test(rest);
  }
}

/** P0: takes white space and controls off both ends. */
export function trim(bytes: string): string {
  return bytes.replace(EDGES, "");
}

/** P0: the authority of a URL; what X2 would end earlier is refused. A colon at its end may be an empty port (N3). */
function splitAuthority(
  bytes: string,
  from: number,
  scheme: string,
  emptyPortAtEnd: boolean,
  schemes: Schemes,
): Authority | { reason: Reason } {
  const authority = readAuthority(bytes, from, bytes.length, schemes, (hostStart, stop) =>
    schemes.rows.has(scheme) ? scheme === "file" && hostStart === from && bytes[hostStart] === "/" : hostStart === from && stop === from,
  );
  if ("reason" in authority || authority.end === authority.stop) {
    return authority;
  }
  if (emptyPortAtEnd && authority.hostEnd === bytes.length - 1 && bytes.endsWith(":")) {
    return { ...authority, port: "" };
  }
  return { reason: bytes[authority.hostEnd] === ":" ? "bad-port" : "bad-host" };
}

/** P0: splits a URL given as a byte string. `shapes` asks for X6's full shapes; a match in `<URL:...>` need not have them. */
export function split(url: string, shapes: boolean, emptyPortAtEnd = true, schemes: Schemes = KNOWN): Parts | { reason: Reason } {
  const bytes = trim(url);
  if (bytes === "") {
    return { reason: "empty" };
  }
  const [, written, rest = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(bytes) ?? [];
  if (written === undefined) {
    return { reason: "no-scheme" };
  }
  const scheme = written.toLowerCase();
  const row = schemes.rows.get(scheme);
  const shape = row?.shape;
  let authority: Authority | null = null;
  let tail = rest;
  if (rest.startsWith("//") && shape !== "opaque") {
    const read = splitAuthority(bytes, written.length + 3, scheme, emptyPortAtEnd, schemes);
    if ("reason" in read) {
      return read;
    }
    authority = read;
    tail = bytes.slice(read.stop);
  } else if (shape === "//" && !(scheme === "file" && rest.startsWith("/"))) {
    return { reason: scheme === "file" ? "bad-shape" : "no-host" };
  } else if (shape !== undefined && shape !== "//" && shapes && !hasShape(schemes, scheme, rest)) {
    return { reason: "bad-shape" };
  }
  const [, path = "", query = null, fragment = null] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(tail) ?? [];
  return { scheme: written, row, authority, path, query, fragment };
}

/** Whether a path is hierarchical: N4 and N5 apply (end of section X). */
export function isHierarchical(row: SchemeRow | undefined, hasAuthority: boolean): boolean {
  return row?.hierarchical ?? hasAuthority;
}

/** Whether X2's `//` and host are asked for outside `<URL:...>`: `//` schemes, `x-*` and those that X1 (c) finds (X2, X6). */
export function needsAuthority(schemes: Schemes, scheme: string): boolean {
  return (schemes.rows.get(scheme)?.shape ?? "//") === "//";
}

/** User and password of a userinfo, split at its first colon (P0, N1, W). */
export function splitUserinfo(userinfo: string | null): { user: string | null; password: string | null } {
  const [, user = null, password = null] = /^([^:]*)(?::(.*))?$/s.exec(userinfo ?? "") ?? [];
  return userinfo === null ? { user: null, password: null } : { user, password };
}

/** P0: the generic components of a URL, as written, or the code of its refusal. */
export function oracleParse(url: string): Components | { code: Reason } {
  const parts = split(bytesOf(url), true);
  if ("reason" in parts) {
    return { code: parts.reason };
  }
  const text = (bytes: string | null): string | null => (bytes === null ? null : textOf(bytes));
  const userinfo = parts.authority?.userinfo ?? null;
  const { user, password } = splitUserinfo(userinfo);
  const { host = null, port = null } = parts.authority ?? {};
  // C292: what looks like a host with an empty port is a drive.
  const isDrive = parts.scheme === "file" && /^[a-z]$/i.test(host ?? "") && port === "" && userinfo === null;
  return {
    scheme: parts.scheme,
    userinfo: text(userinfo),
    user: text(user),
    password: text(password),
    host: isDrive ? "" : text(host),
    port: parts.authority?.port ? Number(parts.authority.port) : null,
    path: isDrive ? `/${host}:${textOf(parts.path)}` : textOf(parts.path),
    query: text(parts.query),
    fragment: text(parts.fragment),
  };
}
