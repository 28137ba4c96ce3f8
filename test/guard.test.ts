// The judges of the speed guard (bench/guard/judge.ts): each lets pass what is within its slack and complains of what is worse.
import { describe, expect, it } from "vitest";
import { copiedBytes, countSteps } from "../bench/guard/costs.ts";
import { bestTimes } from "../bench/guard/interleave.ts";
import {
  allocationLimits,
  betterOf,
  floorsFor,
  type GuardRecord,
  judgeExact,
  judgeGrowth,
  judgeLimits,
  judgeRatios,
  type Recorded,
  recordOf,
  type Seen,
} from "../bench/guard/judge.ts";
import { SLOWED, type Slowed, slowCore } from "../bench/guard/slow.ts";
import { scanBytes } from "../bench/in-memory.ts";
import { readJson } from "../bench/records.ts";
import { BUILDS, coreOf } from "./core-builds.ts";

const SEEN: Seen & Recorded = {
  speed: { texts: { mail: "765b7ad0" }, counts: { "mail: lines": 10 }, ratios: { "mail: lines": 2 } },
  costs: { "mail: candidates": 1000 },
  allocations: { "mail: heap bytes": 100_000 },
  growth: { colons: 2 },
  slowed: { "mail: lines": 1.5 },
};
const RECORDED = recordOf(SEEN, "this", { date: "now" }, undefined);

describe("the guard's judges", () => {
  it("pass what is recorded", () => {
    expect(judgeExact(SEEN.speed, RECORDED)).toEqual([]);
    expect(judgeLimits(SEEN.costs, RECORDED.costs)).toEqual([]);
    expect(judgeLimits(SEEN.allocations, RECORDED.allocations)).toEqual([]);
    expect(judgeRatios(SEEN.speed.ratios, floorsFor("this", RECORDED))).toEqual([]);
    expect(judgeGrowth(SEEN.growth)).toEqual([]);
  });

  it("see a core that takes a third longer, and not one that seems to take a tenth longer", () => {
    const floors = floorsFor("this", RECORDED);
    expect(judgeRatios({ "mail: lines": 2 / 1.1 }, floors)).toEqual([]);
    expect(judgeRatios({ "mail: lines": 2 / (4 / 3) }, floors)).toHaveLength(1);
  });

  it("give a processor that nothing is recorded of a wide slack below the slowest known one", () => {
    const slower = recordOf({ ...SEEN, speed: { ...SEEN.speed, ratios: { "mail: lines": 1.7 } } }, "slower", {}, RECORDED);
    const floors = floorsFor("unknown", slower);
    expect(floors["mail: lines"]).toBeCloseTo(1.7 * 0.7);
    expect(judgeRatios({ "mail: lines": 1.2 }, floors)).toEqual([]);
    expect(judgeRatios({ "mail: lines": 1.18 }, floors)).toHaveLength(1);
  });

  it("keep the floors of other processors when one is recorded", () => {
    const both = recordOf(SEEN, "other", {}, RECORDED);
    expect(Object.keys(both.floors)).toEqual(["this", "other"]);
    expect(both.floors.this).toEqual(RECORDED.floors.this);
  });

  it("are not made where a slowed core cannot be told from others", () => {
    expect(() => recordOf({ ...SEEN, slowed: { "mail: lines": 1.9 } }, "this", {}, undefined)).toThrow("too noisy");
  });

  it("see what is counted grow by more than a hundredth", () => {
    expect(judgeLimits({ "mail: candidates": 1010 }, RECORDED.costs)).toEqual([]);
    expect(judgeLimits({ "mail: candidates": 1011 }, RECORDED.costs)).toHaveLength(1);
    expect(judgeLimits({ "mail: candidates": 1 }, RECORDED.costs)).toEqual([]);
  });

  it("see allocations grow by more than 15 %", () => {
    expect(judgeLimits({ "mail: heap bytes": 115_000 }, RECORDED.allocations)).toEqual([]);
    expect(judgeLimits({ "mail: heap bytes": 116_000 }, RECORDED.allocations)).toHaveLength(1);
  });

  it("let another version of Node allocate half as much again", () => {
    const ofNode20 = { ...RECORDED, measured: { node: "v20.19.0" } };
    expect(judgeLimits({ "mail: heap bytes": 150_000 }, allocationLimits("v20.20.2", ofNode20))).toHaveLength(1);
    expect(judgeLimits({ "mail: heap bytes": 150_000 }, allocationLimits("v24.1.0", ofNode20))).toEqual([]);
    expect(judgeLimits({ "mail: heap bytes": 150_001 }, allocationLimits("v24.1.0", ofNode20))).toHaveLength(1);
  });

  it("see other texts, other counts and rows that are not recorded", () => {
    expect(judgeExact({ ...SEEN.speed, texts: { mail: "0" } }, RECORDED)).toHaveLength(1);
    expect(judgeExact({ ...SEEN.speed, counts: { "mail: lines": 9 } }, RECORDED)).toHaveLength(1);
    const { counts } = SEEN.speed;
    expect(judgeExact({ ...SEEN.speed, counts: { ...counts, "mail: more": 9 } }, RECORDED)).toHaveLength(1);
    expect(judgeLimits({ ...SEEN.costs, "mail: more": 0 }, RECORDED.costs)).toHaveLength(1);
    expect(judgeRatios({ "mail: more": 9 }, floorsFor("this", RECORDED))).toHaveLength(1);
  });

  it("see rows that are recorded and not measured any more", () => {
    expect(judgeExact({ ...SEEN.speed, counts: {} }, RECORDED)).toHaveLength(Object.keys(RECORDED.counts).length);
    expect(judgeExact({ ...SEEN.speed, texts: {} }, RECORDED)).toHaveLength(Object.keys(RECORDED.texts).length);
    expect(judgeLimits({}, RECORDED.costs)).toHaveLength(Object.keys(RECORDED.costs).length);
  });

  it("see a hostile text that takes more than linear time", () => {
    expect(judgeGrowth({ colons: 2.49 })).toEqual([]);
    expect(judgeGrowth({ colons: 2.5 })).toHaveLength(1);
  });

  it("take the better of two", () => {
    expect(betterOf({ a: 1, b: 2 }, { a: 2, b: 1 }, true)).toEqual({ a: 2, b: 2 });
    expect(betterOf({ a: 1, b: 2 }, { a: 2, b: 1 }, false)).toEqual({ a: 1, b: 1 });
  });
});

