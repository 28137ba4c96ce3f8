// Distinct keys: the first of each, in order, for any memory, any hash and any keys.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Distinct } from "../../src/count/distinct.ts";
import { murmur3 } from "../../src/count/key-table.ts";
import { SpillFile } from "../../src/count/spill.ts";
import { RUNS, seeded } from "../core/check.ts";
import { HASHES, smallMemory, viewOf } from "./settings.ts";

/** Returns the texts that `Distinct` leaves of a list, and how many bytes it wrote to disk. */
function distinctOf(keys: readonly string[], settings = smallMemory(1 << 20)): { left: string[]; spilled: number } {
  const distinct = new Distinct(settings);
  const left: string[] = [];
  for (const [index, key] of keys.entries()) {
    const view = viewOf(key);
    const text = Buffer.from(`${index} ${key}`);
    const answer = distinct.add(view, 0, view.byteLength);
    if (answer === "new") left.push(text.toString());
    if (answer === "later") distinct.keep(view, 0, view.byteLength, text);
  }
  for (const _ of distinct.finish(({ bytes, textStart, textEnd }) =>
    left.push(Buffer.from(bytes.subarray(textStart, textEnd)).toString()),
  ));
  settings.file.close();
  return { left, spilled: settings.file.size };
}

/** The same by the book. */
function firstOf(keys: readonly string[]): string[] {
  return keys.flatMap((key, index) => (keys.indexOf(key) === index ? [`${index} ${key}`] : []));
}

const key = fc.oneof(
  fc.constant(""),
  fc.nat(99).map((number) => `http://h${number}.example/`),
  fc.string({ unit: "binary", maxLength: 9 }),
  fc.nat(5).map((number) => `${"long ".repeat(200)}${number}`),
);

describe.each(Object.entries(HASHES))("hash %s", (_, hash) => {
  it("leaves the first of each key, in order, with any memory", () => {
    let spilled = 0;
    const check = (keys: string[], memory: number): void => {
      const found = distinctOf(keys, smallMemory(memory, hash));
      expect(found.left).toEqual(firstOf(keys));
      spilled += found.spilled;
    };
    fc.assert(fc.property(fc.array(key, { maxLength: 200 }), fc.constantFrom(1, 2000, 10_000, 1 << 20), check), {
      numRuns: 60 * RUNS,
      ...seeded,
    });
    expect(spilled).toBeGreaterThan(0);
  });
});

it("partitions are divided again as often as it takes", () => {
  const keys = Array.from({ length: 9000 }, (_, index) => `http://h${(index * 7919) % 6011}.example/`);
  const { left, spilled } = distinctOf(keys, smallMemory(2000));
  expect(left).toEqual(firstOf(keys));
  // Each key is written more than once on its way.
  expect(spilled).toBeGreaterThan(2 * keys.join("").length);
});

it("a key of a mebibyte is one among others", () => {
  const long = "x".repeat(1 << 20);
  const keys = [long, "a", `${long}y`, long, "a", `${long}y`, ""];
  for (const memory of [1, 1 << 20, 1 << 23]) expect(distinctOf(keys, smallMemory(memory)).left).toEqual(firstOf(keys));
});

it("nothing is written while memory suffices", () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => `http://h${index}.example/`);
  expect(distinctOf(keys, smallMemory(4 << 20)).spilled).toBe(0);
});

it("a full disk is an error that names the folder", () => {
  let room = 10_000;
  const file = new SpillFile((_fd, _bytes, _from, count) => {
    if (room === 0) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    const written = Math.min(count, room);
    room -= written;
    return written;
  });
  const keys = Array.from({ length: 10_000 }, (_, index) => `http://h${index}.example/`);
  expect(() => distinctOf(keys, { file, hash: murmur3, seed: 1, memory: 1000 })).toThrow(
    /^\/\S+: a temporary file cannot be written \(ENOSPC\); set TMPDIR to a folder with more room, or give more --memory$/,
  );
  file.close();
});

describe("the hash", () => {
  it("is MurmurHash3", () => {
    const of = (text: string, seed = 0): number => murmur3(viewOf(text), 0, Buffer.byteLength(text), seed) >>> 0;
    // Test vectors that other implementations give.
    expect([of(""), of("", 1), of("test"), of("Hello, world!"), of("aaa", 0x9747b28c), of("abcd", 0x9747b28c)]).toEqual([
      0, 0x514e28b7, 0xba6bd213, 0xc0363e43, 0x283e0130, 0xf0478627,
    ]);
  });
});
