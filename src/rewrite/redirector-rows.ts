// Finds the rows of a batch that may be redirectors', by host or path (N10). Compares bytes first, because most matches have others.
import * as code from "#core/layout/codes.js";
import { HOST_END_BYTES, HOST_LETTER_BIT } from "#core/layout/memory.js";
import { decodeUtf8 } from "../core/text.ts";
import type { MatchBatch } from "../matches/batch.ts";
import { isRedirectorHost, PATH_STARTS, REDIRECTOR_NAMES } from "../url/redirectors.ts";

const COLON = 0x3a;
const SLASH = 0x2f;
const PATH_BYTES = 4;
/** Bits of the first four bytes of a host's end, read as a number. Cut to 30, because V8 looks up small integers fastest. */
const BITS = 0x3fffffff;
/** The last HOST_END_BYTES of each redirector's host that is not shorter. */
const endsOfNames = [...REDIRECTOR_NAMES]
  .filter((name) => name.length >= HOST_END_BYTES)
  .map((name) => bytesOf(name.slice(-HOST_END_BYTES)));
const ends = new Set(endsOfNames.map(firstBits));
const pathStarts = new Set(PATH_STARTS.map((start) => firstBits(bytesOf(start))));
/** The table HOST_ENDS of redirectors. */
export const hostEnds = new Uint8Array(256);
for (const [first = 0, second = 0] of endsOfNames) {
  hostEnds[first | HOST_LETTER_BIT] = hostEnds[first | HOST_LETTER_BIT] | (1 << (second & 7));
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function firstBits({ buffer }: Uint8Array): number {
  return new DataView(buffer).getInt32(0) & BITS;
}

/** Returns the rows that may be redirectors', in order. Removes FLAG_LINE_CUT from others: nothing will unwrap their URLs (C142). */
export function redirectorRows(batch: MatchBatch): number[] {
  const { rows, bytes } = batch;
  const found: number[] = [];
  batch.view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let row = 0, at = 0; row < batch.count; row++, at += code.RECORD_WORDS) {
    const start = rows[at + code.RECORD_HOST];
    const end = start + rows[at + code.RECORD_HOST_LENGTH];
    if (mayBeRedirector(batch.view, start, end) && isRedirectorHost(decodeUtf8(bytes, start, end))) found.push(row);
    else if (end > start && mayBeRedirectorPath(batch.view, rows, at, start, end)) found.push(row);
    else rows[at + code.RECORD_FLAGS] = rows[at + code.RECORD_FLAGS] & ~code.FLAG_LINE_CUT;
  }
  return found;
}

function mayBeRedirector(view: DataView, start: number, end: number): boolean {
  if (end - start < HOST_END_BYTES) return end > start;
  return ends.has(view.getInt32(end - HOST_END_BYTES) & BITS);
}

/** Returns whether the path of a row, whose host is at [start, end), begins like that of a redirector on all hosts. */
function mayBeRedirectorPath(view: DataView, rows: Int32Array, at: number, start: number, end: number): boolean {
  const url = rows[at + code.RECORD_URL];
  const urlEnd = url + rows[at + code.RECORD_URL_LENGTH];
  // A host that was written apart from its URL says nothing about the path.
  if (start < url || end > urlEnd) return true;
  let path = end;
  if (path < urlEnd && view.getUint8(path) === COLON) while (path < urlEnd && view.getUint8(path) !== SLASH) path++;
  return path + PATH_BYTES <= urlEnd && pathStarts.has(view.getInt32(path) & BITS);
}
