// Format parquet: a row for each match. Parts of the file depend on all matches before, so one thread writes it, not the scanners.
import * as code from "#core/layout/codes.js";
import { type FieldName, fieldOf } from "../../fields.ts";
import type { MatchBatch } from "../../scanner/batch.ts";
import { isPlaceField, locationAt, PLACE_READERS, type PlaceReader, readerOf } from "../../scanner/field-values.ts";
import { before, type Result, type Sink, type ValuesResult } from "../sink.ts";
import { Codec } from "./codec.ts";
import type { Column, ColumnType, NumberColumn, TextColumn } from "./columns.ts";
import { ParquetWriter } from "./parquet-writer.ts";

/** Integers of 32 bits; offsets and numbers of messages may be larger. */
const SHORT: readonly FieldName[] = ["quote", "year", "port"];
/** Words of a row that say where a text is in the bytes of a batch, and how long it is. */
const TEXT_WORDS: Partial<Record<FieldName, readonly [start: number, length: number]>> = {
  url: [code.RECORD_URL, code.RECORD_URL_LENGTH],
  raw: [code.RECORD_RAW, code.RECORD_RAW_LENGTH],
  scheme: [code.RECORD_URL, code.RECORD_SCHEME_LENGTH],
  host: [code.RECORD_HOST, code.RECORD_HOST_LENGTH],
};
const OFFSET_WORDS: Partial<Record<FieldName, number>> = { start: code.RECORD_START, end: code.RECORD_END };

/** Words of a row that alone decide about the value of a field. */
const KIND_WORDS: Partial<Record<FieldName, number>> = {
  kind: code.RECORD_KIND,
  flags: code.RECORD_FLAGS,
  reason: code.RECORD_REASON,
};

/** Adds the rows [first, end) of a batch to a column. */
type Fill = (batch: MatchBatch, first: number, end: number) => void;

const NOTHING = new Uint8Array(0);

/** Returns what begins a table with a column for each field: a sink that takes matches, and gives their bytes to another sink. */
export async function matchTable(fields: readonly FieldName[]): Promise<(sink: Sink) => Sink> {
  const codec = await Codec.load();
  const columns = fields.map((name) => ({ name, type: columnTypeOf(name) }));
  return (sink) => {
    const writer = new ParquetWriter(codec, columns, (bytes) => sink.write({ kind: "bytes", bytes, count: 0 }));
    const fills = fillsOf(writer.columns, fields);
    const take = (batch: MatchBatch): void => {
      addBatch(writer, fills, batch);
      // Matches count when they come, their bytes leave later.
      sink.write({ kind: "bytes", bytes: NOTHING, count: batch.count });
    };
    const end: Sink["end"] = () => {
      writer.end();
      return sink.end();
    };
    const takeValues = ({ values }: ValuesResult): void => {
      writer.add(values);
      sink.write({ kind: "bytes", bytes: NOTHING, count: 1 });
    };
    const write = (result: Result): void => {
      if (result.kind === "matches") take(result);
      else if (result.kind === "values") takeValues(result);
      else sink.write(result);
    };
    return { ...before(sink, write), end };
  };
}

/** Returns the type of the column of a field. */
export function columnTypeOf(name: FieldName): ColumnType {
  const { type } = fieldOf(name);
  return type === "integer" && !SHORT.includes(name) ? "long" : type;
}

function addBatch(writer: ParquetWriter, fills: readonly Fill[], batch: MatchBatch): void {
  for (let first = 0; first < batch.count; ) {
    const end = Math.min(batch.count, first + writer.room);
    for (const fill of fills) fill(batch, first, end);
    writer.endRows(end - first);
    first = end;
  }
}

function fillsOf(columns: readonly Column[], fields: readonly FieldName[]): Fill[] {
  const fills: Fill[] = [];
  const places: { column: Column; read: PlaceReader }[] = [];
  for (const [position, name] of fields.entries()) {
    const column = columns[position] as Column;
    if (isPlaceField(name)) places.push({ column, read: name === "date" ? readTime : PLACE_READERS[name] });
    else fills.push(fillOf(columns, name, position, fields));
  }
  return places.length === 0 ? fills : [...fills, placesFill(places)];
}

