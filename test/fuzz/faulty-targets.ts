// Targets with mistakes, which the fuzzer must find (fuzz.test.ts).
import { workerData } from "node:worker_threads";
import fc from "fast-check";
import type { Target, Trial } from "./target.ts";
import type { Work } from "./worker.ts";

const trials: fc.Arbitrary<Trial> = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), minLength: 30, maxLength: 60 }).map((text) => ({
  bytes: Buffer.from(text),
  given: { options: { needed: true, other: 1 }, places: [1, 2, 3] },
}));

/** Fails where the text has both letters, in their order, and the option is there. */
const wrong: Target["check"] = ({ bytes, given }) => {
  const hasOption = (given as { options: { needed?: boolean } }).options.needed === true;
  return hasOption && /c.*d/.test(bytes.toString()) ? `letters: ${bytes}` : null;
};

/** One target for each way to fail. */
export const TARGETS: Readonly<Record<string, Target>> = {
  wrong: { trials, check: wrong },
  throws: {
    trials,
    check: () => {
      throw new RangeError("out of bounds");
    },
  },
  hangs: {
    trials,
    check: () => {
      for (;;);
    },
  },
  dies: { trials, check: () => process.exit(3) },
  /** Dies, but not where a trial is tried alone. */
  "dies among others": { trials, check: () => ((workerData as Work).only === undefined ? process.exit(3) : null) },
  right: { trials, check: () => null },
};
