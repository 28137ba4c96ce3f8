// The model of large runs agrees with what is known without it.
import { describe, expect, it } from "vitest";
import { simulate, WORLD, type World } from "../../bench/scale-model.ts";

const GB = 1e9;
/** Shards of 1 GB take 10 s, always. */
const EVEN: World = {
  start: 2,
  perMegabyte: 0.008,
  spread: 0,
  mergePerMegabyte: 0.001,
  stragglers: 0,
  slowness: 1,
  failures: 0,
  starts: 1e9,
  bytesOfCore: 1e12,
  bytesOfAll: 1e15,
};

describe("a run", () => {
  it("on one core takes the sum of the work", () => {
    const { map, work, shards } = simulate(100.5 * GB, 1, GB, { ...EVEN, spread: 0.3, stragglers: 0.1, slowness: 5, failures: 20 }, 7);
    expect(shards).toBe(101);
    expect(map).toBeCloseTo(work, 6);
    expect(work).toBeGreaterThan(100 * 10);
  });

  it.each([
    [100, 7, 15],
    [100, 100, 1],
    [100, 1000, 1],
    [5000, 3, 1667],
  ])("of %i equal shards on %i cores takes as long as %i of them", (shards, cores, rounds) => {
    const run = simulate(shards * GB, cores, GB, EVEN, 1);
    expect(run.map).toBeGreaterThan((rounds - 1) * 10);
    expect(run.map).toBeLessThan(rounds * 10 + 1e-6);
    expect(run.work).toBeCloseTo(shards * 10, 3);
  });

  it("is never shorter than its work on all cores, the starts of the engine, and the bytes of the storage", () => {
    for (const seed of [1, 2, 3]) {
      const { map, work } = simulate(5000 * GB, 300, GB, WORLD, seed);
      expect(map).toBeGreaterThanOrEqual(work / 300 - 1e-6);
    }
    expect(simulate(5000 * GB, 300, GB, { ...EVEN, starts: 2 }, 1).map).toBeGreaterThan(4999 / 2);
    expect(simulate(5000 * GB, 300, GB, { ...EVEN, bytesOfAll: 2 * GB }, 1).map).toBeGreaterThan(2500);
    expect(simulate(10 * GB, 1, GB, { ...EVEN, bytesOfCore: 1e8 }, 1).map).toBeCloseTo(10 * 12, 6);
  });

  it("takes longer with failures, and with slow cores", () => {
    const failing = simulate(1000 * GB, 50, GB, { ...EVEN, failures: 30 }, 1);
    const slow = simulate(1000 * GB, 50, GB, { ...EVEN, stragglers: 0.05, slowness: 4 }, 1);
    expect(failing.work).toBeGreaterThan(1000 * 10);
    expect(slow.work).toBeGreaterThan(1000 * 10);
    expect(slow.work).toBeLessThan(1000 * 10 * (1 + 0.1 * 3));
  });

  it("is the same for the same seed, and another for another", () => {
    const [one, same, other] = [1, 1, 2].map((seed) => simulate(1000 * GB, 50, GB, WORLD, seed));
    expect(same).toEqual(one);
    expect(other?.map).not.toBe(one?.map);
  });
});
