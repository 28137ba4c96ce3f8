// Records that the core writes from packed rows: batches made by hand, with both builds.
import { expect, it, vi } from "vitest";
import * as code from "#core/layout/codes.js";
import { HINT_UNSAFE, REASON_BAD_HOST, REASON_NONE, RECORD_WORDS } from "#core/layout/codes.js";
import { OUTPUT_BYTES, OUTPUT_REGION, RECORD_ROWS_MAX } from "#core/layout/memory.js";
import { SCHEMES } from "#core/tables/schemes.js";
import { loadCore } from "../../src/core/core.ts";
import { KINDS } from "../../src/core/names.ts";
import type { Location, MatchBatch } from "../../src/matches/batch.ts";
import { Match } from "../../src/matches/match.ts";
import { USUAL_FIELDS } from "../../src/options/fields.ts";
import { ndjson, type RecordForm } from "../../src/output/record-form.ts";
import { programOf, type RecordProgram } from "../../src/output/record-program.ts";
import { RecordWriter, writeRows } from "../../src/output/records.ts";
import { BUILDS } from "../core/builds.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** A row: a URL without one is refused, and one without a host has none. */
interface Row {
  readonly url: string | null;
  readonly raw: string;
  readonly host: string | null;
  readonly start: number;
  readonly end: number;
  /** The name is `x-y` then, in no row of the table. */
  readonly isUnknown?: boolean;
  readonly isUnsafe?: boolean;
  readonly location?: number;
}

function batchOf(rows: readonly Row[], others: Partial<MatchBatch> = {}): MatchBatch {
  const texts: string[] = [];
  let used = 0;
  const add = (text: string): [number, number] => {
    texts.push(text);
    used += utf8.encode(text).length;
    return [used - utf8.encode(text).length, utf8.encode(text).length];
  };
  const words = new Int32Array(rows.length * RECORD_WORDS);
  rows.forEach(({ url, raw, host, start, end, isUnknown = false, isUnsafe = false }, index) => {
    const [urlAt, urlLength] = add(url ?? "");
    const [rawAt, rawLength] = add(raw);
    const [hostAt, hostLength] = add(host ?? "");
    const fields = {
      [code.RECORD_START]: start,
      [code.RECORD_END]: end,
      [code.RECORD_SCHEME_LENGTH]: isUnknown ? 3 : 0,
      [code.RECORD_SCHEME]: isUnknown ? -1 : 1,
      [code.RECORD_KIND]: index % 3,
      [code.RECORD_FLAGS]: index % 5,
      [code.RECORD_REASON]: url === null ? REASON_BAD_HOST : REASON_NONE,
      [code.RECORD_URL]: urlAt,
      [code.RECORD_URL_LENGTH]: urlLength,
      [code.RECORD_RAW]: rawAt,
      [code.RECORD_RAW_LENGTH]: rawLength,
      [code.RECORD_HOST]: hostAt,
      [code.RECORD_HOST_LENGTH]: hostLength,
      [code.RECORD_HINT]: isUnsafe ? HINT_UNSAFE : 0,
    };
    for (const [field, value] of Object.entries(fields)) words[index * RECORD_WORDS + Number(field)] = value;
  });
  return { kind: "matches", rows: words, bytes: utf8.encode(texts.join("")), base: 0, count: rows.length, ...others };
}

function rowsOf(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    url: index % 7 === 6 ? null : `https://h${index}.example/${"p".repeat(index % 40)}é`,
    raw: `HTTPS://h${index}.example/${"p".repeat(index % 40)}é`,
    host: index % 7 === 6 ? null : `h${index}.example`,
    start: index * 100,
    end: index * 100 + 20,
  }));
}

/** A form of every kind of step; `where` makes records long. */
const FORM: RecordForm = {
  fields: ["url", "raw", "scheme", "host", "kind", "start", "end", "message", "where"],
  end: ">\n",
  replaced: ",",
  cell: 0,
  around: (position) =>
    (
      [
        ["<", '"', "<->"],
        [";", '"', ""],
        [";", "", ""],
        ['"@', '"', '"-'],
        ["", "", ""],
        ["", "", ""],
        ["..", "", ""],
        ["#", "", ""],
      ] as const
    )[position] as readonly [string, string, string],
  write(position, value) {
    if (position === 4) return ` ${value} `;
    if (position === 7) return value === undefined ? "" : `#${value}`;
    return value === undefined ? "" : ` ${value},`;
  },
};

