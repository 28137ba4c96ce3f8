// DuckDB, a reader of Parquet and csv that is not ours.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../cli/run.ts";

/** The package, or undefined where its native part is missing. */
export const duckdb = await import("@duckdb/node-api").catch(() => undefined);

/** A table as DuckDB reads it. */
export interface ReadTable {
  /** Name and type of each column. */
  readonly types: Record<string, string>;
  /** A row as JSON has it; a time in the form of records. */
  readonly rows: Record<string, unknown>[];
}

/** Returns the rows that a query gives, with texts and numbers. */
export async function queried(query: string): Promise<unknown[][]> {
  const instance = await duckdb?.DuckDBInstance.create();
  if (instance === undefined) throw new Error("there is no DuckDB");
  const connection = await instance.connect();
  try {
    const rows = (await connection.runAndReadAll(query)).getRows();
    return rows.map((row) => row.map((value) => (typeof value === "bigint" ? Number(value) : value)));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Returns what DuckDB reads in the bytes of a file; `source`: the function of SQL that reads it, with `FILE` for its name. */
export async function readTable(bytes: Uint8Array, source: string): Promise<ReadTable> {
  const folder = newFolder();
  const file = join(folder, "table");
  writeFileSync(file, bytes);
  const from = source.replace("FILE", file);
  const instance = await duckdb?.DuckDBInstance.create();
  if (instance === undefined) throw new Error("there is no DuckDB");
  const connection = await instance.connect();
  try {
    const described = await connection.runAndReadAll(`describe select * from ${from}`);
    const types = Object.fromEntries(described.getRows().map(([name, type]) => [String(name), String(type)]));
    const times = Object.keys(types).filter((name) => types[name] === "TIMESTAMP WITH TIME ZONE");
    const replaced = times.length === 0 ? "" : `replace (${times.map((name) => `epoch_ms("${name}") as "${name}"`).join(", ")})`;
    const read = await connection.runAndReadAll(`select to_json(t) from (select * ${replaced} from ${from}) t`);
    const rows = read.getRows().map(([row]) => JSON.parse(String(row)) as Record<string, unknown>);
    for (const row of rows) for (const name of times) row[name] = dateOf(row[name]);
    return { types, rows };
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true });
  }
}

function dateOf(milliseconds: unknown): unknown {
  return typeof milliseconds === "number" ? new Date(milliseconds).toISOString().replace(".000Z", "Z") : milliseconds;
}
