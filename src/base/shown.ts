// Converts data to the form for messages and records: without controls that act on a terminal. Messages also cut long data.

export const SHOWN_LENGTH = 200; // Most UTF-16 code units of a datum that a message shows. A control counts as one

/** Controls (with delete and U+0080 to U+009F), line and paragraph separators, bidirectional controls, and lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;

/** Characters that mark the start and end of a color until the output reaches the terminal. Hardly any text has these noncharacters. */
export const [MARK_START, MARK_END] = ["\ufdd0", "\ufdd1"] as const;

/** Returns `text` with each lone surrogate, and each character that acts on a terminal or on the direction of text, as `\u001b`. */
export function withoutControls(text: string): string {
  return text.replace(UNSAFE, asUnit);
}

/** UNSAFE characters except lone surrogates, tab, line feed, CR before a line feed or at the end, and the NUL of `--null`. */
const UNSAFE_IN_LINES = /(?!\r(?:\n|$))[^\P{Cc}\0\t\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

export function linesForTerminal(text: string): string {
  return text.replace(UNSAFE_IN_LINES, asUnit);
}

function asUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Returns a datum as messages show it: without controls, and cut after `SHOWN_LENGTH` code units, with `...` at the cut. */
export function shown(text: string): string {
  return withoutControls(text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}...`);
}

/** Returns the name of a value's class, whatever its realm: `RegExp`, `Date`. */
export function classOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
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
  const name = classOf(value);
  return name === "Object" ? "an object" : `a${/^[AEIOU]/.test(name) ? "n" : ""} ${shown(name)}`;
}

const NOT_ASCII = /[^\0-~]/;

/** Returns a value as JSON on one line. Controls and separators that JSON allows in strings have the form `\u009b` too. */
export function jsonText(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON escapes the controls below U+0020, so most records need only this cheap test.
  return NOT_ASCII.test(json) ? withoutControls(json) : json;
}

/** Returns a value of a field as text: a list with a space between its items, an empty text for no value. */
export function valueText(value: string | number | readonly string[] | undefined): string {
  return value === undefined ? "" : typeof value === "object" ? value.join(" ") : String(value);
}
