// The results of one task on their way from a worker to the main thread, which says by a shared counter how much of them it has taken.
import type { MessagePort } from "node:worker_threads";
import type { SourceError } from "../errors.ts";
import type { Receiver } from "../sinks/receiver.ts";
import type { MatchBatch, RejectedBatch } from "../window/batch.ts";
import type { Result, ResultMessage, SentTask } from "./task.ts";
import type { Totals } from "./totals.ts";

/** Bytes of lines that are sent together. */
export const BUFFER_BYTES = 1 << 20;
/**
 * Bytes of results that may wait on the main thread; a task that has found more waits itself. As much as a task reads: dense
 * records take as many bytes, and with less room the worker of the second task would wait while the first one is taken.
 */
const UNREAD_BYTES_MOST = 8 << 20;
/** What a result weighs beside its bytes. */
const RESULT_BYTES = 256;

/** Sends what a scan finds. */
export class Outbox implements Receiver {
  readonly #port: MessagePort;
  readonly #buffer: Uint8Array<ArrayBuffer>;
  readonly #task: SentTask;
  #used = 0;
  #lines = 0;

  /** `buffer` is where lines are collected; it may be used for the next task. */
  constructor(port: MessagePort, buffer: Uint8Array<ArrayBuffer>, task: SentTask) {
    this.#port = port;
    this.#buffer = buffer;
    this.#task = task;
  }

  bytes(bytes: Uint8Array, count: number): void {
    if (this.#used + bytes.length > this.#buffer.length) this.#sendLines();
    if (bytes.length > this.#buffer.length) {
      this.#sendBytes(bytes.slice(), count);
      return;
    }
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
    this.#lines += count;
  }

  matches(batch: MatchBatch, source: string | undefined): void {
    const { rows, bytes } = batch;
    this.#send({ kind: "matches", batch, source, size: rows.byteLength + bytes.byteLength }, [rows.buffer, bytes.buffer]);
  }

  rejected(batch: RejectedBatch, source: string | undefined): void {
    // The texts hold at most 256 bytes each.
    this.#send({ kind: "rejected", batch, source, size: batch.count * 2 * RESULT_BYTES }, []);
  }

  room(): undefined {
    return undefined;
  }

  /** Names a source that could not be read. */
  failed(error: SourceError): void {
    this.#send({ kind: "failed", code: error.code, source: error.source, reason: error.reason, size: 0 }, []);
  }

  /** Sends what is left, and that it is the end. */
  end(totals: Totals): void {
    this.#sendLines();
    this.#send({ kind: "end", totals, size: 0 }, []);
  }

  #sendLines(): void {
    if (this.#used === 0) return;
    this.#sendBytes(this.#buffer.slice(0, this.#used), this.#lines);
    this.#used = 0;
    this.#lines = 0;
  }

  #sendBytes(bytes: Uint8Array<ArrayBuffer>, count: number): void {
    this.#send({ kind: "bytes", bytes, count, size: bytes.length }, [bytes.buffer]);
  }

  #send(result: Result, transfer: ArrayBuffer[]): void {
    const { id, unread } = this.#task;
    const size = result.size + RESULT_BYTES;
    for (let waiting = Atomics.load(unread, 0); waiting > 0 && waiting + size > UNREAD_BYTES_MOST; waiting = Atomics.load(unread, 0)) {
      Atomics.wait(unread, 0, waiting);
    }
    Atomics.add(unread, 0, size);
    this.#port.postMessage({ id, result: { ...result, size } } satisfies ResultMessage, transfer);
  }
}
