// The map from decoded bytes to source bytes (X9).

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAP_SCALE_WHOLE } from "#core/layout/memory.js";
import { Mappings } from "../../src/scan/source-map.ts";

/** Copies of some bytes, then a reference of some source bytes that decodes to some others. */
const pieces = fc.array(fc.record({ copied: fc.nat(4), width: fc.integer({ min: 1, max: 7 }), length: fc.integer({ min: 3, max: 33 }) }));

/** The map of the pieces, and for each decoded byte where its source starts and ends. */
function build(list: readonly { copied: number; width: number; length: number }[]): { map: Mappings; starts: number[]; ends: number[] } {
  const map = new Mappings();
  const starts: number[] = [];
  const ends: number[] = [];
  let source = 0;
  const copy = (count: number): void => {
    for (let i = 0; i < count; i++) {
      starts.push(source);
      ends.push(++source);
    }
  };
  for (const { copied, width, length } of list) {
    copy(copied);
    for (let i = 0; i < width; i++) {
      starts.push(source);
      ends.push(source + length);
    }
    source += length;
    map.add(starts.length, width, source);
  }
  copy(5);
  return { map, starts, ends };
}

describe("Mappings", () => {
  it("is the identity without references", () => {
    const map = new Mappings();
    expect([map.startOf(0), map.startOf(7), map.endOf(7), map.firstFrom(7)]).toEqual([0, 7, 7, 7]);
  });

  it("covers the whole of a run that is made of all its source, between two runs that are copied", () => {
    const map = new Mappings();
    map.add(10, 0, 10);
    map.add(10, 0, 70, MAP_SCALE_WHOLE);
    map.add(310, 0, 75);
    expect([9, 10, 100, 309, 310].map((at) => map.startOf(at))).toEqual([9, 10, 10, 10, 75]);
    expect([10, 11, 100, 310, 311].map((at) => map.endOf(at))).toEqual([10, 70, 70, 70, 76]);
    expect([9, 10, 11, 70, 75, 77].map((at) => map.firstFrom(at))).toEqual([9, 10, 310, 310, 310, 312]);
    for (let row = 0; row < 600; row++) map.add(320 + row, 0, 100 + 2 * row);
    map.add(1000, 0, 2000);
    map.add(1000, 0, 2600, MAP_SCALE_WHOLE);
    map.drop(1050);
    expect([map.startOf(1060), map.endOf(1060)]).toEqual([2000, 2600]);
  });

  it("covers the whole source of a reference", () => {
    const map = new Mappings();
    // ab&amp;c&nbsp;: "ab&c" and two bytes of U+00A0
    map.add(3, 1, 7);
    map.add(6, 2, 14);
    expect([0, 1, 2, 3, 4, 5, 6].map((at) => map.startOf(at))).toEqual([0, 1, 2, 7, 8, 8, 14]);
    expect([1, 2, 3, 4, 5, 6, 7].map((at) => map.endOf(at))).toEqual([1, 2, 7, 8, 14, 14, 15]);
  });

  it("tells start and end of any byte, asked in any order", () => {
    fc.assert(
      fc.property(pieces, fc.infiniteStream(fc.nat()), (list, numbers) => {
        const { map, starts, ends } = build(list);
        for (const at of starts.keys()) expect([map.startOf(at), map.endOf(at + 1)]).toEqual([starts[at], ends[at]]);
        for (const number of numbers.take(20)) expect(map.startOf(number % starts.length)).toBe(starts[number % starts.length]);
      }),
      { seed: 1 },
    );
  });

  it("tells the first byte whose source starts at an offset or behind it", () => {
    fc.assert(
      fc.property(pieces, (list) => {
        const { map, starts } = build(list);
        for (let source = 0; source <= (starts.at(-1) ?? 0); source++) {
          expect(map.firstFrom(source)).toBe(starts.findIndex((start) => start >= source));
        }
      }),
      { seed: 1 },
    );
  });

  it("knows what stands behind the bytes that it forgets", () => {
    const map = new Mappings();
    for (let row = 1; row <= 5000; row++) map.add(2 * row, 1, 6 * row);
    map.drop(8001);
    expect([map.startOf(8001), map.endOf(8002), map.startOf(8002), map.endOf(9000)]).toEqual([24001, 24006, 24006, 27000]);
  });
});
