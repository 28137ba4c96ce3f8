// Writes records no faster than a sink passes them on: a few hundred bytes of input can have gigabytes of records.
import { matchBatch } from "../matches/batch.ts";
import type { WriteMatches, WriteRecords } from "./record-form.ts";
import type { Result, Sink } from "./sink.ts";

/** Bytes of records after which matches wait until the sink has had its turn. Most reads of a source have fewer. */
const TURN_BYTES = 1 << 24;

/**
 * Returns a sink that writes the records of matches to `sink`. If they have many bytes, it keeps the other matches, which need much less
 * memory, and writes their records in `wait` and `end`. `isPaced`: false for callers that never wait.
 */
export function paced(sink: Sink, isPaced: boolean, writerOf: (write: WriteRecords, isFull: () => boolean) => WriteMatches): Sink {
  const waiting: Result[] = [];
  /** The next row of the first waiting batch. */
  let row = 0;
  let room = TURN_BYTES;
  const writeRecords: WriteRecords = (bytes, count, numbers) => {
    if (isPaced) room -= bytes.length;
    sink.write({ kind: "bytes", bytes, count, messageNumbers: numbers.length === 0 ? undefined : new Int32Array(numbers) });
  };
  const writeMatches = writerOf(writeRecords, () => room <= 0);

  /** Writes a result, but not the rows of a batch before `row`; returns whether all of it is written. */
  const give = (result: Result): boolean => {
    if (result.kind !== "matches") {
      sink.write(result);
      return true;
    }
    row = writeMatches(result, row);
    if (row < result.count) return false;
    row = 0;
    return true;
  };
  const catchUp = async (pause: Promise<void> | undefined): Promise<void> => {
    await pause;
    while (waiting.length > 0) {
      room = TURN_BYTES;
      while (waiting.length > 0 && give(waiting[0])) waiting.shift();
      await sink.wait();
    }
    room = TURN_BYTES;
  };
  return {
    write: (result) => {
      if (waiting.length > 0 || !give(result)) waiting.push(owned(result));
    },
    wait: () => {
      room = TURN_BYTES;
      const pause = sink.wait();
      return waiting.length === 0 ? pause : catchUp(pause);
    },
    end: () => (waiting.length === 0 ? sink.end() : catchUp(undefined).then(() => sink.end())),
  };
}

function owned(result: Result): Result {
  if (result.kind === "bytes") return { ...result, bytes: result.bytes.slice() };
  if (result.kind !== "matches") return result;
  return matchBatch({ ...result, rows: result.rows.slice(), bytes: result.bytes.slice(), view: undefined });
}
