// The input window: the part of the core's memory that holds the scanned text, and the bytes before it that rules may read.
import * as layout from "#core/layout/memory.js";
import { type Core, coresInUse } from "../core/core.ts";

/** Bytes after the end of a scan that a search may read; they are zeros during the scan. */
export const OVERREAD = 64;
/** Bytes before the window region that a search may read; they are zeros. */
const UNDERREAD = 16;
/** Used bytes at which the window moves down: few, so that it stays in the processor's cache. */
const USED_BYTES = 1 << 20;
/** The windows of all open scans of a thread share about this many bytes, so that a thousand streams fit into memory. */
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

  /** Drops the first `distance` bytes. */
  moveDown(distance: number): void {
    this.#bytes.copyWithin(layout.WINDOW_REGION, layout.WINDOW_REGION + distance, this.high);
    this.base += distance;
    this.high -= distance;
  }
}
