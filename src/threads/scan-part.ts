// One part of a file through one scanner: what a worker does for each part, and the main thread without workers.
import { closeSync } from "node:fs";
import { releaseCore, takeCore } from "../core/core.ts";
import { recognizeContainer } from "../input/containers/recognize.ts";
import { feedFile, openFile, readFileChunks, readStart } from "../input/file.ts";
import { textTypeOf } from "../input/text-type.ts";
import type { ScanSettings, TextType } from "../options.ts";
import { scanOptionsOf } from "../output/formatted.ts";
import type { Sink } from "../output/sink.ts";
import { readingStart } from "../scanner/range.ts";
import { Scanner } from "../scanner/scanner.ts";
import { type SourceResults, scanMembers } from "./scan-members.ts";
import type { FilePart } from "./task.ts";
import { addCounts, type Totals } from "./totals.ts";

/**
 * Scans `part`, adding to `totals`; yields after each read, or for compressed data and archives a promise that is to be awaited. Throws
 * SourceError, and what the sink throws.
 */
export function* scanPart(
  part: FilePart,
  settings: ScanSettings,
  results: SourceResults,
  totals: Totals,
  signal?: AbortSignal | undefined,
): Generator<Promise<void> | undefined> {
  let fd: number | undefined;
  try {
    fd = typeof part.file === "number" ? part.file : openFile(part.file, part.name);
    if (part.type !== undefined) yield* scanText(part, part.type, fd, undefined, settings, results.sink, totals);
    else {
      const start = readStart(fd, part.name);
      if (recognizeContainer(start) === undefined) {
        yield* scanText(part, textTypeOf(settings.type, start), fd, start, settings, results.sink, totals);
      } else {
        const source = { name: part.name, chunks: readFileChunks(fd, part.name), file: { fd, size: part.size } };
        yield scanMembers(source, settings, part, results, totals, signal);
      }
    }
  } finally {
    if (fd !== undefined && fd !== part.file) closeSync(fd);
  }
}

/** Scans a part of a file that is no container; `start`: its first bytes, if they have been read. */
function* scanText(
  part: FilePart,
  type: TextType,
  fd: number,
  start: Uint8Array | undefined,
  settings: ScanSettings,
  sink: Sink,
  totals: Totals,
): Generator<undefined> {
  const { name, from, to, byMessage, size } = part;
  const offset = readingStart(type, part, settings.urlBytesMax);
  const range = { source: name, offset, from, to, byMessage };
  const core = takeCore();
  const scanner = new Scanner(core, scanOptionsOf(settings, type), sink, range);
  try {
    yield* feedFile(fd, name, scanner, offset, size, to, offset === 0 ? start : undefined);
  } finally {
    addCounts(totals, scanner.counts, name);
    releaseCore(core);
  }
}
