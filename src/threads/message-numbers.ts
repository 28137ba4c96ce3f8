// Numbers of messages in the results of a range of an mbox: how many messages are before the range is known when the results of all
// ranges before it have come (A10).
import type { Result } from "../output/sink.ts";
import type { ByteBatch } from "../scanner/batch.ts";

/** Bytes that the digits of a number take at most. */
const DIGITS_MOST = 16;
const utf8 = new TextEncoder();

/** Returns the result of a range with the numbers of messages that its source has: `before` messages are before the range. */
export function withMessagesBefore(result: Result, before: number): Result {
  if (result.kind === "bytes") return result.messageNumbers === undefined ? result : renumbered(result, result.messageNumbers, before);
  if (result.kind !== "matches" || result.locations === undefined || result.locations.messagesBefore !== undefined) return result;
  return { ...result, locations: { ...result.locations, messagesBefore: before } };
}

function renumbered({ bytes, count }: ByteBatch, numbers: Int32Array, before: number): ByteBatch {
  const written = new Uint8Array(bytes.length + (numbers.length / 2) * DIGITS_MOST);
  let from = 0;
  let used = 0;
  for (let at = 0; at < numbers.length; at += 2) {
    const [offset, number] = [numbers[at] as number, numbers[at + 1] as number];
    written.set(bytes.subarray(from, offset), used);
    used += offset - from;
    used += utf8.encodeInto(String(number + before), written.subarray(used)).written;
    from = offset + String(number).length;
  }
  written.set(bytes.subarray(from), used);
  used += bytes.length - from;
  return { kind: "bytes", bytes: written.subarray(0, used), count };
}
