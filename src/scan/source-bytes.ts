// The source bytes that a decoder has not decoded yet. They end at SOURCE_INPUT, a page border, and new bytes go there; only encoded
// messages may have another address.
import { DECODED_SOURCE } from "#core/layout/decoded.js";
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { inputShare } from "./window.ts";

/** Number of bytes kept before the first waiting byte: a decoder may look back at them. */
export const LOOK_BACK = 16;
/** Most bytes that one call of `space` gives. */
const SPACE_BYTES = layout.SOURCE_BYTES >> 1;

/** Holds the source bytes that the core has not decoded yet. */
export class SourceBytes {
  readonly #core: Core;
  /** Address of the first waiting byte. */
  start: number;
  /** Address after the last byte. */
  end: number;
  /** Source offset of the first waiting byte. */
  taken: number;
  /** Fewest waiting bytes with which the decoder can continue. */
  #wanted = 0;

  /** The source starts at `offset`, and its bytes at `address`. `before`: the value of each of the LOOK_BACK bytes before them. */
  constructor(core: Core, offset: number, before: number, address: number = layout.SOURCE_INPUT) {
    this.#core = core;
    this.taken = offset;
    this.start = address;
    this.end = address;
    core.bytes.fill(before, address - LOOK_BACK, address);
  }

  /** Source offset of address 0. */
  get base(): number {
    return this.taken - this.start;
  }

  /** Source offset after the last byte. */
  get received(): number {
    return this.taken + this.end - this.start;
  }

  /** Whether enough bytes are waiting for the decoder to try again. */
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

  /** Drops the decoded bytes, but does not move the others. This makes no room for new bytes. */
  pass(): void {
    const start = this.#core.words[DECODED_SOURCE >> 2];
    this.taken += start - this.start;
    this.start = start;
  }

  /** Drops the decoded bytes, and moves the others so that they end at SOURCE_INPUT. `isShort`: the core needs more bytes to continue. */
  take(isShort: boolean): void {
    const { bytes, words } = this.#core;
    const start = words[DECODED_SOURCE >> 2];
    const left = this.end - start;
    this.taken += start - this.start;
    this.start = layout.SOURCE_INPUT - left;
    bytes.copyWithin(this.start - LOOK_BACK, start - LOOK_BACK, this.end);
    this.end = layout.SOURCE_INPUT;
    // A quarter more, so that tiny pieces do not take quadratic time.
    this.#wanted = isShort ? left + (left >> 2) + 1 : 0;
  }
}
