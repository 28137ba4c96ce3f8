// Passwords in a text: in the authority of a URL, and in those of URLs inside it, percent-encoded as often as may be.

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
const BACKSLASH = 0x5c;
const LOW_LINE = 0x5f;
/** In the place of a password. */
const HIDDEN = "***";
/** How often a text may be percent-encoded; what is encoded more often is text. */
const ENCODINGS_MAX = 8;

/** How often a text is looked through until nothing changes: where one password is hidden another reading may see one. */
const ROUNDS_MAX = 4;
/** The shortest text with a password: `//:@`. */
const LEAST_LENGTH = 4;
/** An `@`, or what may be an encoded one: without it there is no password. */
const POSSIBLE = /@|40/;
/** URLs of URL Defense write the URL inside in a notation of their own, in which an `@` may be any character. */
const DEFENSE = /urldefense/i;
/** Schemes whose URLs programs take without the slashes of an authority; sip has none. */
const WITHOUT_SLASHES = ["http", "https", "ftp", "ftps", "ws", "wss", "sip", "sips"];

/** A text as characters that were percent-encoded 0 or more times. */
interface Units {
  readonly codes: Uint16Array;
  /** How often each was encoded, 255 at most. */
  readonly depths: Uint8Array;
  /** Where each starts in the text, and the text's length. */
  readonly starts: Uint32Array;
}

/** How a URL inside another may be written. */
interface Notation {
  /** Whether `-` is a percent sign too, and `_` a slash: version 2 of URL Defense. */
  readonly hyphens: boolean;
  /** Whether a `_` that was encoded is a slash too: this version twice. */
  readonly isTwice: boolean;
  /** Whether `*` may be any character: version 3. */
  readonly stars: boolean;
}

const PERCENT_ENCODED: Notation = { hyphens: false, isTwice: false, stars: false };
const DEFENSE_NOTATIONS: readonly Notation[] = [false, true].flatMap((stars) => [
  { hyphens: false, isTwice: false, stars },
  { hyphens: true, isTwice: false, stars },
  { hyphens: true, isTwice: true, stars },
]);

/** What becomes of a password: `***` in its place, or it goes with its colon. */
type PasswordForm = "redact" | "strip";

/** The passwords in a text, by the offset at which each starts: the offsets of its colon and its `@`, both counted from 1, 0 for none. */
interface Passwords {
  readonly colons: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * Returns `text` without the passwords of the URLs in it, also of URLs inside URLs, percent-encoded or in the notations of URL Defense. A
 * password is what is between the first colon and the last `@` of an authority, behind two slashes or a scheme that programs read without
 * them. Where it is doubtful whether something is a password it counts as one. Twice is once. @see docs/rules.md N10
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

/** The passwords in a text by every reading of it; undefined where there is certainly none. */
function passwordsIn(text: string): Passwords | undefined {
  if (text.length < LEAST_LENGTH || !(POSSIBLE.test(text) || DEFENSE.test(text))) return undefined;
  const plain = unitsOf(text, PERCENT_ENCODED);
  const isDefense = DEFENSE.test(text) || (text.includes("%") && DEFENSE.test(textOf(plain)));
  const found = { colons: new Uint32Array(text.length + 1), ends: new Uint32Array(text.length + 1) };
  for (const notation of isDefense ? DEFENSE_NOTATIONS : [PERCENT_ENCODED]) {
    const units = notation.hyphens ? unitsOf(text, notation) : plain;
    for (const depth of depthsOf(units)) new Reader(units, depth, notation.stars).addTo(found);
  }
  return found;
}

/** The depths at which a text reads otherwise than at those before. */
function depthsOf({ codes, depths }: Units): number[] {
  const isRead = new Uint8Array(256);
  isRead[0] = 1;
  codes.forEach((code, index) => {
    if (code === COLON || code === AT || endsAuthority(code, false)) isRead[depths[index] as number] = 1;
  });
  return [...isRead.keys()].filter((depth) => isRead[depth] === 1 && depth <= ENCODINGS_MAX);
}

function textOf({ codes }: Units): string {
  let characters = "";
  for (const code of codes) characters += String.fromCharCode(code);
  return characters;
}

/** Leaves out passwords, which may overlap, or puts `***` in their place. */
function without(text: string, { colons, ends }: Passwords, form: PasswordForm): string {
  let written = "";
  let end = 0;
  for (let password = 0; password <= text.length; password++) {
    if (ends[password] === 0) continue;
    const start = form === "strip" ? (colons[password] as number) - 1 : password;
    if (start > end || end === 0) written += text.slice(end, start) + (form === "strip" ? "" : HIDDEN);
    end = Math.max(end, (ends[password] as number) - 1);
  }
  return written + text.slice(end);
}

/** Reads what is encoded at most `depth` times as the characters that it stands for, all else as text. */
class Reader {
  readonly #units: Units;
  /** The characters in this reading. */
  readonly #codes: Uint16Array;
  readonly #stars: boolean;

