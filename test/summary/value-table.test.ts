// Tables of values: exact while there is room, within their bound where there is not, and mergeable.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodedValue, valuesOf } from "../../src/count/key-fields.ts";
import { type Hash, murmur3 } from "../../src/count/key-table.ts";
import { MONTHS_MOST, noAddition } from "../../src/summary/month-cells.ts";
import { REST, ValueTable } from "../../src/summary/value-table.ts";
import { check, RUNS } from "../core/check.ts";
import { HASHES } from "../count/settings.ts";

/** About what a row takes beside its key. */
const ROW_BYTES = 64;

/** A month, its matches, and its messages. */
type MonthCell = readonly [month: number, matches: number, messages: number];
/** A match: its value, its month, the number of its message. */
type Match = readonly [value: string, month: number, message: number];

function newTable(memory: number, hash = HASHES.murmur3): ValueTable {
  return new ValueTable({ memory, hash: hash as NonNullable<typeof hash>, seed: 1 });
}

/** Adds matches; those of a message follow each other. `known`: a value that is added by its text. */
function addAll(table: ValueTable, matches: readonly Match[], known?: string): void {
  const more = { ...noAddition(), count: 1, messages: 1 };
  for (const [value, month, message] of matches.toSorted((one, other) => one[2] - other[2])) {
    Object.assign(more, { month, serial: message, first: month * 100 + message, last: month * 100 + message });
    const key = encodedValue("url", value);
    if (value === known) table.addText(value, more);
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
  for (const address of table.addresses()) {
    table.select(address);
    const cells = cellsOf(table);
    const times: number[] = [];
    table.visitCells((sums) => void times.push(sums.first, sums.last));
    const inOrder = cells.sort(([one], [other]) => one - other);
    const matches = cells.reduce((sum, [, more]) => sum + more, 0);
    values.set(valuesOf(table.key(), 0, ["url"])[0] as string, {
      matches,
      cells: inOrder,
      first: Math.min(...times),
      last: Math.max(...times),
    });
  }
  return values;
}

/** Returns the cells of the value that was selected last. */
function cellsOf(table: ValueTable): MonthCell[] {
  const cells: MonthCell[] = [];
  table.visitCells(({ month, count, messages }) => void cells.push([month, count, messages]));
  return cells;
}

/** Returns the cells of matches without a value, and of forgotten values. */
function restOf(table: ValueTable): MonthCell[] {
  table.select(REST);
  return cellsOf(table);
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
      second.merge(first.pack());
      expect(countedBy(whole)).toEqual(naive(matches));
      expect(countedBy(second)).toEqual(naive(matches));
      expect([whole.bound, second.bound, restOf(second)]).toEqual([0, 0, []]);
    });
  });
});

