// How many columns of a terminal a text takes.

/** Characters that take no column: marks that combine with the one before, and format characters. */
const NO_COLUMN = /[\p{Mn}\p{Me}\p{Cf}]/u;
/** Characters that take two (East Asian Wide and Fullwidth), by the blocks that they are in. */
const WIDE_BMP = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/;
const WIDE_BEYOND = /[\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const ASCII = /^[\0-~]*$/;
const ELLIPSIS = "…";

function columnsOf(character: string): number {
  return NO_COLUMN.test(character) ? 0 : WIDE_BMP.test(character) || WIDE_BEYOND.test(character) ? 2 : 1;
}

/** Returns the columns of a text without controls. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** Returns a text of at most `width` columns: one that is longer ends with an ellipsis. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let left = width - 1;
  let shown = "";
  for (const character of text) {
    left -= columnsOf(character);
    if (left < 0) break;
    shown += character;
  }
  return shown + ELLIPSIS;
}

/** Returns a text with spaces to `width` columns: after it, or before it if it is `atEnd`. */
export function padded(text: string, width: number, atEnd: boolean): string {
  const spaces = " ".repeat(Math.max(0, width - widthOf(text)));
  return atEnd ? spaces + text : text + spaces;
}
