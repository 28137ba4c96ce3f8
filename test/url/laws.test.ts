// The laws of single URLs over generated ones of every scheme.
import fc from "fast-check";
import { describe, it } from "vitest";
import { urls } from "../scan/pieces.ts";
import { expectFormatEquivalent, expectIdempotent, expectNormalizedAlike, expectReservedKept, expectSplitAlike } from "./laws.ts";
import { schemeUrls } from "./scheme-urls.ts";

const SEED = process.env.URLMILL_SEED ?? "1";
const runs = 2000 * Number(process.env.URLMILL_RUNS ?? 1);
const settings = SEED === "random" ? {} : { seed: Number(SEED) };

describe("any URL", () => {
  it.each([
    ["is normalized alike by all builds and the oracle", 4, expectNormalizedAlike],
    ["is split alike by all builds and the oracle", 4, expectSplitAlike],
    ["has a normal form that is its own, by every option and by all", 1, expectIdempotent],
    ["keeps its reserved characters and their triplets", 4, expectReservedKept],
    ["and what format makes of its parts have one normal form", 2, expectFormatEquivalent],
  ])("%s", (_, weight, law) => {
    fc.assert(fc.property(fc.oneof(urls, schemeUrls), law), { numRuns: weight * runs, ...settings });
  });
});
