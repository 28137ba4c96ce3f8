// The hybrid form of numbers in Parquet: the same bytes as those of the package.

import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
import { describe, expect, it } from "vitest";
import { hybrid } from "../../src/output/parquet/hybrid.ts";

/** What the package writes. */
function expected(values: Int32Array, bits: number): number[] {
  const writer = new ByteWriter();
  writeRleBitPackedHybrid(writer, values, bits);
  return [...writer.getBytes()];
}

/** Values of some bits in runs: the lengths repeat, so that runs begin inside and at the borders of groups. */
function valuesOf(lengths: readonly number[], bits: number): Int32Array {
  return Int32Array.from(lengths.flatMap((length, run) => Array<number>(length).fill((run * 2654435761) & ((1 << bits) - 1))));
}

describe("numbers in the hybrid form", () => {
  const shapes = [[], [1], [7], [8], [9], [3, 8, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [8, 16, 1, 1000, 5, 5, 5], Array(300).fill(1)];

  for (const bits of [1, 2, 7, 8, 9, 17, 24]) {
    it(`are those of the package with ${bits} bits`, () => {
      for (const lengths of shapes) {
        const values = valuesOf(lengths, bits);
        expect([...hybrid(values, bits)]).toEqual(expected(values, bits));
      }
    });
  }
});
