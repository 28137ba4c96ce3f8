// Writes the values of a column as a chunk: a page for its dictionary, and one for the data.

import type { Codec, PageHeader, RowGroup } from "./codec.ts";
import type { ColumnValues } from "./columns.ts";
import type { Dictionary } from "./dictionary.ts";
import { hybrid, hybridRun } from "./hybrid.ts";
import type { Leaf } from "./schema.ts";

type Chunk = RowGroup["columns"][number];

/** Bits of the levels of lists; others have one. */
const LIST_LEVEL_BITS = 2;

/** Returns a chunk that begins at `offset` of the file, having written its pages with `write`. */
export function writeChunk(
  codec: Codec,
  leaf: Leaf,
  column: ColumnValues,
  rows: number,
  offset: number,
  write: (bytes: Uint8Array) => void,
): Chunk {
  const sizes = { written: 0, whole: 0 };
  const put = (header: PageHeader, parts: readonly Uint8Array[]): void => {
    const bytes = [codec.headerOf(header), ...parts];
    for (const part of bytes) {
      write(part);
      sizes.written += part.length;
    }
    sizes.whole += (bytes[0] as Uint8Array).length + header.uncompressed_page_size;
  };
  // A dictionary without texts would be a page without values.
  const dictionary = column.dictionary?.count === 0 ? undefined : column.dictionary;
  if (dictionary !== undefined) putDictionary(codec, dictionary, put);
  const valuesOffset = offset + sizes.written;
  putValues(codec, column, dictionary, rows, put);
  const { least, most, count } = column;
  const isList = column.repetition !== undefined;
  return {
    file_offset: BigInt(offset),
    meta_data: {
      type: leaf.physical,
      encodings: ["RLE", ...(dictionary === undefined ? [] : ["PLAIN" as const]), encodingOf(column, dictionary)],
      path_in_schema: [...leaf.path],
      codec: "SNAPPY",
      num_values: BigInt(column.definition?.length ?? rows),
      total_uncompressed_size: BigInt(sizes.whole),
      total_compressed_size: BigInt(sizes.written),
      data_page_offset: BigInt(valuesOffset),
      ...(dictionary === undefined ? {} : { dictionary_page_offset: BigInt(offset) }),
      ...(isList ? {} : { statistics: { null_count: BigInt(rows - count), ...rangeOf(leaf, least, most) } }),
    },
  };
}

function encodingOf({ areDeltas }: ColumnValues, dictionary: Dictionary | undefined): "PLAIN" | "RLE_DICTIONARY" | "DELTA_BINARY_PACKED" {
  if (dictionary !== undefined) return "RLE_DICTIONARY";
  return areDeltas === true ? "DELTA_BINARY_PACKED" : "PLAIN";
}

type Put = (header: PageHeader, parts: readonly Uint8Array[]) => void;

function putDictionary(codec: Codec, { page, count }: Dictionary, put: Put): void {
  const compressed = codec.compress(page);
  const header: PageHeader = {
    type: "DICTIONARY_PAGE",
    uncompressed_page_size: page.length,
    compressed_page_size: compressed.length,
    dictionary_page_header: { num_values: count, encoding: "PLAIN" },
  };
  put(header, [compressed]);
}

function putValues(codec: Codec, column: ColumnValues, dictionary: Dictionary | undefined, rows: number, put: Put): void {
  const { definition, count } = column;
  const isList = column.repetition !== undefined;
  const repetitionLevels = column.repetition === undefined ? new Uint8Array(0) : hybrid(column.repetition, 1);
  const definitionLevels = definition === undefined ? hybridRun(1, rows) : hybrid(definition, isList ? LIST_LEVEL_BITS : 1);
  const values = valuesOf(column, dictionary);
  const compressed = values.length === 0 ? values : codec.compress(values);
  const levels = repetitionLevels.length + definitionLevels.length;
  const header: PageHeader = {
    type: "DATA_PAGE_V2",
    uncompressed_page_size: levels + values.length,
    compressed_page_size: levels + compressed.length,
    data_page_header_v2: {
      num_values: definition?.length ?? rows,
      num_nulls: (definition?.length ?? rows) - count,
      num_rows: rows,
      encoding: encodingOf(column, dictionary),
      definition_levels_byte_length: definitionLevels.length,
      repetition_levels_byte_length: repetitionLevels.length,
      is_compressed: values.length > 0,
    },
  };
  put(header, [repetitionLevels, definitionLevels, compressed]);
}

/** Returns the values as a page has them: numbers, or the numbers of texts after the count of their bits. */
function valuesOf({ values }: ColumnValues, dictionary: Dictionary | undefined): Uint8Array {
  if (values instanceof Uint8Array) return values;
  if (dictionary === undefined) return new Uint8Array(0);
  const bits = Math.max(1, 32 - Math.clz32(dictionary.count - 1));
  const packed = hybrid(values, bits);
  const bytes = new Uint8Array(1 + packed.length);
  bytes[0] = bits;
  bytes.set(packed, 1);
  return bytes;
}

function rangeOf({ physical }: Leaf, least: number | undefined, most: number | undefined): object {
  if (least === undefined || most === undefined) return {};
  return physical === "INT64" ? { min_value: BigInt(least), max_value: BigInt(most) } : { min_value: least, max_value: most };
}
