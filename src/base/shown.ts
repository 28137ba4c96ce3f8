// Data in the form that messages and records show: it does not act on a terminal and is not long.

/** Characters of a datum that a message shows, at most. */
export const SHOWN_LENGTH = 200;

/** Controls (also delete, and U+0080 to U+009F), line and paragraph separators, controls of direction, lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;

/** Characters that stand for colors on the way to a terminal. No text has them: they are noncharacters of Unicode. */
export const [MARK_START, MARK_END] = ["\ufdd0", "\ufdd1"] as const;

/** Returns `text` with each character that acts on a terminal, or on the direction of text, in the form `\u001b`. */
export function withoutControls(text: string): string {
  return text.replace(UNSAFE, asUnit);
}

/** The same without what lines and tables are made of: tabs, line breaks (at the end of a text a `\r` may be one), and NUL of `--null`. */
const UNSAFE_IN_LINES = /(?!\r(?:\n|$))[^\P{Cc}\0\t\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Returns whole lines as a terminal may show them. */
export function linesForTerminal(text: string): string {
  return text.replace(UNSAFE_IN_LINES, asUnit);
}

function asUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Returns a datum as messages show it: without controls, and cut after `SHOWN_LENGTH` characters with the mark `...`. */
export function shown(text: string): string {
  return withoutControls(text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}...`);
}

/** Returns a value of any type as messages show it: an object by its class, a list by its first items. */
export function shownValue(value: unknown): string {
  if (typeof value === "string") return `"${shown(value)}"`;
  if (Array.isArray(value)) {
    const items = value.slice(0, 3).map((item) => (Array.isArray(item) ? "an array" : shownValue(item)));
    return `[${items.join(", ")}${value.length > 3 ? ", ..." : ""}]`;
  }
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  const name = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return name === "Object" ? "an object" : `a${/^[AEIOU]/.test(name) ? "n" : ""} ${shown(name)}`;
}

const NOT_ASCII = /[^\0-~]/;

/** Returns a value as JSON on one line. Controls and separators that JSON allows in strings have the form `\u009b` too. */
export function jsonText(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON leaves none in ASCII, so most records need only this cheap test.
  return NOT_ASCII.test(json) ? withoutControls(json) : json;
}
