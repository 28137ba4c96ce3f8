// The window: the part of the core's memory that has the scanned text, and the bytes before it that rules may still read.
//
// In the plain algorithm each piece of input is scanned and forgotten, and a URL in two pieces becomes two. Here the core scans as far as
// it can decide, up to RESULT_POSITION. The text from there on waits for the next piece. The text before it stays while a decision may
// look back at it. The window in address order, after the piece `... http://a.example/pa`, with a `urlBytesMax` of 16 KiB:
//
//              WINDOW_REGION                                      RESULT_POSITION   high
//   16 zeros | decided: 49,168 bytes may be read again ... http | ://a.example/pa | the next piece; during the scan 64 zeros
//
// A turn of the scanner (scanner.ts): a piece comes to `high`, or a decoder writes its text there. `scan` of the core continues, and its
// rows leave. If the window is used up, it moves down before the next piece. Departures, each with the failure that it prevents:
//
// 1. A look-ahead that stops less than 40 bytes before `high` decides nothing (MARGIN, `isOpenEnded` in assembly/scan/state.ts). The reader
//    returns NEED_INPUT, and the position stays at the colon. Otherwise the URL would end with the piece, at `pa`.
// 2. If a delimiter byte follows, a plain URL is decided all the same, unless lines are joined (`isOpen`). In a stream the last URL of a
//    chunk would otherwise wait for the next chunk.
// 3. `#firstNeeded` keeps at least three times `urlBytesMax`: from the colon back to the scheme, from there to its `<` or the start of its
//    run, from the `<` to the start of its line. Without them a cut after the colon of `'http://a/x'y` would hide the first quotation mark,
//    and the URL would not end at the second.
// 4. The scan stops before `high` if a record needs the text after its match (`bytesAround`), and before a message whose header is
//    incomplete (`#openFrom`). Otherwise a context would be cut short, or a date missing.
// 5. A waiting candidate is read again when the text after its colon is a quarter longer (`#retryAt`), or when all bytes that it may need
//    are there. With each piece, tiny pieces would take quadratic time.
// 6. A look-ahead ends `urlBytesMax` bytes after its start (`lookAhead` in state.ts). Otherwise a host of 9 MiB would fill the window,
//    and the scan could not continue (`roomFor` throws).
// 7. Loops of the core read 16 bytes and more at a time, also beyond the text. There are zeros (OVERREAD, UNDERREAD). Otherwise bytes of
//    an earlier text could decide. `#scan` puts back the text that the zeros replace.
// 8. Rows have addresses. They leave after each `scan` (`ScanResults.take`), also when their region is full (STOP_FULL), so no row is left
//    when the window moves. The core moves its own addresses before the bytes (`core.moveDown`): the context of the first byte that stays
//    may be in a byte that goes.
// 9. The window moves at about 1 MiB (USED_BYTES), not at 8 MiB, and stays in the processor's cache. The windows of all open scans share
//    SHARED_BYTES. Otherwise a thousand streams would need 8 GB.
// 10. A decoder has room for DECODED_BYTES a turn, because few bytes may become many. A decoder that stays full without any progress
//     (IDLE_TURNS_MAX) fails. Otherwise the scan would never end.
import * as layout from "#core/layout/memory.js";
import { type Core, coresInUse } from "../core/core.ts";

export const OVERREAD = 64;
const UNDERREAD = 16;
const USED_BYTES = 1 << 20;
const SHARED_BYTES = 1 << 25;
/** Least bytes of input that a scan takes at a time, however many scans are open. */
const INPUT_BYTES_LEAST = 1 << 13;
/** Input of this size or more goes to a page border: on some processors copies to other addresses are much slower. */
const ALIGNED_BYTES = 1 << 15;
const PAGE = 4096;
const END = layout.WINDOW_REGION + layout.WINDOW_BYTES;
const ADDRESS_MAX = 0x7fffffff;

/** Returns how many bytes of input a scan takes at a time: `bytes`, or fewer while many scans are open. */
export function inputShare(bytes: number): number {
  return Math.min(bytes, Math.max(INPUT_BYTES_LEAST, SHARED_BYTES / 4 / coresInUse()));
}

/** Translates between offsets of the text and addresses of the core, and makes room for more text. */
export class Window {
  /** Address after the last byte of the text. */
  high: number = layout.WINDOW_REGION;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #urlBytesMax: number;
  /** Offset of the first byte of the window region. */
  base: number;

  /** `offset`: offset of the first byte of the text. */
  constructor(core: Core, urlBytesMax: number, offset: number) {
    this.#bytes = core.bytes;
    this.#urlBytesMax = urlBytesMax;
    this.base = offset;
    this.#bytes.fill(0, layout.WINDOW_REGION - UNDERREAD, layout.WINDOW_REGION);
  }

  /** Offset after the last byte of the text. */
  get end(): number {
    return this.offsetOf(this.high);
  }

  /** The window from its first byte on. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(layout.WINDOW_REGION);
  }

  offsetOf(address: number): number {
    return this.base + address - layout.WINDOW_REGION;
  }

  /** Returns the address of an offset, or the nearest valid address. */
  addressOf(offset: number): number {
    return Math.min(Math.max(offset - this.base + layout.WINDOW_REGION, 0), ADDRESS_MAX);
  }

  /** Returns whether `wanted` more bytes need the window to move down first; `isInput`: the bytes are copied from outside. */
  isUsedUp(wanted: number, isInput: boolean): boolean {
    const used = Math.min(USED_BYTES, SHARED_BYTES / coresInUse()) + 5 * this.#urlBytesMax;
    return this.high + wanted > layout.WINDOW_REGION + used || (isInput && wanted >= ALIGNED_BYTES && this.high % PAGE !== 0);
  }

  /** Returns the address after the room for `wanted` bytes, or after as much room as there is. Throws RangeError if there is none. */
  roomFor(wanted: number): number {
    if (this.high >= END) throw new RangeError(`no decision in ${layout.WINDOW_BYTES} bytes of input`);
    return Math.min(END, this.high + Math.max(wanted, 1));
  }

  /** Returns the distance by which the text can move down so that it ends at a page border; bytes from the address `needed` on stay. */
  distanceTo(needed: number): number {
    const unneeded = needed - layout.WINDOW_REGION;
    return Math.max(0, unneeded - ((PAGE - ((this.high - unneeded) % PAGE)) % PAGE));
  }

  moveDown(distance: number): void {
    this.#bytes.copyWithin(layout.WINDOW_REGION, layout.WINDOW_REGION + distance, this.high);
    this.base += distance;
    this.high -= distance;
  }
}
