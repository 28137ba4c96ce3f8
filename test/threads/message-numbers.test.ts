// Numbers of messages that are written into results whose range did not know how many messages are before it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageNumbers } from "../../src/threads/message-numbers.ts";
import { check } from "../core/check.ts";

/** A line: the text before its number, and the number in its range. */
type Line = readonly [before: string, number: number];

/** Returns the lines of a range after `messages` messages, by strings. */
const textOf = (lines: readonly Line[], messages: number): string =>
  lines.map(([before, number]) => `${before}${number + messages}\n`).join("");

/** The same by the bytes of the range and the places of its numbers. */
function renumbered(numbers: MessageNumbers, lines: readonly Line[], messages: number): string {
  const places: number[] = [];
  let at = 0;
  for (const [before, number] of lines) {
    places.push(at + before.length, number);
    at += before.length + `${number}\n`.length;
  }
  const batch = {
    kind: "bytes",
    bytes: Buffer.from(textOf(lines, 0)),
    count: lines.length,
    messageNumbers: Int32Array.from(places),
  } as const;
  const result = numbers.add(messages, batch);
  if (result.kind !== "bytes") throw new Error("the result has another kind");
  return Buffer.from(result.bytes).toString();
}

describe("numbers of messages", () => {
  const numbers = new MessageNumbers();
  const small = fc.nat(120);
  const line = fc.tuple(fc.string({ unit: fc.constantFrom("a", "7", "\t"), maxLength: 9 }), fc.oneof(small, fc.nat(2 ** 31 - 1)));

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
      expect(renumbered(numbers, lines, messages)).toBe(textOf(lines, messages));
    });
  });

  it("at each border of digits and of integers", () => {
    const borders = [9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 10 * 2 ** 31 - 1, 10 * 2 ** 31, 999_999_999_999_999, 10 ** 15];
    for (const border of borders) {
      const lines: Line[] = [0, 1, 2].map((number) => ["x", number]);
      expect(renumbered(numbers, lines, border - 1)).toBe(textOf(lines, border - 1));
    }
  });
});
