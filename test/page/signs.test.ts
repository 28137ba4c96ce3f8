// When serious signs prevail in an archive, so that its report shows only links at first.
import { describe, expect, it } from "vitest";
import { SERIOUS, signsPrevail } from "../../src/page/view/flag-list.ts";
import type { Row, Summary } from "../../src/summary/summary.ts";
import { sampleSummary } from "./sample.ts";

const sample = sampleSummary(10);
const rowOf = (flag: string, matches: number): Row => [flag, null, null, [0, matches, 1]];
const summaryOf = (matches: number, ...rows: Row[]): Summary => ({
  ...sample,
  totals: { ...sample.totals, matches },
  tables: { ...sample.tables, flag: { ...sample.tables.flag, rows } },
});

describe("serious signs prevail", () => {
  it.each([
    [true, "from a twentieth of the URLs on", 400, [rowOf("numeric-host", 15), rowOf("obfuscated", 5)]],
    [false, "not if they are fewer", 401, [rowOf("numeric-host", 15), rowOf("obfuscated", 5)]],
    [true, "from ten on", 10, [rowOf("password", 10)]],
    [false, "not if URLs are few", 9, [rowOf("password", 9)]],
    [false, "not if signs are harmless ones of newsletters", 400, [rowOf("pixel", 300), rowOf("form", 100), rowOf("odd-port", 50)]],
    [false, "not without a sign", 0, []],
  ])("%s: %s", (expected, _, matches, rows) => {
    expect(signsPrevail(summaryOf(matches, ...rows))).toBe(expected);
  });

  it("are the dangerous ones and numbers as hosts", () => {
    const dangerous = ["other-host", "obfuscated", "hidden", "encoded-control", "password", "userinfo", "reserved-port"];
    expect([...SERIOUS.keys()]).toEqual([...dangerous, "numeric-host"]);
  });
});
