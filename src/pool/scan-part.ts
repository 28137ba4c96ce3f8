// One part of a file through one scanner: what a worker does for each part, and the main thread without workers.
import { closeSync } from "node:fs";
import type { Core } from "../core/core.ts";
import type { ScanSettings } from "../options.ts";
import { type Receiver, scanOptionsOf, sinkOf } from "../sinks/receiver.ts";
import { feedFile, openFile } from "../sources/file.ts";
import { readingStart, Scanner } from "../window/scanner.ts";
import type { FilePart } from "./task.ts";
import { addCounts, type Totals } from "./totals.ts";

/** Scans `part`, adding to `totals`; yields after each read. Throws SourceError, and what the receiver throws. */
export function* scanPart(core: Core, part: FilePart, settings: ScanSettings, receiver: Receiver, totals: Totals): Generator<void> {
  let fd: number | undefined;
  let scanner: Scanner | undefined;
  try {
    fd = typeof part.file === "number" ? part.file : openFile(part.file, part.name);
    const offset = readingStart(settings, part.from);
    const range = { offset, from: part.from, to: part.to };
    scanner = new Scanner(core, scanOptionsOf(settings), sinkOf(settings, part.name, receiver), range);
    yield* feedFile(fd, part.name, scanner, offset, part.size);
  } finally {
    if (scanner !== undefined) addCounts(totals, scanner.counts);
    if (fd !== undefined && fd !== part.file) closeSync(fd);
  }
}
