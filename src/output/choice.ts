// Sinks that choose records: those with new keys (`Distinct`), or a sample. Records that wait for the end of the run are texts.
import { viewOf } from "../base/arrays.ts";
import { decodeUtf8 } from "../core/text.ts";
import type { Distinct } from "../count/distinct.ts";
import { KeyWriter } from "../count/key-writer.ts";
import type { SpilledRow } from "../count/spill.ts";
import type { ByteBatch, MatchBatch } from "../matches/batch.ts";
import { rowOf, withRows } from "../matches/batch-builder.ts";
import { type FieldValue, readerOf, urlAt } from "../matches/field-values.ts";
import type { KeyField } from "../options/fields.ts";
import type { ScanSettings } from "../options/options.ts";
import { fieldsOf, leavesMatches } from "./format-fields.ts";
import { formatted, settingsOfChoice } from "./formatted.ts";
import { before, type Result, type Sink } from "./sink.ts";

const utf8 = new TextEncoder();
const LINE_FEED = 0x0a;

interface UniqueOptions {
  readonly by: readonly KeyField[];
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

/** Returns a function that returns a text for each match of a batch: its record, or its values as JSON for a format of values. */
function recordTexts(settings: ScanSettings): (batch: MatchBatch) => Uint8Array[] {
  const readers = fieldsOf(settings).map(readerOf);
  let written: Uint8Array[] = [];
  const write = (result: Result): void => {
    if (result.kind === "bytes") written.push(result.bytes.slice());
    if (result.kind !== "matches") return;
    for (let index = 0; index < result.count; index++)
      written.push(utf8.encode(JSON.stringify(readers.map((read) => read(result, index)))));
  };
  const format = formatted(settings, { write, wait: () => undefined, end: () => undefined }, false);
  const writtenOf = (batch: MatchBatch): Uint8Array[] => {
    written = [];
    format.write(batch);
    return written;
  };
  if (leavesMatches(settings.format)) return writtenOf;
  const lineEnd = settings.format === "plain" || settings.print !== undefined ? settings.separator : LINE_FEED;
  return (batch) => {
    const lines = splitLines(Buffer.concat(writtenOf({ ...batch, rows: batch.rows.slice() })), lineEnd);
    // If cells of csv or a template contain line ends, there are more lines.
    if (lines.length === batch.count) return lines;
    return Array.from({ length: batch.count }, (_, index) => Buffer.concat(writtenOf(rowOf(batch, index))));
  };
}

/** Returns a function that makes a result of a text from `recordTexts`. */
function resultOfText({ format }: ScanSettings): (bytes: Uint8Array, start: number, end: number) => Result {
  if (!leavesMatches(format)) return (bytes, start, end) => ({ kind: "bytes", bytes: bytes.subarray(start, end), count: 1 });
  return (bytes, start, end) => {
    const values = JSON.parse(decodeUtf8(bytes, start, end)) as (FieldValue | null)[];
    return { kind: "values", values: values.map((value) => value ?? undefined) };
  };
}

function splitLines(bytes: Uint8Array, lineEnd: number): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineEnd, start) + 1;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}
