/**
 * Defanged text, read as the URLs that it stands for (X15).
 */
import { WHOLE_AT, WHOLE_COLON, WHOLE_DOT } from "./plain.ts";
import { decodedFrom, type Source } from "./source.ts";
import { DELIMITERS } from "./unicode.ts";

/** A text as it is read; `written` has what each byte of a change was written as: all of it for its first byte, nothing for the others. */
export interface Refanged {
  text: Source;
  written: Map<number, string>;
}

const SLASHES = String.raw`(?:(?:/|\[/\]){2}|\[//\]|\\\\)`;
const BRACKETS = String.raw`(?:(?:\[:\]|&#(?:58|x3a);|\\u003a)${SLASHES}|\[://\])`;
const NAME = new RegExp(`(?<![A-Za-z0-9])(?:hxxp(?=s?(?::${SLASHES}|${BRACKETS}))|(?:fxp|meow)(?=:${SLASHES}|${BRACKETS}))`, "iy");
const BRACKETED = new RegExp(`(?<=[A-Za-z0-9+])${BRACKETS}`, "iy");
const AFTER_NAME = new RegExp(`(?<=(?<![A-Za-z0-9])(?:https?|hxxps?|ftp|fxp|meow)):(?!//)${SLASHES}`, "iy");
const SLASH = /\[\/\]/y;
const BESIDE = String.raw`[A-Za-z0-9\x80-\xFF]`;
const BACKSLASHES = String.raw`\\{0,4}`;
const DOT = new RegExp(String.raw`(?<=${BESIDE})(?:${BACKSLASHES}(?:${WHOLE_DOT}|\[${BACKSLASHES}\.)|\\{1,4}\.)(?=${BESIDE})`, "iy");
const DOT_WITH_END = new RegExp(String.raw`(?<=${BESIDE})\.${BACKSLASHES}\](?=${BESIDE})`, "y");
const AT = new RegExp(`(?<=${BESIDE})${BACKSLASHES}${WHOLE_AT}(?=${BESIDE})`, "iy");
const COLON = new RegExp(`(?<=${BESIDE})${BACKSLASHES}${WHOLE_COLON}(?=[0-9])`, "y");
const MARK_MAX = 12;

/** What the expressions stand for; a name by what was written. */
const MARKS: readonly (readonly [RegExp, (written: string) => string])[] = [
  [NAME, (written) => (/^fxp$/i.test(written) ? "ftp" : "http")],
  [BRACKETED, () => "://"],
  [AFTER_NAME, () => "://"],
  [SLASH, () => "/"],
  [DOT, () => "."],
  [DOT_WITH_END, () => "."],
  [AT, () => "@"],
  [COLON, () => ":"],
];

/** Reads a text. */
export function refangedFrom(source: Source): Refanged {
  const written = new Map<number, string>();
  const isDelimiter = (byte: string): boolean => new RegExp(`^[${DELIMITERS}]?$`).test(byte);
  let read = "";
  // Whether a backslash is a slash: the run goes on after `:\\`.
  let isBackslashed = false;
  const put = (bytes: string, found: string): { bytes: string; width: number } => {
    for (const index of bytes.split("").keys()) {
      written.set(read.length + index, index === 0 ? found : "");
    }
    read += bytes;
    return { bytes, width: found.length };
  };
  const text = decodedFrom(source, (at) => {
    const byte = source.bytes.charAt(at);
    if (isBackslashed && byte === "\\") {
      return put("/", byte);
    }
    for (const [mark, meaning] of MARKS) {
      mark.lastIndex = at;
      const found = mark.exec(source.bytes)?.[0];
      if (found === undefined || found.length > MARK_MAX || (mark === SLASH && isDelimiter(read.slice(-1)))) {
        continue;
      }
      if (mark === BRACKETED || mark === AFTER_NAME) {
        isBackslashed = found.endsWith("\\");
      }
      return put(meaning(found), found);
    }
    isBackslashed &&= !isDelimiter(byte);
    read += byte;
    return null;
  });
  return { text, written };
}
