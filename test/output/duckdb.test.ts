// DuckDB reads in Parquet and csv what is in ndjson, value by value. Left out where the native part of its package is missing.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ExtractStream, type ExtractStreamOptions } from "../../src/index.ts";
import type { FieldValue } from "../../src/matches/field-values.ts";
import { FIELD_NAMES, type FieldName, fieldOf, TABLE_FIELDS, USUAL_FIELDS } from "../../src/options/fields.ts";
import { type TableColumn, tableWriter } from "../../src/output/parquet.ts";
import { newFolder, removeFolder, run } from "../cli/run.ts";
import { duckdb, queried, readTable } from "./duckdb.ts";

const PARQUET = "read_parquet('FILE')";
const CSV = `read_csv('FILE', all_varchar = true, header = true, delim = ',', quote = '"', escape = '"')`;
const EXAMPLES = join(import.meta.dirname, "../../examples");

/** Fields whose values need quotation marks, escapes, characters of four bytes; URLs that are refused; raw forms that are no UTF-8. */
const HOSTILE = Buffer.concat([
  Buffer.from(
    [
      "From a@b.example Mon Jan  5 10:00:00 1998",
      'From: "Smith, ""J"" =?utf-8?q?=09x=0Ay=0Dz?=" <j@b.example>',
      "Subject: =?utf-8?q?=F0=9F=8E=89,_=22a=22=0Ab=00?= http://s.example/a,b",
      "Date: Mon, 5 Jan 1903 10:00:00 +0100",
      "Message-ID: <1@b.example>",
      "",
      "http://h.example:81/p;x?q=1,2#f and <http://u:p@h.example/a,b> and news:comp.x",
      "> > -joe@a.example +joe@a.example http://[bad/ http://xn--/ http://b%FFcher.example/",
      "https://nam01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fx",
      "",
      "From a@b.example Mon Jan  5 10:00:00 1998",
      "Content-Type: text/html",
      "",
      '<a href="http://x.example/&quot;,\\">x</a> http://y.example/ <a href="http://i.example/S1M',
    ].join("\n"),
    "utf8",
  ),
  Buffer.from([0xd8]),
  Buffer.from('NE/x">x</a> <a href="">y</a> <a href="../z">z</a>\n'),
]);

const TEXTS: [name: string, text: Buffer][] = [
  ["hostile mail", HOSTILE],
  ...readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".md"))
    .map(({ name }): [string, Buffer] => [name, readFileSync(join(EXAMPLES, name))]),
];

const OPTIONS: ExtractStreamOptions[] = [
  {},
  { fields: FIELD_NAMES },
  { fields: FIELD_NAMES, bare: ["www", "email", "domain"], nested: true, guess: true, context: 30 },
  { unwrap: true, links: true, base: "http://base.example/", stripTracking: true },
  { userinfo: "redact" },
  { userinfo: "redact", fields: ["url", "part", "date"] },
  { profile: "whatwg", refang: true },
  { profile: "surt", type: "text" },
];

async function bytesOf(text: Buffer, options: ExtractStreamOptions): Promise<Buffer> {
  const stream = new ExtractStream(options);
  stream.end(text);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function recordsOf(text: Buffer, options: ExtractStreamOptions): Promise<Record<string, unknown>[]> {
  const lines = (await bytesOf(text, { ...options, format: "ndjson" })).toString().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Record<string, unknown>);
}

const TYPES = { text: "VARCHAR", integer: "BIGINT", time: "TIMESTAMP WITH TIME ZONE", list: "VARCHAR[]" } as const;
const typeOf = (name: FieldName): string => (["quote", "year", "port"].includes(name) ? "INTEGER" : TYPES[fieldOf(name).type]);

/** Returns records with a value for each of some fields: null where there is none. */
function completed(records: Record<string, unknown>[], fields: readonly FieldName[]): Record<string, unknown>[] {
  return records.map((record) => Object.fromEntries(fields.map((name) => [name, record[name] ?? null])));
}

