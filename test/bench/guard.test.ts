// The speed guard (bench/guard/): it passes what is recorded, complains of each thing that is worse, and its measures see worse code.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checksum } from "../../bench/corpora.ts";
import { copiedBytes, countSteps } from "../../bench/guard/costs.ts";
import { judge, limitsFor, recordOf, type Seen } from "../../bench/guard/judge.ts";
import { scanBytes } from "../../bench/in-memory.ts";
import { coreOf } from "../core/builds.ts";

const SEEN: Seen = {
  texts: { mail: "765b7ad0" },
  counts: { "mail: lines": 10 },
  ratios: { "mail: lines": 2, "mail: JavaScript build lines": 1 },
  costs: { "mail: candidates": 1000 },
  allocations: { "mail: heap bytes": 100_000 },
};
const RECORDED = recordOf(SEEN, { node: "v20.19.0" });

/** Returns the number of complaints about a run with some rows changed. */
function complaints(changed: Partial<Seen>, node = "v20.20.2"): number {
  return judge({ ...SEEN, ...changed }, RECORDED, limitsFor(node, RECORDED)).length;
}

describe("the judge", () => {
  it("passes what is recorded, and what is better", () => {
    expect(complaints({})).toBe(0);
    expect(complaints({ ratios: { ...SEEN.ratios, "mail: lines": 3 }, costs: { "mail: candidates": 1 } })).toBe(0);
  });

  it.each<[string, Partial<Seen>, Partial<Seen>]>([
    ["costs above 101 %", { costs: { "mail: candidates": 1010 } }, { costs: { "mail: candidates": 1011 } }],
    ["allocations above 115 %", { allocations: { "mail: heap bytes": 115_000 } }, { allocations: { "mail: heap bytes": 115_001 } }],
    ["ratios below 60 %", { ratios: { ...SEEN.ratios, "mail: lines": 1.2 } }, { ratios: { ...SEEN.ratios, "mail: lines": 1.19 } }],
    ["another count", {}, { counts: { "mail: lines": 9 } }],
    ["another text", {}, { texts: { mail: "0" } }],
    ["a row that is not recorded", {}, { costs: { ...SEEN.costs, "mail: more": 0 } }],
    ["a row that is not measured any more", {}, { costs: {} }],
  ])("complains of %s", (_name, passed, refused) => {
    expect(complaints(passed)).toBe(0);
    expect(complaints(refused)).toBe(1);
  });

  it("complains of costs 5 % above the first record, however high the last one is", () => {
    const later = recordOf({ ...SEEN, costs: { "mail: candidates": 1060 } }, { node: "v20.19.0" }, RECORDED.first);
    const judged = (cost: number): string[] => judge({ ...SEEN, costs: { "mail: candidates": cost } }, later, limitsFor("v20.20.2", later));
    expect(judged(1050)).toEqual([]);
    expect(judged(1051)).toEqual(["mail: candidates: 1051, more than 5 % above the first record, 1000"]);
    expect(recordOf({ ...SEEN, costs: { "mail: steps": 7 } }, {}, RECORDED.first).first).toEqual({ "mail: steps": 7 });
  });

  it("lets the JavaScript build be slower, and another major version of Node allocate more", () => {
    expect(complaints({ ratios: { ...SEEN.ratios, "mail: JavaScript build lines": 0.4 } })).toBe(0);
    expect(complaints({ allocations: { "mail: heap bytes": 150_000 } })).toBe(1);
    expect(complaints({ allocations: { "mail: heap bytes": 150_000 } }, "v24.1.0")).toBe(0);
  });
});

describe("what the guard measures", () => {
  it("the yardstick is frozen", () => {
    const files = ["yardstick", "yardstick/extract", "yardstick/lines", "yardstick/plain", "yardstick/scheme", "yardstick/tables"];
    const text = files.map((name) => readFileSync(new URL(`../../bench/${name}.ts`, import.meta.url), "utf8")).join("");
    expect(checksum(Buffer.from(text))).toBe("fc53d4b9");
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
      expect(scanBytes(core, bytes)).toBe(scanBytes(coreOf("simd"), bytes));
      return take();
    };
    const steps = stepsOf(text);
    expect(steps).toBeGreaterThan(100);
    expect(stepsOf(text)).toBe(steps);
    expect(stepsOf(Buffer.concat([text, text]))).toBeGreaterThan(1.9 * steps);
  });
});
