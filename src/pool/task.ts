// What goes between the main thread and the workers.
import type { SourceErrorCode } from "../errors.ts";
import type { OwnedRange, ScanSettings } from "../options.ts";
import type { FileName } from "../sources/paths.ts";
import type { MatchBatch, RejectedBatch } from "../window/batch.ts";
import type { Totals } from "./totals.ts";

/** Part of a file, or all of it. */
export interface FilePart extends OwnedRange {
  file: FileName;
  /** Name of the source in records and messages. */
  name: string;
  /** Bytes of the file when it was listed. */
  size: number;
}

/** Files and parts of files that one worker reads one after the other. */
export interface FilesTask {
  kind: "files";
  parts: FilePart[];
}

/** Bytes of a stream with the context that belongs to them; `last`: the stream ends with them. */
export interface BlockTask extends OwnedRange {
  kind: "block";
  bytes: Uint8Array<SharedArrayBuffer>;
  /** Offset of the first byte in the stream. */
  offset: number;
  last: boolean;
}

/** A task as it is sent: `unread` counts the bytes of results that the main thread has not taken yet. */
export interface SentTask {
  id: number;
  settings: ScanSettings;
  unread: Int32Array<SharedArrayBuffer>;
  work: FilesTask | BlockTask;
}

/** What a worker sends back, in order; `end` is the last message of a task. */
export type Result =
  | { kind: "bytes"; bytes: Uint8Array<ArrayBuffer>; count: number; size: number }
  | { kind: "matches"; batch: MatchBatch; source: string | undefined; size: number }
  | { kind: "rejected"; batch: RejectedBatch; source: string | undefined; size: number }
  | { kind: "failed"; code: SourceErrorCode; source: string | undefined; reason: string; size: number }
  | { kind: "end"; totals: Totals; size: number };

/** A result on its way: piscina hands on every message that a worker posts. */
export interface ResultMessage {
  id: number;
  result: Result;
}
