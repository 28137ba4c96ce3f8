// csv, tsv and templates: the core writes rows as `writeString` would, also those that it leaves.
import { describe, expect, it } from "vitest";
import { extractResults } from "../../src/api/results.ts";
import { ExtractStream, type ExtractStreamOptions, extractFrom } from "../../src/index.ts";
import { FIELD_NAMES } from "../../src/options/fields.ts";
import { type ScanSettings, settingsOf } from "../../src/options/options.ts";
import { checkValues } from "../../src/options/table.ts";
import { parseTemplate } from "../../src/options/template.ts";
import { runOutput } from "../../src/output/run-output.ts";
import { scanFiles } from "../../src/threads/scan-files.ts";
import { put, useFolder } from "../threads/folder.ts";
import { SETTINGS } from "../threads/settings.ts";
import { sinkOf } from "./sinks.ts";

useFolder();

const MAIL = [
  "From a@b.example Mon Jan  5 10:00:00 1998",
  'From: "Smith, ""J"" =?utf-8?q?=09x?=" <j@b.example>',
  "Subject: =cmd, see http://s.example/a,b",
  "Date: Mon, 5 Jan 1998 10:00:00 +0100",
  "Message-ID: <1@b.example>",
  "",
  "http://h.example:81/p;x?q=1,2#f and <http://u:p@h.example/a,b> and news:comp.x",
  "-joe@a.example +joe@a.example http://[bad/",
  "",
  "From a@b.example Mon Jan  5 10:00:00 1998",
  "Content-Type: text/html",
  "",
  '<a href="http://x.example/&quot;,\\">x</a> http://y.example/',
  "",
].join("\n");