describe.skipIf(duckdb === undefined)("DuckDB (left out where it is not installed)", () => {
  describe.each(TEXTS)("reads of %s", (_, text) => {
    it.each(OPTIONS)("with %j Parquet as ndjson", async (options) => {
      const records = await recordsOf(text, options);
      const { types, rows } = await readTable(await bytesOf(text, { ...options, format: "parquet" }), PARQUET);
      const usual = options.userinfo === "redact" ? USUAL_FIELDS.filter((name) => name !== "raw") : USUAL_FIELDS;
      const fields = options.fields ?? usual;
      expect(Object.entries(types)).toEqual(fields.map((name) => [name, typeOf(name)]));
      expect(rows).toEqual(completed(records, fields));
      expect(rows.length).toBeGreaterThan(0);
    });

    it.each(OPTIONS)("with %j csv as ndjson", async (options) => {
      const fields = options.fields ?? TABLE_FIELDS;
      const records = await recordsOf(text, { ...options, fields });
      const { types, rows } = await readTable(await bytesOf(text, { ...options, fields, format: "csv" }), CSV);
      expect(Object.keys(types)).toEqual(fields);
      // In csv an empty text and none are the same.
      const cell = (value: unknown): unknown =>
        value === null || value === "" ? null : Array.isArray(value) ? value.join(" ") || null : String(value);
      const expected = completed(records, fields).map((record) =>
        Object.fromEntries(Object.entries(record).map(([name, value]) => [name, cell(value)])),
      );
      expect(rows).toEqual(expected);
    });
  });

  it("reads Parquet of an input without URLs", async () => {
    const { types, rows } = await readTable(await bytesOf(Buffer.from("none"), { format: "parquet", fields: ["flags", "url"] }), PARQUET);
    expect(types).toEqual({ flags: "VARCHAR[]", url: "VARCHAR" });
    expect(rows).toEqual([]);
  });

  it("reads several groups of rows, as one thread or three write them", async () => {
    const lines = Array.from({ length: 70_000 }, (_, line) => `see http://h${line % 700}.example/${(line * 7919) % 100_003}`);
    const text = Buffer.from(`${lines.join("\n")}\n`);
    const options = { type: "text", format: "parquet" } as const;
    const one = await bytesOf(text, options);
    expect((await bytesOf(text, { ...options, threads: 3 })).equals(one)).toBe(true);
    const { rows } = await readTable(one, PARQUET);
    const wanted = lines.map((line) => line.slice("see ".length));
    expect(rows.map(({ url }) => url)).toEqual(wanted);
    expect(rows.map(({ start, end }) => Number(end) - Number(start))).toEqual(wanted.map(({ length }) => length));
  });

  it.each<[by: string, types: string[]]>([
    ["host", ["VARCHAR"]],
    ["year,domain,flag", ["INTEGER", "VARCHAR", "VARCHAR"]],
    ["date,message", ["TIMESTAMP WITH TIME ZONE", "BIGINT"]],
    ["flags,from_name", ["VARCHAR", "VARCHAR"]],
  ])("reads of counts by %s Parquet as ndjson", async (by, types) => {
    const counted = async (format: string, out: string): Promise<Buffer> => {
      const result = await run(["count", "--by", by, "--type", "mbox", "-f", format, "-o", out], { input: HOSTILE });
      expect(result).toMatchObject({ code: 0, stderr: "" });
      return readFileSync(out);
    };
    const folder = newFolder();
    const lines = (await counted("ndjson", join(folder, "out"))).toString().trimEnd().split("\n");
    const table = await readTable(await counted("parquet", join(folder, "table")), PARQUET);
    removeFolder(folder);
    const [time, long] = ["TIMESTAMP WITH TIME ZONE", "BIGINT"];
    expect(Object.entries(table.types)).toEqual([
      ...by.split(",").map((name, index) => [name, types[index]]),
      ...Object.entries({ count: long, messages: long, first: time, last: time }),
    ]);
    expect(table.rows).toEqual(lines.map((line) => JSON.parse(line)));
    expect(lines.length).toBeGreaterThan(1);
  });

  it.each(["url", "message,host"])("reads of the first records by %s Parquet as ndjson, also of those that waited on disk", async (by) => {
    const folder = newFolder();
    const mailbox = join(folder, "mailbox");
    const messages = Array.from({ length: 3000 }, (_, index) => {
      const urls = Array.from({ length: 10 }, (_, more) => `http://joe:pw@h${(index * 7 + more) % 900}.example/${(index * more) % 9001}`);
      const date = index % 2 === 0 ? "Date: Mon, 1 Mar 2004 10:00:00 +0000\n" : "";
      return `From a Mon Mar  1 10:00:00 2004\nSubject: \u{1f389} ${index} "\n${date}\n${urls.join(" ")}\n\n`;
    });
    writeFileSync(mailbox, messages.join(""));
    const options = ["--unique-by", by, "--memory", "1M", "--userinfo", "redact", "--fields", "url,flags,message,date,subject,port"];
    const written = async (format: string): Promise<Buffer> => {
      const out = join(folder, format);
      expect(await run([...options, "-f", format, "-o", out, mailbox])).toMatchObject({ code: 0, stderr: "" });
      return readFileSync(out);
    };
    const lines = (await written("ndjson")).toString().trimEnd().split("\n");
    const { rows } = await readTable(await written("parquet"), PARQUET);
    removeFolder(folder);
    const fields = ["url", "flags", "message", "date", "subject", "port"] as const;
    expect(rows).toEqual(
      completed(
        lines.map((line) => JSON.parse(line)),
        fields,
      ),
    );
    expect(lines.length).toBeGreaterThan(20_000);
  });

  it("counts hosts and lists distinct URLs of many files, as docs/scale.md says", async () => {
    const scale = readFileSync(join(import.meta.dirname, "../../docs/scale.md"), "utf8");
    const [countLine = "", urlLine = ""] = Array.from(scale.matchAll(/^duckdb -csv -c "(.*)"$/gm), ([, query]) => query ?? "");
    const folder = newFolder();
    const inputs = readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => entry.isFile() && !entry.name.endsWith(".md"));
    const paths = inputs.map(({ name }) => join(EXAMPLES, name));
    for (const [index, path] of paths.entries()) await run(["-f", "parquet", "-o", join(folder, `urls-${index}.parquet`), path]);
    const rowsOf = async (query: string): Promise<unknown[][]> => {
      const [, select, rest] = /^(.*?from) '(?:.*?)'(.*)$/.exec(query) ?? [];
      return await queried(`${select} '${folder}/urls-*.parquet'${rest}`);
    };
    const counted = await run(["count", "--by", "host", "-f", "ndjson", ...paths]);
    const groups = counted.stdout.trimEnd().split("\n");
    const hosts = groups.map((line) => JSON.parse(line)).map(({ host, count }) => [host, count]);
    expect(await rowsOf(countLine)).toEqual(hosts.filter(([host]) => host !== null));
    const distinct = (await run(["-u", ...paths])).stdout.trimEnd().split("\n");
    expect((await rowsOf(urlLine)).map(([url]) => url)).toEqual(distinct.sort());
    expect(distinct.length).toBeGreaterThan(10);
    removeFolder(folder);
  });

  it("reads several groups of rows of counts", async () => {
    const input = Array.from({ length: 60_000 }, (_, line) => `http://h${line % 40_001}.example/\n`).join("");
    const folder = newFolder();
    const out = join(folder, "table");
    expect(await run(["count", "--memory", "1M", "-f", "parquet", "-o", out], { input })).toMatchObject({ code: 0, stderr: "" });
    const { rows } = await readTable(readFileSync(out), PARQUET);
    removeFolder(folder);
    expect(rows.length).toBe(40_001);
    expect(new Set(rows.map(({ host }) => host)).size).toBe(40_001);
    expect(rows.reduce((sum, { count }) => sum + Number(count), 0)).toBe(60_000);
  });

  it("reads any values of any columns", async () => {
    const columns: TableColumn[] = [
      { name: "a", type: "long" },
      { name: "b", type: "integer" },
      { name: "c", type: "text" },
      { name: "d", type: "list" },
      { name: "e", type: "text" },
    ];
    const cells: FieldValue[][] = [
      [Number.MAX_SAFE_INTEGER, 2 ** 31 - 1, "", [], undefined],
      [Number.MIN_SAFE_INTEGER, -(2 ** 31), "\u{1f389}\0'\"", ["", "x"], undefined],
      [undefined, undefined, undefined, undefined, undefined],
      [-1, 0, "x".repeat(100_000), ["y"], undefined],
    ];
    const rows = Array.from({ length: 3000 }, (_, row) => columns.map((_, column) => cells[(row * (column + 1)) % 4]?.[column]));
    const chunks: Buffer[] = [];
    const begin = await tableWriter(columns);
    const table = begin((bytes) => chunks.push(Buffer.from(bytes)));
    for (const row of rows) table.add(row);
    table.end();
    const read = await readTable(Buffer.concat(chunks), PARQUET);
    expect(read.rows.map((row) => Object.values(row))).toEqual(rows.map((row) => row.map((value) => value ?? null)));
  });
});
