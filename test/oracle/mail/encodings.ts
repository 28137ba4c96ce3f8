/**
 * Encodings of a part (A6), and the encoded words of a header (A3).
 */
import { decodedFrom, type Source, sliceOf } from "../source.ts";
import { joinedOf, matchAt } from "./texts.ts";

const TRIPLET = /=([0-9A-F]{2})/iy;
const SOFT_BREAK = /=[ \t]{0,63}(?:\r?\n|$)/y;
const GROUP = /[A-Za-z0-9+/](?:[^A-Za-z0-9+/=]*[A-Za-z0-9+/]){0,3}/y;
const PADDING = /[^A-Za-z0-9+/=]*=/y;
const BLANKS = "\\x00-\\x20";
const ENCODED_WORD = new RegExp(`=\\?[^?${BLANKS}]+\\?([BQ])\\?((?:(?!\\?=)[^\\n])*)\\?=`, "iy");
const WORD_BYTES_MAX = 4096;
/** C174: a byte that base64 has not, white space and digits. */
const FOREIGN = new RegExp(`[^${BLANKS}A-Za-z0-9+/=]`);
const BLANK = new RegExp(`[${BLANKS}]`);
const NOT_BLANK = new RegExp(`[^${BLANKS}]`);
const BLANKS_AT_END = new RegExp(`[${BLANKS}]+$`);
const DIGIT = /[A-Za-z0-9+/]/;
const LINE_BYTES_MAX = 1024;
const SPACE = /[ \t\r\n]+/y;
const LONG_FIELD_BYTES = 65_536;

/** A6: quoted-printable undone. */
export function fromQuotedPrintable(text: Source): Source {
  return decodedFrom(text, (at) => {
    const triplet = matchAt(TRIPLET, text.bytes, at);
    if (triplet !== null) {
      return { bytes: String.fromCharCode(Number.parseInt(triplet[1] ?? "", 16)), width: 3 };
    }
    const soft = matchAt(SOFT_BREAK, text.bytes, at);
    return soft === null ? null : { bytes: "", width: soft[0].length };
  });
}

/** C174: whether a line of base64 is text. */
function isTextLine(line: string): boolean {
  const text = bare(line);
  return FOREIGN.test(text) && (BLANK.test(text) || !DIGIT.test(text) || /^--|:\/\/|<.*>/.test(text));
}

/** C174: whether a line after text is base64. */
function isBase64Line(line: string): boolean {
  const text = bare(line);
  return !FOREIGN.test(text) && !BLANK.test(text) && text.replace(/=/g, "").length >= 16;
}

/** The first bytes of a line, without white space around them. */
function bare(line: string): string {
  const start = line.slice(0, LINE_BYTES_MAX);
  const first = start.search(NOT_BLANK);
  return first < 0 ? "" : start.slice(first).replace(BLANKS_AT_END, "");
}

/** A6: base64 undone, but for lines of text. */
export function fromBase64(text: Source): Source {
  const pieces: Source[] = [];
  let [from, at, isText] = [0, 0, false];
  const take = (to: number): void => {
    const piece = sliceOf(text, from, to);
    pieces.push(isText ? piece : fromGroups(piece));
    from = to;
  };
  for (const line of text.bytes.split(/(?<=\n)/)) {
    const content = line.replace(/\n$/, "");
    if (isText ? isBase64Line(content) : isTextLine(content)) {
      take(at);
      isText = !isText;
    }
    at += line.length;
  }
  take(at);
  return joinedOf(pieces);
}

/** A6: groups of base64. A byte's span is its whole group, with the `=` after it. */
function fromGroups(text: Source): Source {
  return decodedFrom(text, (at) => {
    const group = matchAt(GROUP, text.bytes, at)?.[0];
    if (group === undefined) {
      return { bytes: "", width: 1 };
    }
    const letters = group.replace(/[^A-Za-z0-9+/]/g, "");
    let end = at + group.length;
    if (letters.length < 4) {
      end += matchAt(PADDING, text.bytes, end)?.[0].length ?? 0;
      end += letters.length === 2 && text.bytes[end - 1] === "=" && text.bytes[end] === "=" ? 1 : 0;
    }
    return { bytes: Buffer.from(letters, "base64").toString("latin1"), width: end - at };
  });
}

/** The text of an encoded word of the Q form. */
function fromQ(text: Source): Source {
  return decodedFrom(text, (at) => {
    const triplet = matchAt(TRIPLET, text.bytes, at);
    if (triplet !== null) {
      return { bytes: String.fromCharCode(Number.parseInt(triplet[1] ?? "", 16)), width: 3 };
    }
    return text.bytes[at] === "_" ? { bytes: " ", width: 1 } : null;
  });
}

/** A3: a field with its encoded words decoded, those that end in its first 64 KiB; white space between two of them goes. */
export function withWordsDecoded(field: Source): Source {
  const { bytes } = field;
  const limit = Math.min(bytes.length, LONG_FIELD_BYTES);
  const wordAt = (at: number): RegExpExecArray | null => {
    const word = matchAt(ENCODED_WORD, bytes, at);
    return word !== null && word[0].length <= WORD_BYTES_MAX && at + word[0].length <= limit ? word : null;
  };
  const pieces: Source[] = [];
  let from = 0;
  // A name is as it was written.
  for (let at = bytes.indexOf("=?", bytes.indexOf(":") + 1); at >= 0; at = bytes.indexOf("=?", at)) {
    const word = wordAt(at);
    if (word === null) {
      at++;
      continue;
    }
    const [whole, form = "", content = ""] = word;
    const end = at + whole.length - 2;
    const encoded = sliceOf(field, end - content.length, end);
    pieces.push(sliceOf(field, from, at), /q/i.test(form) ? fromQ(encoded) : fromGroups(encoded));
    from = end + 2;
    const space = matchAt(SPACE, bytes, from)?.[0].length ?? 0;
    from += wordAt(from + space) === null ? 0 : space;
    at = from;
  }
  return joinedOf([...pieces, sliceOf(field, from, bytes.length)]);
}

/** A3: whether a field is so long that what comes after its first 64 KiB is not decoded. */
export function isLongField(field: Source): boolean {
  return field.bytes.length > LONG_FIELD_BYTES;
}

/** A3: the first 64 KiB of a field, in which its parameters are looked for. */
export function readableField(bytes: string): string {
  return bytes.slice(0, LONG_FIELD_BYTES);
}
