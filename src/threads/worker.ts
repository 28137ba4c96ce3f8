// The file of a worker thread, which carries out tasks and posts their results.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { internalError, SourceError } from "../base/errors.ts";
import { releaseCore, takeCore, useCompiledCore } from "../core/core.ts";
import { Pacer } from "../input/pacer.ts";
import { addingTo } from "../run/run-position.ts";
import { scanFile } from "../run/scan-file.ts";
import { finishScan, type ScanContext, scanText } from "../run/scan-source.ts";
import { emptyTotals } from "../run/totals.ts";
import { PortSink } from "./port-sink.ts";
import { type SentTask, taskSink, type WorkerStart } from "./task.ts";
import { endSignal } from "./thread-pool.ts";

const port = parentPort as MessagePort;
const { core, unread } = workerData as WorkerStart;
useCompiledCore(core);
// Throws if there is no memory for a core: then the thread does not start.
releaseCore(takeCore());
const number = Atomics.add(unread, 0, 1) + 1;
const portSink = new PortSink(port, unread.subarray(number, number + 1));
const end = endSignal(port);
const pacer = new Pacer(end);

let last: Promise<void> = Promise.resolve();

/** Carries out a task. A task runs only after all earlier ones, even while an earlier one waits for a decoder. */
export default function runTask(task: SentTask): Promise<void> {
  const done = last.then(() => scanTask(task));
  last = done.catch(() => undefined);
  return done;
}

async function scanTask({ id, settings, work }: SentTask): Promise<void> {
  end.throwIfAborted();
  const totals = emptyTotals();
  portSink.begin(id);
  const sink = await taskSink(settings, portSink);
  const context: ScanContext = { settings, sink, totals, pacer, failureOf };
  if (work.kind === "files") {
    const counted = { ...context, read: addingTo(work.read) };
    for (const part of work.parts) await finishScan(part.name, scanFile(part, counted), counted);
  } else for (const _ of scanText("text", work, [work.bytes], context)) await sink.wait();
  await sink.end();
  portSink.finish(totals);
}

function failureOf(source: string | undefined, error: unknown): SourceError {
  end.throwIfAborted();
  return error instanceof SourceError ? error : internalError(source, error);
}
