// The picture of --plot: what it says, and that text stays text.
import { expect, it } from "vitest";
import { chartOf } from "../../src/page/view/chart.ts";

const series = [
  { name: '<script>alert("1")</script>&\u0007', total: 3, matches: new Map([[0, 3]]) },
  { name: "x".repeat(60), total: 1, matches: new Map([[1, 1]]) },
];

it("has no markup of its names, no script and no address but that of SVG", () => {
  const picture = chartOf({ months: ["2001-01", "2001-02"], series, undated: 0 }, "subject");
  expect(picture).toContain(`&lt;script&gt;alert("1")&lt;/scrip… 3<`);
  expect(picture).toContain(`>${"x".repeat(25)}… 1<`);
  expect(picture.match(/<\w+/g)?.filter((tag) => !/<(?:svg|title|style|rect|path|text)$/.test(tag))).toEqual([]);
  expect(picture.match(/\w+:\/\/[^"]*/g)).toEqual(["http://www.w3.org/2000/svg"]);
  expect(picture).toContain("prefers-color-scheme: dark");
});

it("says it where nothing has a date", () => {
  const picture = chartOf({ months: [], series: [], undated: 1200 }, "");
  expect(picture).toContain("Nothing that was found has a date.");
  expect(picture).toContain("1,200 URLs without a date");
});

it("leaves out far months, and says how many matches they have", () => {
  const matches = new Map([...Array.from({ length: 24 }, (_, index): [number, number] => [index + 1, 1000]), [0, 1]]);
  const months = [
    "1970-01",
    ...Array.from({ length: 24 }, (_, index) => `${2001 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`),
  ];
  const picture = chartOf({ months, series: [{ name: "http", total: 24_001, matches }], undated: 0 }, "scheme");
  expect(picture).toContain("1 URL has a date far from these months");
  expect(picture).toContain('viewBox="0 0 24 1000"');
});

it("draws shares, each month as high as the others", () => {
  const parts = [
    {
      name: "http",
      total: 4,
      matches: new Map([
        [0, 3],
        [1, 1],
      ]),
    },
    {
      name: "https",
      total: 2,
      matches: new Map([
        [0, 1],
        [1, 1],
      ]),
    },
  ];
  const picture = chartOf({ months: ["2001-01", "2001-02"], series: parts, undated: 0 }, "scheme", true);
  expect(picture).toContain("Share of URLs by month and scheme");
  expect([...picture.matchAll(/>(\d+%)</g)].map(([, tick]) => tick)).toEqual(["0%", "25%", "50%", "75%", "100%"]);
  expect([...picture.matchAll(/class="series-\d" d="([^"]+)"/g)].map(([, path]) => path)).toEqual([
    "M0.08 1000.0V250.0h0.84V1000.0zM1.08 1000.0V500.0h0.84V1000.0z",
    "M0.08 250.0V0.0h0.84V250.0zM1.08 500.0V0.0h0.84V500.0z",
  ]);
});

it("has no character that XML has not", () => {
  const names = ["\ufffe", "\uffff", "\0", "\ud800", "a\u{1ffff}"];
  const series = names.map((name) => ({ name: `x${name}`, total: 1, matches: new Map([[0, 1]]) }));
  const picture = chartOf({ months: ["2001-01"], series, undated: 0 }, "host");
  expect(picture).toMatch(/^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
  expect(picture).toContain("x\\ufffe");
});
