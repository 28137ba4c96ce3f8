// Fits texts into columns of a terminal.
import stringWidth from "string-width";

const ELLIPSIS = "…";

/** Returns the visible characters of a text (grapheme clusters). */
function charactersOf(text: string): string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

/** Returns a text of at most `width` columns. A longer text becomes its beginning and an ellipsis. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  return charactersThatFit(charactersOf(text), width - 1).join("") + ELLIPSIS;
}

/** Returns a text of at most `width` columns. A longer text becomes an ellipsis and its end. */
export function endOf(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const end = charactersThatFit(charactersOf(text).reverse(), width - 1);
  return ELLIPSIS + end.reverse().join("");
}

function charactersThatFit(characters: readonly string[], width: number): string[] {
  let left = width;
  const end = characters.findIndex((character) => {
    left -= stringWidth(character);
    return left < 0;
  });
  return characters.slice(0, end);
}

/** Pads a text with spaces to at least `width` columns. `atEnd`: the spaces come first. */
export function padded(text: string, width: number, atEnd: boolean): string {
  const spaces = " ".repeat(Math.max(0, width - stringWidth(text)));
  return atEnd ? spaces + text : text + spaces;
}
