// A scan of one input: gives its bytes to the core in pieces of any size, and the results to a sink. window.ts says what waits and why.
import { COUNT_WORDS } from "#core/layout/mail.js";
import * as layout from "#core/layout/memory.js";
import { NO_SCAN } from "../core/callbacks.ts";
import { type Core, coresInUse } from "../core/core.ts";
import { KINDS, REASON_NAMES } from "../core/names.ts";
import { setSchemes } from "../core/tables.ts";
import type { BatchSink } from "../matches/batch.ts";
import { bytesAround, findEdges, lastCompleteUnit, lookAhead, lookBack, ownedBy } from "./range.ts";
import { ScanResults } from "./results.ts";
import { configureCore, type ScanCounts, type ScanOptions, type ScanRange } from "./scan.ts";
import type { SourceDecoder } from "./source-decoder.ts";
import { inputShare, OVERREAD, Window } from "./window.ts";

/** Bytes that stay before those of `#firstNeeded`, for quote marks (`>`) and quotation marks (X13). */
const LOOK_BACK_EXTRA = 16;
const SPACE_BYTES = 1 << 20;
/** If more cores are in use, many streams are open. */
const FEW_CORES = 32;
/** Most bytes of a chunk taken at a time if many streams are open: touched memory stays resident while a stream is open. */
const PIECE_BYTES = 1 << 14;
/** Most bytes that are decoded before they are scanned: a read of 512 KiB, and the room for 192 KiB that a step of a decoder needs. */
const DECODED_BYTES = 3 << 18;
const IDLE_TURNS_MAX = 8;

const NO_BYTES: Uint8Array = new Uint8Array(0);
const WHOLE: ScanRange = { offset: 0, from: 0, to: Number.POSITIVE_INFINITY };

const NO_KINDS = KINDS.map(() => 0);
const NO_REASONS = REASON_NAMES.map(() => 0);
const NO_ARCHIVE = Array.from({ length: COUNT_WORDS }, () => 0);

/** Scans one input, or one range of it, with a core that is its own from the first byte to the last. */
export class Scanner {
  readonly counts: ScanCounts = {
    bytes: 0,
    matches: 0,
    filtered: 0,
    undated: 0,
    kinds: NO_KINDS.slice(),
    rejected: NO_REASONS.slice(),
    archive: NO_ARCHIVE.slice(),
    omitted: {},
  };
  readonly #core: Core;
  readonly #options: ScanOptions;
  readonly #range: ScanRange & { to: number };
  readonly #window: Window;
  readonly #decoder: SourceDecoder | undefined;
  readonly #results: ScanResults;
  /** The span that the range owns, in offsets of the text; an edge in a decoded source is known when it is reached. */
  readonly #owned: { from: number; to: number };
  /** Do not scan past this offset yet. */
  #openFrom = Number.POSITIVE_INFINITY;
  /** A candidate that waits for input is scanned again when the text has reached this address. */
  #retryAt = 0;
  #synchronized: boolean;
  /** Whether everything that starts before the range's end has been reported: the scan needs no more input. */
  done = false;
  #isCut = false;
  #idle = 0;