function fillOf(columns: readonly Column[], name: FieldName, position: number, fields: readonly FieldName[]): Fill {
  const column = columns[position] as Column;
  const urls = fields.indexOf("url");
  const leader = urls >= 0 && urls < position ? (columns[urls] as TextColumn) : undefined;
  const words = TEXT_WORDS[name];
  if (words !== undefined) return copyTexts(column as TextColumn, name, words, leader);
  const offsetWord = OFFSET_WORDS[name];
  if (offsetWord !== undefined) return copyOffsets(column as NumberColumn, offsetWord);
  const read = readerOf(name);
  const sharedEnd = sharedEndOf(name);
  return (batch, first, end) => {
    for (let index = first; index < end; ) {
      const next = sharedEnd(batch, index, end);
      column.add(read(batch, index), next - index);
      index = next;
    }
  };
}

function copyOffsets(column: NumberColumn, word: number): Fill {
  return ({ rows, base }, first, end) => {
    for (let index = first; index < end; index++) column.addNumber(base + (rows[index * code.RECORD_WORDS + word] as number));
  };
}

/** Adds the fields of places: matches of one place follow each other. */
function placesFill(columns: readonly { readonly column: Column; readonly read: PlaceReader }[]): Fill {
  return (batch, first, end) => {
    for (let index = first; index < end; ) {
      const next = samePlaceEnd(batch, index, end);
      const location = locationAt(batch, index);
      const before = batch.locations?.messagesBefore ?? 0;
      for (const { column, read } of columns) column.add(location === undefined ? undefined : read(location, before), next - index);
      index = next;
    }
  };
}

/** Returns the date, as milliseconds since 1970 if it was read as a number: that takes less time than its text and reading that again. */
const readTime: PlaceReader = ({ time, message }) => (Number.isNaN(time) ? message.date : time * 1000);

/** Returns the first of the rows after `index`, or `end`, whose value may be another one. */
type SharedEnd = (batch: MatchBatch, index: number, end: number) => number;

function sharedEndOf(name: FieldName): SharedEnd {
  const word = KIND_WORDS[name];
  if (word !== undefined) return ({ rows }, index, end) => sameWordEnd(rows, word, index, end);
  if (name === "source") return (_, __, end) => end;
  if (name === "chain") return ({ chains }, index, end) => (chains === undefined ? end : index + 1);
  if (name === "tag" || name === "attribute") return ({ elements }, index, end) => (elements === undefined ? end : index + 1);
  return (_, index) => index + 1;
}

function sameWordEnd(rows: Int32Array, word: number, index: number, end: number): number {
  const value = rows[index * code.RECORD_WORDS + word];
  let next = index + 1;
  while (next < end && rows[next * code.RECORD_WORDS + word] === value) next++;
  return next;
}

function samePlaceEnd({ locations }: MatchBatch, index: number, end: number): number {
  if (locations === undefined) return end;
  const { of } = locations;
  let next = index + 1;
  while (next < end && of[next] === of[index]) next++;
  return next;
}

/**
 * Copies the bytes of what the core found: strings of them would take most of the time. Bytes that are no UTF-8 become strings. `leader`:
 * the column of URLs, if that is filled before.
 */
function copyTexts(column: TextColumn, name: FieldName, [startWord, lengthWord]: readonly [number, number], leader?: TextColumn): Fill {
  const read = readerOf(name);
  // A scheme may be written in capitals, or only in the raw form: it is read, unless it is known.
  const isWhole = name !== "scheme";
  return (batch, first, end) => {
    const { rows, bytes } = batch;
    batch.view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let index = first; index < end; index++) {
      const at = index * code.RECORD_WORDS;
      const start = rows[at + startWord] as number;
      const length = rows[at + lengthWord] as number;
      const areBytes = length > 0 && ((rows[at + code.RECORD_HINT] as number) & code.HINT_UNSAFE) === 0;
      if (areBytes && leader !== undefined && column.addIfBeside(leader, batch.view, start, length)) continue;
      if (areBytes && isWhole) column.addBytes(batch.view, start, length);
      else column.add(read(batch, index));
      if (leader !== undefined) column.remember(leader);
    }
  };
}