it("numbers beyond 2^32 stay exact, also from thread to thread", () => {
  const [table, other] = [newTable(1e9), newTable(1e9)];
  const key = encodedValue("url", "a.example");
  const [serial, first, last] = [2 ** 32 + 5, -(2 ** 33), 2 ** 33 + 1];
  const more = { month: 24_000, count: 2 ** 40 + 1, messages: 2 ** 33 + 1, serial, first, last };
  // The second addition is of the same message, the third of the one that has its number modulo 2^32.
  for (const one of [more, more, { ...more, serial: 5 }]) table.add(new DataView(key.buffer), 0, key.length, one);
  const wanted = { matches: 3 * (2 ** 40 + 1), cells: [[24_000, 3 * (2 ** 40 + 1), 2 * (2 ** 33 + 1)]], first, last };
  expect(countedBy(table).get("a.example")).toEqual(wanted);
  for (const bound of [2 ** 40, 2 ** 31]) other.merge({ ...table.pack(), bound });
  const twice = { matches: 6 * (2 ** 40 + 1), cells: [[24_000, 6 * (2 ** 40 + 1), 4 * (2 ** 33 + 1)]], first, last };
  expect(countedBy(other).get("a.example")).toEqual(twice);
  expect(other.bound).toBe(2 ** 40 + 2 ** 31);
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
      table.merge(other.pack());
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
      expect(shown + sum(restOf(table))).toBe(matches.length + others.length);
      expect(table.bound > 0).toBe(sum(restOf(table)) > 0);
      if (table.bound > 0) forgotten++;
    });
    expect(forgotten).toBeGreaterThan(50 * RUNS);
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

  it("has room for two values of all months", () => {
    const table = newTable(4000);
    const matches = Array.from({ length: 2 * MONTHS_MOST }, (_, index): Match => {
      return [`${index % 2}.example`, 23_000 + (index >> 1), index + 1];
    });
    addAll(table, matches);
    expect(countedBy(table)).toEqual(naive(matches));
    expect(table.bound).toBe(0);
  });

  it("counts a value that has no room beside one that has all cells", () => {
    const table = newTable(20_000);
    const often = Array.from({ length: 2047 }, (_, index): Match => ["often.example", index, index + 1]);
    addAll(table, [...often, ["rare.example", 1, 6000], ["rare.example", 2, 6001]]);
    expect(countedBy(table).get("rare.example")).toMatchObject({ matches: 2 });
    expect((countedBy(table).get("often.example")?.matches ?? 0) + table.bound).toBeGreaterThanOrEqual(2047);
  });

  /** Returns how many bytes of rows a table finds a place for, for each byte of a row that is added. */
  function workOf(memory: number, matches: readonly Match[]): number {
    let [hashed, added] = [0, 0];
    const counting: Hash = (view, start, end, seed) => {
      hashed += ROW_BYTES + end - start;
      return murmur3(view, start, end, seed);
    };
    const table = newTable(memory, counting);
    addAll(table, matches);
    for (const [value] of matches) added += ROW_BYTES + encodedValue("url", value).length;
    return hashed / added;
  }

  it("forgets half of the URLs in the memory that they have by default, not three quarters", () => {
    const table = newTable(23_500_000);
    let most = 0;
    for (let serial = 1; table.epoch === 0; serial++) {
      most = table.count;
      addAll(table, [[`http://a${serial}.example/${"x".repeat(40)}`, 23_000, serial]]);
    }
    expect(table.bound).toBe(1);
    expect(table.count / most).toBeGreaterThan(0.49);
  });

  it("packs the key of a value once, not for each month", () => {
    const table = newTable(1 << 20);
    const value = `http://a.example/${"x".repeat(10_000)}`;
    addAll(
      table,
      Array.from({ length: 120 }, (_, index): Match => [value, 23_000 + index, index + 1]),
    );
    const packed = table.pack();
    expect(packed.bytes.length).toBeLessThan(2 * value.length);
    const merged = newTable(1 << 20);
    merged.merge(packed);
    expect(countedBy(merged)).toEqual(countedBy(table));
  });

  it("forgets enough at once: short values that come and go are not a reason to copy long ones each time", () => {
    const long = Array.from({ length: 8 }, (_, index) => `${index}${"x".repeat(4000)}`);
    const often = [...long, ...long].map((value, index): Match => [value, 23_000, index + 1]);
    const rare = Array.from({ length: 20_000 }, (_, index): Match => [`${index}`, 23_000, index + 100]);
    // Eight long values leave room for about fifty short ones.
    expect(workOf(78_000, [...often, ...rare])).toBeLessThan(6);
  });

  it("forgets enough at once: rare values are not a reason to copy all months of one each time", () => {
    const often = Array.from({ length: 1800 }, (_, index): Match => ["often.example", 10_000 + index, index + 1]);
    const rare = Array.from({ length: 20_000 }, (_, index): Match => [`${index}.example`, 23_000, index + 2000]);
    expect(workOf(100_000, [...often, ...rare])).toBeLessThan(6);
  });
});
