// The rolling input window: takes bytes in pieces of any size, keeps what the rules may look back at, and hands on what the core finds.

import { RECORD_KIND, RECORD_WORDS } from "#core/layout/codes.js";
import { COUNT_WORDS } from "#core/layout/mail.js";
import * as layout from "#core/layout/memory.js";
import type { Core, CoreUser } from "../core/core.ts";
import { KINDS, REASONS } from "../core/names.ts";
import { setSchemes } from "../core/tables.ts";
import { supplyALabels } from "../url/idn.ts";
import { answerName } from "../url/public-suffix.ts";
import { URL_BYTES_LIMIT } from "../url/text.ts";
import type { BatchSink, MatchBatch } from "./batch.ts";
import type { SourceDecoder } from "./decoder.ts";
import { decoderOf } from "./decoders.ts";
import { findEdges, lookAhead, lookBehind, ownedBy, wholeEnd } from "./range.ts";
import { Listing } from "./rejections.ts";
import { mapToSource, takeMatches } from "./rows.ts";
import { type MatchRewriter, type RewrittenMatches, type ScanCounts, type ScanOptions, type ScanRange, writeOptions } from "./scan.ts";

/** Room behind the input that searches may read; the first of it are zeros. */
const OVERREAD = 64;
/** What is kept before the position beyond three times urlBytesMax: marks and quotation marks (X13). */
const LOOK_BACK_EXTRA = 16;
/** The window is moved down when this much of it is used, and five times urlBytesMax: small, so that it stays in the processor's cache. */
const WINDOW_USED = 1 << 20;
/** Input of this size or more is written to a page border: on some processors copies to other addresses are several times slower. */
const ALIGNED_BYTES = 1 << 15;
const PAGE = 4096;
/** Bytes that are decoded before they are scanned. */
const DECODED_BYTES = 1 << 19;
const ADDRESS_MAX = 0x7fffffff;
/** Saved words: the carried state. */
const CARRIED = [layout.STATE_POSITION, layout.STATE_LAST_END, layout.STATE_RUN, layout.STATE_RUN_CHECKED, layout.STATE_CONTEXT_CHECKED];

function increment(counts: number[], index: number): void {
  counts[index] = (counts[index] as number) + 1;
}

/** Scans one input, or one range of it. Many may live on one core: they take turns. */
export class Scanner implements CoreUser {
  readonly counts: ScanCounts = {
    bytes: 0,
    matches: 0,
    kinds: KINDS.map(() => 0),
    rejected: REASONS.map(() => 0),
    archive: Array.from({ length: COUNT_WORDS }, () => 0),
    omitted: {},
  };
  readonly #core: Core;
  readonly #options: ScanOptions;
  readonly #sink: BatchSink;
  readonly #range: ScanRange;
  readonly #rewriter: MatchRewriter | undefined;
  readonly #waiting: (() => RewrittenMatches)[] = [];
  readonly #decoder: SourceDecoder | undefined;
  readonly #listing: Listing;
  /** What the range owns, in the offsets of the window; of a decoded source an edge is known when it is reached. */
  readonly #owned: { from: number; to: number };
  /** Absolute offset of WINDOW_REGION. */
  #base: number;
  /** Behind the last byte of the window. */
  #high = layout.WINDOW_REGION;
  /** Offset from which on the window is scanned later. */
  #openFrom = Number.POSITIVE_INFINITY;
  /** While a candidate waits for input: the window's end from which it is worth looking again. */
  #retryAt = 0;
  #synchronized: boolean;
  #done = false;
  #isRewriting = false;
  #isCut = false;
  #saved: { bytes: Uint8Array; words: number[] } | undefined;

