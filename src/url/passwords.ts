// Hides passwords in a text: those of URLs, and of URLs inside URLs, percent-encoded up to eight times.
import { hexValue } from "./percent.ts";

const HASH = 0x23;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const ASTERISK = 0x2a;
const HYPHEN = 0x2d;
const SLASH = 0x2f;
const COLON = 0x3a;
const EQUALS = 0x3d;
const QUESTION = 0x3f;
const AT = 0x40;
const SQUARE_OPEN = 0x5b;
const BACKSLASH = 0x5c;
const LOW_LINE = 0x5f;
/** Replaces a password. */
const HIDDEN = "***";
/** A text that is percent-encoded more often is not decoded. */
const ENCODINGS_MAX = 8;
/** The text is searched again until nothing changes, at most so often: hiding one password may reveal another in a different reading. */
const ROUNDS_MAX = 4;
/** The length of the shortest text with a password: `//:@`. */
const LEAST_LENGTH = 4;
/** As a regular expression: an `@`, the digits of an encoded one, or `[at]` of defanged text, in any case. */
export const AT_FORMS = "@|40|\\[at\\]";
/** A text without it has no password. */
const POSSIBLE = new RegExp(AT_FORMS, "i");
/** URL Defense writes the URL inside in a notation of its own, in which an `@` may be any character. */
const DEFENSE = /urldefense/i;
/** Schemes whose URLs programs accept without the slashes of an authority; sip has none. */
const WITHOUT_SLASHES = ["http", "https", "ftp", "ftps", "ws", "wss", "sip", "sips"];

/** The characters of a text, decoded as often as they were percent-encoded. */
interface Units {
  readonly codes: Uint16Array;
  /** How often each was encoded, 255 at most. */
  readonly depths: Uint8Array;
  /** Where each starts in the text; the last one is the text's length. */
  readonly starts: Uint32Array;
}

/**
 * How often version 2 of URL Defense, in which `-` is a percent sign too and `_` a slash, may have been applied to a URL inside another.
 * The second time it has encoded the `_` of the first.
 */
const HYPHEN_LEVELS = [0, 1, 2];

/** What becomes of a password: `***` replaces it, or it is removed with its colon. */
type PasswordForm = "redact" | "strip";

/** The passwords in a text. At the offset where one starts: the offsets of its colon and of its `@`, both plus 1; 0 if there is none. */
interface Passwords {
  readonly colons: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * Hides the passwords of the URLs in a text, also of URLs inside URLs, percent-encoded or in the notations of URL Defense. A password is
 * the text between the first colon and the last `@` of an authority, which follows two slashes or a scheme that programs accept without
 * them. In doubt a text is a password. Calling it again changes nothing. (N10, C46)
 */
export function withoutPasswords(text: string, form: PasswordForm): string {
  let result = text;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = result;
    const passwords = passwordsIn(before);
    result = passwords === undefined ? before : without(before, passwords, form);
    if (result === before) break;
  }
  return result;
}

/** Returns the passwords in all readings of a text, or undefined if there is certainly none. */
function passwordsIn(text: string): Passwords | undefined {
  if (text.length < LEAST_LENGTH || !(POSSIBLE.test(text) || DEFENSE.test(text))) return undefined;
  const plain = unitsOf(text, 0);
  const isDefense = DEFENSE.test(text) || (text.includes("%") && DEFENSE.test(textOf(plain)));
  const found = { colons: new Uint32Array(text.length + 1), ends: new Uint32Array(text.length + 1) };
  // In version 3 of URL Defense `*` may be any character.
  for (const stars of isDefense ? [false, true] : [false]) {
    for (const level of isDefense ? HYPHEN_LEVELS : [0]) {
      const units = level > 0 ? unitsOf(text, level) : plain;
      for (const depth of depthsOf(units)) addPasswords(units, depth, stars, found);
    }
  }
  return found;
}

/** Returns the depths at which decoding changes what is an authority. */
function depthsOf({ codes, depths }: Units): number[] {
  const isRead = new Uint8Array(256);
  isRead[0] = 1;
  codes.forEach((code, index) => {
    if (code === COLON || code === AT || endsAuthority(code, false)) isRead[depths[index]] = 1;
  });
  return [...isRead.keys()].filter((depth) => isRead[depth] === 1 && depth <= ENCODINGS_MAX);
}

function textOf({ codes }: Units): string {
  let characters = "";
  for (const code of codes) characters += String.fromCharCode(code);
  return characters;
}

/** Removes passwords, which may overlap, or replaces them. */
function without(text: string, { colons, ends }: Passwords, form: PasswordForm): string {
  let written = "";
  let end = 0;
  for (let password = 0; password <= text.length; password++) {
    if (ends[password] === 0) continue;
    const start = form === "strip" ? colons[password] - 1 : password;
    if (start > end || end === 0) written += text.slice(end, start) + (form === "strip" ? "" : HIDDEN);
    end = Math.max(end, ends[password] - 1);
  }
  return written + text.slice(end);
}

