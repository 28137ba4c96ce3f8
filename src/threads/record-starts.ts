// Where records of a web archive begin (A12), as the lengths of those before them say. Nothing has to be true: who reads a part finds out
// whether a record begins where the next part does.
import { decodeLatin1 } from "../core/text.ts";
import { type BlockFile, FileWindow, readOf } from "../input/containers/file-window.ts";

/** Bytes of a record that are looked at first: most headers have fewer. */
const HEAD_BYTES = 1 << 10;
/** Longest header that is looked at. */
const HEADER_BYTES_MAX = 1 << 16;
const NOTHING = new Uint8Array(0);
const RECORD_START = "WARC/";
/** Line breaks between two records that are passed over: the format has two. */
const BREAKS = /^[\r\n]{0,16}/;
const HEADER_END = /\n\r?\n/;
const CONTENT_LENGTH = /^Content-Length[ \t]*:[ \t]*(\d+)/im;

/** Returns whether a text begins with a record. */
export function beginsRecord(text: Uint8Array): boolean {
  return decodeLatin1(text, 0, Math.min(text.length, RECORD_START.length)) === RECORD_START;
}

/** Yields where the records of a file begin after the one at `from`, up to the first that does not begin where it should. */
export function* recordStarts(file: BlockFile, from: number): Generator<number> {
  const window = new FileWindow(file);
  const headAt = (position: number): string => decodeLatin1(window.at(position, HEAD_BYTES) ?? NOTHING);
  let start = from;
  let head = headAt(start);
  for (;;) {
    const length = recordBytes(head) ?? recordBytes(longHead(file, start));
    // A length may be any number.
    if (length === undefined || start + length >= file.size) return;
    const rest = headAt(start + length);
    const breaks = BREAKS.exec(rest)?.[0].length ?? 0;
    start += length + breaks;
    head = rest.slice(breaks);
    if (!head.startsWith(RECORD_START)) return;
    yield start;
  }
}

/** Returns the start of a record, as long as a header may be. */
function longHead(file: BlockFile, position: number): string {
  const bytes = new Uint8Array(HEADER_BYTES_MAX);
  return decodeLatin1(bytes, 0, readOf(file, bytes, position));
}

/** Returns the bytes of the record that a text begins with, its header and its block; undefined if the header does not say it. */
function recordBytes(text: string): number | undefined {
  const end = HEADER_END.exec(text);
  if (!text.startsWith(RECORD_START) || end === null) return undefined;
  const headerBytes = end.index + end[0].length;
  const length = CONTENT_LENGTH.exec(text.slice(0, headerBytes))?.[1];
  return length === undefined ? undefined : headerBytes + Number(length);
}
