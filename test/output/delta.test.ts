// Differences of numbers in Parquet: the same bytes as those of the package.
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { deltaBinaryPack } from "hyparquet-writer/src/delta.js";
import { describe, expect, it } from "vitest";
import { deltas } from "../../src/output/parquet/delta.ts";

/** What the package writes. */
function expected(values: Float64Array): number[] {
  const writer = new ByteWriter();
  deltaBinaryPack(writer, BigInt64Array.from(values, BigInt), "INT64");
  return [...writer.getBytes()];
}

/** Numbers from `start` on, whose differences are below `step` and of both signs if `falls`. */
function numbersOf(count: number, start: number, step: number, falls = false): Float64Array {
  let last = start;
  return Float64Array.from({ length: count }, (_, index) => {
    const difference = (index * 2654435761) % step;
    last += falls && index % 3 === 0 ? -difference : difference;
    return last;
  });
}

describe("differences of numbers", () => {
  for (const count of [1, 2, 33, 128, 129, 130, 257, 1000]) {
    it(`are those of the package for ${count} numbers`, () => {
      for (const step of [1, 2, 100, 70_000, 2 ** 30]) {
        const rising = numbersOf(count, 3, step);
        expect([...(deltas(rising) ?? [])]).toEqual(expected(rising));
        const both = numbersOf(count, 2 ** 45 + 5, step, true);
        expect([...(deltas(both) ?? [])]).toEqual(expected(both));
      }
    });
  }

  it("are not written of numbers that are far from each other", () => {
    expect(deltas(Float64Array.of(0, 2 ** 31 - 1, 2 ** 31 - 1))).toBeDefined();
    expect(deltas(Float64Array.of(0, 2 ** 31, 2 ** 31))).toBeUndefined();
    expect(deltas(Float64Array.of(2 ** 52, 0, 2 ** 52))).toBeUndefined();
  });
});
