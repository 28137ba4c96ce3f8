/**
 * The flags of a match that can be told from its URL (W); `glued` and `hyphen-break` come from the extraction.
 */
import { readFileSync } from "node:fs";
import { type Authority, type Parts, splitIpLiteral, splitUserinfo } from "./split.ts";
import { textOf } from "./unicode.ts";

const CONTROL_TRIPLET = /%(?:[01][0-9A-F]|7F)/i;
const NUMERIC_HOST = /^(?:[0-9]+|0x[0-9a-f]*)(?:\.(?:[0-9]+|0x[0-9a-f]*)){0,3}$/i;
const FOUR_DECIMALS = /^(?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*)){3}$/;
const HIDDEN_HOST_BYTE = /%(?:2[DE]|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F)/i;
const SHOWN_HOST = /^[A-Za-z0-9_\x80-\xFF-]+\.[A-Za-z0-9_\x80-\xFF-]/;

/** The words of the list in a section of a page of docs/. */
function listIn(page: string, heading: string): string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  return (
    text
      .slice(text.indexOf(`## ${heading}`))
      .split("```")[1]
      ?.split(/\s+/)
      .slice(1, -1) ?? []
  );
}

const SHORT_LINKS = listIn("unwrap.md", "Short links");
const NAMESPACES = listIn("record.md", "Namespaces").map((name) => {
  const [host, path] = [name.slice(0, name.indexOf("/")), name.slice(name.indexOf("/"))];
  return { host, path: new RegExp(`^${path.replace(/[.?+]/g, "\\$&").replace(/\*(.*)/, ".*$1$")}`) };
});

/** C213, C215: the flags of a short link and of a namespace; `host` is in normal form. */
export function namedFlags({ scheme, path }: Parts, host: string | null): string[] {
  const isWeb = /^https?$/i.test(scheme);
  const isShort = SHORT_LINKS.some((name) => (name.startsWith("*.") ? host?.endsWith(name.slice(1)) : host === name));
  const isNamespace = NAMESPACES.some((one) => one.host === host && one.path.test(path));
  const isUrn = scheme.toLowerCase() === "urn" && /^schemas[-:]/i.test(path);
  return [...(isWeb && isShort && path.length > 1 ? ["shortener"] : []), ...((isWeb && isNamespace) || isUrn ? ["namespace"] : [])];
}

/** W `encoded-control`: path and query without the triplets that gopher and prospero ask for. */
function withoutOwnControls(scheme: string, path: string): string {
  if (scheme === "prospero") {
    return path.replaceAll("%00", " ");
  }
  if (scheme === "mailto") {
    // Line breaks and tabs in the text of a message are fine (RFC 6068).
    const [address = "", fields = ""] = path.split(/\?(.*)/s);
    const body = fields.split("&").find((field) => /^body=/i.test(field));
    return [address, ...fields.split("&").map((field) => (field === body ? field.replace(/%(?:09|0A|0D)/gi, " ") : field))].join("&");
  }
  if (scheme !== "gopher") {
    return path;
  }
  const pieces = path.split("%09");
  return pieces.map((piece, tabs) => (tabs < 3 ? piece : piece.replace(/%0D%0A/gi, " "))).join(" ");
}

/** The text of a component, one character a byte. */
function decoded(component: string): string {
  return component.replace(/%([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** W: what may be a number of a host: a decoded one up to what ends an authority, without a final dot. */
function numberOf(host: string): string {
  return host.replace(/[/?#:\\].*$/s, "").replace(/\.$/, "");
}

/** C214: whether a host is an IPv4 address that IPv6 maps. */
function isMapped(host: string): boolean {
  const groups = host.startsWith("[") ? splitIpLiteral(host)?.groups : null;
  return groups?.slice(0, 6).join() === "0,0,0,0,0,65535";
}

/** W: whether a host is disguised: letters in triplets, a number that is no four decimals, a userinfo like a host name. */
function isObfuscated({ userinfo, host }: Authority, isOther: boolean): boolean {
  const isHidden = !host.startsWith("[") && HIDDEN_HOST_BYTE.test(host);
  const number = numberOf(decoded(host));
  const isOddNumber = NUMERIC_HOST.test(number) && !FOUR_DECIMALS.test(number);
  return isHidden || (isOddNumber && !isOther) || (userinfo ?? "").split("@").some((piece) => SHOWN_HOST.test(decoded(piece)));
}

/** C272: the host that platforms read, if a character of it is not ASCII and becomes ASCII, or goes; else null. */
function undisguised(host: string): string | null {
  const name = textOf(host);
  const isMapped = [...name].some((one) => {
    const isGone = /\p{Default_Ignorable_Code_Point}/u.test(one) && !/[\u200c\u200d]/.test(one);
    return one > "\x7f" && (isGone || /[\u3002\uff61]/.test(one) || /^[\0-\x7f]+$/.test(one.normalize("NFKC")));
  });
  return isMapped && URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : null;
}

/** W: the flags of the host and the port. */
function authorityFlags(scheme: string, row: Parts["row"], authority: Authority): string[] {
  const standardPort = row?.port ?? null;
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
  const host = decoded(authority.host);
  const plain = authority.host.startsWith("[") ? null : undisguised(host);
  const number = numberOf(plain ?? host);
  // C273: a scheme that nobody knows has addresses of four decimal numbers alone.
  const isOther = row === undefined && NUMERIC_HOST.test(number) && !FOUR_DECIMALS.test(number);
  if ((NUMERIC_HOST.test(number) && !isOther) || isMapped(authority.host)) {
    flags.push("numeric-host");
  }
  if (!authority.host.startsWith("[") && /[\x80-\xFF]|(?:^|\.)xn--/i.test(host)) {
    flags.push("idn");
  }
  if (plain !== null || isObfuscated(authority, isOther)) {
    flags.push("obfuscated");
  }
  return flags;
}

/** W: the flags of a raw URL (a byte string); `parts` is null where it cannot be split. */
export function flagsOf(raw: string, parts: Parts | null): string[] {
  const flags = parts?.authority ? authorityFlags(parts.scheme.toLowerCase(), parts.row, parts.authority) : [];
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
