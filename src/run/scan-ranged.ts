// An input whose bytes come over time, from any offset on, or a part of one, scanned on this thread.
import { releaseCore } from "../core/core.ts";
import type { OpenFile } from "../input/containers/zip-index.ts";
import { FORMAT_BYTES, fileFormatOf, type InputFormat, isContainer } from "../input/input-format.ts";
import type { Pacer } from "../input/pacer.ts";
import type { ScanSettings } from "../options/options.ts";
import { readingStart } from "../scanner/range.ts";
import type { CutPart } from "./cut-part.ts";
import { openScanner } from "./open-scanner.ts";
import { type SourceResults, scanMembers } from "./scan-members.ts";
import { addCounts, type Totals } from "./totals.ts";

/** An input that can be read from any offset on. */
export interface RangedInput extends OpenFile {
  /** Name of the source in records and messages. */
  readonly name: string;
  /** Gives the bytes from `from` on, to the end. Few after `to` are taken. */
  chunks(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** A range of an input, or all of it. Web archives and blocks are not cut here, so no part is ever dropped. */
export interface RangedPart extends Omit<CutPart, "dropped"> {
  /** Absent: it has not been detected yet. */
  readonly format?: InputFormat | undefined;
}

/** Scans a part of `input` as `scanFile` scans one of a file, adding to `totals`; yields after each chunk. Throws what the chunks throw. */
export async function* scanRanged(
  input: RangedInput,
  part: RangedPart,
  settings: ScanSettings,
  results: SourceResults,
  totals: Totals,
  pacer: Pacer,
): AsyncGenerator<undefined> {
  const { name, size } = input;
  const format = part.format ?? fileFormatOf(settings.type, await input.load(0, FORMAT_BYTES));
  if (isContainer(format)) {
    const file = { size, format, load: input.load.bind(input) };
    yield* scanMembers({ name, chunks: input.chunks(0, size), file }, settings, part, results, totals, pacer);
    return;
  }
  const offset = readingStart(format, part, settings);
  const { scanner, core } = openScanner(settings, format, results.sink, { ...part, source: name, offset });
  results.opened?.(scanner.counts);
  try {
    if (part.from === 0) totals.sources++;
    for await (const chunk of input.chunks(offset, part.to)) {
      scanner.write(chunk);
      yield;
      if (scanner.done) break;
    }
    scanner.end();
  } finally {
    addCounts(totals, scanner.counts, name);
    releaseCore(core);
  }
}
