// Numbers of messages in the results of a range of an mbox: how many messages are before the range is known when the results of all
// ranges before it have come (A10).
import type { Result } from "../output/sink.ts";
import type { ByteBatch } from "../scanner/batch.ts";

/** Bytes that the digits of a number take at most. */
const DIGITS_MOST = 16;
const ZERO = 0x30;

/** Adds the messages before a range to the numbers in its results. */
export class MessageNumbers {
  #bytes = new Uint8Array(0);

  /**
   * Returns the result of a range with the numbers of messages that its source has: `before` messages are before the range. Bytes in it
   * are valid until the next call.
   */
  add(before: number, result: Result): Result {
    if (result.kind === "bytes") {
      const { messageNumbers } = result;
      return messageNumbers === undefined || before === 0 ? result : this.#renumbered(result, messageNumbers, before);
    }
    if (result.kind !== "matches" || result.locations === undefined || result.locations.messagesBefore !== undefined) return result;
    return { ...result, locations: { ...result.locations, messagesBefore: before } };
  }

  #renumbered({ bytes, count }: ByteBatch, numbers: Int32Array, before: number): ByteBatch {
    // The bytes lie behind the place where they may all be longer, and move to the front piece by piece.
    const room = (numbers.length / 2) * DIGITS_MOST;
    const size = room + bytes.length;
    if (this.#bytes.length < size) this.#bytes = new Uint8Array(size);
    const written = this.#bytes;
    written.set(bytes, room);
    let from = room;
    let used = 0;
    for (let at = 0; at < numbers.length; at += 2) {
      const digits = room + (numbers[at] as number);
      const number = numbers[at + 1] as number;
      written.copyWithin(used, from, digits);
      used = writeDigits(written, used + digits - from, number + before);
      from = digits + countDigits(number);
    }
    written.copyWithin(used, from, size);
    return { kind: "bytes", bytes: written.subarray(0, used + size - from), count };
  }
}

function countDigits(number: number): number {
  let count = 1;
  for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) count++;
  return count;
}

/** Writes a number; returns where it ends. */
function writeDigits(bytes: Uint8Array, start: number, number: number): number {
  const end = start + countDigits(number);
  for (let at = end - 1, rest = number; at >= start; at--) {
    const tens = Math.floor(rest / 10);
    bytes[at] = ZERO + rest - tens * 10;
    rest = tens;
  }
  return end;
}
