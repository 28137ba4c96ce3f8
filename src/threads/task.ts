// What goes between the main thread and the workers.
import type { SourceErrorCode } from "../errors.ts";
import type { FileName } from "../input/paths.ts";
import type { OwnedRange, ScanSettings, TextType } from "../options.ts";
import type { Result } from "../output/sink.ts";
import type { Totals } from "./totals.ts";

/** Part of a file, or all of it. */
export interface FilePart extends OwnedRange {
  file: FileName;
  /** Name of the source in records and messages. */
  name: string;
  /** Bytes of the file when it was listed. */
  size: number;
  /** What the file is; undefined: that is to be recognized. */
  type?: TextType | undefined;
  /** Of an mbox: the messages that start in the range, whole. */
  byMessage?: boolean | undefined;
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

/** A task as it is sent. */
export interface SentTask {
  id: number;
  settings: ScanSettings;
  work: FilesTask | BlockTask;
}

/** A result as a worker sends it; `end` is the last of a task. Bytes are valid until the main thread says that they are taken. */
export type SentResult =
  | Exclude<Result, { kind: "failed" }>
  | { kind: "failed"; code: SourceErrorCode; source: string | undefined; reason: string }
  | { kind: "end"; totals: Totals };

/** A result on its way. `unread` counts the bytes of this worker's results that are not taken yet. */
export interface ResultMessage {
  id: number;
  result: SentResult;
  size: number;
  unread: Int32Array<SharedArrayBuffer>;
}

/** The first message of a worker: it has its core and takes tasks. */
export const READY = "ready";

/** A task that threw; nothing more comes of it. */
export interface BrokenTask {
  id: number;
  cause: unknown;
}

/** What a worker posts. */
export type WorkerMessage = typeof READY | ResultMessage | BrokenTask;
