// Rows in the order that options ask for, with totals: the same as arrays give, for any memory.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arranged, type RowOrder } from "../../src/count/arranged.ts";
import { type Group, GroupTable, groupOf } from "../../src/count/group-table.ts";
import { encodedValue } from "../../src/count/key-fields.ts";
import type { KeyField } from "../../src/options/fields.ts";
import { RUNS, seeded } from "../core/check.ts";
import { smallMemory } from "./settings.ts";

const BY: readonly KeyField[] = ["year", "host"];
const [COUNT, MESSAGES] = [0, 1];
/** A year, a host, matches and messages. */
type Row = readonly [year: number | undefined, host: string | undefined, count: number, messages: number];

/** Returns which of two rows comes first in the order of keys. */
function byKey([year = -1, host]: Row, [otherYear = -1, otherHost]: Row): number {
  if (year !== otherYear) return year - otherYear;
  if (host === undefined || otherHost === undefined) return Number(host !== undefined) - Number(otherHost !== undefined);
  return Buffer.compare(Buffer.from(host), Buffer.from(otherHost));
}

/** Arranges rows with arrays. */
function naive(rows: readonly Row[], { numbers, isByKey, most, per, total }: RowOrder): (readonly [...Row, number | undefined])[] {
  const bySize = (one: Row, other: Row): number => {
    const column = numbers.map((number) => number + 2).find((at) => one[at] !== other[at]);
    return column === undefined ? byKey(one, other) : Number(other[column]) - Number(one[column]);
  };
  const years = [...new Set(rows.toSorted(byKey).map(([year]) => year))];
  const groups = per.length === 0 ? [rows] : years.map((year) => rows.filter((row) => row[0] === year));
  const wanted = groups.flatMap((group) => {
    const largest = group.toSorted(bySize).slice(0, most);
    return isByKey ? largest.sort(byKey) : largest;
  });
  const totalOf = ([year]: Row): number =>
    rows.reduce((sum, [other, , count]) => sum + (total?.length === 0 || other === year ? count : 0), 0);
  return wanted.map((row) => [...row, total && Math.round((10_000 * row[2]) / totalOf(row)) / 100]);
}

const host = fc.option(
  fc.nat(20).map((number) => `h${number}.example`),
  { nil: undefined },
);
const year = fc.option(fc.integer({ min: 1, max: 12_000 }), { nil: undefined });
const row = fc.tuple(fc.oneof(fc.constantFrom(1999, 2000), year), host, fc.integer({ min: 1, max: 5 }), fc.nat(3));
const rows = fc.uniqueArray(row, { selector: ([of, at]) => `${of} ${at}`, maxLength: 120 });
const order: fc.Arbitrary<RowOrder> = fc.record({
  numbers: fc.constantFrom([COUNT], [MESSAGES, COUNT]),
  isByKey: fc.boolean(),
  most: fc.constantFrom(1, 3, Number.POSITIVE_INFINITY),
  per: fc.constantFrom<KeyField[]>([], ["year"]),
  total: fc.constantFrom<KeyField[] | undefined>(undefined, [], ["year"]),
});

describe("rows in an order", () => {
  it("are those of arrays, in memory and on disk", () => {
    let spilled = 0;
    const check = (list: Row[], memory: number, wanted: RowOrder): void => {
      const settings = smallMemory(memory);
      const table = new GroupTable(settings);
      for (const [of, at, count, messages] of list) {
        const key = Buffer.concat([encodedValue("year", of), encodedValue("host", at)]);
        const view = new DataView(key.buffer, key.byteOffset, key.length);
        table.add(view, 0, key.length, { count, messages, serial: 0, first: Number.NaN, last: Number.NaN });
      }
      const groups: Group[] = [];
      for (const one of arranged(table, settings, wanted)) if (one) groups.push(groupOf(one, BY, wanted.total && "count"));
      expect(groups.map(({ values: [of, at], count, messages, share }) => [of && Number(of), at, count, messages, share])).toEqual(
        naive(list, wanted),
      );
      spilled += settings.file.size;
      settings.file.close();
    };
    fc.assert(fc.property(rows, fc.constantFrom(1, 4000, 20_000, 1 << 20), order, check), { numRuns: 300 * RUNS, ...seeded });
    expect(spilled).toBeGreaterThan(0);
  });

  it("do not take a year for the start of another, or a byte of a number for the end of a value", () => {
    const settings = smallMemory(1 << 20);
    const table = new GroupTable(settings);
    // Numbers of such counts have bytes 0 and 1 at every place.
    for (const [index, count] of [1, 256, 257, 65_536, 2 ** 32, 2 ** 48 + 1].entries()) {
      const key = Buffer.concat([encodedValue("year", 10 ** (index % 3)), encodedValue("host", `h${index}.example`)]);
      const view = new DataView(key.buffer, key.byteOffset, key.length);
      table.add(view, 0, key.length, { count, messages: 0, serial: 0, first: Number.NaN, last: Number.NaN });
    }
    const largest: RowOrder = { numbers: [COUNT], isByKey: false, most: 1, per: ["year"], total: undefined };
    const values = [...arranged(table, settings, largest)].flatMap((one) => (one ? [groupOf(one, BY).values] : []));
    expect(values).toEqual([
      ["1", "h3.example"],
      ["10", "h4.example"],
      ["100", "h5.example"],
    ]);
    settings.file.close();
  });
});
