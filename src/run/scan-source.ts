// Begins the scan of a source: of its own text, of each member of a container (A11), or of a part of a text.
import { internalError, SourceError } from "../base/errors.ts";
import { releaseCore, takeCore } from "../core/core.ts";
import type { BlockReading } from "../input/containers/block-starts.ts";
import { limitsOf } from "../input/containers/limits.ts";
import type { Member, PackedSource } from "../input/containers/members.ts";
import type { OpenFile } from "../input/containers/zip-index.ts";
import { FORMAT_BYTES, fileFormatOf, type InputFormat, isPacked } from "../input/input-format.ts";
import type { Pacer } from "../input/pacer.ts";
import { type Chunks, resultOf, type Steps, type Wait } from "../input/steps.ts";
import type { OwnedRange, ScanSettings, TextType } from "../options/options.ts";
import type { Sink } from "../output/sink.ts";
import { mustEndAtRecord, readingStart } from "../scan/range.ts";
import type { ScanCounts, ScanRange } from "../scan/scan.ts";
import type { Scanner } from "../scan/scanner.ts";
import { openScanner } from "./open-scanner.ts";
import { type AddRead, ReadMeter } from "./run-position.ts";
import { addCounts, type Totals } from "./totals.ts";

export interface CutPart extends OwnedRange {
  /** Whether the messages (mbox, MMDF) or records (web archive) that start in the range are scanned whole. */
  readonly byMessage?: boolean | undefined;
  /** Shared by the parts of a source. Not 0: an earlier part was read to the end, so discard the later ones. Absent: none is discarded. */
  readonly dropped?: Int32Array<SharedArrayBuffer> | undefined;
}

export function isDropped({ dropped }: CutPart): boolean {
  return dropped !== undefined && Atomics.load(dropped, 0) !== 0;
}

/** Discards the later parts of a source, because the given part was read to the end of the source. */
export function dropRest({ dropped }: CutPart): void {
  if (dropped !== undefined) Atomics.store(dropped, 0, 1);
}

/** What scans of sources share: settings, the sink of their results, and the totals to which they add. */
export interface ScanContext {
  readonly settings: ScanSettings;
  readonly sink: Sink;
  readonly totals: Totals;
  readonly pacer: Pacer;
  /** Returns the SourceError for an `error` that ended the reading of `source`. Throws errors that end the whole run. */
  failureOf(source: string | undefined, error: unknown): SourceError;
  readonly read?: AddRead | undefined;
  /** Called with the counts of each text when its scan begins, which adds to them, and with undefined when the totals have them. */
  readonly opened?: (counts: ScanCounts | undefined) => void;
}

/** Runs the `scan` of a text that is read from byte `range.offset` on, and adds its counts. A source is counted with its first part. */
export function* scanOpened(
  { settings, sink, totals, opened }: ScanContext,
  type: TextType,
  range: ScanRange,
  scan: (scanner: Scanner) => Steps<undefined>,
): Steps<undefined> {
  const { scanner, core } = openScanner(settings, type, sink, range);
  if (range.from === 0) totals.sources++;
  opened?.(scanner.counts);
  try {
    yield* scan(scanner);
  } finally {
    addCounts(totals, scanner.counts, range.source);
    opened?.(undefined);
    releaseCore(core);
  }
}

/**
 * Runs a scan of a source to its end. Writes the error that ended the reading. Rejects with errors that `failureOf` throws. After each read
 * the sink and the event loop get their turns.
 */
export async function finishScan(name: string, reads: Iterable<undefined | Wait>, { sink, pacer, failureOf }: ScanContext): Promise<void> {
  const pause = async (): Promise<void> => {
    const wait = sink.wait();
    if (wait !== undefined) await wait;
    await pacer.pause();
  };
  try {
    for await (const _ of reads) await pause();
  } catch (error) {
    sink.write({ kind: "failed", error: failureOf(name, error) });
  }
  await pause();
}

/** Returns `error` if it is a SourceError; else throws it. It is the `failureOf` of runs that end at the first SourceError. */
export function sourceErrorOf(_source: string | undefined, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  throw error;
}

/** Returns the SourceError for an error that ended the reading of a source. Throws `thrown`, an error of the sink, and a lack of memory. */
export function sourceFailure(source: string | undefined, error: unknown, thrown: unknown): SourceError {
  if (error === thrown) throw error;
  if (error instanceof SourceError) return error;
  // Throws if there is no memory for a core: then nothing can be scanned.
  releaseCore(takeCore());
  return internalError(source, error);
}

