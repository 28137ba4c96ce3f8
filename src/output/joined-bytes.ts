// Joins small batches of an output, because each result has a cost of its own.
import { grown } from "../base/arrays.ts";
import type { ByteBatch } from "../matches/batch.ts";

const NUMBERS_AT_FIRST = 1 << 12; // Least room for numbers, once there are any

export class JoinedBytes {
  #memory: Uint8Array;
  #used = 0;
  #count = 0;
  #numbers = new Int32Array(0); // The numbers of messages in the bytes, in the form of `ByteBatch`
  #numbersUsed = 0;

  constructor(memory: Uint8Array) {
    this.#memory = memory;
  }

  /** Whether nothing has been added since the last `take`. */
  get isEmpty(): boolean {
    return this.#used === 0 && this.#count === 0;
  }

  /** Takes a copy of a batch; returns false if there is no room for it. */
  add({ bytes, count, messageNumbers }: ByteBatch): boolean {
    if (this.#used + bytes.length > this.#memory.length) return false;
    this.#memory.set(bytes, this.#used);
    if (messageNumbers !== undefined) this.#addNumbers(messageNumbers);
    this.#used += bytes.length;
    this.#count += count;
    return true;
  }

  /** Returns all batches as one, whose bytes are a view of the memory, or undefined if there are none. Continues in the memory `next`. */
  take(next: Uint8Array = this.#memory): ByteBatch | undefined {
    if (this.isEmpty) return undefined;
    const messageNumbers = this.#numbersUsed === 0 ? undefined : this.#numbers.slice(0, this.#numbersUsed);
    const batch: ByteBatch = { kind: "bytes", bytes: this.#memory.subarray(0, this.#used), count: this.#count, messageNumbers };
    [this.#memory, this.#used, this.#count, this.#numbersUsed] = [next, 0, 0, 0];
    return batch;
  }

  #addNumbers(added: Int32Array): void {
    const needed = this.#numbersUsed + added.length;
    if (needed > this.#numbers.length) this.#numbers = grown(this.#numbers, Math.max(NUMBERS_AT_FIRST, 2 * needed));
    for (let index = 0; index < added.length; index += 2) {
      this.#numbers[this.#numbersUsed++] = this.#used + added[index];
      this.#numbers[this.#numbersUsed++] = added[index + 1];
    }
  }
}