  constructor(core: Core, options: ScanOptions, sink: BatchSink, { source, offset, from, to, byMessage } = WHOLE) {
    this.#core = core;
    this.#options = options;
    this.#range = { source, offset, from, to, byMessage };
    setSchemes(core, options.schemes, options.extraSchemes);
    this.#decoder = options.decoder?.(core, options, this.#range, this.counts);
    const isDecoded = this.#decoder !== undefined;
    this.#window = new Window(core, options.urlBytesMax, isDecoded ? 0 : offset);
    const refused = options.rejected ? [] : undefined;
    const scan = { core, window: this.#window, decoder: this.#decoder, counts: this.counts, refused };
    this.#results = new ScanResults(scan, options, sink, source);
    this.#owned = ownedBy(this.#range, isDecoded);
    this.#synchronized = isDecoded || from <= offset;
    configureCore(core, options, this.#decoder?.context ?? 0);
    const { nextColon } = options;
    if (nextColon === undefined) return;
    core.callbacks.findEncodedColon = (address) => this.#window.addressOf(nextColon(this.#window.offsetOf(address)));
  }

  /** Returns a writable view for the next input: `bytesWanted` bytes, or fewer. */
  space(bytesWanted: number): Uint8Array<ArrayBuffer> {
    if (this.#decoder !== undefined) return this.#decoder.source.space(bytesWanted);
    const end = this.#makeRoom(Math.min(bytesWanted, inputShare(SPACE_BYTES)), true);
    return this.#core.bytes.subarray(this.#window.high, end);
  }

  /** Takes the first `count` bytes of the view that `space` gave. */
  advance(count: number): void {
    finish(this.advancing(count));
  }

  /** Advances; yields after each turn, because few bytes may decode to many, whose results the sink must be able to pass on. */
  *advancing(count: number): Generator<undefined> {
    if (this.#decoder !== undefined) this.#decoder.source.advance(count);
    else this.#window.high += count;
    while (this.#turn(false)) yield;
    yield;
  }

  write(chunk: Uint8Array): void {
    finish(this.writing(chunk));
  }

  /** Takes a piece of input of any size; yields after each turn. */
  *writing(chunk: Uint8Array): Generator<undefined> {
    for (let at = 0; at < chunk.length && !this.done; ) {
      const count = this.#put(chunk, at);
      at += count;
      yield* this.advancing(count);
    }
  }

  /** Copies bytes of `chunk` from `at` on, and takes them; returns their number. */
  #put(chunk: Uint8Array, at: number): number {
    const most = coresInUse() <= FEW_CORES ? chunk.length - at : Math.min(chunk.length - at, PIECE_BYTES);
    const space = this.space(most);
    const count = Math.min(space.length, most);
    space.set(count === chunk.length ? chunk : chunk.subarray(at, at + count));
    return count;
  }

  /** Sets the end of the range; Infinity: the end of the source. Call it before `done`, and before any input after the new end. */
  endAt(to: number): void {
    this.#range.to = to;
    this.#owned.to = ownedBy(this.#range, this.#decoder !== undefined).to;
  }

  /** Ends the input after its last piece: decides the waiting candidates. */
  end(last = NO_BYTES): void {
    for (let at = 0; at < last.length && !this.done; ) {
      const count = this.#put(last, at);
      at += count;
      // Without a decoder the end is scanned below, so that a short text is scanned once.
      if (at === last.length && this.#decoder === undefined) this.#window.high += count;
      else this.advance(count);
    }
    while (this.#turn(true));
    this.#close();
  }

  /** Ends the input; yields between turns. `isCut`: it was cut short, so a word that the cut may have halved is not decided. */
  *ending(isCut = false): Generator<undefined> {
    this.#isCut = isCut;
    while (this.#turn(true)) yield;
    this.#close();
  }

  #close(): void {
    this.#results.end();
    this.done = true;
    // The core must not keep this scan and its text alive.
    if (this.#decoder !== undefined || this.#options.nextColon !== undefined) Object.assign(this.#core.callbacks, NO_SCAN);
  }

  get #position(): number {
    return this.#core.words[layout.RESULT_POSITION >> 2];
  }

  /** Returns the address after the room for `wanted` bytes in the window, which moves down if necessary. */
  #makeRoom(wanted: number, isInput: boolean): number {
    if (this.#window.isUsedUp(wanted, isInput)) this.#moveDown();
    return this.#window.roomFor(wanted);
  }

  #moveDown(): void {
    const distance = this.#window.distanceTo(this.#firstNeeded());
    if (distance === 0) return;
    this.#core.moveDown(distance);
    this.#window.moveDown(distance);
    this.#decoder?.map.drop(this.#window.base);
    this.#decoder?.drop?.(this.#window.base);
    this.#retryAt -= distance;
  }

  /** Returns the address of the first byte that may be read again. */
  #firstNeeded(): number {
    const { urlBytesMax } = this.#options;
    const { high } = this.#window;
    if (!this.#synchronized) return Math.min(high, this.#window.addressOf(this.#range.from)) - lookBack(this.#options);
    const most = Math.max(3 * urlBytesMax, this.#decoder?.lookBack ?? 0, bytesAround(this.#options));
    return this.#position - most - LOOK_BACK_EXTRA;
  }

  /** Scans the text in the window, or the next text that a decoder has room for; returns whether more is left. */
  #turn(final: boolean): boolean {
    if (this.#decoder !== undefined) return this.#decode(this.#decoder, final);
    this.#run(final);
    return false;
  }

  /** Decodes bytes of the source until the window is full, and scans the text. Returns whether bytes are left. */
  #decode(decoder: SourceDecoder, final: boolean): boolean {
    if (this.done) return false;
    const window = this.#window;
    const before = this.#progress(decoder);
    const limit = this.#makeRoom(DECODED_BYTES, false);
    const result = decoder.decode(window.high, limit, window.offsetOf(0), final);
    window.high = result.high;
    const isFinal = (final || result.isOver) && !result.isFull;
    if (this.#options.read?.has("messages")) this.#results.giveMessages(decoder, isFinal);
    findEdges(this.#owned, this.#range, decoder);
    this.#openFrom = isFinal ? Number.POSITIVE_INFINITY : result.openFrom;
    // The region of attribute values may be full, and only a scan empties it.
    if (result.isFull) this.#retryAt = 0;
    this.#run(isFinal);
    if (result.isOver) this.done = true;
    this.#idle = result.isFull && this.#progress(decoder) === before ? this.#idle + 1 : 0;
    if (this.#idle > IDLE_TURNS_MAX) throw new RangeError(`no progress after byte ${decoder.source.taken} of the source`);
    return result.isFull && !this.done;
  }

  /** Returns the sum of the bytes that were taken, decoded and scanned so far. It only grows. */
  #progress(decoder: SourceDecoder): number {
    return decoder.source.taken + this.#window.end + this.#window.offsetOf(this.#position);
  }

  /** Scans the text in the window, if enough has come since the last scan. */
  #run(final: boolean): void {
    if (this.done) return;
    const window = this.#window;
    if (final && this.#isCut) window.high = lastCompleteUnit(this.#core.bytes, this.#position, window.high);
    const { from, to } = this.#range;
    const received = this.#decoder?.source.received ?? window.end;
    this.counts.bytes = Math.max(0, Math.min(received, to) - from);
    const isBeforeRange = !this.#synchronized && received <= from;
    const shown = final ? window.high : window.high - bytesAround(this.#options);
    const end = Math.min(shown, window.addressOf(this.#openFrom));
    if (end < this.#position || (!final && (isBeforeRange || end < this.#retryAt))) return;
    const stop = this.#scan(end, final);
    const position = this.#position;
    const quarterMore = end + ((end - position) >> 2);
    const enough = position + lookAhead(this.#options);
    this.#retryAt = stop === layout.STOP_INPUT ? Math.min(quarterMore, enough) : 0;
    this.done = stop === layout.STOP_OWNED || position - this.#options.urlBytesMax > window.addressOf(this.#owned.to);
  }

  /** Scans the window up to `end` and takes the results. Returns the STOP_* that ended it. */
  #scan(end: number, final: boolean): number {
    const { bytes } = this.#core;
    const later = end < this.#window.high ? bytes.slice(end, end + OVERREAD) : undefined;
    const window = this.#window;
    if (!this.#synchronized) this.#core.synchronize(Math.min(window.addressOf(this.#range.from), window.high));
    this.#synchronized = true;
    const [ownFrom, ownTo] = [window.addressOf(this.#owned.from), window.addressOf(this.#owned.to)];
    let stop: number = layout.STOP_FULL;
    while (stop === layout.STOP_FULL) {
      bytes.fill(0, end, end + OVERREAD);
      stop = this.#core.scan(end, final, ownFrom, ownTo);
      if (later !== undefined) bytes.set(later, end);
      this.#results.take(window.base + Math.max(0, this.#firstNeeded() - layout.WINDOW_REGION));
    }
    return stop;
  }
}

/** Scans a text of its own, such as the inside of matches. `write` takes its batches. */
export function scanBytes(core: Core, options: ScanOptions, write: BatchSink["write"], bytes: Uint8Array): void {
  const scanner = new Scanner(core, options, { write });
  scanner.write(bytes);
  scanner.end();
}

function finish(turns: Generator<undefined>): void {
  for (const _ of turns);
}
