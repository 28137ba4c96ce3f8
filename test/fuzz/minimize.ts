// Makes a trial that fails as small as its failure allows.
import { minimized } from "../core/minimized.ts";
import { failureOf, kindOf, type Target, type Trial } from "./target.ts";

/** Attempts that a trial is worth: each runs it. */
const ATTEMPTS_MAX = 3000;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is left of options, one level deep, with one of them left out, or one of a list. */
function* simpler(given: Record<string, unknown>): Generator<Record<string, unknown>> {
  for (const [name, value] of Object.entries(given)) {
    const { [name]: _, ...rest } = given;
    if (isObject(value)) for (const inner of simpler(value)) yield { ...rest, [name]: inner };
    else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) yield { ...rest, [name]: value.filter((_item, at) => at !== index) };
    }
  }
}

/** What is left of options with one inner option left out. */
function* withoutOne(given: Record<string, unknown>): Generator<Record<string, unknown>> {
  for (const [name, value] of Object.entries(given)) {
    if (!isObject(value)) continue;
    for (const inner of Object.keys(value)) {
      const { [inner]: _, ...rest } = value;
      yield { ...given, [name]: rest };
    }
  }
}

/** Returns the smallest trial that is found to fail in the same way, and its failure. `onAttempt` is called before each attempt. */
export async function minimizedTrial(target: Target, trial: Trial, failure: string, onAttempt: () => void): Promise<[Trial, string]> {
  const kind = kindOf(failure);
  let [smallest, shown] = [trial, failure];
  let attempts = 0;
  const fails = async (smaller: Trial): Promise<boolean> => {
    if (++attempts > ATTEMPTS_MAX) return false;
    onAttempt();
    const found = await failureOf(target, smaller);
    if (found === null || kindOf(found) !== kind) return false;
    [smallest, shown] = [smaller, found];
    return true;
  };
  const bytes = await minimized(trial.bytes, (shorter) => fails({ ...smallest, bytes: shorter }));
  for (let hasShrunk = true; hasShrunk; ) {
    hasShrunk = false;
    for (const given of [...withoutOne(smallest.given), ...simpler(smallest.given)]) {
      hasShrunk = await fails({ bytes, given });
      if (hasShrunk) break;
    }
  }
  await minimized(bytes, (shorter) => fails({ ...smallest, bytes: shorter }));
  return [smallest, shown];
}
