// Counts by fields: the same as a Map counts, for any memory, hash, number of threads and cuts.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Counter } from "../../src/count/counter.ts";
import { addPacked, type Group, GroupTable, groupOf, packed } from "../../src/count/group-table.ts";
import { compareKeys, encodedValue, valuesOf } from "../../src/count/key-fields.ts";
import { type KeyRow, spillSettings } from "../../src/count/spill.ts";
import { FIELD_NAMES, type KeyField } from "../../src/options/fields.ts";
import { settingsOf } from "../../src/options/options.ts";
import { checkValues } from "../../src/options/table.ts";
import { scanFiles } from "../../src/threads/scan-files.ts";
import { newFolder, removeFolder } from "../cli/run.ts";
import { RUNS, seeded } from "../core/check.ts";
import { sinkOf } from "../output/sinks.ts";
import { HASHES, smallMemory } from "./settings.ts";

describe("keys", () => {
  const value = fc.option(fc.string({ unit: "binary", maxLength: 6 }), { nil: undefined });

  it("have the values that they are made of, and their order", () => {
    const by: KeyField[] = ["subject", "start", "flag"];
    const values = fc.tuple(value, fc.option(fc.maxSafeNat(), { nil: undefined }), value);
    const keyOf = (of: readonly (string | number | undefined)[]): Uint8Array =>
      Buffer.concat(by.map((name, index) => encodedValue(name, of[index])));
    const check = (one: (string | number | undefined)[], other: (string | number | undefined)[]): void => {
      const [first, second] = [keyOf(one), keyOf(other)];
      expect(valuesOf(first, 0, by)).toEqual(one.map((text) => text?.toString()));
      expect(Math.sign(compareKeys(first, 0, second, 0))).toBe(naiveOrder(one, other));
    };
    fc.assert(fc.property(values, values, check), { numRuns: 2000 * RUNS, ...seeded });
  });
});

it("numbers of a group beyond 2^32 stay exact, also from thread to thread", () => {
  const [table, other] = [new GroupTable(spillSettings()), new GroupTable(spillSettings())];
  const key = encodedValue("host", "a.example");
  const view = new DataView(key.buffer);
  const more = { count: 2 ** 40 + 1, messages: 2 ** 33 + 1, serial: 2 ** 32 + 5, first: -(2 ** 33), last: 2 ** 33 };
  // The second is of the same message, the third of the one that has its number modulo 2^32.
  for (const one of [more, more, { ...more, serial: 5 }]) table.add(view, 0, key.length, one);
  addPacked(other, packed(table));
  const [row] = other.rows();
  const { count, messages } = groupOf(row as KeyRow, ["host"]);
  expect([count, messages]).toEqual([3 * (2 ** 40 + 1), 2 * (2 ** 33 + 1)]);
});

function naiveOrder(one: readonly (string | number | undefined)[], other: readonly (string | number | undefined)[]): number {
  for (const [index, value] of one.entries()) {
    const second = other[index];
    if (value === second) continue;
    if (value === undefined || second === undefined) return value === undefined ? -1 : 1;
    const isNumber = typeof value === "number" && typeof second === "number";
    const order = isNumber ? value - second : Buffer.compare(Buffer.from(`${value}`), Buffer.from(`${second}`));
    if (order !== 0) return Math.sign(order);
  }
  return 0;
}

/** Returns the groups of rows, each of which is valid until the next one comes. */
function groupsOf(rows: Iterable<KeyRow | undefined>): Group[] {
  const groups: Group[] = [];
  for (const row of rows) if (row !== undefined) groups.push(groupOf(row, ["host"]));
  return groups;
}

/** What is added to a group in a test: its key, the number of its message, the time. */
type Addition = readonly [key: string, serial: number, time: number];

/** Counts additions with a Map. */
function naive(additions: readonly Addition[]): Group[] {
  const groups = new Map<string, { count: number; serials: Set<number>; times: number[] }>();
  for (const [key, serial, time] of additions) {
    const group = groups.get(key) ?? { count: 0, serials: new Set(), times: [] };
    groups.set(key, group);
    group.count++;
    if (serial > 0) group.serials.add(serial);
    group.times.push(time);
  }
  const dateOf = (time: number): string => new Date(time * 1000).toISOString().replace(".000Z", "Z");
  const list = [...groups].map(([key, { count, serials, times }]) => ({
    values: [key],
    count,
    messages: serials.size,
    first: dateOf(Math.min(...times)),
    last: dateOf(Math.max(...times)),
  }));
  return list.sort((one, other) => other.count - one.count || Buffer.compare(Buffer.from(one.values[0]), Buffer.from(other.values[0])));
}

