// Quote marks before the line of a match (X7): of a line with many matches each gets what it would get alone. Quotes of HTML (C302).
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILDS, cutsEvery } from "../core/builds.ts";
import { check, expectEqual } from "../core/check.ts";
import { cutsOf } from "../scan/pieces.ts";
import { scanArchive } from "./builds.ts";
import { describedBy } from "./oracle-rows.ts";

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

const HTML = [
  ...["<blockquote>", "</blockquote>", "<blockquote class=gmail_quote cite='http://c/'>", "<div>", "</div>", "<div", "</"],
  ...[
    '<div class="a gmail_quote">',
    "<div id=x_divRplyFwdMsg>",
    "<hr id='stopSpelling'/>",
    "<div title=gmail_quote>",
    "</div class=gmail_quote>",
  ],
  ...[
    "From: ",
    "<b>Sent:</b> ",
    "<br>To:",
    "<p>*Subject:* ",
    "Von:",
    "a:",
    "From: x<br>Date: y<br>To: z<br>Subject:",
    "&#70;rom&#58;",
    "From: x<br>Date: y<br>To: z<br>Subject:</blockquote>",
  ],
  ...["\n", " ", "*", ":", "x", "x".repeat(250), "y".repeat(2040), "<", ">", "<p title='", "'>", "class=", "gmail_quote", "<!--", "-->"],
  ...["<svg>", "</svg>", "<title>", "</title>", "<script>", "</script>", "\x00", "\x01"],
];

it("any HTML: all builds find the quotes that the oracle finds, however the message is cut", () => {
  const pages = fc.array(fc.oneof(fc.constantFrom(...HTML), fc.constant(" http://a/ ")), { maxLength: 40 });
  const sources = pages.map((pieces) => Buffer.from(`Content-Type: text/html\n\n${pieces.join("")}`, "latin1"));
  const cutSources = sources.chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length)));
  check(3000, cutSources, ([bytes, cuts]) => {
    const { matches } = describedBy(bytes, { type: "eml" });
    for (const build of BUILDS) {
      const shown = (): string => `${build}: ${JSON.stringify([bytes.toString("latin1"), cuts])}`;
      expectEqual(scanArchive(build, bytes, { type: "eml" }).matches, matches, shown);
      expectEqual(scanArchive(build, bytes, { type: "eml" }, cuts).matches, matches, shown);
    }
  });
});

it.each(BUILDS)("%s: a page with more quotes than a call has rows for, and more than the log keeps", (build) => {
  const page = "<blockquote>http://a/</blockquote>http://b/ ".repeat(20_000);
  const { matches } = scanArchive(build, Buffer.from(`Content-Type: text/html\n\n${page}`), { type: "eml" });
  expect(matches).toHaveLength(40_000);
  expect(matches.filter(({ raw, quote }) => (raw === "http://a/" ? quote !== 1 : quote !== null))).toEqual([]);
});
