/**
 * Defanged text, read as the URLs that it stands for (X15).
 */
import { decodedFrom, type Source } from "./source.ts";

/** A text as it is read; `written` has what each byte of a change was written as: all of it for its first byte, nothing for the others. */
export interface Refanged {
  text: Source;
  written: Map<number, string>;
}

const SEPARATOR = String.raw`(?:://|:\\\\|\[:\]//|\[://\])`;
const NAME = new RegExp(`(?<![A-Za-z0-9])(?:hxxp(?=s?${SEPARATOR})|(?:fxp|meow)(?=${SEPARATOR}))`, "iy");
const BRACKETED = /(?<=[A-Za-z0-9+])(?:\[:\]\/\/|\[:\/\/\])/y;
const BACKSLASHES = /(?<=(?<![A-Za-z0-9])(?:https?|hxxps?|ftp|fxp|meow)):\\\\/iy;
const DOT = /(?<=[A-Za-z0-9\x80-\xFF])(?:\[(?:\.|dot|d0t)\]|\((?:\.|dot)\)|\{\.\})(?=[A-Za-z0-9\x80-\xFF])/iy;
const AT = /(?<=[A-Za-z0-9\x80-\xFF])\[(?:@|at)\](?=[A-Za-z0-9\x80-\xFF])/iy;
const COLON = /(?<=[A-Za-z0-9\x80-\xFF])\[:\](?=[0-9])/y;

/** What the expressions stand for; a name by what was written. */
const MARKS: readonly (readonly [RegExp, (written: string) => string])[] = [
  [NAME, (written) => (/^fxp$/i.test(written) ? "ftp" : "http")],
  [BRACKETED, () => "://"],
  [BACKSLASHES, () => "://"],
  [DOT, () => "."],
  [AT, () => "@"],
  [COLON, () => ":"],
];

/** Reads a text. */
export function refangedFrom(source: Source): Refanged {
  const written = new Map<number, string>();
  let length = 0;
  const text = decodedFrom(source, (at) => {
    for (const [mark, meaning] of MARKS) {
      mark.lastIndex = at;
      const found = mark.exec(source.bytes)?.[0];
      if (found !== undefined) {
        const bytes = meaning(found);
        for (const index of bytes.split("").keys()) {
          written.set(length + index, index === 0 ? found : "");
        }
        length += bytes.length;
        return { bytes, width: found.length };
      }
    }
    length++;
    return null;
  });
  return { text, written };
}
