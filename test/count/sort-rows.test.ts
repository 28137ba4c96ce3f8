// The first rows of a table in order: what sorting all of them gives, however many are asked for.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeyTable, murmur3 } from "../../src/count/key-table.ts";
import { sortedAddresses } from "../../src/count/sort-rows.ts";
import { finishAtOnce } from "../../src/input/pacer.ts";
import { check, expectEqual } from "../core/check.ts";

const MEMORY = 1 << 24;
/** More keys are sorted by their words. */
const COMPARED_MOST = 1024;

interface KeyRow {
  readonly key: string;
  readonly numbers: readonly number[];
}

function tableOf(rows: readonly KeyRow[]): KeyTable {
  const table = new KeyTable(2, MEMORY, murmur3, 1);
  fill(table, rows);
  return table;
}

function fill(table: KeyTable, rows: readonly KeyRow[]): void {
  for (const { key, numbers } of rows) {
    // No key begins another.
    const bytes = new TextEncoder().encode(`${key}\0`);
    table.reach(new DataView(bytes.buffer), 0, bytes.length);
    for (const [column, number] of numbers.entries()) table.numbers[table.at + column] = number;
  }
}

/** Returns the keys of the first `most` rows. */
function sorted(table: KeyTable, most: number): string[] {
  return keysOf(table, finishAtOnce(sortedAddresses(table, [0, 1], most)));
}

function keysOf(table: KeyTable, addresses: Int32Array): string[] {
  return Array.from(addresses, (address) => {
    table.select(address);
    return new TextDecoder().decode(table.bytes.subarray(table.keyStart, table.keyEnd - 1));
  });
}

function expected(rows: readonly KeyRow[], most: number): string[] {
  const difference = (one: KeyRow, other: KeyRow, column: number): number =>
    (other.numbers[column] as number) - (one.numbers[column] as number);
  const order = (one: KeyRow, other: KeyRow): number =>
    difference(one, other, 0) || difference(one, other, 1) || Buffer.compare(Buffer.from(one.key), Buffer.from(other.key));
  return rows
    .toSorted(order)
    .slice(0, most)
    .map(({ key }) => key);
}

/** A table that counts how often its rows are read. */
class ReadTable extends KeyTable {
  reads = 0;

  override select(address: number): void {
    this.reads++;
    super.select(address);
  }

  override keyWord(address: number, index: number): number {
    this.reads++;
    return super.keyWord(address, index);
  }

  override isKeyBefore(address: number, other: number, depth: number): boolean {
    this.reads++;
    return super.isKeyBefore(address, other, depth);
  }
}

/** Rows that are sorted without a pause. */
const ROWS_AT_ONCE = 1 << 16;
/** A row is read about this often without a pause: for each word of a key that begins like others. */
const READS_OF_ROW = 20;

/** Rows many of which have the same numbers, and keys that begin alike. */
const ROWS = fc.uniqueArray(
  fc.record({
    key: fc
      .tuple(fc.constantFrom("", "http://a.example/", "http://a.example/x"), fc.stringMatching(/^[ab]{0,9}$/))
      .map((all) => all.join("")),
    numbers: fc.tuple(fc.nat(3), fc.nat(2)),
  }),
  { selector: ({ key }) => key, maxLength: 200, size: "max" },
);

describe("the first rows in order", () => {
  it("are those of the whole order", () => {
    check(300, fc.tuple(ROWS, fc.nat(220)), ([rows, most]) => {
      expect(sorted(tableOf(rows), most)).toEqual(expected(rows, most));
    });
  });

  it("are so where many rows have the same numbers", () => {
    const keys = Array.from({ length: 2 * COMPARED_MOST }, (_, index) => `http://${(index * 7919) % 97}.example/${index}`);
    const rows = keys.map((key, index) => ({ key, numbers: [index < 50 ? 2 : 1, index < 100 ? 1 : 0] }));
    const table = tableOf(rows);
    const whole = expected(rows, rows.length);
    for (let most = 0; most <= rows.length; most++) expectEqual(sorted(table, most), whole.slice(0, most), () => `the first ${most}`);
  });

  it.each([
    ["small numbers", 1, 100],
    ["numbers beyond 2^31", 2 ** 31 + 1, 1_000_003],
    ["numbers near 2^53", 2 ** 33 - 1, 2 ** 19 - 1],
  ])("are those of the whole order, with pauses, where many rows have %s", (_, factor, different) => {
    const count = 3 * ROWS_AT_ONCE + 5;
    const table = new ReadTable(2, 1 << 26, murmur3, 1);
    const rows = Array.from({ length: count }, (__, index): KeyRow => {
      const key = `http://${(index * 7919) % 10_007}.example/${index}`;
      return { key, numbers: [factor * ((index * 31) % different), index < 1000 ? 1 : 0] };
    });
    fill(table, rows);
    for (const most of [count, 1000]) {
      let [parts, reads, readsMost] = [1, table.reads, 0];
      const work = sortedAddresses(table, [0, 1], most);
      let step = work.next();
      for (; step.done !== true; parts++) {
        readsMost = Math.max(readsMost, table.reads - reads);
        reads = table.reads;
        step = work.next();
      }
      expectEqual(keysOf(table, step.value), expected(rows, most), () => `the first ${most}`);
      expect(parts).toBeGreaterThan(10);
      expect(readsMost).toBeLessThan(READS_OF_ROW * ROWS_AT_ONCE);
    }
  });
});
