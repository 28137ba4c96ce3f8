// Format parquet: a table of matches, or of counted groups. hyparquet-writer encodes each group of rows, hysnappy compresses its pages.
// Parts of the file depend on all rows before, so one thread writes it.
import type { ColumnSource, ParquetWriter, SchemaElement } from "hyparquet-writer";
import type { Group } from "../count/group-table.ts";
import type { MatchBatch } from "../matches/batch.ts";
import { type FieldReader, type FieldValue, locationAt, readerOf } from "../matches/field-values.ts";
import { type FieldName, fieldOf, type KeyField } from "../options/fields.ts";
import { type CountColumn, type CountColumnsOptions, cellsOf, countColumns, type GroupRows } from "./group-rows.ts";
import { type RecordTable, type Sink, tableSink } from "./sink.ts";

/** Values of a column: integers of 64 or 32 bits, fractions, times (RFC 3339, or milliseconds since 1970), texts, lists of texts. */
type ColumnType = "long" | "integer" | "fraction" | "time" | "text" | "list";

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
}

const GROUP_ROWS = 1 << 14;
const GROUP_TEXT = 1 << 23; // Characters of texts after which a group ends early, because the open group is in memory
const STEP_ROWS = 64; // Rows between two checks of GROUP_TEXT. Groups must not depend on the size of batches

/** Integer fields with 32 bits. Offsets and numbers of messages may be larger. */
const SHORT: readonly FieldName[] = ["quote", "year", "port"];
const COUNT_TYPES: Readonly<Record<CountColumn, ColumnType>> = {
  count: "long",
  share: "fraction",
  messages: "long",
  of_messages: "long",
  first: "time",
  last: "time",
};

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;
const ELEMENTS = {
  long: { type: "INT64" },
  integer: { type: "INT32" },
  fraction: { type: "DOUBLE" },
  time: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
  text: TEXT,
} as const satisfies Record<Exclude<ColumnType, "list">, Partial<SchemaElement>>;

/** Loads the packages. Returns a function that begins a table: `write` gets the bytes of the file, which are valid until it returns. */
export async function tableWriter(columns: readonly TableColumn[]): Promise<(write: (bytes: Uint8Array) => void) => RecordTable> {
  const [{ ByteWriter, ParquetWriter }, compressors] = await Promise.all([import("hyparquet-writer"), loadCompressors()]);
  return (write) => {
    const bytes = new ByteWriter();
    const flush = (): void => {
      write(bytes.getBytes());
      bytes.index = 0;
    };
    const writer = Object.assign(bytes, { flush, finish: flush });
    const schema = [{ name: "schema", num_children: columns.length }, ...columns.flatMap(elementsOf)];
    return tableOf(columns, new ParquetWriter({ writer, schema, compressors, createdBy: "urlmill" }));
  };
}

function tableOf(columns: readonly TableColumn[], writer: ParquetWriter): RecordTable {
  let values: FieldValue[][] = columns.map(() => []);
  /** The last text of each column. Equal texts share its string, which saves memory, and count once in `textLength`. */
  let last: string[] = [];
  let [rows, textLength] = [0, 0];
  const cellOf = (position: number, value: FieldValue): FieldValue => {
    if (typeof value !== "string") return value;
    if (columns[position].type === "time") return Date.parse(value);
    if (value !== last[position]) {
      last[position] = value;
      textLength += value.length;
    }
    return last[position];
  };
  const writeGroup = (): void => {
    writer.write({ columnData: columns.map((column, position) => sourceOf(column, values[position])), rowGroupSize: GROUP_ROWS });
    values = columns.map(() => []);
    last = [];
    [rows, textLength] = [0, 0];
  };
  const endRows = (count: number): void => {
    rows += count;
    if (rows === GROUP_ROWS || (rows % STEP_ROWS === 0 && textLength >= GROUP_TEXT)) writeGroup();
  };
  const add = (row: readonly FieldValue[]): void => {
    for (let position = 0; position < columns.length; position++) values[position].push(cellOf(position, row[position]));
    endRows(1);
  };
  // Reading a column at a time saves 4 % of the time of a run.
  const addBatch = (batch: MatchBatch, readers: readonly FieldReader[]): void => {
    for (let first = 0; first < batch.count; ) {
      const end = Math.min(batch.count, first + STEP_ROWS - (rows % STEP_ROWS));
      for (let position = 0; position < columns.length; position++) {
        const [read, column] = [readers[position], values[position]];
        for (let index = first; index < end; index++) column.push(cellOf(position, read(batch, index)));
      }
      endRows(end - first);
      first = end;
    }
  };
  const end = (): void => {
    writeGroup();
    writer.finish();
  };
  return { add, addBatch, end };
}