async function written(options: ExtractStreamOptions, text = MAIL): Promise<string> {
  const stream = new ExtractStream({ type: "mbox", ...options });
  stream.end(text);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The cells of csv: a reader of RFC 4180 that is written for this test alone. */
function cellsOf(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    row.push(quoted === undefined ? (plain as string) : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows.filter((cells) => cells.length > 1 || cells[0] !== "");
}

async function records(options: ExtractStreamOptions = {}): Promise<Record<string, unknown>[]> {
  const lines = await written({ ...options, format: "ndjson", fields: FIELD_NAMES });
  return lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const textOf = (value: unknown): string =>
  value === null || value === undefined ? "" : Array.isArray(value) ? value.join(" ") : String(value);

describe.each([{}, { bare: ["email"] as const }, { unwrap: true, links: true }])("with %j", (options) => {
  it("csv has the values of ndjson", async () => {
    const [names, ...rows] = cellsOf(await written({ ...options, format: "csv", fields: FIELD_NAMES }));
    expect(names).toEqual(FIELD_NAMES);
    const expected = (await records(options)).map((record) => FIELD_NAMES.map((name) => textOf(record[name])));
    expect(rows).toEqual(expected);
    expect(rows.length).toBeGreaterThan(5);
  });

  it("tsv has the values of ndjson, with escapes", async () => {
    const [names, ...rows] = (await written({ ...options, format: "tsv", fields: FIELD_NAMES })).replace(/\n$/, "").split("\n");
    expect(names?.split("\t")).toEqual(FIELD_NAMES);
    const unescaped = (cell: string): string =>
      cell.replace(/\\(.)/g, (_, letter: string) => ({ t: "\t", n: "\n", r: "\r", 0: "\0" })[letter] ?? letter);
    const expected = (await records(options)).map((record) => FIELD_NAMES.map((name) => textOf(record[name])));
    expect(rows.map((row) => row.split("\t").map(unescaped))).toEqual(expected);
  });

  it("a template has the values of ndjson", async () => {
    const lines = await written({ ...options, print: "{{{host}|{start}\\t{where}}} é {url}\\\\" });
    const expected = (await records(options)).map(
      ({ host, start, where, url }) => `{${textOf(host)}|${start}\t${where}} é ${textOf(url)}\\`,
    );
    expect(
      lines
        .trimEnd()
        .split("\n")
        .map((line) => line.replaceAll("\\\\", "\\").replace(/\\"/g, '"')),
    ).toEqual(expected.map((line) => line.replaceAll('\\"', '"')));
  });
});

it("csv that is safe has an apostrophe before what begins like a formula", async () => {
  const options = { bare: ["email"] as const, fields: ["raw", "subject", "start"] as const };
  const safe = cellsOf((await written({ ...options, format: "csv", csvSafe: true })).slice(1));
  const plain = cellsOf(await written({ ...options, format: "csv" }));
  expect(safe).toEqual(plain.map((row) => row.map((cell) => (/^[=+\-@]/.test(cell) ? `'${cell}` : cell))));
  expect(safe.flat().filter((cell) => cell.startsWith("'")).length).toBeGreaterThan(3);
});

it("csv that is safe begins with a byte order mark, once, with or without names; a run that goes on has none", async () => {
  const options = { format: "csv", fields: ["scheme"] } as const;
  expect(await written({ ...options, csvSafe: true }, "http://a.example/")).toBe("\ufeffscheme\r\nhttp\r\n");
  expect(await written({ ...options, csvSafe: true, header: false }, "http://a.example/")).toBe("\ufeffhttp\r\n");
  expect(await written(options, "http://a.example/")).toBe("scheme\r\nhttp\r\n");
  for (const [hasBegun, text] of [
    [false, "\ufeffscheme\r\n"],
    [true, ""],
  ] as const) {
    const settings = settingsOf(checkValues("urlmill extract", { ...options, csvSafe: true }));
    const chunks: Uint8Array[] = [];
    const { open } = await extractResults(settings, { by: undefined }, hasBegun);
    await open(sinkOf({ bytes: ({ bytes }) => chunks.push(bytes) }), new AbortController().signal).end();
    expect(Buffer.concat(chunks).toString()).toBe(text);
  }
});

it("a date has 14 digits with the format of web archives, in records and templates", async () => {
  const input = "Date: Mon, 5 Jan 1998 10:00:00 +0100\n\nhttp://a.example/ 1998-01-05T09:00:00Z\n";
  const scanned = async (options: Partial<ScanSettings>): Promise<string> => {
    const settings = { ...SETTINGS, type: "eml" as const, dateFormat: "wayback" as const, ...options };
    const chunks: Buffer[] = [];
    const begin = await runOutput(settings);
    const sink = begin(sinkOf({ bytes: ({ bytes }) => chunks.push(Buffer.from(bytes)) }));
    await scanFiles([put("x.eml", input)], { settings, threads: 1 }, sink);
    return Buffer.concat(chunks).toString();
  };
  const dated = (format: "csv" | "ndjson" | "print"): Promise<string> =>
    scanned({ format, print: format === "print" ? parseTemplate("{date} {subject}", "print") : undefined, fields: ["date", "where"] });
  expect(await dated("csv")).toBe("date,where\r\n19980105090000,body\r\n");
  expect(await dated("ndjson")).toBe('{"date":"19980105090000","where":"body"}\n');
  expect(await dated("print")).toBe("19980105090000 \n");
});

describe("csv that is safe where `;` is between cells", () => {
  // A reader in such a place sees no quotation mark that is not at the start of a cell.
  const cells = (csv: string): string[] => csv.split(/[;\t\r\n]/);

  it.each([
    ["a URL", "http://a.example/;=1+1;-x;+y;@z;q=1", "http://a.example/;'=1+1;'-x;'+y;'@z;q=1"],
    ["a URL in full width", "http://a.example/;\uff1d1;\uff0b2;\uff0d3;\uff204", "http://a.example/;'\uff1d1;'\uff0b2;'\uff0d3;'\uff204"],
    ["a URL with a comma", "http://a.example/,b;=1", "http://a.example/,b;'=1"],
  ])("%s", async (_, text, raw) => {
    const csv = await written({ type: "text", format: "csv", csvSafe: true, fields: ["raw"] }, text);
    expect(cellsOf(csv)[1]).toEqual([raw]);
    expect(cells(csv).filter((cell) => /^"*[=+\-@\uff0b\uff0d\uff1d\uff20]/.test(cell))).toEqual([]);
  });

  it("a field of a message, of every character", async () => {
    const subject = Buffer.from('\uff1dcmd;=1;"=2;\t=3 \uff20x\t+4').toString("base64");
    const mail = `From a@b.example Mon Jan  5 10:00:00 1998\nSubject: =?utf-8?B?${subject}?=\n\nhttp://a.example/\n`;
    const csv = await written({ format: "csv", csvSafe: true, fields: ["subject", "url"] }, mail);
    expect(cellsOf(csv)[1]?.[0]).toMatch(/^'\uff1dcmd;'=1;'"=2;/);
    expect(cells(csv).filter((cell) => /^"*[=+\-@\uff0b\uff0d\uff1d\uff20]/.test(cell))).toEqual([]);
  });
});

it("the header is written once, also without records, and can be left out", async () => {
  expect(await written({ format: "csv", fields: ["url", "date"] }, "nothing")).toBe("url,date\r\n");
  expect(await written({ format: "tsv", fields: ["url", "date"], header: false }, "nothing")).toBe("");
  expect((await written({ format: "csv" })).split("\r\n")[0]).toBe(
    "url,scheme,host,kind,flags,source,start,end,message,message_id,date,part,where",
  );
});

it.each([
  ["{nope}", /has no field \{nope\}; there are url, raw, /],
  ["{url}\\q", /has no escape \\q/],
  ["{url", /has a brace without its other one/],
  ["url", /needs a field in braces/],
])("the template %s is refused", (print, message) => {
  expect(() => new ExtractStream({ print })).toThrow(message);
});

it.each([
  [{ print: "{url}", format: "csv" }, /^print cannot be given/],
  [{ header: true }, /^header needs/],
  [{ csvSafe: true, format: "tsv" }, /^csvSafe needs/],
  [{ fields: ["url"] }, /^fields needs/],
  [{ print: "{url}", objectMode: true }, /^print cannot be given with objectMode/],
] as const)("%j is refused", (options, message) => {
  expect(() => new ExtractStream(options as ExtractStreamOptions)).toThrow(message);
});

it("a place has the fields that are asked for alone", async () => {
  for await (const match of extractFrom(MAIL, { type: "mbox", fields: ["subject"] })) {
    expect(Object.keys(match)).not.toContain("from");
  }
});

it.each([
  ["\n", {}],
  ["\n", { fields: ["port"] as const, format: "tsv" as const, header: false }],
  ["\t\n", { print: "{port}\\t" }],
])("an empty record is a line of its own: %j", async (line, options) => {
  const given = "print" in options || "format" in options ? options : { print: "{port}" };
  expect(await written({ type: "text", ...given }, "http://a.example/ http://b.example/ http://c.example/")).toBe(line.repeat(3));
});

it("a row of csv whose one cell is empty has quotation marks, for a line without anything is no row to most readers", async () => {
  const text = "news:comp.x http://a.example/ http://b.example:81/ <A@b.example>";
  const csvOf = (fields: ExtractStreamOptions["fields"]): Promise<string> => written({ type: "text", format: "csv", fields }, text);
  expect(await csvOf(["host"])).toBe('host\r\n""\r\na.example\r\nb.example\r\n');
  expect(await csvOf(["port"])).toBe('port\r\n""\r\n""\r\n81\r\n');
  expect(await csvOf(["port", "host"])).toBe("port,host\r\n,\r\n,a.example\r\n81,b.example\r\n");
});

it("lines with context are those of URLs: one that the profile refuses has none", async () => {
  const text = "http://a.example/ http://999.1.1.1/ http://b.example/";
  expect((await written({ type: "text", context: 3, profile: "whatwg" }, text)).split("\n").map((line) => line.split("\t")[0])).toEqual([
    "http://a.example/",
    "http://b.example/",
    "",
  ]);
});
