// Takes the rows of a scan out of the core: the core writes their URLs, steps change them, a sink takes them.
import { RECORD_WORDS } from "#core/layout/codes.js";
import * as layout from "#core/layout/memory.js";
import { type BatchSink, type MatchBatch, matchBatch } from "../matches/batch.ts";
import { rejectionLister, takeRejected } from "./rejections.ts";
import { copyOf, takeElements, takeRows } from "./rows.ts";
import { type MatchStep, readsElements, type ScanOptions, type SteppedScan } from "./scan.ts";
import type { SourceDecoder } from "./source-decoder.ts";

const NO_BYTES = new Uint8Array(0);

export class ScanResults {
  readonly #scan: SteppedScan;
  readonly #options: ScanOptions;
  readonly #sink: BatchSink;
  readonly #source: string | undefined;
  readonly #list: ReturnType<typeof rejectionLister> | undefined;
  readonly #steps: readonly MatchStep[];

  constructor(scan: SteppedScan, options: ScanOptions, sink: BatchSink, source: string | undefined) {
    this.#scan = scan;
    this.#options = options;
    this.#sink = sink;
    this.#source = source;
    this.#list = options.rejected ? rejectionLister(scan, sink, source) : undefined;
    this.#steps = options.steps?.map((make) => make(scan)) ?? [];
  }

  /** Takes the rows of the last call. Later candidates start at the offset `settled` of the text or after it. */
  take(settled: number): void {
    const { core, counts, decoder, refused } = this.#scan;
    const { isRewritten = false, filter } = this.#options;
    const rows = this.#get(layout.RESULT_RECORDS);
    // A step counts and lists the refusals of `emit`, because another may drop a refused match.
    if (isRewritten) this.#takeRejected();
    this.#emit(rows, isRewritten);
    if (!isRewritten) this.#takeRejected();
    if (!isRewritten && filter === undefined) {
      counts.matches += rows;
      this.#add(layout.RESULT_KINDS, counts.kinds);
    }
    core.words.fill(0, layout.RESULT_KINDS >> 2, layout.RESULT_COUNTERS_END >> 2);
    this.#list?.(refused?.splice(0) ?? [], settled);
    core.trace?.settle(decoder?.map);
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

  end(): void {
    this.#list?.([], Number.POSITIVE_INFINITY);
  }

  #takeRejected(): void {
    const { core, counts, refused } = this.#scan;
    refused?.push(...takeRejected(core, this.#get(layout.RESULT_REJECTED)));
    this.#add(layout.RESULT_REASONS, counts.rejected);
  }

  /** Has the core write all rows to the output region, one part after the other, and takes the parts. */
  #emit(rows: number, isRewritten: boolean): void {
    const { core } = this.#scan;
    const { output } = this.#options;
    const waiting: MatchBatch[] = [];
    for (let first = 0; first < rows; ) {
      const next = core.emit(first);
      const bytes = core.bytes.subarray(layout.OUTPUT_REGION, this.#get(layout.RESULT_OUTPUT_END));
      const count = this.#get(layout.RESULT_LINES);
      // Steps normalize with the same core, so `emit` must have finished. The first rows are kept while the core writes the others.
      if (isRewritten) waiting.push(this.#batch(first, next, bytes, output === "matches" || next - first < rows));
      else if (output !== "lines") this.#write(this.#batch(first, next, bytes, output === "matches"));
      else if (count > 0) this.#sink.write({ kind: "bytes", bytes, count });
      first = next;
    }
    for (const batch of waiting) this.#write(batch);
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

  /** Returns a batch of the rows [first, next), with offsets of the text. */
  #batch(first: number, next: number, bytes: Uint8Array<ArrayBuffer>, isKept: boolean): MatchBatch {
    const { core, window } = this.#scan;
    const found = readsElements(this.#options) ? takeElements(core, first, next) : undefined;
    return matchBatch({
      source: this.#source,
      rows: takeRows(core, first, next, isKept),
      bytes: isKept ? copyOf(bytes) : bytes,
      base: window.base,
      count: next - first,
      found,
      elements: found === undefined || found.size === 0 ? undefined : new Map(Array.from(found, ([row, { element }]) => [row, element])),
    });
  }

  #add(counter: number, counts: number[]): void {
    const { words } = this.#scan.core;
    for (let index = 0; index < counts.length; index++) counts[index] += words[(counter >> 2) + index];
  }

  #get(address: number): number {
    return this.#scan.core.words[address >> 2];
  }
}
