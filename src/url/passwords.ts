// Passwords in a text: in the authority of a URL, and in those of URLs inside it, percent-encoded as often as may be.

const AT = 0x40;
const COLON = 0x3a;
const AMPERSAND = 0x26;
const PERCENT = 0x25;
const EQUALS = 0x3d;
const QUESTION = 0x3f;
const HASH = 0x23;
/** In the place of a password. */
const HIDDEN = "***";
/** How often a text may be percent-encoded; what is encoded more often is text. */
const ENCODINGS_MAX = 16;

/** An `@`, or what may be an encoded one: without it there is no password. */
const POSSIBLE = /@|40/;
/** Schemes whose URLs programs take without the slashes of an authority; sip has none. */
const WITHOUT_SLASHES = ["http", "https", "ftp", "ftps", "ws", "wss", "sip", "sips"];

/** A text as characters that were percent-encoded 0 or more times. */
interface Units {
  readonly codes: number[];
  /** How often each was encoded. */
  readonly depths: number[];
  /** Where each starts in the text, and the text's length. */
  readonly starts: number[];
}

/**
 * Returns `text` without the passwords of the URLs in it, also of URLs inside URLs, percent-encoded or not: `***` in the place of each, or,
 * with `strip`, neither it nor its colon. A password is what is between the first colon and the last `@` of an authority, behind two slashes
 * or a scheme that programs read without them. Twice is once. @see docs/rules.md N10
 */
export function withoutPasswords(text: string, form: "redact" | "strip"): string {
  if (!POSSIBLE.test(text)) return text;
  let result = text;
  let deepest = 0;
  for (let depth = 0; depth <= deepest && depth <= ENCODINGS_MAX; depth++) {
    const units = unitsOf(result);
    deepest = units.depths.reduce((most, one) => Math.max(most, one), 0);
    result = withoutPasswordsAt(result, units, depth, form);
  }
  return result;
}

/** Reads what is encoded at most `depth` times as the characters that it stands for, all else as text. */
function withoutPasswordsAt(text: string, units: Units, depth: number, form: "redact" | "strip"): string {
  const { starts } = units;
  const codeAt = (index: number): number => ((units.depths[index] ?? ENCODINGS_MAX) > depth ? PERCENT : (units.codes[index] as number));
  let written = "";
  let from = 0;
  let isInQuery = false;
  for (let index = 0; index < units.codes.length; index++) {
    isInQuery ||= isLiteral(units, index, QUESTION) || isLiteral(units, index, HASH);
    if (!startsAuthority(units, codeAt, index)) continue;
    let colon = -1;
    let at = -1;
    let end = index;
    for (; end < units.codes.length; end++) {
      const code = codeAt(end);
      if (endsAuthority(code) || (isInQuery && startsParameter(units, end))) break;
      if (code === COLON && colon < 0) colon = end;
      if (code === AT) at = end;
    }
    if (colon >= 0 && colon < at) {
      written += text.slice(from, starts[form === "strip" ? colon : colon + 1]) + (form === "strip" ? "" : HIDDEN);
      from = starts[at] as number;
    }
    // No other authority with an `@` begins inside.
    index = Math.max(index, end - 1);
  }
  return written + text.slice(from);
}

function isLiteral({ codes, depths }: Units, index: number, code: number): boolean {
  return codes[index] === code && depths[index] === 0;
}

/** Whether a literal `&` is at `index` and a name and a literal `=` follow: else a password may hold it. */
function startsParameter(units: Units, index: number): boolean {
  if (!isLiteral(units, index, AMPERSAND)) return false;
  let end = index + 1;
  while (end < units.codes.length && (units.depths[end] !== 0 || !"&=@/?#".includes(String.fromCharCode(units.codes[end] as number)))) end++;
  return isLiteral(units, end, EQUALS);
}

/** Whether an authority may begin at `index`: behind two slashes and no third, or behind a scheme without slashes. */
function startsAuthority({ codes }: Units, codeAt: (index: number) => number, index: number): boolean {
  if (isSlash(codeAt(index))) return false;
  let before = index - 1;
  while (before >= 0 && isSlash(codeAt(before))) before--;
  const slashes = index - 1 - before;
  if (slashes === 2) return true;
  return before >= 0 && codeAt(before) === COLON && WITHOUT_SLASHES.some((name) => endsIn(codes, before, name));
}

/** Whether the characters before `end` are those of `name`, in any case. */
function endsIn(codes: readonly number[], end: number, name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    if (((codes[end - name.length + at] ?? 0) | 0x20) !== name.charCodeAt(at)) return false;
  }
  return true;
}

function isSlash(code: number): boolean {
  return code === 0x2f || code === 0x5c;
}

/** What neither a user name nor a password holds as it is, and what no URL holds. */
function endsAuthority(code: number): boolean {
  return isSlash(code) || code === QUESTION || code === HASH || code <= 0x20 || code === 0x7f || '"<>`'.includes(String.fromCharCode(code));
}

function unitsOf(text: string): Units {
  const units: Units = { codes: [], depths: [], starts: [] };
  for (let at = 0; at < text.length; ) {
    units.starts.push(at);
    let depth = 0;
    let code = text.charCodeAt(at++);
    // `%25` and two hex digits is a triplet that was encoded once more.
    for (let value = code === PERCENT ? hexPair(text, at) : -1; value >= 0; value = code === PERCENT ? hexPair(text, at) : -1) {
      code = value;
      depth++;
      at += 2;
    }
    units.codes.push(code);
    units.depths.push(depth);
  }
  units.starts.push(text.length);
  return units;
}

/** The value of the two hex digits at `at`, or -1. */
function hexPair(text: string, at: number): number {
  const digits = text.slice(at, at + 2);
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
}