/** What the core writes, and the numbers of messages that it says the places of; rows that it leaves are `other`. */
function written(core: Awaited<ReturnType<typeof loadCore>>, batch: MatchBatch) {
  let text = "";
  let records = 0;
  const numbers: string[] = [];
  const others: number[] = [];
  const program = programOf(FORM) as RecordProgram;
  const texts = new RecordWriter(FORM, () => undefined);
  writeRows(core, batch, program, texts, {
    isFull: () => false,
    write(bytes, count, places) {
      for (let at = 0; at < places.length; at += 2) {
        const digits = decoder.decode(bytes.subarray(places[at], (places[at] as number) + 8)).match(/^\d+/)?.[0];
        numbers.push(`${digits} is ${places[at + 1]}`);
      }
      text += decoder.decode(bytes);
      records += count;
    },
    writeOther(index) {
      others.push(index);
      text += `other ${index}\n`;
      records++;
    },
  });
  return { text, records, numbers, others };
}

function expected(rows: readonly Row[], base: number, tail: (row: Row) => string = () => ""): string {
  return rows
    .map((row, index) => {
      if (row.isUnsafe === true) return `other ${index}\n`;
      const { url, raw, host, start, end, isUnknown = false } = row;
      const scheme = isUnknown ? "x-y" : SCHEMES[1]?.name;
      const before = `${url === null ? "<->" : `<${url}"`};${raw}";${scheme}${host === null ? '"-' : `"@${host}"`}`;
      return `${before} ${KINDS[index % 3]} ${base + start}..${base + end}${tail(row)}>\n`;
    })
    .join("");
}

it.each(BUILDS)("%s writes the fields of rows, and the texts between them", async (build) => {
  const rows: Row[] = [...rowsOf(20), { url: "x-y:a", raw: "X-Y:a", host: null, start: 1, end: 2_000_000_000, isUnknown: true }];
  const { text, records, others } = written(await loadCore(build), batchOf(rows));
  expect(text).toBe(expected(rows, 0));
  expect({ records, others }).toEqual({ records: 21, others: [] });
});

it.each(BUILDS)("%s writes offsets of any size", async (build) => {
  const core = await loadCore(build);
  for (const base of [
    0,
    1,
    999_999_990,
    1_000_000_000,
    3_999_999_999,
    2 ** 32,
    999_999_999_999_999,
    Number.MAX_SAFE_INTEGER - 3_000_000_000,
  ]) {
    const rows = [0, 9, 10, 999_999_999, 1_000_000_000, 2_147_483_647].map((end) => ({
      url: "a:b",
      raw: "a:b",
      host: null,
      start: 0,
      end,
    }));
    expect(written(core, batchOf(rows, { base })).text).toBe(expected(rows, base));
  }
});

it.each(BUILDS)("%s writes more rows than there is room for, and leaves those that need escapes", async (build) => {
  const rows = rowsOf(RECORD_ROWS_MAX * 2 + 5).map((row, index) => ({
    ...row,
    isUnsafe: index % 1000 === 999 || index === 5 || index === 6,
  }));
  const { text, records, others } = written(await loadCore(build), batchOf(rows));
  expect(text === expected(rows, 0)).toBe(true);
  expect(records).toBe(rows.length);
  expect(others.slice(0, 3)).toEqual([5, 6, 999]);
});

it.each(BUILDS)("%s writes texts that do not fit at once, and leaves a record that is too long", async (build) => {
  const long = 700_000;
  const list = [10, long, 20, long, long, long, long, OUTPUT_BYTES, 30].map(
    (length, index): Location => ({
      message: {},
      time: Number.NaN,
      messageIdField: undefined,
      number: index + 1,
      part: "",
      body: {},
      address: "",
      where: "w".repeat(length),
      quote: 0,
    }),
  );
  const rows = rowsOf(list.length * 4);
  const of = Int32Array.from(rows, (_, index) => index >> 2);
  const { text, records, numbers, others } = written(
    await loadCore(build),
    batchOf(rows, { locations: { of, list, messagesBefore: undefined, scan: 0 } }),
  );
  expect(others).toEqual([28, 29, 30, 31]);
  expect(records).toBe(rows.length);
  const lines = text.split("\n");
  const tails = lines
    .slice(0, -1)
    .map((line) => (line.startsWith("other") ? line : `${/#\d+ (?=w)/.exec(line)?.[0]}${line.length - line.indexOf("#")}`));
  expect(tails).toEqual(
    rows.map((_, index) =>
      index >= 28 && index < 32 ? `other ${index}` : `#${(index >> 2) + 1} ${(list[index >> 2] as Location).where.length + 4}`,
    ),
  );
  expect(numbers).toEqual(
    rows
      .filter((_, index) => index < 28 || index >= 32)
      .map((_, index) => (index < 28 ? index >> 2 : 8) + 1)
      .map((number) => `${number} is ${number}`),
  );
});

it.each(BUILDS)("%s leaves a record whose scheme does not fit", async (build) => {
  const core = await loadCore(build);
  const scheme = "x".repeat(100_000);
  const batch = batchOf([{ url: scheme, raw: scheme, host: null, start: 0, end: 1, isUnknown: true }]);
  batch.rows[code.RECORD_SCHEME_LENGTH] = scheme.length;
  const form: RecordForm = { ...FORM, fields: Array(100).fill("scheme"), around: () => ["", "", ""] };
  const after = OUTPUT_REGION + OUTPUT_BYTES;
  core.bytes.fill(7, after, after + scheme.length);
  const others: number[] = [];
  const texts = new RecordWriter(form, () => undefined);
  writeRows(core, batch, programOf(form) as RecordProgram, texts, {
    isFull: () => false,
    write: () => undefined,
    writeOther: (index) => others.push(index),
  });
  expect(others).toEqual([0]);
  expect(core.bytes.subarray(after, after + scheme.length).every((byte) => byte === 7)).toBe(true);
});

it("measures each record once, where it is made as a string", () => {
  const rows = rowsOf(500).map((row) => ({ ...row, isUnsafe: true }));
  const of = new Int32Array(rows.length);
  const list: Location[] = [
    { message: {}, time: Number.NaN, messageIdField: undefined, number: 3, part: "", body: {}, address: "", where: "body", quote: 0 },
  ];
  let measured = 0;
  const byteLength = Buffer.byteLength.bind(Buffer);
  const spy = vi.spyOn(Buffer, "byteLength").mockImplementation((text) => {
    measured += (text as string).length;
    return byteLength(text as string);
  });
  let length = 0;
  new RecordWriter(ndjson(USUAL_FIELDS), (bytes) => {
    length += bytes.length;
  }).write(batchOf(rows, { locations: { of, list, messagesBefore: undefined, scan: 0 } }), 0);
  spy.mockRestore();
  expect(length).toBeGreaterThan(50_000);
  expect(measured).toBeLessThan(3 * length);
});

it("gives the record of each match, whichever way it is written", () => {
  const message = { messageId: 'a"b@c', date: "2001-01-01T00:00:00Z", targetUri: "é \\ \u202e" };
  const listOf = (): Location[] => [
    { message, time: Number.NaN, messageIdField: undefined, number: 3, part: "1.2", body: {}, address: "", where: "header:X-é", quote: 0 },
    { message: {}, time: Number.NaN, messageIdField: undefined, number: 0, part: "", body: {}, address: "", where: 'json:a"b', quote: 2 },
  ];
  const rows = rowsOf(50).map((row, index) => (index % 10 === 4 ? { ...row, raw: 'https://"\\x/', isUnsafe: true } : row));
  const of = Int32Array.from(rows, (_, index) => (index % 3) - 1);
  for (const messagesBefore of [7, undefined]) {
    for (const others of [{}, { hidesRaw: true }, { source: "/a\u202eb" }, { needsEscapes: true }]) {
      const batch = batchOf(rows, { locations: { of, list: listOf(), messagesBefore, scan: 0 }, ...others });
      let text = "";
      const fields = others.hidesRaw ? USUAL_FIELDS.filter((name) => name !== "raw") : USUAL_FIELDS;
      new RecordWriter(ndjson(fields), (bytes, _count, numbers) => {
        for (let at = 0; at < numbers.length; at += 2) expect(bytes[numbers[at] as number]).toBe(0x33);
        text += decoder.decode(bytes);
      }).write(batch, 0);
      const records = rows.map((_, index) => JSON.parse(JSON.stringify(new Match(batch, index))));
      expect(
        text
          .split("\n")
          .slice(0, -1)
          .map((line) => JSON.parse(line.replace(/\\\\u202e/g, "\\u202e"))),
      ).toEqual(records);
    }
  }
});
