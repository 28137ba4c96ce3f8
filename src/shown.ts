// How data is shown in messages: nothing in it acts on a terminal, and it is not longer than a message should be.

/** Characters of a name or another datum that a message shows, at most. */
export const SHOWN_LENGTH = 200;

/** Controls (also delete, and U+0080 to U+009F), line and paragraph separators, what changes the direction of text, halves of pairs. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;

/** Returns `text` with what acts on a terminal, or on the direction of text, as `\u001b`. */
export function withoutControls(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns a name or another datum as messages show it: without controls, cut behind `SHOWN_LENGTH` characters with the mark `...`. */
export function shown(text: string): string {
  return withoutControls(text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}...`);
}

const NOT_ASCII = /[^\0-~]/;

/** Returns a value as JSON on one line, in which also the controls and separators that JSON leaves are written as `\u009b`. */
export function jsonText(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON itself leaves none below: most records are done with one cheap test.
  return NOT_ASCII.test(json) ? withoutControls(json) : json;
}
