// Numbers of messages in the results of a range of an mbox: how many messages are before the range is known when the results of all
// ranges before it have come (A10).
import { OUTPUT_REGION, WINDOW_REGION } from "#core/layout/memory.js";
import { BILLION, NUMBER_ROWS, NUMBER_ROWS_MAX, RENUMBERED_BYTES } from "#core/layout/records.js";
import { concat, firstIndex } from "../base/arrays.ts";
import { type Core, releaseCore, takeCore } from "../core/core.ts";
import type { Result, Sink } from "../output/sink.ts";
import type { ByteBatch } from "../scanner/batch.ts";

/** Digits of a number in a range, at most. */
const DIGITS_MOST = 10;

/** Writes the result of a range to `sink` with the numbers of messages that its source has: `before` messages are before the range. */
export function writeNumbered(sink: Sink, before: number, result: Result): void {
  if (result.kind === "bytes" && result.messageNumbers !== undefined && before > 0) {
    // The sink takes the bytes before another uses the core.
    const core = takeCore();
    try {
      sink.write({ kind: "bytes", bytes: renumbered(core, result, result.messageNumbers, before), count: result.count });
    } finally {
      releaseCore(core);
    }
  } else if (result.kind === "matches" && result.locations !== undefined && result.locations.messagesBefore === undefined)
    sink.write({ ...result, locations: { ...result.locations, messagesBefore: before } });
  else sink.write(result);
}

/** Returns the bytes with new numbers: those of the core if it can take them at once. */
export function renumbered(core: Core, { bytes }: ByteBatch, numbers: Int32Array, before: number): Uint8Array {
  const high = Math.floor(before / BILLION);
  const low = before - high * BILLION;
  const pieces: Uint8Array[] = [];
  let [from, row] = [0, 0];
  for (;;) {
    const limit = from + RENUMBERED_BYTES;
    const rows = firstIndex(Math.min(numbers.length / 2, row + NUMBER_ROWS_MAX), (at) => (numbers[2 * at] as number) + DIGITS_MOST > limit);
    const to = Math.min(limit, numbers[2 * rows] ?? bytes.length);
    core.bytes.set(bytes.subarray(from, to), WINDOW_REGION);
    core.words.set(numbers.subarray(2 * row, 2 * rows), NUMBER_ROWS >> 2);
    const end = core.renumber(WINDOW_REGION + to - from, rows - row, from, high, low);
    const piece = core.bytes.subarray(OUTPUT_REGION, end);
    if (pieces.length === 0 && to === bytes.length) return piece;
    pieces.push(piece.slice());
    if (to === bytes.length) return concat(pieces);
    [from, row] = [to, rows];
  }
}
