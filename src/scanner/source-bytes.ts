// The source bytes that a decoder has not decoded yet. They end at SOURCE_INPUT, a page border, where new ones go.
import { DECODED_SOURCE } from "#core/layout/decoded.js";
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { inputShare } from "./window.ts";

/** Bytes before the first that waits: a decoder may look back at them. */
export const LOOK_BEHIND = 16;
/** Most bytes that there is room for at a time. */
const SPACE_BYTES = layout.SOURCE_BYTES >> 1;

/** What one call of a decoder makes of the source bytes. */
export interface Decoded {
  /** Address after the last byte of the window. */
  readonly high: number;
  /** The window had no room for more: call again. */
  readonly isFull: boolean;
  /** The rest of the source is not needed. */
  readonly isOver: boolean;
  /** Do not scan past this decoded offset: the fields of its message are still incomplete. Infinity: scan all. */
  readonly openFrom: number;
}

/** Holds the source bytes that the core has not decoded yet. */
export class SourceBytes {
  readonly #core: Core;
  /** Address of the first byte that waits. */
  start: number;
  /** Address after the last byte that has come. */
  end: number;
  /** Source offset of the first byte that waits: it is not decoded. */
  taken: number;
  /** Fewer bytes than these are not enough to go on. */
  #wanted = 0;

  /** The source is given from `offset` on, at `address`; `before` is put before its first byte. */
  constructor(core: Core, offset: number, before: number, address: number = layout.SOURCE_INPUT) {
    this.#core = core;
    this.taken = offset;
    this.start = address;
    this.end = address;
    core.bytes.fill(before, address - LOOK_BEHIND, address);
  }

  /** Source offset of address 0. */
  get base(): number {
    return this.taken - this.start;
  }

  /** Source offset after the last byte that has come. */
  get received(): number {
    return this.taken + this.end - this.start;
  }

  /** Whether enough bytes wait for another try. */
  get isReady(): boolean {
    return this.end - this.start >= this.#wanted;
  }

  /** Returns a writable view for the next source bytes: `bytesWanted` bytes, or fewer. */
  space(bytesWanted: number): Uint8Array<ArrayBuffer> {
    return this.#core.bytes.subarray(this.end, this.end + Math.min(bytesWanted, inputShare(SPACE_BYTES)));
  }

  /** Takes the first `count` bytes of the view that `space` gave. */
  advance(count: number): void {
    this.end += count;
  }

  /** Drops the bytes that the core has decoded, and leaves the others where they are: there is no room for new ones. */
  pass(): void {
    const start = this.#core.words[DECODED_SOURCE >> 2];
    this.taken += start - this.start;
    this.start = start;
  }

  /** Drops the bytes that the core has decoded; `isShort`: it needs more than the others to go on. */
  take(isShort: boolean): void {
    const { bytes, words } = this.#core;
    const start = words[DECODED_SOURCE >> 2];
    const left = this.end - start;
    this.taken += start - this.start;
    this.start = layout.SOURCE_INPUT - left;
    bytes.copyWithin(this.start - LOOK_BEHIND, start - LOOK_BEHIND, this.end);
    this.end = layout.SOURCE_INPUT;
    // A quarter more, so that tiny pieces do not take quadratic time.
    this.#wanted = isShort ? left + (left >> 2) + 1 : 0;
  }
}
