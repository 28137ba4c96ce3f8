// The laws of single URLs over generated ones of every scheme.
import fc from "fast-check";
import { describe, it } from "vitest";
import { check } from "../core/check.ts";
import { urls } from "../scan/pieces.ts";
import { expectFormatEquivalent, expectIdempotent, expectNormalizedAlike, expectReservedKept, expectSplitAlike } from "./laws.ts";
import { schemeUrls } from "./scheme-urls.ts";

it.each(["sip:a@:@", "p://a%40", "p://a%2540b"])("%s, of which the hidden form has no host, is normalized once", expectIdempotent);

describe("any URL", () => {
  it.each([
    ["is normalized alike by all builds and the oracle", 8000, expectNormalizedAlike],
    ["is split alike by all builds and the oracle", 8000, expectSplitAlike],
    ["has a normal form that is its own, by every option and by all", 2000, expectIdempotent],
    ["keeps its reserved characters and their triplets", 8000, expectReservedKept],
    ["and what format makes of its parts have one normal form", 4000, expectFormatEquivalent],
  ])("%s", (_, runs, law) => check(runs, fc.oneof(urls, schemeUrls), law));
});