  constructor(units: Units, depth: number, stars: boolean) {
    this.#units = units;
    this.#codes = readingOf(units, depth);
    this.#stars = stars;
  }

  /** Adds the passwords of this reading. */
  addTo({ colons, ends }: Passwords): void {
    const { starts, codes } = this.#units;
    const isColon = (index: number): boolean => this.#isColon(index);
    let isInQuery = false;
    for (let index = 0; index < codes.length; index++) {
      isInQuery ||= this.#isLiteral(index, QUESTION) || this.#isLiteral(index, HASH);
      if (authorityStart(this.#codes, index, isColon) < 0) continue;
      const { colon, at, end } = this.#readAuthority(index, isInQuery);
      if (colon >= 0 && colon < at) {
        const password = starts[colon + 1] as number;
        colons[password] = (starts[colon] as number) + 1;
        ends[password] = Math.max(ends[password] as number, (starts[at] as number) + 1);
      }
      // No other authority with an `@` begins inside.
      index = Math.max(index, end - 1);
    }
  }

  /** The first colon and the last `@` of the authority at `start`, -1 where there is none, and its end. */
  #readAuthority(start: number, isInQuery: boolean): { colon: number; at: number; end: number } {
    let colon = -1;
    let at = -1;
    let end = start;
    for (; end < this.#units.codes.length; end++) {
      const code = this.#codeAt(end);
      if (endsAuthority(code, colon >= 0) || (isInQuery && this.#startsParameter(end))) break;
      if (colon < 0 && this.#isColon(end)) colon = end;
      if (code === AT || this.#isStar(end)) at = end;
    }
    return { colon, at, end };
  }

  /** Whether any character may be meant. */
  #isStar(index: number): boolean {
    return this.#stars && this.#units.codes[index] === ASTERISK;
  }

  #isColon(index: number): boolean {
    return this.#codes[index] === COLON || this.#isStar(index);
  }

  #codeAt(index: number): number {
    return this.#codes[index] as number;
  }

  #isLiteral(index: number, code: number): boolean {
    return this.#units.codes[index] === code && this.#units.depths[index] === 0;
  }

  /** Whether a literal `&` is at `index` and a name and a literal `=` follow: else a password may hold it. */
  #startsParameter(index: number): boolean {
    if (!this.#isLiteral(index, AMPERSAND)) return false;
    const { codes, depths } = this.#units;
    let end = index + 1;
    while (end < codes.length && (depths[end] !== 0 || !"&=@/?#".includes(String.fromCharCode(codes[end] as number)))) end++;
    return this.#isLiteral(end, EQUALS);
  }
}

/** A text with what is encoded at most so often as the characters that it stands for; all else that is encoded is a percent sign. */
function readingOf({ codes, depths }: Units, depth: number): Uint16Array {
  return codes.map((code, index) => ((depths[index] as number) > depth ? PERCENT : code));
}

/** How a text reads: its characters, and where each starts in the text. */
export interface Reading {
  readonly codes: Uint16Array;
  readonly starts: Uint32Array;
}

/** Returns `text` as it is, and as it reads percent-decoded once and more often, where that is another authority. */
export function readingsOf(text: string): Reading[] {
  const units = unitsOf(text, PERCENT_ENCODED);
  return depthsOf(units).map((depth) => ({ codes: readingOf(units, depth), starts: units.starts }));
}

/**
 * Returns where what announces an authority at `index` starts: two slashes and no third, or a scheme that programs read without them and
 * any number of slashes. -1 where no authority begins. `isColon`: whether a character may be the scheme's colon. (C46)
 */
export function authorityStart(codes: Uint16Array, index: number, isColon: (index: number) => boolean): number {
  if (isSlash(codes[index] as number)) return -1;
  let before = index - 1;
  while (before >= 0 && isSlash(codes[before] as number)) before--;
  if (index - 1 - before === 2) return before + 1;
  if (before < 0 || !isColon(before)) return -1;
  const scheme = WITHOUT_SLASHES.find((name) => endsIn(codes, before, name));
  return scheme === undefined ? -1 : before - scheme.length;
}

/** Whether a scheme's name, in any case, ends at `end`. */
function endsIn(codes: Uint16Array, end: number, name: string): boolean {
  const start = end - name.length;
  for (let at = 0; at < name.length; at++) {
    if (start < 0 || ((codes[start + at] as number) | 0x20) !== name.charCodeAt(at)) return false;
  }
  return start === 0 || !/[a-z0-9+.-]/i.test(String.fromCharCode(codes[start - 1] as number));
}

/** What ends an authority; what no URL holds does so only before a colon: in doubt it is a password's. */
function endsAuthority(code: number, hasColon: boolean): boolean {
  return code <= 0x20 || code === 0x7f || code === SLASH || code === QUESTION || code === HASH || (!hasColon && endsUserName(code));
}

/** Returns whether a character ends a user name or a host, but may be a password's as it is: a backslash, `"`, `<`, `>` and a backtick. */
export function endsUserName(code: number): boolean {
  return code === BACKSLASH || code === 0x22 || code === 0x3c || code === 0x3e || code === 0x60;
}

function isSlash(code: number): boolean {
  return code === SLASH || code === BACKSLASH;
}

function unitsOf(text: string, { hyphens, isTwice }: Notation): Units {
  const codes = new Uint16Array(text.length);
  const depths = new Uint8Array(text.length);
  const starts = new Uint32Array(text.length + 1);
  let count = 0;
  const valueAt = (code: number, at: number): number => (code === PERCENT || (hyphens && code === HYPHEN) ? hexPair(text, at) : -1);
  for (let at = 0; at < text.length; ) {
    starts[count] = at;
    let depth = 0;
    let code = text.charCodeAt(at++);
    // `%25` and two hex digits is a triplet that was encoded once more.
    for (let value = valueAt(code, at); value >= 0; value = valueAt(code, at)) {
      code = value;
      depth++;
      at += 2;
    }
    const isHiddenSlash = hyphens && code === LOW_LINE && (depth === 0 || isTwice);
    codes[count] = isHiddenSlash ? SLASH : code;
    depths[count++] = Math.min(isHiddenSlash ? depth + 1 : depth, 255);
  }
  starts[count] = text.length;
  return { codes: codes.subarray(0, count), depths: depths.subarray(0, count), starts };
}

/** The value of the two hex digits at `at`, or -1. */
function hexPair(text: string, at: number): number {
  const [high, low] = [hexDigit(text.charCodeAt(at)), hexDigit(text.charCodeAt(at + 1))];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** The value of a hex digit, or -1; also for what charCodeAt gives behind the end. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
