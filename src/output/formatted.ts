// Makes the sink that formats matches for the settings of a run.
import * as code from "#core/layout/codes.js";
import { matchBatch } from "../matches/batch.ts";
import { keepRows } from "../matches/batch-builder.ts";
import { urlAt } from "../matches/field-values.ts";
import type { KeyField } from "../options/fields.ts";
import type { ScanSettings } from "../options/options.ts";
import { fieldsOf, leavesMatches, templateOf } from "./format-fields.ts";
import { formOfFields, type RecordForm, template } from "./record-form.ts";
import { RecordWriter, type WriteMatches, type WriteRecords } from "./records.ts";
import { redacted } from "./redacted.ts";
import { before, type Result, type Sink } from "./sink.ts";

/** Returns a sink that hides userinfo and makes bytes of the format, as settings ask. `isPaced`: records may wait for `wait` and `end`. */
export function formatted(settings: ScanSettings, sink: Sink, isPaced = true): Sink {
  const written = leavesMatches(settings.format) ? sink : inFormat(settings, sink, isPaced);
  return redacted(settings, written);
}

export interface RecordChoice {
  /** Fields of a key: only the first record with each key is written; undefined: all records are written. */
  readonly by: readonly KeyField[] | undefined;
  /** Most bytes of keys in memory. */
  readonly memory?: number | undefined;
  /** Most records, chosen at random among these; undefined: all of them. */
  readonly sample?: number | undefined;
}

/** Returns the settings of a scan for sinks that choose records. Sinks can choose lines of URLs; for other records they need matches. */
export function settingsOfChoice(settings: ScanSettings, { by, sample }: RecordChoice): ScanSettings {
  if (by === undefined && sample === undefined) return settings;
  const areLines = settings.format === "plain" && settings.context === 0 && (by === undefined || (by.length === 1 && by[0] === "url"));
  return areLines ? settings : { ...settings, format: "matches" };
}

function inFormat(settings: ScanSettings, sink: Sink, isPaced: boolean): Sink {
  const plainForm = formOf(settings);
  const form = plainForm && { ...plainForm, marksMatch: settings.inColor };
  const written = paced(sink, isPaced, (write, isFull) =>
    form === undefined ? plainWriter(settings.separator, write) : new RecordWriter(form, write, isFull).write,
  );
  // A match without a URL has a record, but no line of plain output.
  if (settings.format !== "plain" || form === undefined) return written;
  return before(written, (result) => {
    written.write(result.kind === "matches" ? keepRows(result, (row) => urlAt(result, row) !== undefined) : result);
  });
}

/** Bytes of records after which matches wait for the sink: a few hundred bytes of input can have gigabytes of records. */
const TURN_BYTES = 1 << 24;

/**
 * Returns a sink that writes the records of matches to `sink`. If they have many bytes, it keeps the other matches, which need much less
 * memory, and writes their records in `wait` and `end`. `isPaced`: false for callers that never wait.
 */
function paced(sink: Sink, isPaced: boolean, writerOf: (write: WriteRecords, isFull: () => boolean) => WriteMatches): Sink {
  const waiting: Result[] = [];
  let row = 0; // The next row of the first waiting batch
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

/** Returns a function that writes the URLs of a batch, each with a separator after it. Unless options need rows, the core does this. */
function plainWriter(separator: number, write: WriteRecords): WriteMatches {
  return ({ rows, bytes, count: rowCount }) => {
    let length = 0;
    for (let at = 0; at < rows.length; at += code.RECORD_WORDS) length += rows[at + code.RECORD_URL_LENGTH] + 1;
    const lines = new Uint8Array(length);
    let used = 0;
    let count = 0;
    for (let at = 0; at < rows.length; at += code.RECORD_WORDS) {
      if (rows[at + code.RECORD_REASON] !== code.REASON_NONE) continue;
      const url = rows[at + code.RECORD_URL];
      lines.set(bytes.subarray(url, url + rows[at + code.RECORD_URL_LENGTH]), used);
      used += rows[at + code.RECORD_URL_LENGTH];
      lines[used++] = separator;
      count++;
    }
    if (count > 0) write(lines.subarray(0, used), count, []);
    return rowCount;
  };
}

/** Returns the form of the records, or undefined for lines of URLs, for matches and counts, and for formats that are a file. */
export function formOf(settings: ScanSettings): RecordForm | undefined {
  const { format, separator } = settings;
  const lines = templateOf(settings);
  if (lines !== undefined) return template(lines, String.fromCharCode(separator), settings);
  return format === "ndjson" || format === "csv" || format === "tsv" ? formOfFields(format, fieldsOf(settings), settings) : undefined;
}
