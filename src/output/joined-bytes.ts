// Joins small batches of an output, because taking a result costs some microseconds.
import type { ByteBatch } from "../scanner/batch.ts";

/** Joins batches of bytes in memory that it is given. */
export class JoinedBytes {
  #memory: Uint8Array;
  #used = 0;
  #count = 0;
  /** The numbers of messages in the bytes, as `ByteBatch` has them. */
  #numbers: number[] = [];

  constructor(memory: Uint8Array) {
    this.#memory = memory;
  }

  /** Whether nothing has come since the last `take`. */
  get isEmpty(): boolean {
    return this.#used === 0 && this.#count === 0;
  }

  /** Takes a copy of a batch; returns false if there is no room for it. */
  add({ bytes, count, messageNumbers }: ByteBatch): boolean {
    if (this.#used + bytes.length > this.#memory.length) return false;
    this.#memory.set(bytes, this.#used);
    messageNumbers?.forEach((value, index) => {
      this.#numbers.push(index % 2 === 0 ? this.#used + value : value);
    });
    this.#used += bytes.length;
    this.#count += count;
    return true;
  }

  /** Returns all as one batch in the memory, undefined if there is none, and goes on in `next`. */
  take(next: Uint8Array = this.#memory): ByteBatch | undefined {
    if (this.isEmpty) return undefined;
    const messageNumbers = this.#numbers.length === 0 ? undefined : Int32Array.from(this.#numbers);
    const batch: ByteBatch = { kind: "bytes", bytes: this.#memory.subarray(0, this.#used), count: this.#count, messageNumbers };
    [this.#memory, this.#used, this.#count, this.#numbers] = [next, 0, 0, []];
    return batch;
  }
}
