// Format parquet: a table of matches, or of counted groups. hyparquet-writer encodes each group of rows, hysnappy compresses its pages.
// Parts of the file depend on all rows before, so one thread writes it.
import type { ColumnSource, ParquetWriter, SchemaElement } from "hyparquet-writer";
import type { Group } from "../count/groups.ts";
import type { MatchBatch } from "../matches/batch.ts";
import { type FieldReader, type FieldValue, locationAt, readerOf } from "../matches/field-values.ts";
import { type FieldName, fieldOf, type KeyField } from "../options/fields.ts";
import { type CountColumn, type CountColumnsOptions, cellsOf, countColumns, type GroupRows } from "./group-rows.ts";
import { before, type Sink } from "./sink.ts";

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
export async function tableWriter(columns: readonly TableColumn[]): Promise<(write: (bytes: Uint8Array) => void) => Table> {
  const [{ ByteWriter, ParquetWriter }, compressors] = await Promise.all([import("hyparquet-writer"), loadCompressors()]);
  return (write) => {
    const bytes = new ByteWriter();
    const flush = (): void => {
      write(bytes.getBytes());
      bytes.index = 0;
    };
    const writer = Object.assign(bytes, { flush, finish: flush });
    const schema = [{ name: "schema", num_children: columns.length }, ...columns.flatMap(elementsOf)];
    return new Table(columns, new ParquetWriter({ writer, schema, compressors, createdBy: "urlmill" }));
  };
}

class Table {
  readonly #writer: ParquetWriter;
  #rows = 0;
  /** The columns, in their order. Callers that fill them report the rows with `endRows`. */
  readonly columns: readonly Column[];

  constructor(columns: readonly TableColumn[], writer: ParquetWriter) {
    this.#writer = writer;
    this.columns = columns.map((column) => new Column(column));
  }

  /** Most rows before the next `endRows`. */
  get room(): number {
    return STEP_ROWS - (this.#rows % STEP_ROWS);
  }

  /** Takes a row: a value for each column; undefined becomes null. */
  add(row: readonly FieldValue[]): void {
    this.columns.forEach((column, position) => {
      column.add(row[position]);
    });
    this.endRows(1);
  }

  /** Ends `count` rows: all columns have their values. */
  endRows(count: number): void {
    this.#rows += count;
    if (this.#rows % STEP_ROWS !== 0) return;
    const textLength = this.columns.reduce((sum, column) => sum + column.textLength, 0);
    if (this.#rows === GROUP_ROWS || textLength >= GROUP_TEXT) this.#writeGroup();
  }

  end(): void {
    this.#writeGroup();
    this.#writer.finish();
  }

  #writeGroup(): void {
    this.#writer.write({ columnData: this.columns.map((column) => column.take()), rowGroupSize: GROUP_ROWS });
    this.#rows = 0;
  }
}

class Column {
  readonly #column: TableColumn;
  #values: FieldValue[] = [];
  #last: FieldValue;
  /** Characters of the texts. A text that equals the text before it does not count. */
  textLength = 0;

  constructor(column: TableColumn) {
    this.#column = column;
  }

  add(value: FieldValue): void {
    if (typeof value !== "string") {
      this.#values.push(value);
      return;
    }
    if (this.#column.type === "time") {
      this.#values.push(Date.parse(value));
      return;
    }
    if (value !== this.#last) {
      this.#last = value;
      this.textLength += value.length;
    }
    // Sharing the string of equal texts saves memory.
    this.#values.push(this.#last);
  }

  /** Returns the values of all rows, and removes them. */
  take(): ColumnSource {
    const { name, type } = this.#column;
    const values = this.#values;
    this.#values = [];
    this.#last = undefined;
    this.textLength = 0;
    // Readers skip groups by the range of values. Ranges of texts would be too wide for that.
    const statistics = type !== "text" && type !== "list";
    return { name, data: values, statistics, ...(type === "long" ? { encoding: "DELTA_BINARY_PACKED" } : {}) };
  }
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
  return (sink) => {
    const table = begin((bytes) => sink.write({ kind: "bytes", bytes, count: 0 }));
    const addBatch = (batch: MatchBatch): void => {
      for (let first = 0; first < batch.count; ) {
        const end = Math.min(batch.count, first + table.room);
        for (const [position, column] of table.columns.entries()) {
          const read = readers[position];
          for (let index = first; index < end; index++) column.add(read(batch, index));
        }
        table.endRows(end - first);
        first = end;
      }
    };
    const write: Sink["write"] = (result) => {
      if (result.kind === "matches") addBatch(result);
      else if (result.kind === "values") table.add(result.values);
      else return sink.write(result);
      // Matches are counted at once; their bytes come later.
      sink.write({ kind: "bytes", bytes: new Uint8Array(0), count: result.kind === "matches" ? result.count : 1 });
    };
    const end: Sink["end"] = () => {
      table.end();
      return sink.end();
    };
    return before(sink, write, end);
  };
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
    const table = begin((bytes) => sink.write({ kind: "bytes", bytes, count: 0 }));
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

function columnTypeOf(name: FieldName): ColumnType {
  const { type } = fieldOf(name);
  return type === "integer" && !SHORT.includes(name) ? "long" : type;
}

/** Returns the type of a column of a key, in which a list is one text. */
function keyTypeOf(name: KeyField): ColumnType {
  const type = name === "flag" ? "text" : columnTypeOf(name);
  return type === "list" ? "text" : type;
}