describe("what the guard measures with", () => {
  it("the record has floors for every row of every kind of machine", () => {
    const recorded = readJson<GuardRecord | undefined>("guard.json", undefined);
    const floors = Object.values(recorded?.floors ?? {});
    expect(floors.length).toBeGreaterThan(0);
    for (const { ratios } of floors) {
      expect(Object.keys(ratios)).toEqual(Object.keys(floors[0]?.ratios ?? {}));
      for (const { seen, limit } of Object.values(ratios)) expect(limit / seen).toBeGreaterThan(0.75);
    }
  });

  it("best times are of runs in turn, and a row that changes its count is refused", () => {
    const runs = [0, 0];
    const run = (index: number): number => {
      runs[index] = (runs[index] as number) + 1;
      return 7;
    };
    const row = (index: number) => ({ name: `row ${index}`, run: () => run(index) });
    const times = bestTimes([row(0), row(1)], { turns: 5, time: 0 });
    expect(runs).toEqual([6, 6]);
    expect(times.map(({ count }) => count)).toEqual([7, 7]);
    let count = 0;
    expect(() => bestTimes([{ name: "unsteady", run: () => count++ }], { turns: 2, time: 0 })).toThrow("unsteady");
  });

  it("copied bytes are those of set, copyWithin, slice and Buffer's copies", async () => {
    const bytes = new Uint8Array(100);
    const copied = await copiedBytes(async () => {
      bytes.set(new Uint8Array(10), 5);
      bytes.copyWithin(0, 50);
      bytes.copyWithin(90, 0, 50);
      bytes.slice(20, 40);
      bytes.subarray(20, 40);
      new Int32Array(10).slice(5);
      Buffer.from(bytes.subarray(0, 7));
      Buffer.from(bytes.buffer);
      Buffer.concat([bytes, bytes]);
    });
    expect(copied).toBe(10 + 50 + 10 + 20 + 20 + 7 + 200);
    bytes.set(new Uint8Array(1));
    expect(await copiedBytes(async () => undefined)).toBe(0);
  });

  it("steps are the same each time and more for more text, and the counting core finds the same", () => {
    const text = Buffer.from("see http://example.com/a and <URL:ftp://example.org/b>\n".repeat(50));
    const { core, take } = countSteps();
    const stepsOf = (bytes: Uint8Array): number => {
      expect(scanBytes(core, bytes, "lines")).toBe(scanBytes(coreOf("simd"), bytes, "lines"));
      return take();
    };
    const steps = stepsOf(text);
    expect(steps).toBeGreaterThan(100);
    expect(stepsOf(text)).toBe(steps);
    expect(stepsOf(Buffer.concat([text, text]))).toBeGreaterThan(1.9 * steps);
  });

  it("a slowed core does the same work, in its build and its functions alone", () => {
    const bytes = Buffer.from("http://example.com/\n".repeat(100));
    for (const slowed of Object.keys(SLOWED) as Slowed[]) {
      for (const build of BUILDS) {
        const core = slowCore(coreOf(build), slowed);
        const changed = (["scan", "emit", "normalizeLines"] as const).filter((name) => core[name] !== coreOf(build)[name]);
        const { builds, functions }: { builds: readonly string[]; functions: readonly string[] } = SLOWED[slowed];
        expect(changed).toEqual(builds.includes(build) ? functions : []);
        expect(scanBytes(core, bytes, "lines")).toBe(100);
      }
    }
  });
});
