// The bytes of a source on their way to a decoder of the core: what it has not taken yet ends at SOURCE_INPUT, a page border, where the
// next go.
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { inputShare } from "./window.ts";

/** Bytes before the first that waits: a decoder may look back at them. */
export const LOOK_BEHIND = 16;
/** Most bytes that are given room for at a time. */
const SPACE_BYTES = layout.SOURCE_BYTES >> 1;

/** Holds the source bytes that the core has not decoded yet. */
export class SourceBytes {
  readonly #core: Core;
  #start: number = layout.SOURCE_INPUT;
  #end: number = layout.SOURCE_INPUT;
  /** Source offset of the first byte that waits. */
  #offset: number;
  /** Fewer bytes than these were not enough to go on. */
  #wanted = 0;

  /** `before` stands before the source's first byte, as often as may be looked back. */
  constructor(core: Core, offset: number, before: number) {
    this.#core = core;
    this.#offset = offset;
    core.bytes.fill(before, layout.SOURCE_INPUT - LOOK_BEHIND, layout.SOURCE_INPUT);
  }

  /** Source offset of address 0. */
  get base(): number {
    return this.#offset - this.#start;
  }

  /** Source offset of the first byte that is not taken. */
  get taken(): number {
    return this.#offset;
  }

  /** Source offset behind the last byte that has come. */
  get received(): number {
    return this.#offset + this.#end - this.#start;
  }

  /** Returns a writable view for the next source bytes: `bytesWanted` bytes, or fewer. */
  space(bytesWanted: number): Uint8Array<ArrayBuffer> {
    return this.#core.bytes.subarray(this.#end, this.#end + Math.min(bytesWanted, inputShare(SPACE_BYTES)));
  }

  /** Takes the first `count` bytes of the view that `space` gave. */
  advance(count: number): void {
    this.#end += count;
  }

  /** Whether so many bytes wait that it is worth trying again. */
  get isReady(): boolean {
    return this.#end - this.#start >= this.#wanted;
  }

  /** Tells the core what there is. */
  tell(final: boolean): void {
    const { words } = this.#core;
    words[layout.STATE_SOURCE >> 2] = this.#start;
    words[layout.STATE_SOURCE_END >> 2] = this.#end;
    words[layout.STATE_SOURCE_FINAL >> 2] = final ? 1 : 0;
  }

  /** Takes what the core has read; `isShort`: it needs more for what is next. */
  take(isShort: boolean): void {
    const { bytes, words } = this.#core;
    const start = words[layout.STATE_SOURCE >> 2] as number;
    const left = this.#end - start;
    this.#offset += start - this.#start;
    this.#start = layout.SOURCE_INPUT - left;
    bytes.copyWithin(this.#start - LOOK_BEHIND, start - LOOK_BEHIND, this.#end);
    this.#end = layout.SOURCE_INPUT;
    // So that tiny pieces do not make it quadratic.
    this.#wanted = isShort ? left + (left >> 2) + 1 : 0;
  }
}
