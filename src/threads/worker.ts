// The entry of a worker thread: takes tasks, posts their results while it goes on.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type CompiledCore, releaseCore, useCompiledCore } from "../core/core.ts";
import { Pacer } from "../input/pacer.ts";
import type { ScanSettings } from "../options.ts";
import { openScanner } from "../run/open-scanner.ts";
import { scanFile } from "../run/scan-file.ts";
import { addCounts, emptyTotals, type Totals } from "../run/totals.ts";
import { Outbox } from "./outbox.ts";
import { type BlockTask, type BrokenTask, type FilesTask, READY, type SentTask } from "./task.ts";

if (parentPort === null) throw new Error("this file is the entry of a worker thread");
const port: MessagePort = parentPort;
useCompiledCore(workerData as CompiledCore);
const outbox = new Outbox(port);
const pacer = new Pacer();

let last: Promise<void> = Promise.resolve();

// One after the other, also where one waits for what is being unpacked.
port.on("message", (task: SentTask) => {
  last = last.then(() => runTask(task)).catch((cause: unknown) => port.postMessage({ id: task.id, cause } satisfies BrokenTask));
});
port.postMessage(READY);

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
      for await (const _ of scanFile(part, settings, outbox, totals, pacer));
    } catch (error) {
      outbox.failed(outbox.failureOf(part.name, error));
    }
  }
}

function scanBlock(work: BlockTask, settings: ScanSettings, totals: Totals): void {
  const { offset, from, to } = work;
  const { scanner, core } = openScanner(settings, "text", undefined, outbox, { offset, from, to });
  scanner.write(work.bytes);
  if (!work.last && !scanner.done) throw new Error(`the block at byte ${from} came with too few bytes behind it`);
  scanner.end();
  addCounts(totals, scanner.counts);
  releaseCore(core);
}