/** Adds the passwords in one reading of a text: characters that were encoded at most `depth` times are decoded. */
function addPasswords(units: Units, depth: number, stars: boolean, { colons, ends }: Passwords): void {
  const { codes, depths, starts } = units;
  const reading = readingOf(units, depth);
  const isStar = (index: number): boolean => stars && codes[index] === ASTERISK;
  const isColon = (index: number): boolean => reading[index] === COLON || isStar(index);
  const isLiteral = (index: number, code: number): boolean => codes[index] === code && depths[index] === 0;
  // A literal `&` begins a parameter if a name and a literal `=` follow; else it may be a password's.
  const startsParameter = (index: number): boolean => {
    if (!isLiteral(index, AMPERSAND)) return false;
    let end = index + 1;
    while (end < codes.length && (depths[end] !== 0 || !"&=@/?#".includes(String.fromCharCode(codes[end])))) end++;
    return isLiteral(end, EQUALS);
  };
  let isInQuery = false;
  for (let index = 0; index < codes.length; index++) {
    isInQuery ||= isLiteral(index, QUESTION) || isLiteral(index, HASH);
    if (authorityStart(reading, index, isColon) < 0) continue;
    let [colon, at, end] = [-1, -1, index];
    for (; end < codes.length; end++) {
      if (endsAuthority(reading[end], colon >= 0) || (isInQuery && startsParameter(end))) break;
      if (colon < 0 && isColon(end)) colon = end;
      if (reading[end] === AT || isStar(end) || isDefangedAt(reading, end)) at = end;
    }
    if (colon >= 0 && colon < at) {
      const password = starts[colon + 1];
      colons[password] = starts[colon] + 1;
      ends[password] = Math.max(ends[password], starts[at] + 1);
    }
    // No other authority with an `@` begins inside this one.
    index = Math.max(index, end - 1);
  }
}

/** Returns whether `[at]` is at `index` (X15), in any case. */
function isDefangedAt(codes: Uint16Array, index: number): boolean {
  return codes[index] === SQUARE_OPEN && /^\[at\]$/i.test(String.fromCharCode(...codes.subarray(index, index + 4)));
}

/** Returns the characters of a text; a percent sign replaces one that was encoded more often than `depth` times. */
function readingOf({ codes, depths }: Units, depth: number): Uint16Array {
  return codes.map((code, index) => (depths[index] > depth ? PERCENT : code));
}

/** The characters of a text, and where each starts in it. */
export interface Reading {
  readonly codes: Uint16Array;
  readonly starts: Uint32Array;
}

/** Returns `text` as it is, and percent-decoded once and more often where that changes what is an authority. */
export function readingsOf(text: string): Reading[] {
  const units = unitsOf(text, 0);
  return depthsOf(units).map((depth) => ({ codes: readingOf(units, depth), starts: units.starts }));
}

/**
 * Returns where the mark before the authority at `index` starts: two slashes and no third, or a scheme that programs accept without them
 * and any number of slashes. Returns -1 if no authority begins there. `isColon`: whether a character may be the scheme's colon. (C46)
 */
export function authorityStart(codes: Uint16Array, index: number, isColon: (index: number) => boolean): number {
  if (isSlash(codes[index])) return -1;
  let before = index - 1;
  while (before >= 0 && isSlash(codes[before])) before--;
  if (index - 1 - before === 2) return before + 1;
  if (before < 0 || !isColon(before)) return -1;
  const scheme = WITHOUT_SLASHES.find((name) => endsIn(codes, before, name));
  return scheme === undefined ? -1 : before - scheme.length;
}

/** Returns whether a scheme's name, in any case, ends at `end`. */
function endsIn(codes: Uint16Array, end: number, name: string): boolean {
  const start = end - name.length;
  for (let at = 0; at < name.length; at++) {
    if (start < 0 || (codes[start + at] | 0x20) !== name.charCodeAt(at)) return false;
  }
  return start === 0 || !/[a-z0-9+.-]/i.test(String.fromCharCode(codes[start - 1]));
}

/** Returns whether a character ends an authority. After a colon a character that no URL contains may be in a password. */
function endsAuthority(code: number, hasColon: boolean): boolean {
  return code <= 0x20 || code === 0x7f || code === SLASH || code === QUESTION || code === HASH || (!hasColon && endsUserName(code));
}

/** Returns whether a character ends a user name or a host, but may be in a password: a backslash, `"`, `<`, `>` or a backtick. */
export function endsUserName(code: number): boolean {
  return code === BACKSLASH || code === 0x22 || code === 0x3c || code === 0x3e || code === 0x60;
}

function isSlash(code: number): boolean {
  return code === SLASH || code === BACKSLASH;
}

function unitsOf(text: string, hyphenLevel: number): Units {
  const codes = new Uint16Array(text.length);
  const depths = new Uint8Array(text.length);
  const starts = new Uint32Array(text.length + 1);
  let count = 0;
  for (let at = 0; at < text.length; ) {
    starts[count] = at;
    let depth = 0;
    let code = text.charCodeAt(at++);
    // `%25` and two hex digits is a triplet that was encoded once more.
    while (code === PERCENT || (hyphenLevel > 0 && code === HYPHEN)) {
      const value = (hexValue(text.charCodeAt(at)) << 4) | hexValue(text.charCodeAt(at + 1));
      if (value < 0) break;
      code = value;
      depth++;
      at += 2;
    }
    const isHiddenSlash = code === LOW_LINE && (depth === 0 ? hyphenLevel > 0 : hyphenLevel > 1);
    codes[count] = isHiddenSlash ? SLASH : code;
    depths[count++] = Math.min(isHiddenSlash ? depth + 1 : depth, 255);
  }
  starts[count] = text.length;
  return { codes: codes.subarray(0, count), depths: depths.subarray(0, count), starts };
}
