// The text of an input of any format: of the input itself, or of each member of a container (A11).

import type { SourceError } from "../base/errors.ts";
import { releaseCore } from "../core/core.ts";
import type { PackedSource } from "../input/containers/members.ts";
import type { Pacer } from "../input/pacer.ts";
import type { ScanSettings } from "../options/options.ts";
import type { Sink } from "../output/sink.ts";
import { mustEndAtRecord, readingStart } from "../scanner/range.ts";
import type { ScanCounts } from "../scanner/scan.ts";
import { type CutPart, isDropped } from "./cut-part.ts";
import { openScanner } from "./open-scanner.ts";
import type { ReadCounter } from "./run-position.ts";
import { addCounts, type Totals } from "./totals.ts";

/** Where the results of sources go. */
export interface SourceResults {
  readonly sink: Sink;
  /** Returns why the reading of `source` ended with `error`. Throws what ends the whole run. */
  failureOf(source: string | undefined, error: unknown): SourceError;
  /** Counts the bytes that are read. */
  readonly read?: ReadCounter | undefined;
  /** Called with the counts of each text when its scan begins; the scan adds to them. */
  readonly opened?: (counts: ScanCounts) => void;
}

/**
 * Scans the members of `source` one after the other, adding to `totals`; yields after each chunk, and before an error of a member is
 * reported. A part of a text is scanned to the end of the source, and `over` is written, unless its reading comes to the next part's block
 * and to the end of `part`. Rejects with the reason of the pacer's signal, and with what the sink throws.
 */
export async function* scanMembers(
  source: PackedSource,
  settings: ScanSettings,
  part: CutPart,
  { sink, failureOf, opened }: SourceResults,
  totals: Totals,
  pacer: Pacer,
): AsyncGenerator<undefined> {
  const { openMembers } = await import("../input/containers/members.ts");
  const { limitsOf } = await import("../input/containers/limits.ts");
  const leftOut: PackedSource["leftOut"] = (reason, name) =>
    sink.write({ kind: "omitted", omission: { reason, ...(name === undefined ? {} : { source: name }) } });
  const members = openMembers({ type: settings.type, ...source, leftOut }, limitsOf(settings.expansion), pacer);
  for await (const { name, type, chunks } of members) {
    const { blocks } = source;
    const [offset, to] = blocks === undefined ? [0, part.to] : [readingStart(type, part, settings), Number.POSITIVE_INFINITY];
    const { scanner, core } = openScanner(settings, type, sink, { ...part, to, source: name, offset });
    if (part.from === 0) totals.sources++;
    opened?.(scanner.counts);
    let hasNoEnd = false;
    const isOver = (): boolean => hasNoEnd || blocks?.hasReachedNext === false || scanner.counts.bytes < part.to - part.from;
    const findEnd = (): void => {
      hasNoEnd = blocks !== undefined && !scanner.done && mustEndAtRecord(type, part);
      if (hasNoEnd) scanner.endAt(Number.POSITIVE_INFINITY);
    };
    try {
      for await (const chunk of blocks === undefined ? chunks : withoutStart(chunks, offset - blocks.start.decoded)) {
        if (blocks?.hasReachedNext === true) scanner.endAt(part.to);
        scanner.write(chunk);
        yield;
        if (scanner.done || isDropped(part)) break;
      }
      findEnd();
      scanner.end();
      yield;
    } catch (cause) {
      const error = failureOf(name, cause);
      findEnd();
      // What a cut may have halved is not reported. Nothing is cut by bytes after whole data.
      if (error === cause && error.code !== "ERR_TRAILING") scanner.cut();
      else if (error === cause) scanner.end();
      yield;
      // The later parts report what follows this part.
      if (blocks === undefined || isOver()) sink.write({ kind: "failed", error });
    } finally {
      addCounts(totals, scanner.counts, name);
      releaseCore(core);
    }
    if (blocks !== undefined && isOver()) sink.write({ kind: "over" });
  }
}

/** The chunks without their first `count` bytes. */
async function* withoutStart(chunks: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of chunks) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
