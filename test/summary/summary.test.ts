// Summaries: the same as records that are counted one by one, for any number of threads and any cuts.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finishAtOnce } from "../../src/input/pacer.ts";
import { withRows } from "../../src/matches/batch-builder.ts";
import { FIELD_NAMES } from "../../src/options/fields.ts";
import { type ScanSettings, settingsOf } from "../../src/options/options.ts";
import { checkValues } from "../../src/options/table.ts";
import { before } from "../../src/output/sink.ts";
import { summarySink } from "../../src/output/summarized.ts";
import { summarize } from "../../src/summarize.ts";
import { makeSummary } from "../../src/summary/make-summary.ts";
import { Summarizer } from "../../src/summary/summarizer.ts";
import { SUMMARY_FIELDS, type Summary, TABLES, type TableName } from "../../src/summary/summary.ts";
import { type ScanFilesOptions, scanFiles } from "../../src/threads/scan-files.ts";
import { hideUserinfo } from "../../src/url/userinfo.ts";
import { newFolder, removeFolder } from "../cli/run.ts";
import { expectEqual } from "../core/check.ts";
import { sinkOf } from "../output/sinks.ts";
import { monthOf, type RecountedRecord, recount, valuesOf } from "./recount.ts";

const ROOT = join(import.meta.dirname, "../..");
const EXAMPLES = join(ROOT, "examples");
const CORPUS = process.env.URLMILL_CORPUS ?? resolve(ROOT, "../shared/corpus");
/** Bytes of an archive of the corpus that are read. */
const SAMPLE_BYTES = 1 << 20;
const ALL_ROWS = 1e9;
/** Parts of a summary that are taken: each costs a look at all tables. */
const TAKEN_MOST = 1000;
const RUN = { started: "2004-03-01T10:00:00Z", seconds: 1, threads: 1, options: {}, inputs: ["x"] };

const schema = JSON.parse(readFileSync(join(ROOT, "build/summary-schema.json"), "utf8"));
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);
const validate = ajv.compile(schema);

let folder: string;
let inputs: Record<string, string[]>;

