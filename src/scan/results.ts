// Takes the rows of a scan out of the core: the core writes their URLs, steps change them, a sink takes them.
import { RECORD_WORDS, REJECTED_START, REJECTED_WORDS } from "#core/layout/codes.js";
import * as layout from "#core/layout/memory.js";
import type { Omission } from "../base/omission.ts";
import type { Core } from "../core/core.ts";
import { REASON_NAMES } from "../core/names.ts";
import { type BatchSink, type MatchBatch, matchBatch, type RejectedBatch } from "../matches/batch.ts";
import { packRejected, type Refusal, takeElements, takeRejected, takeRows } from "./rows.ts";
import { type MatchStep, readsElements, type ScanCounts, type ScanOptions, type SteppedScan } from "./scan.ts";
import { copyBytes } from "./small-copies.ts";
import type { SourceDecoder } from "./source-decoder.ts";
import type { Window } from "./window.ts";

const NO_BYTES = new Uint8Array(0);

/** Takes the rows of each call of the core's `scan`. */
export class ScanResults implements SteppedScan {
  readonly core: Core;
  readonly window: Window;
  readonly decoder: SourceDecoder | undefined;
  readonly counts: ScanCounts;
  readonly refused: Refusal[] | undefined;
  readonly #options: ScanOptions;
  readonly #sink: BatchSink;
  readonly #source: string | undefined;
  readonly #rejections: Rejections | undefined;
  readonly #steps: readonly MatchStep[];

  /** `source`: the name of the input, if it has one. */
  constructor(
    core: Core,
    window: Window,
    options: ScanOptions,
    sink: BatchSink,
    source: string | undefined,
    counts: ScanCounts,
    decoder: SourceDecoder | undefined,
  ) {
    this.core = core;
    this.window = window;
    this.decoder = decoder;
    this.counts = counts;
    this.#options = options;
    this.#sink = sink;
    this.#source = source;
    this.#rejections = options.rejected ? new Rejections(decoder, sink, source) : undefined;
    this.refused = options.rejected ? [] : undefined;
    this.#steps = options.steps?.map((make) => make(this)) ?? [];
  }

  /** Takes the rows of the last call. Later candidates start at the offset `settled` of the text or after it. */
  take(settled: number): void {
    if (this.#options.isRewritten === true) this.#takeRewritten(settled);
    else this.#takeDirectly(settled);
    this.core.trace?.settle(this.decoder?.map);
  }

  /** Writes the messages that the decoder has read, without those that the filter drops. */
  giveMessages(decoder: SourceDecoder, isEnd: boolean): void {
    const list = decoder.takeMessages?.(isEnd) ?? [];
    if (list.length === 0) return;
    const locations = { of: Int32Array.from(list.keys()), list, messagesBefore: undefined, scan: 0 };
    const [rows, bytes] = [new Int32Array(list.length * RECORD_WORDS), NO_BYTES];
    const all = matchBatch({ source: this.#source, rows, bytes, base: 0, count: list.length, locations });
    this.#sink.write({ kind: "messages", rows: this.#options.keepMessages?.(all) ?? all });
  }

  /** Lists the remaining omissions. */
  end(): void {
    this.#rejections?.list([], this.window.base, Number.POSITIVE_INFINITY);
  }

  #takeDirectly(settled: number): void {
    const { core, counts } = this;
    const rows = this.#get(layout.RESULT_RECORDS);
    this.#emit((first, next, lines) => {
      const end = this.#get(layout.RESULT_OUTPUT_END);
      if (this.#options.output !== "lines") this.#write(this.#batch(first, next, end));
      else if (lines > 0) this.#sink.write({ kind: "bytes", bytes: core.bytes.subarray(layout.OUTPUT_REGION, end), count: lines });
    });
    if (this.#options.filter === undefined) {
      counts.matches += rows;
      this.#add(layout.RESULT_KINDS, counts.kinds);
    } else core.words.fill(0, layout.RESULT_KINDS >> 2, (layout.RESULT_KINDS >> 2) + counts.kinds.length);
    this.#add(layout.RESULT_REASONS, counts.rejected);
    this.#rejections?.list(takeRejected(core, this.#get(layout.RESULT_REJECTED)), this.window.base, settled);
  }

  #takeRewritten(settled: number): void {
    const { core, counts, refused } = this;
    // A step counts and lists the refusals of `emit`, because another may drop a refused match.
    refused?.push(...takeRejected(core, this.#get(layout.RESULT_REJECTED)));
    this.#add(layout.RESULT_REASONS, counts.rejected);
    // Steps normalize with the same core, so `emit` must have finished.
    const batches: MatchBatch[] = [];
    const rows = this.#get(layout.RESULT_RECORDS);
    this.#emit((first, next) => {
      // If the core cannot write all rows at once, the first ones are kept while it writes the others.
      const isKept = this.#options.output === "matches" || next - first < rows;
      batches.push(this.#batch(first, next, this.#get(layout.RESULT_OUTPUT_END), isKept));
    });
    for (const batch of batches) this.#write(batch);
    core.words.fill(0, layout.RESULT_KINDS >> 2, (layout.RESULT_REASONS >> 2) + REASON_NAMES.length);
    this.#rejections?.list(refused?.splice(0) ?? [], this.window.base, settled);
  }

  /** Takes a batch through the steps to the sink, unless they drop all of its matches. */
  #write(batch: MatchBatch): void {
    let changed = batch;
    for (const step of this.#steps) {
      changed = step(changed);
      if (changed.count === 0) return;
    }
    this.#sink.write(changed);
  }

