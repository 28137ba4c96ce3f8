// Records one by one, for sinks that keep some of them until the end of the run.
import { decodeUtf8 } from "../core/text.ts";
import type { MatchBatch } from "../matches/batch.ts";
import { type FieldValue, readerOf } from "../matches/field-values.ts";
import { rowOf } from "../matches/filter.ts";
import type { ScanSettings } from "../options/options.ts";
import { fieldsOf, leavesMatches } from "./format-fields.ts";
import { formatted } from "./formatted.ts";
import type { Result } from "./sink.ts";

const utf8 = new TextEncoder();
const LINE_FEED = 0x0a;

/** Returns a function that makes a result of a text from `recordTexts`. */
export function resultOfText({ format }: ScanSettings): (bytes: Uint8Array, start: number, end: number) => Result {
  if (leavesMatches(format)) return (bytes, start, end) => ({ kind: "values", values: valuesIn(decodeUtf8(bytes, start, end)) });
  return (bytes, start, end) => ({ kind: "bytes", bytes: bytes.subarray(start, end), count: 1 });
}

/** Returns a function that writes the fields of each match of a batch as JSON, from which a format reads the values later. */
function valueTexts(settings: ScanSettings): (batch: MatchBatch) => Uint8Array[] {
  const readers = fieldsOf(settings).map(readerOf);
  let texts: Uint8Array[] = [];
  const write = (result: Result): void => {
    if (result.kind !== "matches") return;
    texts = Array.from({ length: result.count }, (_, index) => utf8.encode(JSON.stringify(readers.map((read) => read(result, index)))));
  };
  const format = formatted(settings, { write, wait: () => undefined, end: () => undefined }, false);
  return (batch) => {
    format.write(batch);
    return texts;
  };
}

function valuesIn(text: string): FieldValue[] {
  return (JSON.parse(text) as (FieldValue | null)[]).map((value) => value ?? undefined);
}

/** Returns a function that returns a text for each match of a batch: its record, or its values for a format of values. */
export function recordTexts(settings: ScanSettings): (batch: MatchBatch) => Uint8Array[] {
  if (leavesMatches(settings.format)) return valueTexts(settings);
  const lineEnd = settings.format === "plain" || settings.print !== undefined ? settings.separator : LINE_FEED;
  let written: Uint8Array[] = [];
  const write = (result: Result): void => void (result.kind === "bytes" && written.push(result.bytes.slice()));
  const format = formatted(settings, { write, wait: () => undefined, end: () => undefined }, false);
  const bytesOf = (batch: MatchBatch): Uint8Array => {
    written = [];
    format.write(batch);
    return written.length === 1 ? written[0] : Buffer.concat(written);
  };
  return (batch) => {
    const lines = splitLines(bytesOf({ ...batch, rows: batch.rows.slice() }), lineEnd);
    // If cells of csv or a template contain line ends, there are more lines.
    if (lines.length === batch.count) return lines;
    return Array.from({ length: batch.count }, (_, index) => bytesOf(rowOf(batch, index)));
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