beforeAll(() => {
  folder = newFolder();
  const message = (index: number): string => {
    const date = index % 5 === 0 ? "" : `Date: Mon, ${1 + (index % 28)} ${["Mar", "Apr", "May"][index % 3]} 2004 10:00:00 +0000\n`;
    const redirect = `http://www.google.com/url?q=http%3A%2F%2Ft${index % 3}.test.com%2F${index % 2 === 0 ? "" : "%26x"}`;
    const quoted = `> <http://www.test.com> mailto:a${index % 7}@b.com`;
    const body = `http://h${index % 13}.test${index % 7}.com:81/${index % 50}\n${quoted} ${redirect}`;
    const more = "http://a%2Fb.test.com/ http://3232235521/ http://[bad/ mailto:joe http://h.test.com/\u00fc\n";
    const list = index % 4 === 0 ? "List-Id: Millers <millers.test.com>\n" : "";
    return `From a Mon Mar  1 10:00:00 2004\n${date}${list}From: N <n${index % 3}@c.com>\nMessage-ID: <${index}@m>\n\n${body} ${more}\n`;
  };
  const mbox = Array.from({ length: 300 }, (_, index) => message(index)).join("");
  const files = {
    mbox,
    text: Array.from({ length: 300 }, (_, index) => `http://h${index % 9}.test.com/${index}\n`).join(""),
    one: message(3),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  inputs = {
    // The same file twice: its messages are others each time.
    generated: ["mbox", "text", "one", "one"].map((name) => join(folder, name)),
    examples: [EXAMPLES],
  };
  for (const name of existsSync(CORPUS) ? readdirSync(CORPUS).filter((one) => one.endsWith(".gz")) : []) {
    const path = join(folder, name.replace(/\.gz$/, ""));
    writeFileSync(path, gunzipSync(readFileSync(join(CORPUS, name))).subarray(0, SAMPLE_BYTES));
    inputs[name] = [path];
  }
});
afterAll(() => removeFolder(folder));

function summarySettings(): ScanSettings {
  const values = { ...checkValues("urlmill report", { unwrap: true }), by: SUMMARY_FIELDS };
  return { ...settingsOf(values), format: "summary", rejected: true };
}

async function summaryOf(paths: readonly string[], options: Partial<ScanFilesOptions>, top = ALL_ROWS): Promise<Summary> {
  const summarizer = new Summarizer();
  const scan = { settings: summarySettings(), threads: 1, scansHere: true, workMillisecondsLeast: 0, ...options };
  const totals = await scanFiles(paths, scan, summarySink(summarizer, sinkOf({}), false));
  return finishAtOnce(makeSummary(summarizer.counted(), totals, RUN, top));
}

async function recordsOf(paths: readonly string[]): Promise<RecountedRecord[]> {
  const settings = settingsOf(checkValues("urlmill extract", { format: "ndjson", fields: FIELD_NAMES, unwrap: true }));
  const records: RecountedRecord[] = [];
  for (const [input, path] of paths.entries()) {
    let text = "";
    const bytes = sinkOf({
      bytes(batch) {
        text += Buffer.from(batch.bytes).toString();
      },
    });
    await scanFiles([path], { settings, threads: 1 }, bytes);
    for (const line of text.split("\n").slice(0, -1)) records.push({ ...JSON.parse(line), input });
  }
  return records;
}

const CUTS: Partial<ScanFilesOptions>[] = [
  { threads: 1 },
  { threads: 2, rangeBytes: 10_000 },
  { threads: 3, rangeBytes: 777, scansHere: false },
];

describe.each(["generated", "examples"])("the summary of %s", (name) => {
  it("has the tables that its records have", async () => {
    const paths = inputs[name] as string[];
    const [summary, records] = [await summaryOf(paths, {}), await recordsOf(paths)];
    const wanted = recount(records);
    expect(summary.months).toEqual(wanted.months);
    expect(summary.days).toEqual(wanted.days);
    for (const table of TABLES) expect({ table, ...summary.tables[table] }).toEqual({ table, ...wanted.tables[table] });
    const { totals, tables } = summary;
    expect(totals.matches).toBe(records.length);
    expect(combined(summary)).toEqual(combinedRecords(records));
    expect([totals.urls, totals.hosts, totals.domains]).toEqual([tables.url.distinct, tables.host.distinct, tables.domain.distinct]);
  });

  it("is the same for any threads and cuts", async () => {
    const paths = inputs[name] as string[];
    const [one, ...others] = await Promise.all(CUTS.map((cuts) => summaryOf(paths, cuts, 20)));
    for (const other of others) expect(other).toEqual(one);
  });

  it("is that of summarize", async () => {
    const paths = (inputs[name] as string[]).flatMap((path) => filesOf(path));
    const wanted = await summaryOf(paths, {}, 1000);
    const found = await summarize(paths.map((path) => ({ name: path, source: readFileSync(path) })));
    expect({ ...found, run: RUN }).toEqual(wanted);
    expect(found.run.inputs).toEqual(paths);
  });
});

/** Returns the matches of each combination by its values and its month. */
function combined({ combinations: { values, columns, months: of, matches }, months }: Summary): Map<string, number> {
  const valueAt = (name: TableName, index: number): string => values[name][columns[name][index] as number] ?? String(columns[name][index]);
  const sums = new Map<string, number>();
  for (const [index, count] of matches.entries()) {
    const month = of[index] as number;
    const key = [...TABLES.map((name) => valueAt(name, index)), month === -2 ? "-2" : months[month]].join("|");
    sums.set(key, (sums.get(key) ?? 0) + count);
  }
  return sums;
}

function combinedRecords(records: readonly RecountedRecord[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const record of records) {
    const values = TABLES.map((name) => valuesOf(name, record).map((value) => (value === null ? "-1" : hideUserinfo(value))));
    const key = [...values.map((all) => all.join("\n")), monthOf(record)].join("|");
    sums.set(key, (sums.get(key) ?? 0) + 1);
  }
  return sums;
}

describe("combinations that are too many", () => {
  it("lose their rarest values, and have no number that is too high", async () => {
    const paths = inputs.generated as string[];
    const [all, few] = [await summaryOf(paths, {}), await summaryOf(paths, {}, 3)];
    const [exact, kept] = [combined(all), combined(few)];
    expect(exact.size).toBeGreaterThan(150);
    expect(few.combinations.months.length).toBeLessThanOrEqual(150);
    const sum = (of: Map<string, number>): number => [...of.values()].reduce((total, count) => total + count, 0);
    expect(sum(kept)).toBeLessThanOrEqual(sum(exact));
    expect(sum(kept)).toBeGreaterThan(0.9 * sum(exact));
    const isPart = (whole: string[], part: string[]): boolean => part.every((value, at) => value === "-2" || value === whole[at]);
    const lost = [...kept].filter(([key]) => key.includes("-2"));
    expect(lost.length).toBeGreaterThan(0);
    for (const [key, count] of kept) {
      const whole = [...exact].filter(([one]) => isPart(one.split("|"), key.split("|")));
      expect(count).toBeLessThanOrEqual(whole.reduce((total, [, matches]) => total + matches, 0));
    }
  });

  it("are counted still where memory is short", async () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `http://h${index % 5}.test.com/${index}\n`).join("");
    const { combinations, totals } = await summarize(text, { memory: 4 << 20 });
    expect(combinations.matches.reduce((sum, count) => sum + count, 0)).toBe(totals.matches);
    expect(combinations.columns.url).toContain(-2);
    expect(combinations.columns.host).not.toContain(-2);
    expect(combinations.values.host.length).toBe(5);
  });
});

