// Sinks that write the first record with each key, and drop the others.

import { decodeUtf8 } from "../core/text.ts";
import type { KeySet } from "../count/distinct.ts";
import { KeyWriter } from "../count/key-writer.ts";
import type { SpilledRow } from "../count/spill-stream.ts";
import type { KeyField } from "../options/fields.ts";
import type { ScanSettings } from "../options/options.ts";
import type { ByteBatch, MatchBatch } from "../scanner/batch.ts";
import { type FieldValue, readerOf, urlAt } from "../scanner/field-values.ts";
import { withRows } from "../scanner/filter.ts";
import { formatted, leavesMatches, settingsOfUnique, usualFieldsOf } from "./formatted.ts";
import { before, type Result, type Sink } from "./sink.ts";

const utf8 = new TextEncoder();
const LINE_FEED = 0x0a;

/** Options of `uniqueRecords`. */
export interface UniqueOptions {
  readonly by: readonly KeyField[];
  readonly keys: KeySet;
  /** Writes matches unchanged, for a later sink that deduplicates. */
  readonly leavesMatches?: boolean | undefined;
  /** Called again and again at the end; returns a promise if there must be a pause. */
  readonly pause: () => Promise<void> | undefined;
}

/** Returns a sink that takes the results of a scan, and writes the first record with each key to `sink` in the format of `settings`. */
export function uniqueRecords(settings: ScanSettings, { by, keys, pause, leavesMatches: isRaw }: UniqueOptions, sink: Sink): Sink {
  const write =
    settingsOfUnique(settings, by) === settings
      ? uniqueLines(keys, settings.separator, sink)
      : uniqueMatches(keys, settings, by, isRaw === true ? sink : formatted(settings, sink), sink);
  const end = async (): Promise<void> => {
    const areValues = leavesMatches(settings.format);
    const giveText = ({ bytes, textStart, textEnd }: SpilledRow): void => {
      if (areValues) sink.write({ kind: "values", values: valuesIn(decodeUtf8(bytes, textStart, textEnd)) });
      else sink.write({ kind: "bytes", bytes: bytes.subarray(textStart, textEnd), count: 1 });
    };
    for (const _ of keys.finish?.(giveText) ?? []) {
      await sink.wait();
      await pause();
    }
    keys.close?.();
    await sink.end();
  };
  return { ...before(sink, write), end };
}

function uniqueLines(distinct: KeySet, separator: number, sink: Sink): Sink["write"] {
  const takeLines = ({ bytes }: ByteBatch): void => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // Consecutive new lines are written together.
    let [first, end, count] = [0, 0, 0];
    const give = (): void => {
      if (count > 0) sink.write({ kind: "bytes", bytes: bytes.subarray(first, end), count });
      count = 0;
    };
    for (let start = 0; start < bytes.length; ) {
      const lineEnd = bytes.indexOf(separator, start);
      const answer = distinct.add(view, start, lineEnd);
      if (answer === "later") distinct.keep?.(view, start, lineEnd, bytes, start, lineEnd + 1);
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

function uniqueMatches(distinct: KeySet, settings: ScanSettings, by: readonly KeyField[], written: Sink, sink: Sink): Sink["write"] {
  const keys = new KeyWriter(by, true);
  const textsOf = recordTexts(settings);
  let withoutKey = 0;
  const writeKey = (batch: MatchBatch, index: number): number => {
    const length = keys.write(batch, index);
    return keys.hasValue ? length : keys.addNumber(++withoutKey);
  };
  const takeMatches = (batch: MatchBatch): void => {
    const [found, later]: [number[], number[]] = [[], []];
    for (let index = 0; index < batch.count; index++) {
      // A line needs a URL: a match without one must not make a later one a repetition.
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
        distinct.keep?.(keys.view, 0, length, text);
      }
    }
    if (found.length > 0) written.write(withRows(batch, found));
  };
  return (result) => (result.kind === "matches" ? takeMatches(result) : sink.write(result));
}

/** Returns a function that writes the fields of each match of a batch as JSON, from which a format reads the values later. */
function valueTexts(settings: ScanSettings): (batch: MatchBatch) => Uint8Array[] {
  const readers = usualFieldsOf(settings).map(readerOf);
  let texts: Uint8Array[] = [];
  const write = (result: Result): void => {
    if (result.kind !== "matches") return;
    texts = Array.from({ length: result.count }, (_, index) => utf8.encode(JSON.stringify(readers.map((read) => read(result, index)))));
  };
  const format = formatted(settings, { write, wait: () => undefined, end: () => undefined });
  return (batch) => {
    format.write(batch);
    return texts;
  };
}

/** Returns the values in a text of `valueTexts`. */
function valuesIn(text: string): FieldValue[] {
  return (JSON.parse(text) as (FieldValue | null)[]).map((value) => value ?? undefined);
}

/** Returns a function that writes each match of a batch as a record of its own. */
function recordTexts(settings: ScanSettings): (batch: MatchBatch) => Uint8Array[] {
  if (leavesMatches(settings.format)) return valueTexts(settings);
  const lineEnd = settings.print === undefined ? LINE_FEED : settings.separator;
  let written: Uint8Array[] = [];
  const write = (result: Result): void => void (result.kind === "bytes" && written.push(result.bytes.slice()));
  const format = formatted(settings, { write, wait: () => undefined, end: () => undefined });
  const bytesOf = (batch: MatchBatch): Uint8Array => {
    written = [];
    format.write(batch);
    return written.length === 1 ? written[0] : Buffer.concat(written);
  };
  return (batch) => {
    const lines = splitLines(bytesOf({ ...batch, rows: batch.rows.slice() }), lineEnd);
    // If cells of csv or a template contain line ends, there are more lines.
    if (lines.length === batch.count) return lines;
    return Array.from({ length: batch.count }, (_, index) => bytesOf(withRows({ ...batch, rows: batch.rows.slice() }, [index])));
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
