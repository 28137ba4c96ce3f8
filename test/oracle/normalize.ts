/**
 * The profiles `none`, `rfc3986` and `rfc1738` (N, N1 to N8) over the parts of one URL.
 */
import { KNOWN } from "./schemes.ts";
import { hasShape, isHierarchical, type Parts, type Reason, split, splitIpLiteral, splitUserinfo, trim } from "./split.ts";
import { bytesOf, CONTROLS, DELIMITERS, isUtf8, textOf, wrappableLengthAt } from "./unicode.ts";

/** A normal form as a byte string, with the host in it (null without an authority). */
export interface NormalForm {
  url: string;
  host: string | null;
}

/** What stays as it is in each component, and whose triplets are decoded: insides of character classes (N2, N8). */
interface Sets {
  userinfo: string;
  path: string;
  query: string;
  zone: string;
  decoded: string;
}

const UNRESERVED = "A-Za-z0-9\\-._~";
const SUB_DELIMS = "!$&'()*+,;=";
const PCHAR = `${UNRESERVED}${SUB_DELIMS}:@/`;
const RFC3986: Sets = {
  userinfo: `${UNRESERVED}${SUB_DELIMS}:`,
  path: PCHAR,
  query: `${PCHAR}?`,
  zone: UNRESERVED,
  decoded: UNRESERVED,
};

/** N8: the same characters in every component, but for the `@` of a userinfo; the tilde is not one of them. */
const RFC1738_KEPT = "A-Za-z0-9$\\-_.+!*'(),;/?:@=&";
const RFC1738: Sets = {
  userinfo: RFC1738_KEPT.replace("@", ""),
  path: RFC1738_KEPT,
  query: RFC1738_KEPT,
  zone: RFC1738_KEPT,
  decoded: "A-Za-z0-9\\-._",
};
const FORBIDDEN_IN_HOST = new RegExp(`[${CONTROLS}#%/:<>?@[\\\\\\]^|]`);

/** One byte as a percent triplet (N2). */
function triplet(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** N2 over one component: `allowed` is the inside of a character class; `decoded` names what loses its triplet. */
function n2(component: string, allowed: string, decoded: string): string {
  const keep = new RegExp(`[${allowed}]`);
  const decode = new RegExp(`[${decoded}]`);
  return component.replace(/%[0-9A-Fa-f]{2}|./gs, (item) => {
    if (item.length === 1) {
      return keep.test(item) ? item : triplet(item);
    }
    const byte = String.fromCharCode(Number.parseInt(item.slice(1), 16));
    return decode.test(byte) ? byte : item.toUpperCase();
  });
}

/** Changes the letters of a component, but not the hex digits of its triplets, to lower case (N6). */
function lowerCaseLetters(component: string): string {
  return component.replace(/%[0-9A-F]{2}|[A-Z]/g, (item) => (item.length === 1 ? item.toLowerCase() : item));
}

/** N1: takes an empty password and an empty userinfo off the web's schemes; null where none is left. */
function n1Userinfo(scheme: string, userinfo: string): string | null {
  const shorter = splitUserinfo(userinfo).password === "" ? userinfo.slice(0, -1) : userinfo;
  if (!["http", "https", "ws", "wss"].includes(scheme)) {
    return userinfo;
  }
  return shorter === "" ? null : shorter;
}

/** UTS 46 as the platform's URL does it; empty where it refuses. (`URL.canParse` of Node 20 is wrong for some Latin-1 strings.) */
function aLabels(host: string): string {
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return "";
  }
}

/** N1: a host name in lower case, decoded, as A-labels; null is `bad-host`. */
function n1Host(host: string): string | null {
  const decoded = host.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (!isUtf8(decoded) || FORBIDDEN_IN_HOST.test(decoded)) {
    return null;
  }
  let ascii = decoded.toLowerCase();
  if (/[\x80-\xFF]/.test(decoded)) {
    if (decoded.length > 1024) return null;
    ascii = aLabels(textOf(decoded));
  }
  const name = ascii.replace(/[^A-Za-z0-9._-]/g, triplet);
  return host !== "" && /^(?:[-.]|$)/.test(name) ? null : name;
}

