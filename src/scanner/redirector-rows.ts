// Finds the rows of a batch whose hosts are redirectors' (N10). Compares bytes first, because most matches have other hosts.
import * as code from "#core/layout/codes.js";
import { HOST_END_BYTES, HOST_ENDS, HOST_LETTER_BIT } from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { decodeUtf8 } from "../core/text.ts";
import { isRedirectorHost, REDIRECTOR_NAMES } from "../url/redirectors.ts";
import type { MatchBatch } from "./batch.ts";

/** Bits of the first four bytes of a host's end, read as a number. Cut to 30, because V8 looks up small integers fastest. */
const BITS = 0x3fffffff;
/** The last HOST_END_BYTES of each redirector's host that is not shorter. */
const endsOfNames = [...REDIRECTOR_NAMES]
  .filter((name) => name.length >= HOST_END_BYTES)
  .map((name) => Uint8Array.from(name.slice(-HOST_END_BYTES), (character) => character.charCodeAt(0)));
const ends = new Set(endsOfNames.map(({ buffer }) => new DataView(buffer).getInt32(0) & BITS));
const slots = new Uint8Array(256);
for (const [first = 0, second = 0] of endsOfNames) slots[first | HOST_LETTER_BIT] = slots[first | HOST_LETTER_BIT] | (1 << (second & 7));

/** Tells the core which hosts may be redirectors'. The core sets the flag `cut` on no others (C142). */
export function setHostEnds(core: Core): void {
  core.bytes.set(slots, HOST_ENDS);
}

/**
 * Returns the rows whose hosts, in normal form, are redirectors', in order. Removes the flag `cut` from all other rows, because nothing
 * will unwrap their URLs (C142).
 */
export function redirectorRows(batch: MatchBatch): number[] {
  const { rows, bytes } = batch;
  const found: number[] = [];
  batch.view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let row = 0, at = 0; row < batch.count; row++, at += code.RECORD_WORDS) {
    const start = rows[at + code.RECORD_HOST];
    const end = start + rows[at + code.RECORD_HOST_LENGTH];
    if (mayBeRedirector(batch.view, start, end) && isRedirectorHost(decodeUtf8(bytes, start, end))) found.push(row);
    else rows[at + code.RECORD_FLAGS] = rows[at + code.RECORD_FLAGS] & ~code.FLAG_CUT;
  }
  return found;
}

function mayBeRedirector(view: DataView, start: number, end: number): boolean {
  if (end - start < HOST_END_BYTES) return end > start;
  return ends.has(view.getInt32(end - HOST_END_BYTES) & BITS);
}
