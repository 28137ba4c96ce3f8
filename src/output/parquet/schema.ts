// The schema of a table, and what it calls the columns.
import type { SchemaElement } from "hyparquet-writer";
import type { ColumnType } from "./columns.ts";

/** A column of a table. */
export interface NamedColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** The element of the schema that holds the values of a column, and its path. */
export interface Leaf {
  readonly path: readonly string[];
  readonly physical: "INT32" | "INT64" | "BYTE_ARRAY";
}

/** Names of the levels of a list, as all readers know them. */
const [LIST, ELEMENT] = ["list", "element"];
const TEXT: Partial<SchemaElement> = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };

/** Elements of the columns that are no lists; absent values are null. */
const ELEMENTS: Readonly<Record<Exclude<ColumnType, "list">, Partial<SchemaElement>>> = {
  long: { type: "INT64" },
  integer: { type: "INT32" },
  time: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
  text: TEXT,
};

/** Returns the schema of a table. */
export function schemaOf(columns: readonly NamedColumn[]): SchemaElement[] {
  return [{ name: "schema", num_children: columns.length }, ...columns.flatMap(elementsOf)];
}

function elementsOf({ name, type }: NamedColumn): SchemaElement[] {
  if (type !== "list") return [{ name, repetition_type: "OPTIONAL", ...ELEMENTS[type] }];
  return [
    { name, repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST", logical_type: { type: "LIST" } },
    { name: LIST, repetition_type: "REPEATED", num_children: 1 },
    { name: ELEMENT, repetition_type: "REQUIRED", ...TEXT },
  ];
}

/** Returns where the values of a column are. */
export function leafOf({ name, type }: NamedColumn): Leaf {
  if (type === "list") return { path: [name, LIST, ELEMENT], physical: "BYTE_ARRAY" };
  return { path: [name], physical: ELEMENTS[type].type as Leaf["physical"] };
}
