// Counted groups as Parquet: a row for each.
import type { Group } from "../../count/groups.ts";
import type { KeyField } from "../../fields.ts";
import { COUNTS, cellsOf, type GroupRows } from "../group-rows.ts";
import type { Sink } from "../sink.ts";
import { Codec } from "./codec.ts";
import type { ColumnType } from "./columns.ts";
import { columnTypeOf } from "./match-table.ts";
import { ParquetWriter } from "./parquet-writer.ts";

const COUNT_TYPES: Readonly<Record<(typeof COUNTS)[number], ColumnType>> = { count: "long", messages: "long", first: "time", last: "time" };

/** Returns what makes a table of groups by the fields `by`. Its bytes go to `sink`; no lines are returned. */
export async function groupTable(by: readonly KeyField[]): Promise<(sink: Sink) => GroupRows> {
  const codec = await Codec.load();
  const columns = [...by.map((name) => ({ name, type: keyTypeOf(name) })), ...COUNTS.map((name) => ({ name, type: COUNT_TYPES[name] }))];
  return (sink) => {
    const writer = new ParquetWriter(codec, columns, (bytes) => sink.write({ kind: "bytes", bytes, count: 0 }));
    const add = (group: Group): string => {
      writer.add(cellsOf(by, group));
      return "";
    };
    const end = (): string => {
      writer.end();
      return "";
    };
    return { add, end };
  };
}

/** Returns the type of a column of a key, in which a list is one text. */
function keyTypeOf(name: KeyField): ColumnType {
  const type = name === "flag" ? "text" : columnTypeOf(name);
  return type === "list" ? "text" : type;
}
