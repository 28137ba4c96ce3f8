// The entry of a worker thread: piscina calls the default export once for each task.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { getCore } from "../core/core.ts";
import { internalError, SourceError } from "../errors.ts";
import type { ScanSettings } from "../options.ts";
import { scanOptionsOf, sinkOf } from "../sinks/receiver.ts";
import { Scanner } from "../window/scanner.ts";
import { Outbox } from "./outbox.ts";
import { scanPart } from "./scan-part.ts";
import type { BlockTask, FilesTask, SentTask } from "./task.ts";
import { addCounts, emptyTotals, type Totals } from "./totals.ts";

if (parentPort === null) throw new Error("this file is the entry of a worker thread");
const port: MessagePort = parentPort;
const core = getCore((workerData as WebAssembly.Module | null) ?? undefined);
const outbox = new Outbox(port);

/** Does one task; its results are posted to the main thread while it goes on. */
export default function run(task: SentTask): Promise<void> {
  // One after the other, also where one waits for what is being unpacked.
  const done = last.then(() => runTask(task));
  last = done.catch(() => undefined);
  return done;
}

let last: Promise<void> = Promise.resolve();

async function runTask({ id, settings, work }: SentTask): Promise<void> {
  const totals = emptyTotals();
  outbox.begin(id);
  if (work.kind === "files") await scanFiles(work, settings, totals);
  else scanBlock(work, settings, totals);
  outbox.finish(totals);
}

async function scanFiles(work: FilesTask, settings: ScanSettings, totals: Totals): Promise<void> {
  for (const part of work.parts) {
    try {
      for (const opened of scanPart(core, part, settings, outbox, totals)) if (opened !== undefined) await opened;
    } catch (error) {
      core.user = undefined;
      outbox.failed(error instanceof SourceError ? error : internalError(part.name, error));
    }
  }
}

function scanBlock(work: BlockTask, settings: ScanSettings, totals: Totals): void {
  const { offset, from, to } = work;
  const scanner = new Scanner(core, scanOptionsOf(settings, "text"), sinkOf(settings, undefined, outbox), { offset, from, to });
  scanner.write(work.bytes);
  if (!work.last && !scanner.done) throw new Error(`the block at byte ${from} came with too few bytes behind it`);
  scanner.end();
  addCounts(totals, scanner.counts);
}
