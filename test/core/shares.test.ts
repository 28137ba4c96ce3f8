// Shares at which texts are cut and changed reach all of a text.
import fc from "fast-check";
import { expect, it } from "vitest";
import { cutShares } from "../mail/found-alike.ts";
import { share, shareToEnd } from "./shares.ts";

const TENTHS = 10;
const SAMPLES = 5000;

it.each([
  ["share", share],
  ["shareToEnd", shareToEnd],
  ["cutShares", cutShares],
] as const)("%s: each tenth of a length is as likely as the others", (_, shares) => {
  const found = fc.sample<number | number[]>(shares, { numRuns: SAMPLES, seed: 1 }).flat();
  for (let tenth = 0; tenth < TENTHS; tenth++) {
    const inside = found.filter((one) => Math.min(TENTHS - 1, Math.floor(one * TENTHS)) === tenth).length / found.length;
    expect({ tenth, isLikely: inside > 0.07 && inside < 0.16 }).toEqual({ tenth, isLikely: true });
  }
});
