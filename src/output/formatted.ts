// Makes the sink that formats matches for the settings of a run.
import * as code from "#core/layout/codes.js";
import { type MatchBatch, matchBatch, SIGNATURE } from "../matches/batch.ts";
import { urlAt } from "../matches/field-values.ts";
import { isNamed, withRows } from "../matches/filter.ts";
import { type FieldName, type KeyField, TABLE_FIELDS, USUAL_FIELDS } from "../options/fields.ts";
import type { ScanSettings } from "../options/options.ts";
import { parseTemplate } from "../options/template.ts";
import type { ReadField } from "../scan/scan.ts";
import { BYTE_ORDER_MARK } from "./csv-cell.ts";
import type { RecordForm, WriteMatches, WriteRecords } from "./record-form.ts";
import { RecordWriter } from "./records.ts";
import { redacted } from "./redacted.ts";
import { before, type Result, type Sink } from "./sink.ts";
import { csv, ndjson, template, tsv, withWaybackDates } from "./table.ts";

const WITH_CONTEXT = parseTemplate("{url}\\t{context}", "context");

/** Returns a sink that hides userinfo and makes bytes of the format, as settings ask. `isPaced`: records may wait for `wait` and `end`. */
export function formatted(settings: ScanSettings, sink: Sink, isPaced = true): Sink {
  const written = leavesMatches(settings.format) ? sink : inFormat(settings, sink, isPaced);
  return settings.form.userinfo === "redact" ? redacted(written) : written;
}

/** Returns whether scanners write matches to the sink: for the caller, for counts, or for a file format that needs all matches. */
export function leavesMatches(format: ScanSettings["format"]): boolean {
  return format === "matches" || isOfFile(format) || isCounted(format);
}

/** Returns whether a format makes a file that depends on all matches. */
export function isOfFile(format: ScanSettings["format"]): boolean {
  return format === "parquet" || format === "sqlite" || format === "stix" || format === "misp";
}

/** Returns whether a format only counts matches, in any order. */
export function isCounted(format: ScanSettings["format"]): boolean {
  return format === "groups" || format === "summary";
}