/** N7: an IP literal in the form of RFC 5952. */
function n7(literal: string, sets: Sets): string {
  const { groups, future, zone } = splitIpLiteral(literal) ?? { groups: null, future: null, zone: null };
  if (groups === null) {
    return `[${(future ?? "").toLowerCase()}]`;
  }
  const zoneText = zone === null ? "" : `%25${n2(zone, sets.zone, sets.decoded)}`;
  const hex = groups.map((group) => group.toString(16));
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return `[::ffff:${high >> 8}.${high & 255}.${low >> 8}.${low & 255}${zoneText}]`;
  }
  const runs = [8, 7, 6, 5, 4, 3, 2].flatMap((length) => hex.map((_, start) => ({ start, length })));
  const zeros = runs.find(({ start, length }) => start + length <= 8 && groups.slice(start, start + length).every((group) => group === 0));
  if (zeros === undefined) {
    return `[${hex.join(":")}${zoneText}]`;
  }
  return `[${hex.slice(0, zeros.start).join(":")}::${hex.slice(zeros.start + zeros.length).join(":")}${zoneText}]`;
}

/** N3: the port without leading zeros; null where it is empty or the default. */
function n3(standardPort: number | null, port: string | null): string | null {
  if (port === null || port === "") {
    return null;
  }
  const number = Number(port);
  return number === standardPort ? null : String(number);
}

