// The messages between the main thread and the workers, and the form in which results go from thread to thread.
import { SourceError, type SourceErrorCode } from "../base/errors.ts";
import type { CompiledCore } from "../core/core.ts";
import type { CounterSettings } from "../count/counter.ts";
import type { MatchBatch } from "../matches/batch.ts";
import type { OwnedRange, ScanSettings } from "../options/options.ts";
import { formatted } from "../output/formatted.ts";
import { before, type Result, type Sink } from "../output/sink.ts";
import type { ReadCounter } from "../run/run-position.ts";
import type { FilePart } from "../run/scan-file.ts";
import type { Totals } from "../run/totals.ts";

export interface FilesTask {
  kind: "files";
  parts: readonly FilePart[];
  read?: ReadCounter | undefined;
}

/** A range of a stream, and the bytes around it on which its matches depend. */
export interface BlockTask extends OwnedRange {
  kind: "block";
  source: string | undefined;
  bytes: Uint8Array<SharedArrayBuffer>;
  /** Offset in the stream of the first one of `bytes`. */
  offset: number;
}

/** `workerData` of the workers of a pool. */
export interface WorkerStart {
  readonly core: CompiledCore;
  /** The number of workers that have begun; then for each worker the bytes of its results that have not been taken (below 0: end now). */
  readonly unread: Int32Array<SharedArrayBuffer>;
}

export interface SentTask {
  id: number;
  settings: ScanSettings;
  work: FilesTask | BlockTask;
}

/** A result in a form that can be sent. The bytes of a worker are valid until the main thread has taken them. */
export type SentResult =
  | Exclude<Result, { kind: "failed" }>
  | { kind: "failed"; code: SourceErrorCode; source: string | undefined; reason: string };

/** Returns a result in a form that can be sent. Does not change `result`, which other code may still use. */
export function sentOf(result: Result): SentResult {
  if (result.kind !== "failed") return result;
  const { code, source, reason } = result.error;
  return { kind: "failed", code, source, reason };
}

export function receivedOf(sent: SentResult): Result {
  return sent.kind === "failed" ? { kind: "failed", error: new SourceError(sent.code, sent.source, sent.reason) } : sent;
}

export interface TaskEnd {
  kind: "end";
  totals: Totals;
}

/** A result of a task, or its end. `unread` counts the bytes of the results of one thread that have not been taken. */
export interface TaskResult<R = Result> {
  result: R | TaskEnd;
  size: number;
  unread: Int32Array<SharedArrayBuffer>;
}

export type ResultMessage = TaskResult<SentResult> & { id: number };

/** Bytes that a result, or an entry in it, counts for in addition to its texts. */
const RESULT_BYTES = 256;

export function sizeOf(result: Result | SentResult): number {
  if (result.kind === "bytes" || result.kind === "groups") return result.bytes.length;
  if (result.kind === "summary") return Object.values(result.tables).reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (result.kind === "matches") return result.rows.byteLength + result.bytes.length + extraBytes(result);
  // The texts of rejected candidates hold at most 256 bytes each.
  return result.kind === "rejected" ? (result.count * 2 + (result.omitted?.length ?? 0)) * RESULT_BYTES : RESULT_BYTES;
}

/** Returns the assumed bytes of the URLs of redirectors, elements, texts and contexts of a batch. It takes these URLs for ASCII. */
function extraBytes({ chains, elements, texts, contexts = [] }: MatchBatch): number {
  let bytes = (elements?.size ?? 0) * RESULT_BYTES;
  for (const text of texts?.values() ?? []) bytes += 2 * text.length + RESULT_BYTES;
  for (const { before, match, after } of contexts) bytes += 2 * (before.length + match.length + after.length);
  for (const chain of chains?.values() ?? []) for (const url of chain) bytes += url.length + RESULT_BYTES;
  return bytes;
}

/** Most bytes of groups that are kept between two messages. More are written to the sink before the end of the scan. */
const KEPT_BYTES = 8 << 20;

/** Returns a sink for the scanners of one task. It formats, counts or summarizes the matches, and writes the rest to `sink` at its end. */
export async function taskSink(settings: ScanSettings, sink: Sink): Promise<Sink> {
  if (settings.format === "groups") return formatted(settings, await grouped(settings, sink));
  if (settings.format !== "summary") return formatted(settings, sink);
  const { summarized } = await import("../output/summarized.ts");
  return formatted(settings, summarized(settings, sink));
}

/** Returns a sink that counts matches by the fields `by`, and writes their groups to `sink`, at the latest at its end. */
async function grouped(settings: CounterSettings, sink: Sink): Promise<Sink> {
  const [{ Counter }, { spillSettings }] = await Promise.all([import("../count/counter.ts"), import("../count/spill.ts")]);
  const counter = new Counter(settings, spillSettings(Number.POSITIVE_INFINITY), {
    bytes: KEPT_BYTES,
    give: (groups) => sink.write(groups),
  });
  const write: Sink["write"] = (result) => {
    if (result.kind === "matches") counter.add(result);
    else if (result.kind === "messages") counter.addMessages(result.rows);
    else sink.write(result);
  };
  return before(sink, write, () => {
    sink.write(counter.take());
    return sink.end();
  });
}