  constructor(core: Core, options: ScanOptions, sink: BatchSink, range?: ScanRange) {
    this.#core = core;
    this.#options = options;
    this.#sink = sink;
    this.#rewriter = options.rewriter?.(core);
    this.#range = range ?? { offset: 0, from: 0, to: Number.POSITIVE_INFINITY };
    this.#base = this.#range.offset;
    const { from } = this.#range;
    this.#decoder = decoderOf(core, options, this.#range, this.counts);
    this.#listing = new Listing(options.rejected, this.#decoder, (batch) => sink.write({ ...batch, source: this.#range.source }));
    if (this.#decoder !== undefined) this.#base = 0;
    this.#owned = ownedBy(this.#range, this.#decoder !== undefined);
    this.#synchronized = this.#decoder !== undefined || from <= this.#range.offset;
    this.#saved = { bytes: new Uint8Array(0), words: CARRIED.map(() => layout.WINDOW_REGION) };
  }

  /** Everything that starts before the range's end has been reported. */
  get done(): boolean {
    return this.#done;
  }

  /** A writable view of the window of at least min(`bytesWanted`, 1 MiB) bytes, to be filled from its start. */
  space(bytesWanted: number): Uint8Array<ArrayBuffer> {
    this.#acquire();
    if (this.#decoder !== undefined) return this.#decoder.space(bytesWanted);
    const wanted = Math.min(bytesWanted, 1 << 20);
    const end = this.#makeRoom(wanted, wanted >= ALIGNED_BYTES && this.#high % PAGE !== 0);
    return this.#core.bytes.subarray(this.#high, end);
  }

  /** Address behind the room for at least min(`wanted`, 1 MiB) bytes in the window, which is moved down where that is needed. */
  #makeRoom(wanted: number, misplaced: boolean): number {
    const end = layout.WINDOW_REGION + layout.WINDOW_BYTES;
    if (misplaced || this.#high + wanted > layout.WINDOW_REGION + WINDOW_USED + 5 * this.#options.urlBytesMax) this.#moveDown();
    if (this.#high >= end) throw new RangeError(`no decision in ${layout.WINDOW_BYTES} bytes of input`);
    return Math.min(end, this.#high + Math.max(wanted, 1));
  }

  /** Takes the first `count` bytes of the view that `space` gave. */
  advance(count: number): void {
    if (this.#decoder !== undefined) {
      this.#decoder.advance(count);
      this.#decode(this.#decoder, false);
    } else {
      this.#high += count;
      this.#run(false);
    }
  }

  /** Takes a piece of input of any size. */
  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && !this.#done; ) {
      const space = this.space(chunk.length - at);
      const count = Math.min(space.length, chunk.length - at);
      space.set(chunk.subarray(at, at + count));
      this.advance(count);
      at += count;
    }
  }

  /** The input was cut short here: what waited is decided, but for what the cut may have halved. */
  cut(): void {
    this.#isCut = true;
    this.end();
  }

  /** The input ends here: what waited for more is decided. */
  end(): void {
    this.#acquire();
    if (this.#decoder !== undefined) this.#decode(this.#decoder, true);
    else this.#run(true);
    this.#listing.listed([], this.#base, Number.POSITIVE_INFINITY)();
    this.#done = true;
    this.#core.user = undefined;
  }

  /** Saves what stands in the window; another user takes the core. */
  suspend(): void {
    this.#moveDown();
    this.#decoder?.suspend();
    const { bytes, words } = this.#core;
    this.#saved = {
      bytes: bytes.slice(layout.WINDOW_REGION, this.#high),
      words: CARRIED.map((address) => words[address >> 2] as number),
    };
  }

  #acquire(): void {
    const core = this.#core;
    if (core.user === this) return;
    core.user?.suspend();
    setSchemes(core, this.#options.schemes, this.#options.addedSchemes);
    core.user = this;
    const saved = this.#saved as { bytes: Uint8Array; words: number[] };
    this.#saved = undefined;
    core.bytes.fill(0, layout.WINDOW_REGION - LOOK_BACK_EXTRA, layout.WINDOW_REGION);
    core.bytes.set(saved.bytes, layout.WINDOW_REGION);
    this.#decoder?.resume();
    this.#set(layout.STATE_HAS_CONTEXTS, this.#decoder === undefined ? 0 : 1);
    for (const [index, address] of CARRIED.entries()) this.#set(address, saved.words[index] as number);
    this.#set(layout.STATE_LOW, layout.WINDOW_REGION);
    this.#set(layout.STATE_ASKED, 0);
    writeOptions(core, this.#options);
  }

  #set(address: number, value: number): void {
    this.#core.words[address >> 2] = value;
  }

  #get(address: number): number {
    return this.#core.words[address >> 2] as number;
  }

  #add(counter: number, counts: number[]): void {
    for (let index = 0; index < counts.length; index++) counts[index] = (counts[index] as number) + this.#get(counter + index * 4);
    this.#core.words.fill(0, counter >> 2, (counter >> 2) + counts.length);
  }

  /** Drops what nothing may look back at any more, such that the window then ends at a page border. */
  #moveDown(): void {
    const unneeded = this.#firstNeeded() - layout.WINDOW_REGION;
    const delta = unneeded - ((PAGE - ((this.#high - unneeded) % PAGE)) % PAGE);
    if (delta <= 0) return;
    this.#set(layout.STATE_ASKED, 0);
    if (this.#decoder !== undefined) {
      this.#core.carryContext(layout.WINDOW_REGION + delta);
      // What a stage has taken finds its source later.
      if (!this.#isRewriting) this.#decoder.drop(this.#base + delta);
    }
    this.#core.bytes.copyWithin(layout.WINDOW_REGION, layout.WINDOW_REGION + delta, this.#high);
    this.#base += delta;
    this.#high -= delta;
    this.#retryAt -= delta;
    this.#set(layout.STATE_POSITION, this.#get(layout.STATE_POSITION) - delta);
    for (const address of [layout.STATE_LAST_END, layout.STATE_RUN_CHECKED, layout.STATE_CONTEXT_CHECKED]) {
      this.#set(address, Math.max(this.#get(address) - delta, layout.WINDOW_REGION));
    }
    // A unbroken run that starts further back than any limit is overlong, wherever it starts.
    this.#set(layout.STATE_RUN, Math.max(this.#get(layout.STATE_RUN) - delta, layout.WINDOW_REGION - 2 * URL_BYTES_LIMIT));
  }

  /** Address of the first byte that may be looked at again. */
  #firstNeeded(): number {
    const { urlBytesMax } = this.#options;
    if (!this.#synchronized) return Math.min(this.#high, this.#addressOf(this.#range.from)) - lookBehind(urlBytesMax);
    // From the colon back to the scheme, from there to its `<` or the start of its unbroken run, and from the `<` to the start of its line.
    return this.#get(layout.STATE_POSITION) - Math.max(3 * urlBytesMax, this.#decoder?.lookBack ?? 0) - LOOK_BACK_EXTRA;
  }

  #addressOf(offset: number): number {
    return Math.min(Math.max(offset - this.#base + layout.WINDOW_REGION, 0), ADDRESS_MAX);
  }

  /** Decodes what the source has given, and scans it. */
  #decode(decoder: SourceDecoder, final: boolean): void {
    let isFull = true;
    while (isFull && !this.#done) {
      const limit = this.#makeRoom(DECODED_BYTES, false);
      const result = decoder.decode(this.#high, limit, this.#base - layout.WINDOW_REGION, final);
      this.#high = result.high;
      isFull = result.isFull;
      const isFinal = (final || result.isOver) && !isFull;
      findEdges(this.#owned, this.#range, decoder);
      this.#openFrom = isFinal ? Number.POSITIVE_INFINITY : result.openFrom;
      this.#run(isFinal);
      if (result.isOver) this.#done = true;
    }
  }

  #run(final: boolean): void {
    if (this.#done) return;
    if (final && this.#isCut) this.#high = wholeEnd(this.#core.bytes, this.#get(layout.STATE_POSITION), this.#high);
    const { from, to } = this.#range;
    const reached = this.#decoder?.received ?? this.#base + this.#high - layout.WINDOW_REGION;
    this.counts.bytes = Math.max(0, Math.min(reached, to) - from);
    if (!final && ((!this.#synchronized && reached <= from) || this.#scanEnd < this.#retryAt)) return;
    let stop: number = layout.STOP_FULL;
    this.#set(layout.STATE_COLON, 0);
    while (stop === layout.STOP_FULL || stop === layout.STOP_NAME || stop === layout.STOP_COLON) {
      stop = this.#scan(final);
      if (stop === layout.STOP_NAME) answerName(this.#core);
      else if (stop === layout.STOP_COLON) this.#answerColon();
      this.#emit();
      // Whoever was told of what was found may have used the core.
      this.#acquire();
    }
    const position = this.#get(layout.STATE_POSITION);
    // A candidate that waits is read again when a quarter more of it has come, so that tiny pieces do not make it quadratic; but at once
    // when all that it may need is there.
    const enough = position + lookAhead(this.#options.urlBytesMax);
    this.#retryAt = stop === layout.STOP_INPUT ? Math.min(this.#scanEnd + ((this.#scanEnd - position) >> 2), enough) : 0;
    this.#done = stop === layout.STOP_OWNED || position - this.#options.urlBytesMax > this.#addressOf(this.#owned.to);
  }

  /** The scan goes on at the next colon that may end a scheme. */
  #answerColon(): void {
    const offset = this.#base + this.#get(layout.STATE_POSITION) - layout.WINDOW_REGION;
    const colon = this.#addressOf(this.#options.nextColon?.(offset) ?? offset);
    this.#set(layout.STATE_COLON, colon);
    this.#set(layout.STATE_POSITION, Math.min(colon, this.#scanEnd));
  }

  /** Behind the last byte of the window that is scanned now. */
  get #scanEnd(): number {
    return Math.min(this.#high, this.#addressOf(this.#openFrom));
  }

  /** Has the window scanned, but for what is scanned later. */
  #scan(final: boolean): number {
    const { bytes } = this.#core;
    const end = this.#scanEnd;
    const later = end < this.#high ? bytes.slice(end, end + OVERREAD) : undefined;
    this.#prepare(final, end);
    const stop = this.#core.scan();
    if (later !== undefined) bytes.set(later, end);
    return stop;
  }

  /** Tells the core what stands in the window before `end`. */
  #prepare(final: boolean, end: number): void {
    const { from } = this.#range;
    this.#core.bytes.fill(0, end, end + OVERREAD);
    this.#set(layout.STATE_HIGH, end);
    this.#set(layout.STATE_FINAL, final ? 1 : 0);
    this.#set(layout.STATE_OWN_FROM, this.#addressOf(this.#owned.from));
    this.#set(layout.STATE_OWN_TO, this.#addressOf(this.#owned.to));
    if (this.#synchronized) return;
    this.#synchronized = true;
    this.#core.synchronize(Math.min(this.#addressOf(from), this.#high));
  }

  /** Has the rows of the last scan written out and hands them on. */
  #emit(): void {
    const rows = this.#get(layout.STATE_RECORDS);
    const candidates = this.#get(layout.STATE_REJECTED);
    // What `emit` refuses is counted and listed by the stage: a match that it leaves out is not refused.
    if (this.#rewriter !== undefined) this.#add(layout.STATE_REASONS, this.counts.rejected);
    let first = 0;
    this.#set(layout.STATE_PROFILE, this.#options.profile === "rfc1738" ? layout.PROFILE_RFC1738 : layout.PROFILE_RFC3986);
    this.#set(layout.STATE_EMITTED, 0);
    this.#set(layout.STATE_HOST_LENGTH, -1);
    this.#set(layout.STATE_OUTPUT_END, layout.OUTPUT_REGION);
    const handed: (() => void)[] = [];
    while (first < rows) {
      const refused = this.#refused();
      let stop = this.#core.emit();
      while (stop === layout.STOP_IDN) {
        supplyALabels(this.#core);
        stop = this.#core.emit();
      }
      const next = this.#get(layout.STATE_EMITTED);
      const lines = next - first - (this.#refused() - refused);
      this.#take(first, next, lines, next === rows, handed);
      first = next;
      this.#set(layout.STATE_OUTPUT_END, layout.OUTPUT_REGION);
    }
    if (this.#rewriter !== undefined) {
      this.#runRewriter(candidates);
      return;
    }
    this.counts.matches += rows;
    this.#add(layout.STATE_KINDS, this.counts.kinds);
    this.#add(layout.STATE_REASONS, this.counts.rejected);
    const refusals = this.#listing.takeRejected(this.#core, this.#get(layout.STATE_REJECTED));
    handed.push(this.#listing.listed(refusals, this.#base, this.#settled));
    // Whoever is told may use the core: everything has been taken from it.
    for (const hand of handed) hand();
  }

  /** Takes rows [first, next) from the core, and adds to `handed` what hands them on; of the last ones lines need not be copied. */
  #take(first: number, next: number, lines: number, isLast: boolean, handed: (() => void)[]): void {
    const end = this.#get(layout.STATE_OUTPUT_END);
    if (this.#options.output === "lines") {
      const { bytes } = this.#core;
      const view = isLast ? bytes.subarray(layout.OUTPUT_REGION, end) : bytes.slice(layout.OUTPUT_REGION, end);
      if (lines > 0) handed.push(() => this.#sink.write({ kind: "bytes", bytes: view, count: lines }));
      return;
    }
    const packed = takeMatches(this.#core, first, next, end, this.#base);
    const locations = this.#decoder?.locationsOf(packed.rows, packed.base, this.#base - layout.WINDOW_REGION);
    const batch: MatchBatch = { ...packed, source: this.#range.source, locations };
    if (this.#rewriter === undefined) {
      const mapped = mapToSource(batch, this.#decoder);
      handed.push(() => this.#sink.write(mapped));
    } else this.#waiting.push(this.#rewriter.take(batch, this.#core.bytes.subarray(layout.WINDOW_REGION)));
  }

  /** Hands on what the stage makes of the waiting batches; `candidates`: how many the scan rejected. */
  #runRewriter(candidates: number): void {
    const base = this.#base;
    const listed = this.#listing.takeRejected(this.#core, candidates);
    this.#core.words.fill(0, layout.STATE_KINDS >> 2, (layout.STATE_REASONS >> 2) + REASONS.length);
    this.#isRewriting = true;
    for (const rewrite of this.#waiting.splice(0)) {
      const { batch, refused } = rewrite();
      const { counts } = this;
      counts.matches += batch.count;
      for (let at = 0; at < batch.rows.length; at += RECORD_WORDS) increment(counts.kinds, batch.rows[at + RECORD_KIND] as number);
      for (const { reason } of refused) increment(counts.rejected, reason);
      if (this.#options.rejected) listed.push(...refused);
      if (batch.count > 0) this.#sink.write(mapToSource(batch, this.#decoder));
    }
    this.#isRewriting = false;
    this.#acquire();
    this.#listing.listed(listed, base, this.#settled)();
  }

  /** Decoded offset before which no candidate starts that is still to come. */
  get #settled(): number {
    return this.#base + Math.max(0, this.#firstNeeded() - layout.WINDOW_REGION);
  }

  /** Rejections counted since the counters were taken. */
  #refused(): number {
    let sum = 0;
    for (let index = 0; index < REASONS.length; index++) sum += this.#get(layout.STATE_REASONS + index * 4);
    return sum;
  }
}