/** N4: remove_dot_segments of RFC 3986 5.2.4. */
function n4(path: string): string {
  let input = path;
  let output = "";
  while (input !== "") {
    if (/^\.\.?\//.test(input)) {
      input = input.replace(/^\.\.?\//, "");
    } else if (/^\/\.(?:\/|$)/.test(input)) {
      input = input.replace(/^\/\.\/?/, "/");
    } else if (/^\/\.\.(?:\/|$)/.test(input)) {
      input = input.replace(/^\/\.\.\/?/, "/");
      output = output.slice(0, Math.max(0, output.lastIndexOf("/")));
    } else if (input === "." || input === "..") {
      input = "";
    } else {
      const segment = /^\/?[^/]*/.exec(input)?.[0] ?? "";
      output += segment;
      input = input.slice(segment.length);
    }
  }
  return output;
}

/** N5: what an empty path becomes; a gopher path is only touched where no query (in gopher: a selector) follows. */
function n5Path(scheme: string, path: string, isTree: boolean, query: string | null): string {
  if (scheme === "gopher" && query === null && (path === "" || path === "/")) {
    return "/1";
  }
  const takesSlash = isTree || ["telnet", "rlogin", "tn3270"].includes(scheme);
  return path === "" && takesSlash ? "/" : path;
}

/** N6: the parts of a path that do not tell upper from lower case. */
function n6Path(scheme: string, path: string): string {
  switch (scheme) {
    case "ftp":
      return path.replace(/;type=[aid]$/i, lowerCaseLetters);
    case "mailto":
      return path
        .split(",")
        .map((address) => address.replace(/^(.*(?:@|%40))(.*)$/s, (_, local: string, host: string) => local + lowerCaseLetters(host)))
        .join(",");
    case "sip":
    case "sips":
    case "xmpp":
      return path.replace(/^([^@]*@)([^/;,]*)/, (_, local: string, host: string) => local + lowerCaseLetters(host));
    case "urn":
      return path.replace(/^[^:]*(?=:)/, lowerCaseLetters);
    default:
      return path;
  }
}

/** N1, N3, N5, N7: the authority with its `//`, and the host in it. */
function n1Authority(parts: Parts, scheme: string, sets: Sets): { text: string; host: string | null } | { reason: Reason } {
  if (parts.authority === null) {
    return scheme === "file" ? { text: "//", host: "" } : { text: "", host: null };
  }
  const { userinfo, port } = parts.authority;
  const name = parts.authority.host.startsWith("[") ? n7(parts.authority.host, sets) : n1Host(parts.authority.host);
  if (name === null) {
    return { reason: "bad-host" };
  }
  const user = userinfo === null ? null : n1Userinfo(scheme, n2(userinfo, sets.userinfo, sets.decoded));
  const number = n3(parts.row?.port ?? null, port);
  const host = scheme === "file" && name === "localhost" && user === null && number === null ? "" : name;
  return { text: `//${user === null ? "" : `${user}@`}${host}${number === null ? "" : `:${number}`}`, host };
}

/** The normal form of parts under `rfc3986` or `rfc1738`, in the order of N1 to N8; the URL and its host are byte strings. */
export function normalForm(parts: Parts, profile: "rfc3986" | "rfc1738"): NormalForm | { reason: Reason } {
  const sets = profile === "rfc1738" ? RFC1738 : RFC3986;
  const scheme = parts.scheme.toLowerCase();
  // C292: what looks like a host with an empty port is a drive.
  const { host: drive = "", port = null, userinfo = null } = parts.authority ?? {};
  if (scheme === "file" && /^[a-z]$/i.test(drive) && port === "" && userinfo === null) {
    return normalForm({ ...parts, authority: null, path: `/${drive}:${parts.path}` }, profile);
  }
  const authority = n1Authority(parts, scheme, sets);
  if ("reason" in authority) {
    return authority;
  }
  const isTree = isHierarchical(parts.row, authority.host !== null);
  let path = n2(parts.path, sets.path, scheme === "urn" ? "^\\x00-\\xFF" : sets.decoded);
  path = isTree ? n4(path) : path;
  path = n6Path(scheme, n5Path(scheme, path, isTree, parts.query));
  const query = parts.query === null ? "" : `?${n2(parts.query, sets.query, sets.decoded)}`;
  const fragment = parts.fragment && profile === "rfc3986" ? `#${n2(parts.fragment, sets.query, sets.decoded)}` : "";
  return { url: `${scheme}:${authority.text}${path}${query}${fragment}`, host: authority.host };
}

/** N8: whether a URL without `//` keeps its shape (X6) when its fragment goes, so that its normal form is one of its own. */
function keepsShape(parts: Parts): boolean {
  const query = parts.query === null ? "" : `?${parts.query}`;
  const isOpaque = parts.row !== undefined && parts.row.shape !== "//" && parts.authority === null;
  return !isOpaque || hasShape(KNOWN, parts.scheme.toLowerCase(), `${parts.path}${query}`);
}

/** C45: what X7 lets no delimited URL hold becomes triplets, a character as a whole. */
export function asWritten(bytes: string): string {
  const delimiter = new RegExp(`[${DELIMITERS}]`);
  let written = "";
  for (let at = 0; at < bytes.length; ) {
    const isAscii = bytes.charAt(at) < "\x80";
    const kept = isAscii ? Number(!delimiter.test(bytes.charAt(at))) : wrappableLengthAt(bytes, at);
    const sequence = isAscii ? "" : (/^[\xC2-\xF4][\x80-\xBF]+/.exec(bytes.slice(at, at + 4))?.[0] ?? "");
    const length = isUtf8(sequence) ? Math.max(1, sequence.length) : 1;
    const taken = bytes.slice(at, at + length);
    written += kept > 0 ? taken : [...taken].map(triplet).join("");
    at += length;
  }
  return written;
}

/** N: a URL under a profile (`none`: trimmed and by C45, but refused like what P0 refuses), or the reason why it is refused. */
export function oracleNormalize(url: string, profile: "none" | "rfc3986" | "rfc1738"): { url: string } | { reason: Reason } {
  const parts = split(bytesOf(url), true);
  if ("reason" in parts) {
    return parts;
  }
  if (profile === "none") {
    return { url: textOf(asWritten(trim(bytesOf(url)))) };
  }
  if (profile === "rfc1738" && !keepsShape(parts)) {
    return { reason: "bad-shape" };
  }
  const normal = normalForm(parts, profile);
  return "reason" in normal ? normal : { url: textOf(normal.url) };
}