describe.each(Object.entries(HASHES))("hash %s", (_, hash) => {
  it("counts as a Map does, with any memory", () => {
    let spilled = 0;
    const key = fc.oneof(
      fc.constant(""),
      fc.nat(150).map((number) => `h${number}.example`),
      fc.string({ unit: "binary", maxLength: 300 }),
    );
    const additions = fc.array(fc.tuple(key, fc.nat(3), fc.nat(2 ** 31)), { maxLength: 300 });
    const check = (list: [string, number, number][], memory: number, most: number): void => {
      const settings = smallMemory(memory, hash);
      const table = new GroupTable(settings);
      // Those of a message follow each other.
      const ordered = list.toSorted((one, other) => one[1] - other[1]);
      for (const [text, serial, time] of ordered) {
        const bytes = encodedValue("host", text);
        const messages = serial > 0 ? 1 : 0;
        table.add(new DataView(bytes.buffer), 0, bytes.length, { count: 1, messages, serial, first: time, last: time });
      }
      expect(groupsOf(table.sorted([0], most))).toEqual(naive(ordered).slice(0, most));
      spilled += settings.file.size;
      settings.file.close();
    };
    const memory = fc.constantFrom(1, 4000, 30_000, 1 << 20);
    fc.assert(fc.property(additions, memory, fc.constantFrom(1, 7, 1000), check), { numRuns: 50 * RUNS, ...seeded });
    expect(spilled).toBeGreaterThan(0);
  });
});

it("many groups in order, from partitions of partitions", () => {
  const settings = smallMemory(5000);
  const table = new GroupTable(settings);
  const additions = Array.from({ length: 5000 }, (_, index): Addition => [`h${(index * 7919) % 2003}.example`, index, index]);
  for (const [text, serial, time] of additions) {
    const bytes = encodedValue("host", text);
    table.add(new DataView(bytes.buffer), 0, bytes.length, { count: 1, messages: 1, serial: serial + 1, first: time, last: time });
  }
  expect(groupsOf(table.sorted([0], 1e9))).toEqual(naive(additions.map(([key, serial, time]) => [key, serial + 1, time])));
  settings.file.close();
});

it.each([5000, 50_000])("groups of a table of %i bytes are sorted after they were read by their keys, as --plot reads them", (memory) => {
  const settings = smallMemory(memory);
  const table = new GroupTable(settings);
  const additions = Array.from({ length: 500 }, (_, index): Addition => [`h${(index * index) % 311}.example`, index + 1, index]);
  for (const [text, serial, time] of additions) {
    const bytes = encodedValue("host", text);
    table.add(new DataView(bytes.buffer), 0, bytes.length, { count: 1, messages: 1, serial, first: time, last: time });
  }
  const groups = naive(additions);
  expect(groupsOf(table.byKey())).toHaveLength(groups.length);
  expect(settings.file.size).toBeGreaterThan(0);
  expect(groupsOf(table.sorted([0], 7))).toEqual(groups.slice(0, 7));
  expect(groupsOf(table.sorted([0], 1e9))).toEqual(groups);
  settings.file.close();
});

it("packed groups add up", () => {
  const settings = smallMemory(1 << 20);
  const [one, other] = [new GroupTable(settings), new GroupTable(settings)];
  const add = (table: GroupTable, text: string, serial: number, time: number): void => {
    const bytes = encodedValue("host", text);
    table.add(new DataView(bytes.buffer), 0, bytes.length, { count: 1, messages: serial > 0 ? 1 : 0, serial, first: time, last: time });
  };
  for (const serial of [1, 1, 2]) add(one, "a", serial, serial);
  add(other, "a", 1, Number.NaN);
  add(other, "b".repeat(5000), 0, Number.NaN);
  addPacked(one, packed(other));
  expect(groupsOf(one.rows())).toEqual([
    { values: ["a"], count: 4, messages: 3, first: "1970-01-01T00:00:01Z", last: "1970-01-01T00:00:02Z" },
    { values: ["b".repeat(5000)], count: 1, messages: 0, first: undefined, last: undefined },
  ]);
  expect(groupsOf(other.rows())).toEqual([]);
});

