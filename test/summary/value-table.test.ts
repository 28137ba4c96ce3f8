// Tables of values: exact while there is room, within their bound where there is not, and mergeable.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodedValue, valuesOf } from "../../src/count/key-fields.ts";
import { KnownTexts } from "../../src/summary/known-texts.ts";
import { type MonthCell, noAddition } from "../../src/summary/month-cells.ts";
import { addPackedTable, packedTable } from "../../src/summary/packed-table.ts";
import { ValueTable } from "../../src/summary/value-table.ts";
import { check } from "../core/check.ts";
import { HASHES } from "../count/settings.ts";

/** A match: its value, its month, the number of its message. */
type Match = readonly [value: string, month: number, message: number];

function newTable(memory: number, hash = HASHES.murmur3): ValueTable {
  return new ValueTable({ memory, hash: hash as NonNullable<typeof hash>, seed: 1 });
}

/** Adds matches; those of a message follow each other. `known`: a value that is added by its address. */
function addAll(table: ValueTable, matches: readonly Match[], known?: string): void {
  const texts = new KnownTexts();
  const more = { ...noAddition(), matches: 1, messages: 1 };
  for (const [value, month, message] of matches.toSorted((one, other) => one[2] - other[2])) {
    Object.assign(more, { month, serial: message, first: month * 100 + message, last: month * 100 + message });
    const key = encodedValue("url", value);
    if (value === known) texts.addTo(table, value, more);
    else table.add(new DataView(key.buffer), 0, key.length, more);
  }
}

interface Counted {
  readonly matches: number;
  readonly cells: readonly MonthCell[];
  readonly first: number;
  readonly last: number;
}

function countedBy(table: ValueTable): Map<string, Counted> {
  const values = new Map<string, Counted>();
  for (const { bytes, keyStart, first, last } of table.rows()) {
    const cells: MonthCell[] = [];
    table.visitCells(({ month, matches, messages }) => void cells.push([month, matches, messages]));
    const inOrder = cells.sort(([one], [other]) => one - other);
    const matches = cells.reduce((sum, [, more]) => sum + more, 0);
    values.set(valuesOf(bytes, keyStart, ["url"])[0] as string, { matches, cells: inOrder, first, last });
  }
  return values;
}

function naive(matches: readonly Match[]): Map<string, Counted> {
  const values = new Map<string, Match[]>();
  for (const match of matches) values.set(match[0], [...(values.get(match[0]) ?? []), match]);
  return new Map(
    [...values].map(([value, of]) => {
      const months = [...new Set(of.map(([, month]) => month))].sort((one, other) => one - other);
      const cells = months.map((month): MonthCell => {
        const inMonth = of.filter((match) => match[1] === month);
        return [month, inMonth.length, new Set(inMonth.map(([, , message]) => message)).size];
      });
      const times = of.map(([, month, message]) => month * 100 + message);
      return [value, { matches: of.length, cells, first: Math.min(...times), last: Math.max(...times) }];
    }),
  );
}

const values = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("", "a.example", "b.example") },
  fc.nat(400).map((number) => `h${number}.example`),
  fc.string({ unit: "binary", maxLength: 300 }),
);
/** A message has one month. */
const allMatches = fc
  .array(fc.tuple(values, fc.integer({ min: 1, max: 60 })), { maxLength: 600 })
  .map((list) => list.map(([value, message]): Match => [value, 23_000 + (message % 5), message]));

describe.each(Object.entries(HASHES))("hash %s", (_, hash) => {
  it("while there is room a table has what is counted one by one, also of parts", () => {
    check(60, fc.tuple(allMatches, fc.integer({ min: 1, max: 60 })), ([matches, cut]) => {
      const [whole, first, second] = [newTable(1e9, hash), newTable(1e9, hash), newTable(1e9, hash)];
      addAll(whole, matches, "a.example");
      addAll(
        first,
        matches.filter(([, , message]) => message < cut),
      );
      addAll(
        second,
        matches.filter(([, , message]) => message >= cut),
      );
      addPackedTable(second, packedTable(first));
      expect(countedBy(whole)).toEqual(naive(matches));
      expect(countedBy(second)).toEqual(naive(matches));
      expect([whole.bound, second.bound, [...second.rest]]).toEqual([0, 0, []]);
    });
  });
});

describe("a table that is too small", () => {
  it("says at most as many matches as there are, and at least so many less its bound; the rest has all others", () => {
    let forgotten = 0;
    const sizes = fc.constantFrom(1, 700, 4000, 20_000);
    check(200, fc.tuple(allMatches, allMatches, sizes, sizes), ([matches, others, memory, more]) => {
      const [table, other] = [newTable(memory), newTable(more)];
      addAll(table, matches, "a.example");
      // Other messages.
      const moved = others.map(([value, month, message]): Match => [value, month, message + 100]);
      addAll(other, moved);
      addPackedTable(table, packedTable(other));
      const [found, wanted] = [countedBy(table), naive([...matches, ...moved])];
      for (const [value, { matches: exact, cells }] of wanted) {
        const known = found.get(value);
        const count = known?.matches ?? 0;
        if (count > exact || count + table.bound < exact) expect.fail(`${value}: ${count} of ${exact}, bound ${table.bound}`);
        const most = new Map(cells.map(([month, ...counts]) => [month, counts]));
        for (const [month, inMonth, messages] of known?.cells ?? []) {
          const [exactInMonth = 0, exactMessages = 0] = most.get(month) ?? [];
          expect(inMonth).toBeLessThanOrEqual(exactInMonth);
          expect(messages).toBeLessThanOrEqual(exactMessages);
        }
      }
      expect([...found.keys()].filter((value) => !wanted.has(value))).toEqual([]);
      const sum = (all: Iterable<MonthCell>): number => [...all].reduce((total, [, count]) => total + count, 0);
      const shown = [...found.values()].reduce((total, { matches: count }) => total + count, 0);
      expect(shown + sum(table.rest)).toBe(matches.length + others.length);
      expect(table.bound > 0).toBe(sum(table.rest) > 0);
      if (table.bound > 0) forgotten++;
    });
    expect(forgotten).toBeGreaterThan(50);
  });

  it("keeps the most frequent value, whatever comes between", () => {
    const table = newTable(20_000);
    const rare = Array.from({ length: 5000 }, (_, index): Match => [`h${index}.example`, 23_000, index + 1]);
    addAll(
      table,
      rare.flatMap((match): Match[] => [match, ["often.example", match[1], match[2]]]),
    );
    expect(countedBy(table).get("often.example")).toMatchObject({ matches: 5000, cells: [[23_000, 5000, 5000]] });
    expect(table.bound).toBeGreaterThan(0);
    expect(table.bound).toBeLessThan(5000);
    expect(table.size).toBeLessThanOrEqual(20_000);
  });

  it("has room for values of many months", () => {
    const table = newTable(20_000);
    addAll(
      table,
      Array.from({ length: 5000 }, (_, index): Match => ["a.example", index, index + 1]),
    );
    expect(table.size).toBeLessThanOrEqual(20_000);
    expect((countedBy(table).get("a.example")?.matches ?? 0) + table.bound).toBeGreaterThanOrEqual(5000);
  });
});
