/** Escapes of characters in text (X16). */

import { bytesOf } from "./unicode.ts";

/** C115: what no delimiter, letter or digit of ASCII is, and a pair of surrogates. */
const ASCII = "(?:2[1345-9A-Fa-f]|3[ABDFabdf]|40|5[BDEFbdef]|7[B-Eb-e])";
const PAIR = "[Dd][89ABab][0-9A-Fa-f]{2}\\\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}";
/** C325: a character of UTF-8 from U+00A0 on, each of its bytes as an escape. */
const NEXT = "\\\\x[89ABab][0-9A-Fa-f]";
const TWO = `(?:[Cc]2\\\\x[ABab][0-9A-Fa-f]|(?:[Cc][3-9A-Fa-f]|[Dd][0-9A-Fa-f])${NEXT})`;
const THREE = `(?:[Ee]0\\\\x[ABab][0-9A-Fa-f]|[Ee][Dd]\\\\x[89][0-9A-Fa-f]|[Ee][1-9A-CEFa-cef]${NEXT})${NEXT}`;
const FOUR = `(?:[Ff]0\\\\x[9ABab][0-9A-Fa-f]|[Ff]4\\\\x8[0-9A-Fa-f]|[Ff][1-3]${NEXT})${NEXT}${NEXT}`;
/** C115, C325: an escape of a character. */
export const CHARACTER = `\\\\(?:x(?:${ASCII}|${TWO}|${THREE}|${FOUR})|u(?:00${ASCII}|${PAIR}|(?!00[0-9]|[Dd][89A-Fa-f])[0-9A-Fa-f]{4}))`;
export const CHARACTER_AT = new RegExp(`^${CHARACTER}`);

/** The bytes that `\\/` or an escape of CHARACTER stands for. */
export function bytesOfEscaped(written: string): string {
  if (written[1] !== "x") {
    return bytesOf(JSON.parse(`"${written}"`) as string);
  }
  return written.replace(/\\x(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
