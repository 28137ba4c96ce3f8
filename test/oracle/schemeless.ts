/**
 * Schemeless text (X10): `www.` and `ftp.` names, e-mail addresses, domain names under a public suffix, IP addresses.
 */
import { readDelimited } from "./delimited.ts";
import { hasPublicSuffix, lengthWithoutText } from "./glued.ts";
import { isInMessageId, isInReceived } from "./message-id.ts";
import { type Candidate, candidateAt, findEnd, type Reading, withoutOpen, withoutTrailing } from "./plain.ts";
import type { Rules, SchemelessKind } from "./rules.ts";
import { hostNameEnd, ipv6Groups, readAuthority } from "./split.ts";
import { candidateStep, isCutByColor, type Step, sequenceEnd, wrappedStep } from "./step.ts";
import { keptLengthAt } from "./unicode.ts";

const KINDS: readonly SchemelessKind[] = ["www", "email", "domain", "ip"];
/** Schemeless text may start here. */
const LEFT = "(?<![A-Za-z0-9._@/%-])";
const LEFT_AT = new RegExp(LEFT, "y");
/** What may be in a sequence, or after one (C173, C310). */
const NEAR_SEQUENCE = "(?<=\\x1b[ -~]{1,35})";
const START = new RegExp(`(?:${LEFT}|${NEAR_SEQUENCE})[A-Za-z0-9_\\x80-\\xFF]`);
/** With `www`, C95 too. */
const LEADER = "(?<=\\.\\.|--)(?:[Ww]{3}|[Ff][Tt][Pp])(?=\\.)";
const LEADER_AT = new RegExp(LEADER, "y");
const START_WWW = new RegExp(`${START.source}|${LEADER}`);
/** With `ip`, C98 too. */
const START_IP = `|(?:${LEFT}|${NEAR_SEQUENCE})\\[(?=[0-9A-Fa-f]{0,4}:)`;
const OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
/** C98: what makes a URL of an address. */
const AFTER_IP = /^(?::[0-9]|[?][A-Za-z0-9]|#(?=[A-Za-z0-9])(?!NUMBER)|\/(?!NUMBER))/;
const NUMBER = "[0-9]{1,5}(?![0-9A-Za-z_]|\\/[A-Za-z0-9]|[.?&=%-][A-Za-z])";
const FOLLOWS_IP = new RegExp(AFTER_IP.source.replaceAll("NUMBER", NUMBER));
const IPV6_TAIL = /:[0-9A-Fa-f]{0,4}:$/;
/** C58, C96, C140: what a local part is made of in text. */
const LOCAL = "(?:[A-Za-z0-9_+-]|(?<=[A-Za-z])'(?=[A-Za-z])|(?<=[A-Za-z0-9_+-])%(?![0-9A-Fa-f]{2})(?=[A-Za-z0-9_+-]))";
/** C140: most bytes of an address with a sign that is encoded. */
const ENCODED_MAX = 1024;
const LOOKS_LIKE: Record<SchemelessKind, RegExp> = {
  www: /(?:www|ftp)\./iy,
  email: new RegExp(`[A-Za-z0-9_]${LOCAL}*(?:\\.${LOCAL}+)*@`, "y"),
  domain: /[A-Za-z0-9\x80-\xFF][A-Za-z0-9\x80-\xFF-]*\./y,
  ip: new RegExp(`(?:${OCTET}(?:\\.${OCTET}){3}(?![A-Za-z0-9._-])|\\[[0-9A-Fa-f:.]{1,45}\\])`, "y"),
};
/** C96: an address in angle brackets. */
const WHOLE_ADDRESS = /^[A-Za-z0-9_][A-Za-z0-9!#$%&'*+/=?^_{|}~-]*(?:\.[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+)*@/;
/** C313: other file extensions, and units of systemd. */
const NO_DOMAIN = /^(?:css|gif|gz|html?|ico|jpe?g|js|json|pdf|png|service|socket|svg|tgz|timer|txt|webp|xml|ya?ml)$/i;
/** File extensions that are top-level domains too. */
const FILE_EXTENSION = /\.(?:cc|inc|md|mk|ml|mov|pl|pm|ps|py|rs|sh|so|zip)$|^[^.]*\.sv$/i;

/** The labels of a host name; a final dot is no label. */
function labelsOf(host: string): string[] {
  return host.replace(/\.$/, "").split(".");
}

/** X10: whether a host name is one of a kind. */
function isNameOf(kind: SchemelessKind, host: string): boolean {
  if (kind === "ip") {
    return host.startsWith("[") ? ipv6Groups(host.slice(1, -1)) !== null : new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`).test(host);
  }
  const labels = labelsOf(host);
  if (labels.includes("")) {
    return false;
  }
  if (kind === "www") {
    return labels.length > 2;
  }
  if (kind === "email") {
    const isName = !/^[0-9]/.test(labels.at(-1) ?? "") && !NO_DOMAIN.test(labels.at(-1) ?? "");
    return labels.length > 1 && !host.includes("%") && (isName || new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`).test(host));
  }
  const name = labels.join(".");
  if (!labels.every((label) => /^[A-Za-z0-9\x80-\xFF-]+$/.test(label) && !/^-|-$/.test(label)) || FILE_EXTENSION.test(name)) {
    return false;
  }
  return hasPublicSuffix(name);
}

