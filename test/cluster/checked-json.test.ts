// Markers say whether they are what was written.
import { expect, it } from "vitest";
import { checkedJson, checkedValue } from "../../src/cluster/checked-json.ts";

const VALUE = { shard: 3, totals: { bytes: 12, omitted: {} }, text: 'a","check":"\u00e4}\n' };
const TEXT = checkedJson(VALUE);

it("a value comes back, and is JSON for others", () => {
  expect(checkedValue(TEXT)).toEqual(VALUE);
  expect(JSON.parse(TEXT)).toEqual({ ...VALUE, check: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

it("no byte of it may be another, be missing, or be more", () => {
  for (let at = 0; at < TEXT.length; at++) {
    const [before, after] = [TEXT.slice(0, at), TEXT.slice(at + 1)];
    for (const text of [before, before + after, `${before}0${TEXT.slice(at)}`, before + (TEXT[at] === "1" ? "2" : "1") + after]) {
      expect(checkedValue(text)).toBeUndefined();
    }
  }
});

it.each(["", "{}", "null", `${JSON.stringify(VALUE)}\n`, '{,"check":""}\n'])("nothing else is a value: %j", (text) => {
  expect(checkedValue(text)).toBeUndefined();
});
