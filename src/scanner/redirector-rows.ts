// Rows of a batch whose hosts are those of redirectors (N10), found by their bytes: most matches are no redirector's.
import * as code from "#core/layout/codes.js";
import { decodeUtf8 } from "../core/text.ts";
import { isRedirectorHost, REDIRECTOR_NAMES } from "../url/redirectors.ts";
import type { MatchBatch } from "./batch.ts";

/** Bytes at the end of a host that are looked at first. */
const END_BYTES = 8;
/** The first four of these, as a number, of all hosts of redirectors that are as long. Whole numbers of 30 bits are found fastest. */
const BITS = 0x3fffffff;
const ends = new Set(
  REDIRECTOR_NAMES.filter((name) => name.length >= END_BYTES).map((name) => {
    const bytes = Uint8Array.from(name.slice(-END_BYTES), (character) => character.charCodeAt(0));
    return new DataView(bytes.buffer).getInt32(0) & BITS;
  }),
);

/**
 * Returns the rows that may be URLs of redirectors; their hosts are in normal form. Takes the flag `cut` from all others, which nothing
 * will unwrap (C142).
 */
export function redirectorRows(batch: MatchBatch): Set<number> {
  const { rows, bytes } = batch;
  const found = new Set<number>();
  batch.view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let row = 0, at = 0; row < batch.count; row++, at += code.RECORD_WORDS) {
    const start = rows[at + code.RECORD_HOST] as number;
    const end = start + (rows[at + code.RECORD_HOST_LENGTH] as number);
    if (mayBeRedirector(batch.view, start, end) && isRedirectorHost(decodeUtf8(bytes, start, end))) found.add(row);
    else rows[at + code.RECORD_FLAGS] = (rows[at + code.RECORD_FLAGS] as number) & ~code.FLAG_CUT;
  }
  return found;
}

function mayBeRedirector(view: DataView, start: number, end: number): boolean {
  if (end - start < END_BYTES) return end > start;
  return ends.has(view.getInt32(end - END_BYTES) & BITS);
}
