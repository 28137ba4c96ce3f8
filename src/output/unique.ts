// Sinks that write the records with new keys (`Distinct`), and drop the others.
import { viewOf } from "../base/arrays.ts";
import type { Distinct } from "../count/distinct.ts";
import { KeyWriter } from "../count/key-writer.ts";
import type { SpilledRow } from "../count/spill-stream.ts";
import type { ByteBatch, MatchBatch } from "../matches/batch.ts";
import { urlAt } from "../matches/field-values.ts";
import { withRows } from "../matches/filter.ts";
import type { KeyField } from "../options/fields.ts";
import type { ScanSettings } from "../options/options.ts";
import { formatted, settingsOfChoice } from "./formatted.ts";
import { recordTexts, resultOfText } from "./record-texts.ts";
import { before, type Sink } from "./sink.ts";

interface UniqueOptions {
  readonly by: readonly KeyField[];
  /** Decides which keys are new. */
  readonly keys: Distinct;
  /** Whether the first matches are written as matches, because a later sink formats them: the sample, or the merge of shards. */
  readonly leavesMatches?: boolean | undefined;
  /** Called again and again at the end; returns a promise if there must be a pause. */
  readonly pause: () => Promise<void> | undefined;
}

/** Returns a sink that takes the results of a scan, and writes the records with new keys to `sink`. */
export function uniqueRecords(settings: ScanSettings, { by, keys, pause, leavesMatches: isRaw }: UniqueOptions, sink: Sink): Sink {
  const areLines = settingsOfChoice(settings, { by }) === settings;
  const written = areLines || isRaw === true ? sink : formatted(settings, sink);
  const write = areLines ? uniqueLines(keys, settings.separator, sink) : uniqueMatches(keys, settings, by, written, sink);
  const end = async (): Promise<void> => {
    await written.wait();
    const resultOf = resultOfText(settings);
    const giveText = ({ bytes, textStart, textEnd }: SpilledRow): void => sink.write(resultOf(bytes, textStart, textEnd));
    for (const _ of keys.finish(giveText)) {
      await sink.wait();
      await pause();
    }
    keys.close();
    await sink.end();
  };
  return before(written, write, end);
}

function uniqueLines(distinct: Distinct, separator: number, sink: Sink): Sink["write"] {
  const takeLines = ({ bytes }: ByteBatch): void => {
    const view = viewOf(bytes);
    // Consecutive new lines are written together.
    let [first, end, count] = [0, 0, 0];
    const give = (): void => {
      if (count > 0) sink.write({ kind: "bytes", bytes: bytes.subarray(first, end), count });
      count = 0;
    };
    for (let start = 0; start < bytes.length; ) {
      const lineEnd = bytes.indexOf(separator, start);
      const answer = distinct.add(view, start, lineEnd);
      if (answer === "later") distinct.keep(view, start, lineEnd, bytes, start, lineEnd + 1);
      if (answer === "new") {
        if (end !== start) give();
        if (count === 0) first = start;
        end = lineEnd + 1;
        count++;
      }
      start = lineEnd + 1;
    }
    give();
  };
  return (result) => (result.kind === "bytes" ? takeLines(result) : sink.write(result));
}

function uniqueMatches(distinct: Distinct, settings: ScanSettings, by: readonly KeyField[], written: Sink, sink: Sink): Sink["write"] {
  const keys = new KeyWriter(by, 0);
  const textsOf = recordTexts(settings);
  let withoutKey = 0;
  const writeKey = (batch: MatchBatch, index: number): number => {
    const length = keys.write(batch, index);
    return keys.hasValue ? length : keys.addNumber(++withoutKey);
  };
  const takeMatches = (batch: MatchBatch): void => {
    const [found, later]: [number[], number[]] = [[], []];
    for (let index = 0; index < batch.count; index++) {
      // A match without a URL has no line, so it must not take the key of a later match.
      if (settings.format === "plain" && urlAt(batch, index) === undefined) continue;
      const length = writeKey(batch, index);
      // A match without a key is new. If others wait on disk, it waits too, to keep the order.
      const answer = keys.hasValue || distinct.isFull ? distinct.add(keys.view, 0, length) : "new";
      if (answer === "new") found.push(index);
      if (answer === "later") later.push(index);
    }
    if (later.length > 0) {
      for (const [index, text] of textsOf(withRows({ ...batch, rows: batch.rows.slice() }, later)).entries()) {
        const length = writeKey(batch, later[index]);
        distinct.keep(keys.view, 0, length, text);
      }
    }
    if (found.length > 0) written.write(withRows(batch, found));
  };
  return (result) => (result.kind === "matches" ? takeMatches(result) : sink.write(result));
}
