// Quote marks before the line of a match (X7): of a line with many matches each gets what it would get alone.
import { describe, expect, it } from "vitest";
import { BUILDS, cutsEvery } from "../core/builds.ts";
import { scanArchive } from "./builds.ts";

const HEAD = "Subject: x\n\n";
/** Farther behind the start of its line a match is beside no mark. */
const LINE_BYTES_MAX = 1000;

describe.each(BUILDS)("%s", (build) => {
  it.each([
    ["> > ", 2],
    [">", 1],
    ["a > ", 0],
    ["", 0],
  ])("a long line behind %j", (marks, quote) => {
    const lines = [`${marks}${"http://a/ ".repeat(300)}\n`, "> http://b/ and http://b/\n", `${marks}http://c/ http://d/\n`];
    const text = Buffer.from(HEAD + lines.join(""));
    const whole = scanArchive(build, text, { type: "eml" }).matches;
    expect(whole).toHaveLength(304);
    const expected = whole.map(({ start, raw }) => {
      const line = text.lastIndexOf("\n", start) + 1;
      return start - line > LINE_BYTES_MAX ? 0 : raw === "http://b/" ? 1 : quote;
    });
    expect(whole.map((row) => row.quote ?? 0)).toEqual(expected);
    for (const size of [7, 1000]) {
      expect(scanArchive(build, text, { type: "eml" }, cutsEvery(size, text.length)).matches).toEqual(whole);
    }
  });
});
