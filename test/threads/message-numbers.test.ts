// Numbers of messages that are written into results whose range did not know how many messages are before it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RECORD_WORDS } from "#core/layout/codes.js";
import { OUTPUT_BYTES, RECORD_ROWS_MAX, WINDOW_BYTES } from "#core/layout/memory.js";
import { NUMBER_ROWS_MAX, RENUMBERED_BYTES } from "#core/layout/records.js";
import { loadCore } from "../../src/core/core.ts";
import type { ByteBatch } from "../../src/matches/batch.ts";
import { renumbered, writeNumbered } from "../../src/threads/ordered-results.ts";
import { BUILDS } from "../core/builds.ts";
import { check } from "../core/check.ts";
import { sinkOf } from "../output/sinks.ts";

/** A line: the text before its number, and the number in its range. */
type Line = readonly [before: string, number: number];

/** Returns the lines of a range after `messages` messages, by strings. */
const textOf = (lines: readonly Line[], messages: number): string =>
  lines.map(([before, number]) => `${before}${number + messages}\n`).join("");

/** The bytes of a range, and the places of its numbers. */
function batchOf(lines: readonly Line[], tail = ""): ByteBatch & { readonly messageNumbers: Int32Array } {
  const places: number[] = [];
  let at = 0;
  for (const [before, number] of lines) {
    places.push(at + before.length, number);
    at += before.length + `${number}\n`.length;
  }
  const bytes = Buffer.from(textOf(lines, 0) + tail);
  return { kind: "bytes", bytes, count: lines.length, messageNumbers: Int32Array.from(places) };
}

describe.each(BUILDS)("numbers of messages in the build %s", async (build) => {
  const core = await loadCore(build);
  const numbered = (lines: readonly Line[], messages: number, tail?: string): string => {
    const batch = batchOf(lines, tail);
    return Buffer.from(renumbered(core, batch, batch.messageNumbers, messages)).toString();
  };
  const small = fc.nat(120);
  const text = fc.tuple(fc.string({ unit: fc.constantFrom("a", "7", "\t"), maxLength: 9 }), fc.constantFrom("", "x".repeat(40)));
  const line = fc.tuple(
    text.map((texts) => texts.join("")),
    fc.oneof(small, fc.nat(2 ** 31 - 1)),
  );

  it("count from the start of the source, whatever their digits", () => {
    const before = fc.oneof(
      small,
      fc.nat(2 ** 31 - 1),
      fc
        .maxSafeNat()
        .map((most) => most - 2 ** 31)
        .filter((most) => most >= 0),
    );
    check(2000, fc.tuple(fc.array(line, { maxLength: 12 }), before), ([lines, messages]) => {
      expect(numbered(lines, messages)).toBe(textOf(lines, messages));
    });
  });

  it("at each border of digits and of integers", () => {
    const borders = [9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 10 * 2 ** 31 - 1, 10 * 2 ** 31, 999_999_999_999_999, 10 ** 15];
    for (const border of borders) {
      const lines: Line[] = [0, 1, 2].map((number) => ["x", number]);
      expect(numbered(lines, border - 1)).toBe(textOf(lines, border - 1));
    }
  });

  it("in more text, and more often, than the core takes at once", () => {
    const most = 2 ** 53 - 2 ** 31;
    const many: Line[] = Array.from({ length: 2 * NUMBER_ROWS_MAX + 3 }, (_, number) => ["", number % 12]);
    expect(numbered(many, most)).toBe(textOf(many, most));
    for (const before of [1, 9, 10, 11, 12]) {
      const long: Line[] = [
        ["a", 5],
        ["x".repeat(2 * RENUMBERED_BYTES - before), 2_000_000_000],
        ["y".repeat(RENUMBERED_BYTES - before), 7],
      ];
      const tail = "z".repeat(RENUMBERED_BYTES + 5);
      expect(numbered(long, most, tail)).toBe(textOf(long, most) + tail);
    }
  });
});

it("what the core takes at once fits into its regions, with the longest numbers too", () => {
  expect(2 * NUMBER_ROWS_MAX).toBeLessThanOrEqual(RECORD_ROWS_MAX * RECORD_WORDS);
  expect(RENUMBERED_BYTES).toBeLessThanOrEqual(WINDOW_BYTES);
  expect(RENUMBERED_BYTES + 16 * (NUMBER_ROWS_MAX + 1)).toBeLessThanOrEqual(OUTPUT_BYTES);
});

it("are written as they are before the first message, and where there are none", () => {
  const written: string[] = [];
  const sink = sinkOf({ bytes: ({ bytes, count }) => void written.push(`${Buffer.from(bytes)}${count}`) });
  const batch = batchOf([["a", 1]]);
  for (const before of [0, 41]) writeNumbered(sink, before, batch);
  writeNumbered(sink, 41, { ...batch, messageNumbers: undefined });
  expect(written).toEqual(["a1\n1", "a42\n1", "a1\n1"]);
});
