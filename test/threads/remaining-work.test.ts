// What decides whether workers are started: the time that the scan took so far, and the bytes that are left.
import { expect, it } from "vitest";
import type { FileSource, Listed } from "../../src/input/paths.ts";
import type { Step } from "../../src/threads/plan.ts";
import { RemainingWork } from "../../src/threads/remaining-work.ts";

const KIB = 1 << 10;
const MIB = 1 << 20;

function source(size: number): FileSource {
  return { file: "x", name: "x", isNamed: true, isRegular: true, size, mtime: 0, identity: "0:0" };
}

/** A step that scans the bytes `[from, to)` of a file of `size` bytes. */
function step(size: number, from = 0, to = size): Step {
  return { kind: "parts", parts: [{ file: "x", name: "x", size, from, to }], listed: [] };
}

const SMALL = step(MIB);
/** Bytes and milliseconds of the first step, which does not count. */
const [FIRST_BYTES, FIRST_MS] = [32 * MIB, 300];

/** The work on the entries after `milliseconds` that followed the first step. */
function workOn(entries: Iterator<Listed>, milliseconds: number, least = 1500, used = milliseconds): RemainingWork {
  const times = [{ passed: FIRST_MS, used: FIRST_MS }];
  const work = new RemainingWork(
    entries,
    undefined,
    least,
    () => times.shift() ?? { passed: FIRST_MS + milliseconds, used: FIRST_MS + used },
  );
  if (least > 0) expect(work.needsWorkers(SMALL, FIRST_BYTES)).toBe(false);
  return work;
}

it.each([
  ["a gibibyte of text, read at 4 GB/s", 1024, 64, 16, false],
  ["sixteen of them", 16 * 1024, 64, 16, true],
  ["a gibibyte of messages, read at 300 MB/s", 1024, 64, 220, true],
  ["the same, nearly done", 1024, 960, 3300, false],
  ["slow data, of which little is read", 1024, 8, 200, true],
  ["data of which too little is read to say", 1024 * 1024, 8, 199, false],
])("%s", (_name, mib, readMib, milliseconds, expected) => {
  const work = workOn([source(mib * MIB)].values(), milliseconds);
  expect(work.needsWorkers(SMALL, FIRST_BYTES + readMib * MIB)).toBe(expected);
});

it("a part that cannot be cut is not begun without workers, if it is large", () => {
  const work = workOn([source(MIB)].values(), 0);
  expect(work.needsWorkers(step(33 * MIB), 0)).toBe(true);
  expect(work.needsWorkers(step(32 * MIB), 0)).toBe(false);
  expect(work.needsWorkers(step(1024 * MIB, 512 * MIB, 544 * MIB), 0)).toBe(false);
});

it("with a least work of 0 the first part starts workers, and no other step", () => {
  const work = workOn([source(MIB)].values(), 0, 0);
  expect(work.needsWorkers(SMALL, 0)).toBe(true);
  expect(work.needsWorkers({ kind: "stream", source: source(0), listed: [] }, 0)).toBe(false);
});

it("lists ahead as far as it must, and gives each entry once, in order", () => {
  const sizes = [FIRST_BYTES, ...Array.from({ length: 100 }, () => 100 * KIB)];
  let listed = 0;
  const entries = (function* (): Generator<Listed> {
    for (const size of sizes) {
      listed++;
      yield source(size);
    }
  })();
  const work = workOn(entries, 500);
  const given = [work.next().value];
  // 400 KiB in 500 ms: workers are worth their start for 1,200 KiB more.
  expect(work.needsWorkers(SMALL, FIRST_BYTES + 400 * KIB)).toBe(true);
  expect(sizes.slice(0, listed).reduce((sum, size) => sum + size) - FIRST_BYTES).toBe(1600 * KIB);
  for (const entry of work) given.push(entry);
  expect(given.map((entry) => (entry as FileSource).size)).toEqual(sizes);
  expect(work.needsWorkers(SMALL, FIRST_BYTES + 20_000 * KIB)).toBe(false);
});

it("a thread that waits for the processor or the disk starts none", () => {
  const needs = (used: number): boolean =>
    workOn([source(1024 * MIB)].values(), 1000, 1500, used).needsWorkers(SMALL, FIRST_BYTES + 64 * MIB);
  expect([needs(650), needs(750)]).toEqual([false, true]);
});
