// Numbers of messages in the results of a range of an mbox: how many messages are before the range is known when the results of all
// ranges before it have come (A10).
import type { Result } from "../output/sink.ts";
import type { ByteBatch } from "../scanner/batch.ts";

/** Bytes that the digits of a number take at most. */
const DIGITS_MOST = 16;
const ZERO = 0x30;
/** The largest integer of 32 bits. */
const INTEGER_MOST = 0x7fffffff;

/** Adds the messages before a range to the numbers in its results. */
export class MessageNumbers {
  #bytes = new Uint8Array(0);
  readonly #digits = new Uint8Array(DIGITS_MOST);

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
    const shown = this.#digits;
    let last = -1;
    let lastDigits = 0;
    let shownDigits = 0;
    let from = room;
    let used = 0;
    for (let at = 0; at < numbers.length; at += 2) {
      const digits = room + (numbers[at] as number);
      const number = numbers[at + 1] as number;
      // A message often has several matches.
      if (number !== last) {
        last = number;
        lastDigits = countDigits(number);
        shownDigits = writeDigits(shown, number + before);
      }
      written.copyWithin(used, from, digits);
      used += digits - from;
      for (let digit = 0; digit < shownDigits; digit++) written[used++] = shown[digit] as number;
      from = digits + lastDigits;
    }
    written.copyWithin(used, from, size);
    return { kind: "bytes", bytes: written.subarray(0, used + size - from), count };
  }
}

function countDigits(number: number): number {
  let count = 1;
  for (let least = 10; number >= least; least *= 10) count++;
  return count;
}

/** Writes a number to the start of `bytes`; returns how many digits it has. */
function writeDigits(bytes: Uint8Array, number: number): number {
  const count = countDigits(number);
  for (let at = count, rest = number; at > 0; ) {
    // Division of integers takes a fraction of the time.
    const tens = rest > INTEGER_MOST ? Math.floor(rest / 10) : (rest / 10) | 0;
    bytes[--at] = ZERO + (rest - tens * 10);
    rest = tens;
  }
  return count;
}
