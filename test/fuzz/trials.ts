// The trials of a target, numbered: a seed and a number give the same trial in every run.
import fc from "fast-check";
import type { Target, Trial } from "./target.ts";

/** Trials that are made at a time: fast-check makes the first ones of a seed small. */
const BATCH = 50;

/** Yields the trials of a seed from the one of number `first` on, each with its number. */
export function* trialsFrom(target: Target, seed: number, first: number): Generator<readonly [number: number, trial: Trial]> {
  for (let number = first; ; ) {
    const batch = Math.floor(number / BATCH);
    const trials = fc.sample(target.trials, { seed: (Math.imul(seed, 0x9e3779b1) + batch) | 0, numRuns: BATCH });
    for (const trial of trials.slice(number % BATCH)) yield [number++, trial];
  }
}