  /** Writes all rows to the output region, one part after the other; `take` gets the rows [first, next) and their number of lines. */
  #emit(take: (first: number, next: number, lines: number) => void): void {
    const rows = this.#get(layout.RESULT_RECORDS);
    for (let first = 0; first < rows; ) {
      const next = this.core.emit(first);
      take(first, next, this.#get(layout.RESULT_LINES));
      first = next;
    }
  }

  /** Returns a batch of the rows [first, next), with offsets of the text. */
  #batch(first: number, next: number, outputEnd: number, isKept = this.#options.output === "matches"): MatchBatch {
    const { base } = this.window;
    const rows = takeRows(this.core, first, next, isKept);
    const found = readsElements(this.#options) ? takeElements(this.core, first, next) : undefined;
    return matchBatch({
      source: this.#source,
      rows,
      bytes: isKept
        ? copyBytes(this.core.bytes, layout.OUTPUT_REGION, outputEnd)
        : this.core.bytes.subarray(layout.OUTPUT_REGION, outputEnd),
      base,
      count: next - first,
      found,
      elements: found === undefined || found.size === 0 ? undefined : new Map(Array.from(found, ([row, { element }]) => [row, element])),
    });
  }

  /** Adds counters of the core to `counts` and zeroes them. */
  #add(counter: number, counts: number[]): void {
    const { words } = this.core;
    const first = counter >> 2;
    for (let index = 0; index < counts.length; index++) {
      const more = words[first + index];
      if (more === 0) continue;
      counts[index] += more;
      words[first + index] = 0;
    }
  }

  #get(address: number): number {
    return this.core.words[address >> 2];
  }
}

/** Lists rejected candidates and omissions in the order of the source, however the source was cut. */
class Rejections {
  readonly #decoder: SourceDecoder | undefined;
  readonly #sink: BatchSink;
  readonly #source: string | undefined;
  /** Omissions that wait for the candidates before them. */
  #omissions: Omission[] = [];

  constructor(decoder: SourceDecoder | undefined, sink: BatchSink, source: string | undefined) {
    this.#decoder = decoder;
    this.#sink = sink;
    this.#source = source;
  }

  /**
   * Lists refusals, whose offsets count from `base`, and all omissions before them or before the offset `settled` of the text. Later
   * candidates start at `settled` or after it.
   */
  list(refusals: readonly Refusal[], base: number, settled: number): void {
    const decoder = this.#decoder;
    this.#omissions.push(...(decoder?.takeOmissions?.() ?? []));
    if (refusals.length === 0 && this.#omissions.length === 0) return;
    const packed = { ...packRejected(refusals, base, decoder?.map), source: this.#source };
    // At the end no candidate is to come, so omissions after the last text are listed too.
    const before = settled === Number.POSITIVE_INFINITY ? settled : (decoder?.map?.startOf(settled) ?? settled);
    const omitted = this.#omissions.length === 0 ? [] : this.#omissionsIn(packed, before);
    if (packed.count > 0 || omitted.length > 0) this.#sink.write(omitted.length === 0 ? packed : { ...packed, omitted });
  }

  #omissionsIn({ rows, base, count }: RejectedBatch, settled: number): { before: number; omission: Omission }[] {
    const omitted: { before: number; omission: Omission }[] = [];
    let row = 0;
    for (const omission of this.#omissions) {
      const start = omission.start ?? 0;
      while (row < count && base + rows[row * REJECTED_WORDS + REJECTED_START] < start) row++;
      if (row === count && start >= settled) break;
      omitted.push({ before: row, omission });
    }
    this.#omissions = this.#omissions.slice(omitted.length);
    return omitted;
  }
}
