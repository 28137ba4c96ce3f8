// Bodies of web archives in a coding of HTTP such as gzip (A12). The host collects a body and decodes it at its end, because a decoder
// cannot stop between two calls of the core. Then the core reads the text in pieces, like the output of a transfer encoding.

import * as mail from "../layout/mail.ts";
import { TRANSFER_REGION } from "../layout/memory.ts";
import { decodeCoded, readDecoded, takeCoded } from "../platform/callbacks.ts";
import { beginChunks, chunksEnd, readChunks } from "./chunked.ts";
import { codings, isChunked } from "./content.ts";
import { count, mapWhole, omit, PIECE_BYTES } from "./pipe.ts";

/** Source address of the body, which may be lower than the source bytes of this call. */
let start: i32 = 0;
/** Source address after the body, once it has ended. */
let end: i32 = 0;
/** What `codings()` of content.ts returned for the header of the body. */
let codingsOfBody: i32 = 0;
/** Source address of the record that has the body. */
let record: i32 = 0;
let isInChunks: bool = false;
/** Whether the body has been reported as one that is not decoded. */
let isCounted: bool = false;

export function beginRecord(p: i32): void {
  record = p;
}

/** Begins the body at the source address `body`; `counted`: it has been reported as one that is not decoded. */
export function beginCoded(body: i32, counted: bool): void {
  start = body;
  codingsOfBody = codings();
  isInChunks = isChunked;
  isCounted = counted;
  beginChunks(false);
}

/** Adjusts addresses after the source bytes have moved by `distance`. */
export function moveCoded(distance: i32): void {
  start += distance;
  end += distance;
  record += distance;
}

/**
 * Gives the host the bytes of [from, stop), without chunk lines, up to the limit of a body; `isEnd`: the body ends at `stop`. Returns the
 * end of the bytes read.
 */
export function collectCoded(from: i32, stop: i32, isEnd: bool): i32 {
  const bound = start + mail.CODED_BYTES_MAX < stop ? start + mail.CODED_BYTES_MAX : stop;
  if (!isInChunks) {
    takeCoded(from, bound - from);
    return bound;
  }
  const next = readChunks(from, bound, TRANSFER_REGION, isEnd || bound < stop);
  takeCoded(TRANSFER_REGION, chunksEnd - TRANSFER_REGION);
  return next;
}

/** Whether the body up to `p` has reached its limit, so that the rest is not read. */
export function isCodedFull(p: i32): bool {
  return p - start >= mail.CODED_BYTES_MAX;
}

/** Makes the host decode the body, which ends at `stop`; `isCut`: the limit has cut it there. Counts a body that is not decoded. */
export function decodeBody(stop: i32, isCut: bool): void {
  end = stop;
  const decoded = decodeCoded(codingsOfBody, record, stop);
  if ((isCut || decoded != mail.CODED_WHOLE) && !isCounted) omit(mail.COUNT_ENCODED_BODY, start);
  if (decoded != mail.CODED_NOTHING) return;
  count(mail.COUNT_PARTS_SKIPPED, 1);
  count(mail.COUNT_BYTES_SKIPPED, stop - start);
}

/** Writes the next bytes of the text to `to`; returns the address after them, or `to` at the end of the text. */
export function readCoded(to: i32): i32 {
  const length = readDecoded(to, PIECE_BYTES);
  if (length > 0) mapWhole(start, end, length);
  return to + length;
}
