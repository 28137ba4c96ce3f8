// An input of the page, or a range of one, scanned on this thread.
import { releaseCore } from "../../core/core.ts";
import { FORMAT_BYTES, fileFormatOf, isContainer } from "../../input/input-format.ts";
import type { Pacer } from "../../input/pacer.ts";
import type { ScanSettings } from "../../options.ts";
import { openScanner } from "../../run/open-scanner.ts";
import { type SourceResults, scanMembers } from "../../run/scan-members.ts";
import { addCounts, type Totals } from "../../run/totals.ts";
import { readingStart } from "../../scanner/range.ts";
import { InputBytes } from "./input-bytes.ts";
import type { PagePart } from "./messages.ts";

/** Scans `part`, adding to `totals`; yields after each piece. `read` is told how many bytes of the part have been read. */
export async function* scanPart(
  part: PagePart,
  settings: ScanSettings,
  results: SourceResults,
  totals: Totals,
  pacer: Pacer,
  { read, signal }: { readonly read: (bytes: number) => void; readonly signal: AbortSignal },
): AsyncGenerator<undefined> {
  const { name, size } = part.input;
  const bytes = new InputBytes(part.input, signal);
  const format = part.format ?? fileFormatOf(settings.type, await bytes.load(0, FORMAT_BYTES));
  const end = Math.min(part.to, size);
  const counted = async function* (offset: number): AsyncGenerator<Uint8Array> {
    let at = offset;
    for await (const piece of bytes.chunks(offset)) {
      read(Math.max(0, Math.min(at + piece.length, end) - Math.max(at, part.from)));
      at += piece.length;
      yield piece;
    }
  };
  if (isContainer(format)) {
    const file = { size, format, load: bytes.load.bind(bytes) };
    yield* scanMembers({ name, chunks: counted(0), file }, settings, part, results, totals, pacer);
    return;
  }
  const offset = readingStart(format, part, settings);
  const { scanner, core } = openScanner(settings, format, results.sink, { ...part, source: name, offset });
  results.opened?.(scanner.counts);
  try {
    if (part.from === 0) totals.sources++;
    for await (const piece of counted(offset)) {
      scanner.write(piece);
      yield;
      if (scanner.done) break;
    }
    scanner.end();
  } finally {
    addCounts(totals, scanner.counts, name);
    releaseCore(core);
  }
}
