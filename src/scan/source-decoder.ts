// Decoders: their interface, the source bytes that one has not decoded yet, and the tables that they read in the memory of a core.
import { DECODED_SOURCE } from "#core/layout/decoded.js";
import * as layout from "#core/layout/memory.js";
import { REFERENCES } from "#core/tables/references.js";
import type { Omission } from "../base/omission.ts";
import { WINDOWS_1252_80_TO_9F } from "../core/charsets.ts";
import type { Core } from "../core/core.ts";
import type { Location, MatchBatch, MatchLocations } from "../matches/batch.ts";
import type { SourceMap } from "./source-map.ts";
import { inputShare } from "./window.ts";

export interface Decoded {
  /** Address after the last byte of the window. */
  readonly high: number;
  /** The window had no room for more: call again. */
  readonly isFull: boolean;
  /** The rest of the source is not needed. */
  readonly isOver: boolean;
  /** Do not scan past this decoded offset: the fields of the message there are still incomplete. Infinity: scan all. */
  readonly openFrom: number;
}

/** Decodes one source, piece by piece, into the window. */
export interface SourceDecoder {
  /** The bytes of the source; new ones go there. */
  readonly source: SourceBytes;
  /** Maps decoded offsets to the source. It has no rows if nothing reads source offsets. */
  readonly map: SourceMap;
  /** CONTEXT_* in which the decoded text begins; 0: none. */
  readonly context: number;
  /** Bytes before the position of the scan that must stay in the window, in order to find the locations of matches. */
  readonly lookBack: number;
  /** Decodes to the window from `high` on, up to `limit`; `base` is the offset of address 0 in the decoded bytes. */
  decode(high: number, limit: number, base: number, final: boolean): Decoded;
  takeOmissions?(): Omission[];
  /** Forgets what only decoded bytes before `decoded` need, except the rows of the map. */
  drop?(decoded: number): void;
  /**
   * Returns the locations of the matches in `rows`, whose offsets count from `base`, the first byte of the window. `decoded` converts an
   * offset of the window to one in the text of this decoder, if a later step has changed the window.
   */
  locationsOf?(rows: Int32Array, base: number, decoded?: (offset: number) => number): MatchLocations | undefined;
  /** Called after each `decode`: returns the messages whose headers have been read since. `isEnd`: no header is still open. */
  takeMessages?(isEnd: boolean): Location[];
  /** Offset up to which the source is in the window, if that is not `source.taken`. */
  readonly taken?: number;
  /** Restores the raw forms of refanged matches (X15). `window`: the bytes of the text from the batch's base on. */
  restore?(batch: MatchBatch, window: Uint8Array): MatchBatch;
}

/** Number of bytes kept before the first waiting byte: a decoder may look back at them. */
export const LOOK_BACK = 16;
const SPACE_BYTES = layout.SOURCE_BYTES >> 1;

/** Holds the waiting bytes. They end at SOURCE_INPUT, a page border, and new ones go there; those of encoded messages elsewhere. */
export class SourceBytes {
  readonly #core: Core;
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

  get received(): number {
    return this.base + this.end;
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
    this.pass();
    const left = this.end - this.start;
    const to = layout.SOURCE_INPUT - left;
    this.#core.bytes.copyWithin(to - LOOK_BACK, this.start - LOOK_BACK, this.end);
    this.start = to;
    this.end = layout.SOURCE_INPUT;
    // A quarter more, so that tiny pieces do not take quadratic time.
    this.#wanted = isShort ? left + (left >> 2) + 1 : 0;
  }
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NO_DIGIT = 0xff;

/** Fills the small tables that every decoder needs, unless they are filled already (X9, A6). */
export function fillDecoderTables({ bytes, words, callbacks }: Core): void {
  if (words[layout.WINDOWS_1252 >> 2] !== 0) return;
  // The core asks for them at the first name that it looks up: most mail has none.
  callbacks.loadReferences = () => new TextEncoder().encodeInto(REFERENCES, bytes.subarray(layout.REFERENCE_TABLE)).written;
  for (let i = 0; i < WINDOWS_1252_80_TO_9F.length; i++) words[(layout.WINDOWS_1252 >> 2) + i] = WINDOWS_1252_80_TO_9F.charCodeAt(i);
  bytes.fill(NO_DIGIT, layout.BASE64_TABLE, layout.BASE64_TABLE + 256);
  for (let value = 0; value < BASE64.length; value++) bytes[layout.BASE64_TABLE + BASE64.charCodeAt(value)] = value;
}