/** What normalizing puts before the raw form of a kind. */
function prefixOf(kind: SchemelessKind, bytes: string, start: number): string {
  if (kind === "email") {
    return "mailto:";
  }
  return kind === "www" && /[Ff]/.test(bytes.charAt(start)) ? "ftp://" : "http://";
}

/** Length of what looks like the start of a kind (an address up to its `@`, else nothing of a name), or null. */
function hostStartOf(kind: SchemelessKind, text: string): number | null {
  LOOKS_LIKE[kind].lastIndex = 0;
  const head = LOOKS_LIKE[kind].exec(text)?.[0];
  return head === undefined ? null : kind === "email" ? head.length : 0;
}

/** Where the name at the start of a text ends, which may be an address in brackets. */
function nameEndOf(kind: SchemelessKind, text: string, start: number, end: number): number {
  return kind === "ip" && text.startsWith("[") ? text.indexOf("]") + 1 : hostNameEnd(text, start, end);
}

/** X2 to X5, X10: reads a candidate as a kind; null where it is none. */
function readSchemeless(kind: SchemelessKind, candidate: Candidate, bytes: string, rules: Rules): Reading | null {
  const { start, text, rest } = candidate;
  const hostStart = hostStartOf(kind, text);
  if (hostStart === null) {
    return null;
  }
  const end = findEnd(candidate, 0, rules);
  const hostEnd = nameEndOf(kind, text + rest, hostStart, end);
  if (end < hostStart || (kind === "ip" && !FOLLOWS_IP.test(text.slice(hostEnd) + candidate.next))) {
    return null;
  }
  // C12: what is directly after a name counts also where the candidate is cut.
  if (/^[-.]/.test(text.slice(hostStart)) || /^(?:@|:\/\/)/.test(text.slice(hostEnd) + rest)) {
    return null;
  }
  const nameEnd = hostStart + lengthWithoutText(text.slice(hostStart, hostEnd));
  if (nameEnd < hostEnd) {
    return isNameOf(kind, text.slice(hostStart, nameEnd)) ? { reason: null, endBeforeX5: nameEnd, end: nameEnd, mayGoOn: false } : null;
  }
  // C312
  const isCut = isCutByColor(bytes, start + hostEnd);
  if (isCut && kind !== "email") {
    return isNameOf(kind, text.slice(0, hostEnd)) ? { reason: "bad-host", endBeforeX5: hostEnd, end: 0, mayGoOn: false } : null;
  }
  let endBeforeX5 = hostEnd;
  if (kind !== "email") {
    const stop = text.slice(hostEnd, end).search(/[/?#@]|$/) + hostEnd;
    const authority = readAuthority(text + rest, 0, text[stop] === "@" ? stop : end, rules.schemes, () => false);
    if ("reason" in authority) {
      const portEnd = hostEnd + (/^:[0-9]*/.exec(text.slice(hostEnd, end))?.[0].length ?? 0);
      return isNameOf(kind, text.slice(0, hostEnd)) ? { reason: authority.reason, endBeforeX5: portEnd, end: 0, mayGoOn: false } : null;
    }
    endBeforeX5 = authority.end === authority.stop && text[stop] !== "@" ? end : authority.end;
  }
  const trimmed = withoutTrailing(candidate, hostStart, withoutOpen(text, hostEnd, endBeforeX5), hostEnd);
  const isName = isNameOf(kind, text.slice(hostStart, Math.min(hostEnd, trimmed)));
  if (kind === "ip" && trimmed <= hostEnd) {
    return null;
  }
  if (kind === "email" && trimmed > ENCODED_MAX && /[%?#]/.test(text.slice(0, hostStart))) {
    return null;
  }
  const hasApostrophe = kind === "email" && text.slice(0, hostStart).includes("'");
  const reason = isCut ? "bad-host" : null;
  return isName && !(hasApostrophe && text[trimmed] === "'") ? { reason, endBeforeX5, end: trimmed, mayGoOn: false } : null;
}

/** X7, X10: whether the whole text of a delimited URL is one of a kind; brackets, quotes and punctuation belong to its path. */
function isWhole(kind: SchemelessKind, raw: string, rules: Rules): boolean {
  const hostStart = kind === "email" ? (WHOLE_ADDRESS.exec(raw)?.[0].length ?? null) : hostStartOf(kind, raw);
  if (hostStart === null) {
    return false;
  }
  const hostEnd = nameEndOf(kind, raw, hostStart, raw.length);
  if (kind === "email") {
    const isShort = raw.length <= ENCODED_MAX || !/[%?#]/.test(raw.slice(0, hostStart));
    return isShort && hostEnd === raw.length && !/^[-.]/.test(raw.slice(hostStart)) && isNameOf(kind, raw.slice(hostStart));
  }
  const authority = readAuthority(raw, 0, raw.length, rules.schemes, () => false);
  const isRead = !("reason" in authority) && authority.userinfo === null && authority.end === authority.stop;
  return isRead && isNameOf(kind, raw.slice(0, hostEnd)) && (kind !== "ip" || FOLLOWS_IP.test(raw.slice(hostEnd)));
}

/** A domain name is the longest run of host bytes: it does not start after a character that X2 would take. */
function isAfterName(bytes: string, start: number): boolean {
  const before = /[\xC2-\xF4][\x80-\xBF]{1,3}$/.exec(bytes.slice(Math.max(0, start - 4), start))?.[0] ?? "";
  return [2, 3, 4].some((width) => before.length >= width && keptLengthAt(bytes, start - width) === width);
}

/** X10: the step of one kind at an offset, wrapped or not; null where nothing of the kind starts there. */
function kindStep(kind: SchemelessKind, bytes: string, start: number, rules: Rules): Step | null {
  if (kind === "email" && isInMessageId(bytes, start, rules.urlBytesMax)) {
    return null;
  }
  if (kind === "ip" && isInReceived(bytes, start, rules.urlBytesMax)) {
    return null;
  }
  const prefix = prefixOf(kind, bytes, start);
  const wrapped = readDelimited(bytes, start, rules.urlBytesMax, (raw) => isWhole(kind, raw, rules));
  if (wrapped !== null) {
    return wrappedStep(wrapped, kind, prefix);
  }
  if (hostStartOf(kind, bytes.slice(start, start + rules.urlBytesMax)) === null || (kind === "domain" && isAfterName(bytes, start))) {
    return null;
  }
  if (kind === "ip" && bytes[start] !== "[" && IPV6_TAIL.test(bytes.slice(Math.max(0, start - 6), start))) {
    return null;
  }
  const candidate = candidateAt(bytes, start, rules);
  const reading = candidate === null ? null : readSchemeless(kind, candidate, bytes, rules);
  if (candidate === null || reading === null) {
    return null;
  }
  const after = start + (kind === "email" ? reading.end : nameEndOf(kind, candidate.text, 0, candidate.text.length));
  return candidateStep(candidate, reading, after, { kind, prefix, flags: [] });
}

/** Whether the sequences around an offset let schemeless text start there: after them, and not in one (C173, C310). */
function mayStart(bytes: string, at: number, isWww: boolean): boolean {
  if (!bytes.slice(Math.max(0, at - 36), at).includes("\x1b")) {
    return true;
  }
  LEFT_AT.lastIndex = at;
  LEADER_AT.lastIndex = at;
  const isAfter = sequenceEnd(bytes, at - 1) === at;
  return LEFT_AT.test(bytes) ? sequenceEnd(bytes, at) === at : isAfter || (isWww && LEADER_AT.test(bytes));
}

/** X10: the first step of schemeless text at or after an offset; of several that start there the longest. */
export function findSchemeless(bytes: string, from: number, rules: Rules): Step | null {
  const kinds = KINDS.filter((kind) => rules.bare.includes(kind));
  const source = kinds.includes("www") ? START_WWW.source : START.source;
  const pattern = new RegExp(source + (kinds.includes("ip") ? START_IP : ""), "g");
  pattern.lastIndex = from;
  for (let start = pattern.exec(bytes)?.index; kinds.length > 0 && start !== undefined; start = pattern.exec(bytes)?.index) {
    const at = start;
    if (!mayStart(bytes, at, kinds.includes("www"))) {
      continue;
    }
    const steps = kinds.map((kind) => kindStep(kind, bytes, at, rules)).filter((step) => step !== null);
    const [longest] = steps.sort((a, b) => b.resume - a.resume);
    if (longest !== undefined) {
      return longest;
    }
  }
  return null;
}