/**
 * Scans the members of `source` one after the other. Throws the reason of the pacer's signal, and errors of the sink. Yields after each
 * turn of a scanner, and before an error of a member is reported. If the source has blocks, and the block of the next part does not begin
 * exactly at the end of `part`, scans to the end of the source and writes `over`.
 */
export function* scanMembers(source: PackedSource, part: CutPart, context: ScanContext): Steps<undefined> {
  const { settings, sink, pacer } = context;
  const { openMembers } = yield* resultOf(import("../input/containers/members.ts"));
  const leftOut: PackedSource["leftOut"] = (reason, name) =>
    sink.write({ kind: "omitted", omission: { reason, ...(name === undefined ? {} : { source: name }) } });
  const members = openMembers({ type: settings.type, ...source, leftOut }, limitsOf(settings), pacer);
  for (const member of members) {
    if (member instanceof Promise) yield member;
    else yield* scanMember(member, source.blocks, part, context);
  }
}

function scanMember(
  { name, type, chunks }: Member,
  blocks: BlockReading | undefined,
  part: CutPart,
  context: ScanContext,
): Steps<undefined> {
  const { settings, sink, failureOf } = context;
  const [offset, to] = blocks === undefined ? [0, part.to] : [readingStart(type, part, settings), Number.POSITIVE_INFINITY];
  return scanOpened(context, type, { ...part, to, source: name, offset }, function* (scanner) {
    let hasNoEnd = false;
    const isOver = (): boolean => hasNoEnd || blocks?.hasReachedNext === false || scanner.counts.bytes < part.to - part.from;
    const setEnd = (): void => {
      hasNoEnd = blocks !== undefined && !scanner.done && mustEndAtRecord(type, part);
      if (hasNoEnd) scanner.endAt(Number.POSITIVE_INFINITY);
    };
    // Bytes between the start of the first block and the range.
    let skipped = offset - (blocks?.start.decoded ?? 0);
    try {
      for (const step of chunks) {
        if (step instanceof Promise) {
          yield step;
          continue;
        }
        if (blocks?.hasReachedNext === true) scanner.endAt(part.to);
        yield* scanner.writing(step.subarray(skipped));
        skipped = Math.max(0, skipped - step.length);
        if (scanner.done || isDropped(part)) break;
      }
      setEnd();
      yield* scanner.ending();
      yield;
    } catch (cause) {
      const error = failureOf(name, cause);
      setEnd();
      // A URL that the error may have halved is not reported. Trailing bytes after complete data halve none.
      if (error === cause) yield* scanner.ending(error.code !== "ERR_URLMILL_TRAILING");
      yield;
      // Later parts report errors after this part.
      if (blocks === undefined || isOver()) sink.write({ kind: "failed", error });
    }
    if (blocks !== undefined && isOver()) sink.write({ kind: "over" });
  });
}

/** Scans a text until nothing more starts in its range; yields after each turn of the scanner. Throws errors of the chunks. */
export function scanText(type: TextType, range: ScanRange, chunks: Chunks, context: ScanContext): Steps<undefined> {
  return scanOpened(context, type, range, function* (scanner) {
    for (const step of chunks) {
      if (step instanceof Promise) yield step;
      else yield* scanner.writing(step);
      if (scanner.done) break;
    }
    yield* scanner.ending();
  });
}

/** An input that can be read from any offset on. */
export interface RangedInput extends OpenFile {
  readonly name: string;
  /** Yields the bytes from `from` to the end of the input. The scan takes few bytes after `to`. */
  chunks(from: number, to: number): Chunks;
}

/** A range of an input, or all of it. Web archives and blocks are not cut here, so no part is ever dropped. */
export interface RangedPart extends Omit<CutPart, "dropped"> {
  /** Absent: the format has not been detected yet. */
  readonly format?: InputFormat | undefined;
}

/** Scans a part of `input` like `scanFile`; yields after each turn of the scanner. Throws errors of the chunks. */
export function* scanRanged(input: RangedInput, part: RangedPart, context: ScanContext): Steps<undefined> {
  const { settings, read } = context;
  const { name, size } = input;
  const meter = new ReadMeter(read, part.from, Math.min(part.to, size));
  const format = part.format ?? fileFormatOf(settings.type, yield* resultOf(input.load(0, FORMAT_BYTES)));
  if (isPacked(format)) {
    const file = { size, format, load: input.load.bind(input) };
    yield* scanMembers({ name, chunks: meter.count(input.chunks(0, size), 0), file }, part, context);
  } else {
    const offset = readingStart(format, part, settings);
    const chunks = meter.count(input.chunks(offset, part.to), offset);
    yield* scanText(format, { ...part, source: name, offset }, chunks, context);
  }
  // Bytes that the scan did not need count too.
  meter.reach(size);
}
