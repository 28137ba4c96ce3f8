// Format sqlite: the rows are those of ndjson; a Node without SQLite says what is missing.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FieldName, fieldOf, USUAL_FIELDS } from "../../src/options/fields.ts";
import { missingSqlite } from "../../src/output/sqlite.ts";
import { newFolder, removeFolder, run } from "../cli/run.ts";

const EXAMPLES = join(import.meta.dirname, "../../examples");
const ARCHIVE = join(EXAMPLES, "archive.mbox");
const isMissing = missingSqlite() !== undefined;
let folder: string;

/** What this test uses of the module. */
interface Sqlite {
  DatabaseSync: new (path: string) => { prepare(sql: string): { all(): Record<string, unknown>[] }; close(): void };
}

beforeAll(() => {
  folder = newFolder();
});
afterAll(() => removeFolder(folder));

it.runIf(isMissing)("without SQLite the command says which Node has it", async () => {
  expect(await run(["-f", "sqlite", "-o", join(folder, "x.db"), ARCHIVE])).toEqual({
    code: 2,
    signal: null,
    stdout: "",
    stderr: `urlmill: -f sqlite needs Node 22.13 or later, which has SQLite; this is Node ${process.versions.node}\n`,
  });
});

describe.skipIf(isMissing)("with SQLite (left out: needs Node 22.13)", () => {
  async function rowsOf(...args: string[]): Promise<Record<string, unknown>[]> {
    const path = join(folder, "urls.db");
    expect(await run(["-q", "-f", "sqlite", "-o", path, ...args])).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite") as Sqlite;
    const database = new DatabaseSync(path);
    const rows = database.prepare("SELECT * FROM urls ORDER BY rowid").all();
    database.close();
    return rows.map((row) => ({ ...row }));
  }

  it("the table has a column for each field, and the values of ndjson", async () => {
    const { stdout } = await run(["-q", "-f", "ndjson", ARCHIVE]);
    const textOf = (name: FieldName, value: unknown): unknown =>
      fieldOf(name).type === "list" ? ((value as string[]) ?? []).join(" ") : (value ?? null);
    const wanted = stdout
      .trimEnd()
      .split("\n")
      .map((line) => {
        const record = JSON.parse(line);
        return Object.fromEntries(USUAL_FIELDS.map((name) => [name, name === "chain" ? null : textOf(name, record[name])]));
      });
    expect(await rowsOf(ARCHIVE)).toEqual(wanted);
  });

  it("takes --fields and -u, and leaves no other file", async () => {
    const rows = await rowsOf("--fields", "host,start", "--unique-by", "host", ARCHIVE);
    expect(Object.keys(rows[0] ?? {})).toEqual(["host", "start"]);
    expect(typeof rows[0]?.start).toBe("number");
    expect(readdirSync(folder)).toEqual(["urls.db"]);
    rmSync(join(folder, "urls.db"));
  });
});
