// PDF (ISO 32000-1): the bytes of a file, and after them the texts of its object streams (7.5.7), which hold the links of most files since
// PDF 1.5. The streams of pages are not read: their text is in the codes of fonts. (C321)
import { type Inflated, inflate } from "#codings";
import { concat } from "../../base/arrays.ts";
import { decodeLatin1 } from "../../core/text.ts";
import type { Chunks, Steps } from "../steps.ts";

const FILE_BYTES_MAX = 2 ** 27; // Most bytes of a file whose object streams are read. The file is held in memory
const TEXT_BYTES_MAX = 2 ** 24; // Most bytes of the text of an object stream. Programs put some 200 objects into each
const STREAMS_MAX = 1 << 16; // Most object streams of a file: each starts a decoder, even in vain
const DICTIONARY_BYTES_MAX = 1024; // Most bytes of a dictionary on either side of its type
const TYPE = "/ObjStm";
const STRING_BYTES_MAX = 2 ** 14; // Most bytes of the string of a link: an expression fails at a string of millions
/** A string of a link (7.3.4), in hexadecimal or literal. A parenthesis without a backslash ends the search, so each byte is read once. */
const URI = new RegExp(
  `/URI[\\0\\t\\n\\f\\r ]*(?:<([\\da-fA-F\\0\\t\\n\\f\\r ]{0,${STRING_BYTES_MAX}})>|\\(((?:[^\\\\()]|\\\\[^]){0,${STRING_BYTES_MAX}})\\))`,
  "g",
);
/** An escape that no scan of text undoes: a line break or a digit after a backslash that no other one escapes. */
const ENCODED = /(?<!\\)(?:\\\\)*\\[\r\n0-7]/;

/** Yields the bytes of a PDF, and after them the texts of its object streams, each after a line feed. */
export function* readPdf(chunks: Chunks): Steps<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const step of chunks) {
    if (!(step instanceof Promise) && length <= FILE_BYTES_MAX) {
      length += step.length;
      parts.push(step.slice());
    }
    yield step;
  }
  if (length <= FILE_BYTES_MAX) for (const { text } of objectTexts(concat(parts), () => TEXT_BYTES_MAX)) yield* [Uint8Array.of(0x0a), text];
}

/** Yields the decoded links of a text that are not written as they are, each on a line. */
function* linkTexts(objects: string): Generator<Inflated> {
  const characterOf = (code: string): string => String.fromCharCode(Number(code) & 0xff);
  const links = Array.from(objects.matchAll(URI), ([, hex, literal = ""]) => {
    if (hex !== undefined) return hex.replace(/[^\da-f]/gi, "").replace(/..?/g, (byte) => characterOf(`0x${byte.padEnd(2, "0")}`));
    if (literal.length > STRING_BYTES_MAX || !ENCODED.test(literal)) return "";
    return literal.replace(/\\(?:\r\n?|\n|([0-7]{1,3})|(.))/gs, (_, octal, other = "") => (octal ? characterOf(`0o${octal}`) : other));
  }).filter((link) => link !== "");
  const text = Uint8Array.from(links.join("\n"), (character) => character.charCodeAt(0));
  if (text.length > 0) yield { text, isWhole: true, cost: text.length, taken: 0 };
}

/** Yields the links and the texts of object streams, of at most `most` bytes each. No search begins before `end`: all take linear time. */
export function* objectTexts(bytes: Uint8Array, most: () => number): Generator<Inflated> {
  const pdf = decodeLatin1(bytes);
  yield* linkTexts(pdf);
  let end = 0;
  let streams = 0;
  for (let at = pdf.indexOf(TYPE); at >= 0 && streams < STREAMS_MAX; at = pdf.indexOf(TYPE, end)) {
    const before = pdf.slice(Math.max(end, at - DICTIONARY_BYTES_MAX), at);
    const keyword = /stream\r?\n/.exec(pdf.slice(at, at + DICTIONARY_BYTES_MAX));
    if (keyword === null) {
      end = at + TYPE.length;
      continue;
    }
    const start = at + keyword.index + keyword[0].length;
    end = pdf.indexOf("endstream", start);
    streams++;
    const dictionary = before.slice(before.lastIndexOf("obj") + 1) + pdf.slice(at, start);
    const packed = bytes.subarray(start + 2, end < 0 ? bytes.length : end);
    if (dictionary.includes("/FlateDecode")) {
      const inflated = inflate(packed, Math.min(most(), TEXT_BYTES_MAX));
      yield inflated;
      yield* linkTexts(decodeLatin1(inflated.text));
    }
    if (end < 0) return;
  }
}
