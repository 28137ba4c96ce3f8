// Where records of a web archive begin (A12), judged by a few bytes. Nothing has to be true: the reader of a part finds out whether a
// record begins where the next part does.
import { decodeLatin1 } from "../core/text.ts";
import { type BlockFile, readOf } from "../input/containers/file-window.ts";

/** Bytes of a header that are looked at: nearly all are shorter. */
const HEAD_BYTES = 1 << 12;
/** Bytes that are searched at a time. */
const SEARCH_BYTES = 1 << 16;
/** Candidates that are looked at for one cut, at most. */
const CANDIDATES_MOST = 64;
const RECORD_START = "WARC/";
const LINE_AND_RECORD_START = Buffer.from(`\n${RECORD_START}`);
const BETWEEN_AND_RECORD_START = new RegExp(`^[\\r\\n]{0,16}${RECORD_START}`);
const HEADER_END = /\n\r?\n/;
const CONTENT_LENGTH = /^Content-Length[ \t]*:[ \t]*(\d+)/im;

/** Returns whether a text begins with a record. */
export function beginsRecord(text: Uint8Array): boolean {
  return decodeLatin1(text, 0, Math.min(text.length, RECORD_START.length)) === RECORD_START;
}

/**
 * Returns the offset of the first record that begins in `[from, to)`, or undefined if none is seen there; `from` is not 0. A block may hold
 * text that looks like a record. So a candidate counts only if another record begins where its length says.
 */
export function firstRecord(file: BlockFile, from: number, to: number): number | undefined {
  // A piece has the line break before its first byte, and the rest of a start that begins in its last.
  const bytes = Buffer.alloc(SEARCH_BYTES + RECORD_START.length);
  let candidates = 0;
  for (let piece = from; piece < to; piece += SEARCH_BYTES) {
    const read = bytes.subarray(0, readOf(file, bytes, piece - 1));
    for (let at = read.indexOf(LINE_AND_RECORD_START); at >= 0; at = read.indexOf(LINE_AND_RECORD_START, at + 1)) {
      const record = piece + at;
      const end = endOf(file, record);
      if (end !== undefined && BETWEEN_AND_RECORD_START.test(textAt(file, end))) return record;
      if (++candidates === CANDIDATES_MOST) return undefined;
    }
  }
  return undefined;
}

/** Returns the end of a record's block; undefined if the header does not say it. */
function endOf(file: BlockFile, record: number): number | undefined {
  const text = textAt(file, record);
  const end = HEADER_END.exec(text);
  if (end === null) return undefined;
  const length = CONTENT_LENGTH.exec(text.slice(0, end.index))?.[1];
  return length === undefined ? undefined : record + end.index + end[0].length + Number(length);
}

/** Returns the text at a position, HEAD_BYTES at most. A length may be any number, so the position may be after the end of the file. */
function textAt(file: BlockFile, position: number): string {
  if (position >= file.size) return "";
  const bytes = new Uint8Array(HEAD_BYTES);
  return decodeLatin1(bytes, 0, readOf(file, bytes, position));
}