function filesOf(path: string): string[] {
  if (path !== EXAMPLES) return [path];
  const entries = readdirSync(EXAMPLES, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
}

it("the summary of each archive of the corpus has the tables that its records have, for any threads, and its schema", async () => {
  for (const [name, paths] of Object.entries(inputs)) {
    const [one, two] = [await summaryOf(paths, {}), await summaryOf(paths, { threads: 2, rangeBytes: 100_000 })];
    expectEqual(two, one, () => `${name} with two threads`);
    if (!validate(one)) expect.fail(`${name}: ${ajv.errorsText(validate.errors)}`);
    const { months, tables } = recount(await recordsOf(paths));
    expectEqual(one.months, months, () => name);
    for (const table of TABLES) expectEqual(one.tables[table], tables[table], () => `${name}: ${table}`);
  }
});

it("summarize names the options as the command line does, without userinfo", async () => {
  const { signal } = new AbortController();
  const base = "http://joe:secret@a.example/";
  const { run } = await summarize("http://a.example/", { schemes: ["http"], noQuoted: true, links: true, base, unwrap: false, signal });
  expect(run.options).toEqual({ scheme: ["http"], "no-quoted": true, links: true, base: "http://***@a.example/", unwrap: false });
});

it("summarize names all forms of an input where one is wrong", async () => {
  for (const inputs of [["x", {}], {}, [null]]) {
    const message = expect.stringMatching(
      /^source must be .*, an iterable of Uint8Array or strings, or \{ name, source \} with one of these, not /,
    );
    await expect(summarize(inputs as string[])).rejects.toMatchObject({ name: "InputError", code: "ERR_URLMILL_INPUT_TYPE", message });
  }
});

it("parts that are taken in the middle of messages add up to the same", async () => {
  for (const paths of Object.values(inputs)) {
    const sum = new Summarizer();
    const early = new Summarizer(Number.POSITIVE_INFINITY);
    let taken = 0;
    const take = (): void => {
      sum.merge(early.takeEarly());
      taken++;
    };
    const counted = summarySink(early, sinkOf({}), false);
    const cut = before(counted, (result) => {
      if (result.kind !== "matches") return counted.write(result);
      // Of 1 to 3 matches, while a message has most often more.
      for (let from = 0; from < result.count; ) {
        const rows = Array.from({ length: Math.min(1 + (from % 3), result.count - from) }, (_, index) => from + index);
        counted.write(withRows(result, rows));
        from += rows.length;
        if (taken < TAKEN_MOST) take();
      }
    });
    const totals = await scanFiles(paths, { settings: summarySettings(), threads: 1 }, cut);
    take();
    expect(taken).toBeGreaterThan(20);
    expectEqual(finishAtOnce(makeSummary(sum.counted(), totals, RUN, ALL_ROWS)), await summaryOf(paths, {}), () => String(paths));
  }
});

/** Returns an archive with a message in each of `count` months from a year on, and every hundredth has another host. */
function monthlyArchive(count: number, year: number): string {
  const names = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
  const messages = Array.from({ length: count }, (_, month) => {
    const date = `${names[month % 12]} ${String(year + Math.floor(month / 12)).padStart(4, "0")}`;
    const host = month % 100 === 0 ? "ftp://b.example/" : "http://a.example/";
    return `From a@b.example Wed Apr  2 10:00:00 2003\nFrom: a@b.example\nDate: 2 ${date} 10:00:00 +0000\n\n${host}\n\n`;
  });
  return messages.join("");
}

describe("an archive of many months", () => {
  it("has its months with the least memory", async () => {
    const text = monthlyArchive(34 * 12, 1985);
    const [least, most] = [await summarize(text, { memory: 1 << 20 }), await summarize(text)];
    expect({ ...least, run: RUN }).toEqual({ ...most, run: RUN });
    expect([most.months.length, most.months[0], most.months.at(-1)]).toEqual([408, "1985-01", "2018-12"]);
  });

  it("has those before 1970 and after 2049 together", async () => {
    const text = monthlyArchive(10_000, 2100).replaceAll(
      /^From .*\n(From: .*\n)Date: .* 2345 .*\n/gm,
      `From a Thu Jan  1 00:00:00 1970\n$1`,
    );
    for (const memory of [undefined, 1 << 20]) {
      const { months, cells, totals, tables } = await summarize(text, { memory });
      expect(months).toEqual(["other", null]);
      expect(cells).toEqual([0, 9988, 9988, 1, 12, 12]);
      expect([totals.first, totals.last]).toEqual(["2100-01-02T10:00:00Z", "2933-04-02T10:00:00Z"]);
      expect(tables.scheme).toMatchObject({ bound: 0, distinct_by_month: [2, 1] });
    }
    const { months, cells } = await summarize(monthlyArchive(961, 1970));
    expect([months.length, ...months.slice(-2)]).toEqual([961, "2049-12", "other"]);
    expect(cells.slice(-3)).toEqual([960, 1, 1]);
  });
});

describe("rows and the rest", () => {
  it("sum up to all matches, and to all messages of all values", async () => {
    const paths = inputs.generated as string[];
    const [all, few] = [await summaryOf(paths, {}), await summaryOf(paths, {}, 3)];
    for (const name of TABLES) {
      expect(few.tables[name].rows).toEqual(all.tables[name].rows.slice(0, 3));
      expect(sumsOf(few, name)).toEqual(sumsOf(all, name));
    }
  });

  it("have the most frequent values of each month beside those of all", async () => {
    const paths = inputs.generated as string[];
    const [all, few] = [await summaryOf(paths, {}), await summaryOf(paths, {}, 3)];
    let others = 0;
    for (const name of TABLES) {
      const { rows, month_rows, distinct_by_month } = few.tables[name];
      const known = new Set([...rows, ...month_rows].map(([value]) => value));
      for (const [month] of few.months.entries()) {
        const inMonth = all.tables[name].rows
          .map(([value, , , cells]): [string, number] => [value, matchesAt(cells, month)])
          .filter(([, matches]) => matches > 0)
          .sort((one, other) => other[1] - one[1] || Buffer.compare(Buffer.from(one[0]), Buffer.from(other[0])));
        expect(distinct_by_month[month]).toBe(inMonth.length);
        expect(inMonth.slice(0, 3).filter(([value]) => !known.has(value))).toEqual([]);
      }
      for (const row of month_rows) expect(all.tables[name].rows).toContainEqual(row);
      expect(known.size).toBe(rows.length + month_rows.length);
      expect(month_rows.length).toBeLessThanOrEqual(3 * few.months.length);
      others += month_rows.length;
    }
    expect(others).toBeGreaterThan(0);
  });
});

function matchesAt(cells: readonly number[], month: number): number {
  return cells.find((_, at) => at % 3 === 1 && cells[at - 1] === month) ?? 0;
}

/** Returns the matches and messages of each month, over all rows and the rest. */
function sumsOf({ tables }: Summary, name: (typeof TABLES)[number]): Map<number, [number, number]> {
  const { rows, rest } = tables[name];
  const sums = new Map<number, [number, number]>();
  for (const cells of [...rows.map(([, , , of]) => of), rest]) {
    for (let at = 0; at < cells.length; at += 3) {
      const [matches, messages] = sums.get(cells[at] as number) ?? [0, 0];
      sums.set(cells[at] as number, [matches + (cells[at + 1] as number), messages + (cells[at + 2] as number)]);
    }
  }
  return new Map([...sums].sort(([one], [other]) => one - other));
}
