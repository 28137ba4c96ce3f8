// Writes a table as Parquet: groups of rows, each column of a group at one place, and a footer that says where.
import type { FieldValue } from "../../scanner/field-values.ts";
import { writeChunk } from "./chunk.ts";
import { Codec, type RowGroup } from "./codec.ts";
import { type Column, columnOf, GROUP_ROWS } from "./columns.ts";
import { type Leaf, leafOf, type NamedColumn, schemaOf } from "./schema.ts";

/** The first and the last bytes of a file. */
const MAGIC = new TextEncoder().encode("PAR1");
/** Bytes of the texts of a group; with more it ends before it has all its rows. */
const GROUP_BYTES = 1 << 25;
/** Rows between two looks at these bytes: the same ones, however the rows come. */
const STEP_ROWS = 64;

/** Returns a writer of a table with these columns. `write` gets the bytes of the file, which are valid until it returns. */
export async function parquetWriter(columns: readonly NamedColumn[], write: (bytes: Uint8Array) => void): Promise<ParquetWriter> {
  return new ParquetWriter(await Codec.load(), columns, write);
}

/** Writes one file. */
export class ParquetWriter {
  readonly #codec: Codec;
  readonly #names: readonly NamedColumn[];
  readonly #leaves: readonly Leaf[];
  readonly #write: (bytes: Uint8Array) => void;
  readonly #groups: RowGroup[] = [];
  /** Bytes that are written, and rows in them. */
  #offset = 0;
  #written = 0;
  /** Rows that the columns hold. */
  #rows = 0;
  /** The columns, in their order: who fills them directly says with `endRows` how many rows that were. */
  readonly columns: readonly Column[];

  /** @see parquetWriter */
  constructor(codec: Codec, columns: readonly NamedColumn[], write: (bytes: Uint8Array) => void) {
    this.#codec = codec;
    this.#names = columns;
    this.#leaves = columns.map(leafOf);
    this.#write = (bytes) => {
      write(bytes);
      this.#offset += bytes.length;
    };
    this.columns = columns.map(({ type }) => columnOf(type));
    this.#write(MAGIC);
  }

  /** Rows that may come before the next `endRows`. */
  get room(): number {
    return STEP_ROWS - (this.#rows % STEP_ROWS);
  }

  /** Takes a row: a value for each column; undefined: there is none. */
  add(row: readonly FieldValue[]): void {
    this.columns.forEach((column, position) => {
      column.add(row[position]);
    });
    this.endRows(1);
  }

  /** Every column has got so many rows more, `room` at most. */
  endRows(count: number): void {
    this.#rows += count;
    if (this.#rows % STEP_ROWS !== 0) return;
    let size = 0;
    for (const column of this.columns) size += column.size;
    if (this.#rows === GROUP_ROWS || size >= GROUP_BYTES) this.#endGroup();
  }

  /** Writes what is left, and the footer. */
  end(): void {
    if (this.#rows > 0) this.#endGroup();
    const footer = this.#codec.footerOf({
      version: 2,
      created_by: "urlmill",
      schema: schemaOf(this.#names),
      num_rows: BigInt(this.#written),
      row_groups: this.#groups,
      metadata_length: 0,
    });
    this.#write(footer);
    this.#write(MAGIC);
  }

  #endGroup(): void {
    const start = this.#offset;
    const columns = this.columns.map((column, position) => {
      const chunk = writeChunk(this.#codec, this.#leaves[position] as Leaf, column.values(), this.#rows, this.#offset, this.#write);
      column.clear();
      return chunk;
    });
    this.#groups.push({
      columns,
      total_byte_size: columns.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n),
      num_rows: BigInt(this.#rows),
      total_compressed_size: BigInt(this.#offset - start),
    });
    this.#written += this.#rows;
    this.#rows = 0;
  }
}
