// The sink of a worker: sends results to the main thread. Bytes go through a ring of shared memory, so that nothing is allocated for them.
// A shared counter holds the number of sent bytes that the main thread has not taken yet.
import type { MessagePort } from "node:worker_threads";
import type { ByteBatch } from "../matches/batch.ts";
import { JoinedBytes } from "../output/joined-bytes.ts";
import type { Result, Sink } from "../output/sink.ts";
import type { Totals } from "../run/totals.ts";
import { withOwnBuffer } from "../scan/rows.ts";
import { type ResultMessage, type SentResult, sentOf, sizeOf } from "./task.ts";

const SLOT_BYTES = 1 << 19; // Bytes of one slot of the ring. The bytes in a slot are sent together
// The bytes of all slots are the most that results on the main thread may have; with more the worker waits. They are one or two times the
// bytes of a task, because dense records are as long as their text. With fewer the second worker would wait while the task of the first is
// taken.
const SLOTS = 16;

export class PortSink implements Sink {
  readonly #port: MessagePort;
  readonly #unread: Int32Array<SharedArrayBuffer>;
  readonly #ring = new Uint8Array(new SharedArrayBuffer(SLOTS * SLOT_BYTES));
  #id = 0;
  #slot = 0;
  /** Bytes in the current slot that have not been sent. */
  readonly #joined = new JoinedBytes(this.#bytesOf(0));

  /** `unread`: the shared counter. If it is negative, the worker throws instead of waiting. */
  constructor(port: MessagePort, unread: Int32Array<SharedArrayBuffer>) {
    this.#port = port;
    this.#unread = unread;
  }

  begin(id: number): void {
    this.#id = id;
    // Unsent bytes of a failed task are discarded.
    if (this.#joined.take() !== undefined) Atomics.sub(this.#unread, 0, SLOT_BYTES);
  }

  write(result: Result): void {
    if (result.kind === "bytes") this.#writeBytes(result);
    else if (result.kind === "groups") this.#send(result, [result.bytes]);
    else if (result.kind === "summary") {
      const bytes = Object.values(result.tables).map((table) => table.bytes);
      this.#send(result, bytes);
    } else if (result.kind === "matches") {
      const [rows, bytes] = [withOwnBuffer(result.rows), withOwnBuffer(result.bytes)];
      this.#send({ ...result, rows, bytes }, [rows, bytes]);
    } else this.#send(sentOf(result));
  }

  /** A worker that has to wait blocks in `write`. */
  wait(): undefined {}

  end(): undefined {
    const next = (this.#slot + 1) % SLOTS;
    const batch = this.#joined.take(this.#bytesOf(next));
    if (batch === undefined) return;
    this.#slot = next;
    this.#post(batch, SLOT_BYTES);
  }

  finish(totals: Totals): void {
    this.#post({ kind: "end", totals }, 0);
  }

  #bytesOf(slot: number): Uint8Array {
    return this.#ring.subarray(slot * SLOT_BYTES, (slot + 1) * SLOT_BYTES);
  }

  #writeBytes(batch: ByteBatch): void {
    if (this.#join(batch)) return;
    this.end();
    if (this.#join(batch)) return;
    const bytes = batch.bytes.slice();
    this.#send({ ...batch, bytes }, [bytes]);
  }

  #join(batch: ByteBatch): boolean {
    const isFirst = this.#joined.isEmpty;
    if (isFirst && batch.bytes.length > SLOT_BYTES) return false;
    // A slot with any bytes counts as full, so that it is reused only after the main thread has taken it. Slots are taken in order.
    if (isFirst) this.#reserve(SLOT_BYTES);
    return this.#joined.add(batch);
  }

  /** Sends a result, and transfers the memory of `owned`, parts of it. */
  #send(result: SentResult, owned: readonly (Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer>)[] = []): void {
    const size = sizeOf(result);
    this.#reserve(size);
    const buffers = owned.map(({ buffer }) => buffer);
    this.#post(result, size, buffers);
  }

  #reserve(size: number): void {
    const unread = this.#unread;
    const most = SLOTS * SLOT_BYTES;
    for (let waiting = Atomics.load(unread, 0); waiting > 0 && waiting + size > most; waiting = Atomics.load(unread, 0)) {
      // Unsent bytes count too, and nobody can take them: with a large result the worker would wait for itself.
      this.end();
      Atomics.wait(unread, 0, waiting);
    }
    if (Atomics.load(unread, 0) < 0) throw new Error("the thread is to end");
    Atomics.add(unread, 0, size);
  }

  #post(result: ResultMessage["result"], size: number, transfer: ArrayBuffer[] = []): void {
    this.#port.postMessage({ id: this.#id, result, size, unread: this.#unread } satisfies ResultMessage, transfer);
  }
}
