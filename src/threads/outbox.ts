// The results of a worker on their way to the main thread. Lines go through a ring of memory that both see, so that nothing is
// allocated for them; a shared counter says how much of what was sent the main thread has not taken yet.
import type { MessagePort } from "node:worker_threads";
import { internalError, SourceError } from "../errors.ts";
import type { SourceReceiver } from "../run/source-receiver.ts";
import type { Totals } from "../run/totals.ts";
import type { MatchBatch, RejectedBatch } from "../scanner/batch.ts";
import type { Result, ResultMessage } from "./task.ts";

/** Bytes of lines that are sent together: one slot of the ring. */
const SLOT_BYTES = 1 << 19;
/**
 * Slots of the ring, and so the bytes of results that may wait on the main thread; a worker that has found more waits itself. As much
 * as a task reads: dense records take as many bytes, and with less room the second worker would wait while the first one's task is taken.
 */
const SLOTS = 16;
/** What a result weighs beside its bytes. */
const RESULT_BYTES = 256;

/** Sends what a worker finds, task after task. */
export class Outbox implements SourceReceiver {
  readonly #port: MessagePort;
  readonly #unread = new Int32Array(new SharedArrayBuffer(4));
  readonly #ring = new Uint8Array(new SharedArrayBuffer(SLOTS * SLOT_BYTES));
  #id = 0;
  #slot = 0;
  /** Bytes and lines in the slot that are not sent yet. */
  #used = 0;
  #lines = 0;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  /** What follows belongs to task `id`. */
  begin(id: number): void {
    this.#id = id;
  }

  bytes(bytes: Uint8Array, count: number): void {
    if (this.#used + bytes.length > SLOT_BYTES) this.#sendLines();
    if (bytes.length > SLOT_BYTES) {
      const copy = bytes.slice();
      this.#reserve(copy.length);
      this.#post({ kind: "bytes", bytes: copy, count }, copy.length, [copy.buffer]);
      return;
    }
    // A slot weighs what it can hold, so that none is written again before it has been taken: they are taken in the order they are sent.
    if (this.#used === 0) this.#reserve(SLOT_BYTES);
    this.#ring.set(bytes, this.#slot * SLOT_BYTES + this.#used);
    this.#used += bytes.length;
    this.#lines += count;
  }

  matches(batch: MatchBatch, source: string | undefined): void {
    const { rows, bytes } = batch;
    const size = rows.byteLength + bytes.byteLength + chainBytes(batch);
    this.#reserve(size);
    this.#post({ kind: "matches", batch, source }, size, [rows.buffer, bytes.buffer]);
  }

  rejected(batch: RejectedBatch, source: string | undefined): void {
    // The texts hold at most 256 bytes each.
    const size = (batch.count * 2 + (batch.omitted?.length ?? 0)) * RESULT_BYTES;
    this.#reserve(size);
    this.#post({ kind: "rejected", batch, source }, size, []);
  }

  room(): undefined {
    return undefined;
  }

  failureOf(source: string | undefined, error: unknown): SourceError {
    if (error instanceof SourceError) return error;
    return internalError(source, error);
  }

  /** Names a source that could not be read. */
  failed(error: SourceError): void {
    this.#reserve(RESULT_BYTES);
    this.#post({ kind: "failed", code: error.code, source: error.source, reason: error.reason }, RESULT_BYTES, []);
  }

  /** Sends what is left of the task, and that it is the end. */
  finish(totals: Totals): void {
    this.#sendLines();
    this.#post({ kind: "end", totals }, 0, []);
  }

  #sendLines(): void {
    if (this.#used === 0) return;
    const from = this.#slot * SLOT_BYTES;
    this.#post({ kind: "bytes", bytes: this.#ring.subarray(from, from + this.#used), count: this.#lines }, SLOT_BYTES, []);
    this.#slot = (this.#slot + 1) % SLOTS;
    this.#used = 0;
    this.#lines = 0;
  }

  #reserve(size: number): void {
    const unread = this.#unread;
    const most = SLOTS * SLOT_BYTES;
    for (let waiting = Atomics.load(unread, 0); waiting > 0 && waiting + size > most; waiting = Atomics.load(unread, 0)) {
      Atomics.wait(unread, 0, waiting);
    }
    Atomics.add(unread, 0, size);
  }

  #post(result: Result, size: number, transfer: ArrayBuffer[]): void {
    this.#port.postMessage({ id: this.#id, result, size, unread: this.#unread } satisfies ResultMessage, transfer);
  }
}

/** Bytes that the redirectors' URLs of a batch take: ASCII in all profiles but `none`. */
function chainBytes({ chains }: MatchBatch): number {
  let bytes = 0;
  for (const chain of chains?.values() ?? []) for (const url of chain) bytes += url.length + RESULT_BYTES;
  return bytes;
}