describe("files", () => {
  let folder: string;
  let paths: string[];

  beforeAll(() => {
    folder = newFolder();
    const message = (index: number): string => {
      const date = index % 5 === 0 ? "" : `Date: Mon, ${1 + (index % 28)} ${["Mar", "Apr", "May"][index % 3]} 2004 10:00:00 +0000\n`;
      const url = `http://u:p@h${index % 13}.test${index % 7}.com:81/${index % 50}`;
      const body = `${url} ${url}\n> <http://www.test.com> mailto:a${index % 7}@b.com http://a%2Fb.test.com/ http://3232235521/`;
      const header = `${date}From: N <n${index % 3}@c.com>\nMessage-ID: <${index}@m>\nSubject: s ${url}`;
      return `From a Mon Mar  1 10:00:00 2004\n${header}\n\n${body}\n\n`;
    };
    const mbox = Array.from({ length: 500 }, (_, index) => message(index)).join("");
    const text = Array.from({ length: 500 }, (_, index) => `http://h${index % 9}.test.com/${index}\n`).join("");
    // The same file twice: its messages are others each time.
    paths = ["mbox", "text", "one", "one"].map((name) => join(folder, name));
    writeFileSync(paths[0] as string, mbox);
    writeFileSync(paths[1] as string, text);
    writeFileSync(paths[2] as string, message(3));
  });
  afterAll(() => removeFolder(folder));

  async function counted(by: readonly KeyField[], threads: number, memory: number): Promise<Group[]> {
    const spill = smallMemory(memory);
    const counter = new Counter({ by }, spill);
    const settings = settingsOf(checkValues("urlmill count", { by }));
    const options = {
      settings: { ...settings, format: "groups" as const },
      threads,
      rangeBytes: 10_000,
      workMillisecondsLeast: 0,
      scansHere: threads !== 2,
    };
    await scanFiles(paths, options, sinkOf({ groups: (groups) => counter.merge(groups), matches: (batch) => counter.add(batch) }));
    const groups = [...counter.groups()].filter((group) => group !== undefined);
    spill.file.close();
    return groups;
  }

  it.each<KeyField[][]>([
    [["host"]],
    [["domain"]],
    [["url"]],
    [["raw", "scheme"]],
    [["month", "domain"]],
    [["flag"]],
    [["flags", "kind", "reason"]],
    [["source", "where", "quote"]],
    [["port", "path", "from_address", "year"]],
    [["message_id", "start"]],
  ])("by %j: as a Map counts the records", async (by) => {
    const fields = [...new Set([...FIELD_NAMES, ...by.filter((name) => name !== "flag")])];
    const settings = settingsOf(checkValues("urlmill extract", { format: "ndjson", fields }));
    let text = "";
    let file = 0;
    const naive = new Map<string, { count: number; messages: Set<string>; dates: string[] }>();
    const takeRecords = (): void => {
      file++;
      for (const line of text.split("\n").slice(0, -1)) {
        const record = JSON.parse(line);
        const flags: (string | undefined)[] = !by.includes("flag") || record.flags.length === 0 ? [undefined] : record.flags;
        for (const flag of flags) {
          const values = by.map((name) => (name === "flag" ? flag : shownAs(record[name])) ?? null);
          const group = naive.get(JSON.stringify(values)) ?? { count: 0, messages: new Set(), dates: [] };
          naive.set(JSON.stringify(values), group);
          group.count++;
          if (record.message !== undefined) group.messages.add(`${file} ${record.message}`);
          if (record.date !== undefined) group.dates.push(record.date);
        }
      }
      text = "";
    };
    for (const path of paths) {
      const sink = sinkOf({
        bytes({ bytes }) {
          text += Buffer.from(bytes).toString();
        },
      });
      await scanFiles([path], { settings, threads: 1 }, sink);
      takeRecords();
    }
    const wanted = [...naive].map(([values, { count, messages, dates }]) => {
      const [first, last] = [dates.toSorted()[0], dates.toSorted().at(-1)];
      return { values: JSON.parse(values).map((value: string | null) => value ?? undefined), count, messages: messages.size, first, last };
    });
    const byText = (one: Group, other: Group): number => (JSON.stringify(one.values) < JSON.stringify(other.values) ? -1 : 1);
    const [threads1, ...others] = await Promise.all(
      (
        [
          [1, 1 << 20],
          [1, 6000],
          [2, 1 << 20],
          [3, 6000],
        ] as const
      ).map(([threads, memory]) => counted(by, threads, memory)),
    );
    expect(threads1?.toSorted(byText)).toEqual(wanted.toSorted(byText));
    for (const other of others) expect(other).toEqual(threads1);
  });
});

/** A field of a record of JSON as groups have it. */
function shownAs(value: unknown): string | undefined {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return undefined;
  return Array.isArray(value) ? value.join(" ") : String(value);
}