/** Returns the fields of matches that the format, a filter, or the resolution of links reads. */
export function fieldsRead(settings: ScanSettings): ReadonlySet<ReadField> {
  const { filter = {}, links, format, asked } = settings;
  const fields = new Set<ReadField>(fieldsWritten(settings));
  if (filter.where !== undefined) fields.add("where");
  if (filter.quoted !== undefined) fields.add("quote");
  if (filter.since !== undefined || filter.until !== undefined) fields.add("date");
  for (const { name } of filter.has ?? []) fields.add(name);
  if (filter.subject !== undefined) fields.add("subject");
  if (filter.from !== undefined) fields.add("from_address");
  if (links) fields.add("target_uri");
  if (settings.messagesBy !== undefined) fields.add("messages");
  if (fields.has("list")) fields.add("subject").add("list_id");
  // A filter that takes all bodies takes signatures too, without knowing them.
  const namesSigned = filter.where?.some((name) => isNamed(SIGNATURE, [name]) && !isNamed("body", [name])) === true;
  if (format !== "summary" && (asked.includes("where") || namesSigned)) fields.add("signature").add("quote");
  return fields;
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

export const INDICATOR_FIELDS = "url host source start date message_id tag attribute flags".split(" ") as FieldName[];

function fieldsWritten(settings: ScanSettings): readonly ReadField[] {
  const { format, by, asked, onlyQuoted } = settings;
  if (isCounted(format)) {
    const fields: ReadField[] = [...by.filter((name) => name !== "flag"), ...(onlyQuoted ? (["quote"] as const) : [])];
    return format === "summary" ? ["time", "message_id_field", ...fields] : ["time", ...fields];
  }
  if (format === "matches") return [...USUAL_FIELDS, ...asked];
  if (format === "stix" || format === "misp") return INDICATOR_FIELDS;
  if (format === "sqlite") return fieldsOf(settings);
  // Parquet has dates as numbers.
  if (format === "parquet") return fieldsOf(settings).map((name) => (name === "date" ? "time" : name));
  return formOf(settings)?.fields ?? [];
}

/**
 * Returns a function that begins the output of a run: it writes the header to a sink, and returns the sink for results of scanners. The
 * returned sink makes the file of parquet. For all other formats it is the given sink, because scanners write what that sink takes.
 */
export async function runOutput(settings: ScanSettings): Promise<(sink: Sink) => Sink> {
  const header = headerOf(settings);
  const parquet = settings.format === "parquet" ? await import("./parquet.ts") : undefined;
  const table = await parquet?.matchTable(fieldsOf(settings));
  return (sink) => {
    if (header !== undefined) sink.write({ kind: "bytes", bytes: header, count: 0 });
    return table?.(sink) ?? sink;
  };
}

/** Returns the byte order mark and the line of names that the output begins with, or undefined for a format without them. */
function headerOf(settings: ScanSettings): Uint8Array | undefined {
  const form = formOf(settings);
  const { format, header } = settings;
  if (form === undefined || (format !== "csv" && format !== "tsv")) return undefined;
  const mark = format === "csv" && settings.csvSafe ? BYTE_ORDER_MARK : "";
  const names = header ? form.fields.map((name, position) => form.write(position, name)).join("") + form.end : "";
  return new TextEncoder().encode(mark + names);
}

function inFormat(settings: ScanSettings, sink: Sink, isPaced: boolean): Sink {
  const plainForm = formOf(settings);
  const form = plainForm && { ...plainForm, marksMatch: settings.inColor };
  const written = paced(sink, isPaced, (write, isFull) =>
    form === undefined ? plainWriter(settings.separator, write) : new RecordWriter(form, write, isFull).write,
  );
  // A match without a URL has a record, but no line of plain output.
  if (settings.format !== "plain" || form === undefined) return written;
  return before(written, (result) => written.write(result.kind === "matches" ? withUrls(result) : result));
}

/** Bytes of records after which matches wait for the sink: a few hundred bytes of input can have gigabytes of records. */
const TURN_BYTES = 1 << 24;

/**
 * Returns a sink that writes the records of matches to `sink`. If they have many bytes, it keeps the other matches, which need much less
 * memory, and writes their records in `wait` and `end`. `isPaced`: false for callers that never wait.
 */
function paced(sink: Sink, isPaced: boolean, writerOf: (write: WriteRecords, isFull: () => boolean) => WriteMatches): Sink {
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

/** Returns the batch without the matches whose URL was refused. */
function withUrls(batch: MatchBatch): MatchBatch {
  const kept = Array.from({ length: batch.count }, (_, index) => index).filter((index) => urlAt(batch, index) !== undefined);
  return kept.length === batch.count ? batch : withRows(batch, kept);
}

/** Returns the form of the records, or undefined for lines of URLs, for matches and counts, and for formats that are a file. */
function formOf(settings: ScanSettings): RecordForm | undefined {
  const form = plainFormOf(settings);
  return settings.dateFormat === "wayback" && form !== undefined ? withWaybackDates(form) : form;
}

function plainFormOf(settings: ScanSettings): RecordForm | undefined {
  const { format, print, separator, csvSafe, context } = settings;
  const lines = print ?? (format === "plain" && context > 0 ? WITH_CONTEXT : undefined);
  if (lines !== undefined) return template(lines, String.fromCharCode(separator));
  if (format === "ndjson") return ndjson(fieldsOf(settings));
  if (format === "csv") return csv(fieldsOf(settings, TABLE_FIELDS), csvSafe);
  if (format === "tsv") return tsv(fieldsOf(settings, TABLE_FIELDS));
  return undefined;
}

/** Returns the fields of the settings, or the usual ones: without `raw` if userinfo is hidden, and with `context` if it is wanted. */
export function fieldsOf({ fields, form, context }: ScanSettings, usual = USUAL_FIELDS): readonly FieldName[] {
  if (fields !== undefined) return fields;
  const shown = form.userinfo === "redact" ? usual.filter((name) => name !== "raw") : usual;
  return context > 0 ? [...shown, "context"] : shown;
}
