// A sink that writes some of the records, chosen at random, and drops the others.
import type { ByteBatch, MatchBatch } from "../matches/batch.ts";
import { urlAt } from "../matches/field-values.ts";
import { rowOf } from "../matches/filter.ts";
import type { ScanSettings } from "../options/options.ts";
import { recordTexts, resultOfText } from "./record-texts.ts";
import { before, type Result, type Sink } from "./sink.ts";

/**
 * Returns a sink that writes at most `size` records at the end, in their order, in the format of `settings`. Every set of `size` records
 * is equally likely. The same records in the same order give the same set. The sink takes matches, lines, and records as values.
 */
export function sampleOf(settings: ScanSettings, size: number, sink: Sink): Sink {
  const textsOf = recordTexts(settings);
  const resultOf = resultOfText(settings);
  const random = randomNumbers();
  const chosen: { readonly number: number; readonly result: Result }[] = [];
  let records = 0;
  // Algorithm R of Vitter (1985): record n replaces one of the chosen ones with the probability size / n.
  const take = (make: () => Result): void => {
    records++;
    const slot = records <= size ? records - 1 : Math.floor(random() * records);
    if (slot < size) chosen[slot] = { number: records, result: make() };
  };
  const takeMatches = (batch: MatchBatch): void => {
    for (let index = 0; index < batch.count; index++) {
      // Plain output has no lines for refused matches.
      if (settings.format === "plain" && urlAt(batch, index) === undefined) continue;
      take(() => {
        const [text] = textsOf(rowOf(batch, index));
        return resultOf(text, 0, text.length);
      });
    }
  };
  const takeLines = ({ bytes, count }: ByteBatch): void => {
    for (let start = 0; start < bytes.length; ) {
      const line = start;
      const end = count === 1 ? bytes.length : bytes.indexOf(settings.separator, start) + 1;
      take(() => ({ kind: "bytes", bytes: bytes.slice(line, end), count: 1 }));
      start = end;
    }
  };
  const write = (result: Result): void => {
    if (result.kind === "matches") takeMatches(result);
    else if (result.kind === "bytes") takeLines(result);
    else if (result.kind === "values") take(() => result);
    else sink.write(result);
  };
  const end = async (): Promise<void> => {
    chosen.sort((one, other) => one.number - other.number);
    for (const { result } of chosen) {
      sink.write(result);
      await sink.wait();
    }
    await sink.end();
  };
  return before(sink, write, end);
}

/** Returns a function that returns numbers in [0, 1), always the same ones: the generator xorshift128 of Marsaglia (2003). */
function randomNumbers(): () => number {
  const state = Int32Array.of(0x075bcd15, 0x159a55e5, 0x1f123bb5, 0x05491333);
  const word = (): number => {
    const [x, y, z, w] = state;
    const mixed = x ^ (x << 11);
    state.set([y, z, w, w ^ (w >>> 19) ^ mixed ^ (mixed >>> 8)]);
    return state[3] >>> 0;
  };
  return () => (word() * 2 ** 21 + (word() >>> 11)) / 2 ** 53;
}