function sourceOf({ name, type }: TableColumn, values: FieldValue[]): ColumnSource {
  // Readers skip groups by the range of values. Ranges of texts would be too wide for that.
  const statistics = type !== "text" && type !== "list";
  return { name, data: values, statistics, ...(type === "long" ? { encoding: "DELTA_BINARY_PACKED" } : {}) };
}

/** Returns Snappy in WebAssembly. If that does not run, returns an empty object, and hyparquet-writer compresses in JavaScript. */
async function loadCompressors(): Promise<{ readonly SNAPPY?: (bytes: Uint8Array) => Uint8Array }> {
  const { snappyCompressor } = await import("hysnappy");
  try {
    return { SNAPPY: snappyCompressor() };
  } catch {
    return {};
  }
}

/** Returns the elements of the schema for a column. All readers know the names `list` and `element` inside a list. */
function elementsOf({ name, type }: TableColumn): SchemaElement[] {
  if (type !== "list") return [{ name, repetition_type: "OPTIONAL", ...ELEMENTS[type] }];
  return [
    { name, repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST", logical_type: { type: "LIST" } },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", repetition_type: "REQUIRED", ...TEXT },
  ];
}

/** Returns a function that begins a table with a column for each field: a sink that takes records and writes bytes to another. */
export async function matchTable(fields: readonly FieldName[]): Promise<(sink: Sink) => Sink> {
  const begin = await tableWriter(fields.map((name) => ({ name, type: columnTypeOf(name) })));
  const readers = fields.map((name) => (name === "date" ? readTime : readerOf(name)));
  return (sink) => tableSink(readers, begin(writerTo(sink)), sink);
}

/** Returns the date in milliseconds since 1970, or as text if the time was not read as a number. */
const readTime: FieldReader = (batch, index) => {
  const location = locationAt(batch, index);
  if (location === undefined) return undefined;
  return Number.isNaN(location.time) ? location.message.date : location.time * 1000;
};

/** Returns a function that begins a table of groups by the fields `by`. The table writes bytes to `sink`; its methods return no lines. */
export async function groupTable(options: CountColumnsOptions & { readonly by: readonly KeyField[] }): Promise<(sink: Sink) => GroupRows> {
  const { by } = options;
  const columns = countColumns(options);
  const keys = by.map((name) => ({ name, type: keyTypeOf(name) }));
  const begin = await tableWriter([...keys, ...columns.map((name) => ({ name, type: COUNT_TYPES[name] }))]);
  return (sink) => {
    const table = begin(writerTo(sink));
    const add = (group: Group): string => {
      table.add(cellsOf(by, columns, group));
      return "";
    };
    const end = (): string => {
      table.end();
      return "";
    };
    return { add, end };
  };
}

function writerTo(sink: Sink): (bytes: Uint8Array) => void {
  return (bytes) => sink.write({ kind: "bytes", bytes, count: 0 });
}

function columnTypeOf(name: FieldName): ColumnType {
  const { type } = fieldOf(name);
  return type === "integer" && !SHORT.includes(name) ? "long" : type;
}

/** Returns the type of a column of a key, in which a list is one text. */
function keyTypeOf(name: KeyField): ColumnType {
  const type = name === "flag" ? "text" : columnTypeOf(name);
  return type === "list" ? "text" : type;
}
