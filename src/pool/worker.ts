// The entry of a worker thread: piscina calls the default export once for each task.
import { type MessagePort, parentPort } from "node:worker_threads";
import { getCore } from "../core/core.ts";
import { SourceError } from "../errors.ts";
import type { ScanSettings } from "../options.ts";
import { scanOptionsOf, sinkOf } from "../sinks/receiver.ts";
import { Scanner } from "../window/scanner.ts";
import { BUFFER_BYTES, Outbox } from "./outbox.ts";
import { scanPart } from "./scan-part.ts";
import type { BlockTask, FilesTask, SentTask } from "./task.ts";
import { addCounts, emptyTotals, type Totals } from "./totals.ts";

if (parentPort === null) throw new Error("this file is the entry of a worker thread");
const port: MessagePort = parentPort;
const core = getCore();
const buffer = new Uint8Array(BUFFER_BYTES);

/** Does one task; its results are posted to the main thread while it goes on. */
export default function run(task: SentTask): void {
  const outbox = new Outbox(port, buffer, task);
  const totals = emptyTotals();
  if (task.work.kind === "files") scanFiles(task.work, task.settings, outbox, totals);
  else scanBlock(task.work, task.settings, outbox, totals);
  outbox.end(totals);
}

function scanFiles(work: FilesTask, settings: ScanSettings, outbox: Outbox, totals: Totals): void {
  for (const part of work.parts) {
    try {
      for (const _ of scanPart(core, part, settings, outbox, totals));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      outbox.failed(error);
    }
  }
}

function scanBlock(work: BlockTask, settings: ScanSettings, outbox: Outbox, totals: Totals): void {
  const { offset, from, to } = work;
  const scanner = new Scanner(core, scanOptionsOf(settings), sinkOf(settings, undefined, outbox), { offset, from, to });
  scanner.write(work.bytes);
  if (!work.last && !scanner.done) throw new Error(`the block at byte ${from} came with too few bytes behind it`);
  scanner.end();
  addCounts(totals, scanner.counts);
}
