// Format sqlite: a database with the table `urls`, a column for each field. Node's own SQLite writes the database to a temporary file
// without a name. At the end the sink gets the bytes of this file.
import { closeSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unfinishedName } from "../base/unfinished.ts";
import { type FieldValue, readerOf } from "../matches/field-values.ts";
import { type FieldName, fieldOf } from "../options/fields.ts";
import { badOption } from "../options/values.ts";
import { type Sink, tableSink } from "./sink.ts";

/** The part of `node:sqlite` that is used. */
interface Sqlite {
  DatabaseSync: new (
    path: string,
  ) => {
    exec(sql: string): void;
    prepare(sql: string): { run(...values: (string | number | null)[]): unknown };
    close(): void;
  };
}

const CHUNK_BYTES = 1 << 20;

/** Returns the end of an error message that SQLite is missing, or undefined if this Node has SQLite. */
export function missingSqlite(): string | undefined {
  return loadSqlite() === undefined ? `needs Node 22.13 or later, which has SQLite; this is Node ${process.versions.node}` : undefined;
}

function loadSqlite(): Sqlite | undefined {
  return process.getBuiltinModule("node:sqlite") as Sqlite | undefined;
}

/** Returns a function that begins a database with these fields: a sink that takes records, and writes the file to another at the end. */
export function database(fields: readonly FieldName[]): (sink: Sink) => Sink {
  const sqlite = loadSqlite();
  if (sqlite === undefined) throw badOption("format", `"sqlite" ${missingSqlite()}`);
  const readers = fields.map(readerOf);
  const columns = fields.map((name) => `"${name.replaceAll('"', '""')}" ${fieldOf(name).type === "integer" ? "INTEGER" : "TEXT"}`);
  return (sink) => {
    const path = join(tmpdir(), unfinishedName("urlmill"));
    const fd = openSync(path, "wx+", 0o600);
    const file = new sqlite.DatabaseSync(path);
    // SQLite needs no journal, because an unfinished file is thrown away. The name can go, because SQLite has opened the file.
    file.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; CREATE TABLE urls (${columns.join(", ")})`);
    rmSync(path);
    const insert = file.prepare(`INSERT INTO urls VALUES (${fields.map(() => "?").join(", ")})`);
    const add = (values: readonly FieldValue[]): void => void insert.run(...values.map(columnValue));
    const end = async (): Promise<void> => {
      file.exec("COMMIT");
      file.close();
      const bytes = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let at = 0, count = -1; count !== 0; at += count) {
        count = readSync(fd, bytes, 0, CHUNK_BYTES, at);
        sink.write({ kind: "bytes", bytes: bytes.subarray(0, count), count: 0 });
        await sink.wait();
      }
      closeSync(fd);
    };
    return tableSink(readers, { add, end }, sink);
  };
}

/** Returns a value as SQLite takes it: a list with a space between its items. */
function columnValue(value: FieldValue): string | number | null {
  return typeof value === "object" ? value.join(" ") : (value ?? null);
}
