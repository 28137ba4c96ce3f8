// Checks properties on generated values, the same ones in every run. URLMILL_RUNS=20 makes twenty times as many, `npm test` a tenth;
// URLMILL_SEED=random makes others, and a failure prints the seed that URLMILL_SEED=N repeats.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect } from "vitest";

const SEED = process.env.URLMILL_SEED ?? "1";

/** How many times as many values are generated as usual. */
export const RUNS = Number(process.env.URLMILL_RUNS ?? 1);

/** The seed for fast-check. */
export const seeded: { seed?: number } = SEED === "random" ? {} : { seed: Number(SEED) };

/** Checks a property on `runs` values, or RUNS times as many. */
export function check<T>(runs: number, arbitrary: fc.Arbitrary<T>, property: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, property), { numRuns: Math.ceil(runs * RUNS), ...seeded });
}

/** Expects two values to be equal. This is much faster than `toEqual` where they are, and makes the label only where they are not. */
export function expectEqual(found: unknown, wanted: unknown, label: () => string): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found, label()).toEqual(wanted);
}

/** Waits until all has been done that waits for nothing but turns of the event loop. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
}
