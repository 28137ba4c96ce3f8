// The files of a table: no cell of csv is a formula, and lines of JSON are as they are.
import { expect, it } from "vitest";
import { csvOf, ndjsonOf } from "../../src/page/view/value-table.ts";

const rows = [
  { from_address: "=cmd|'/c calc'!A0", urls: 2, messages: null, first: "1998-01", last: null },
  { from_address: '@a;=1+1,"x"', urls: -1, messages: 3, first: null, last: null },
];

it("csv has no formulas, and numbers stay numbers", () => {
  const lines = ["from_address,urls,messages,first,last", "'=cmd|'/c calc'!A0,2,,1998-01,", `"'@a;'=1+1,""x""",-1,3,,`];
  expect(csvOf(rows)).toBe(`\ufeff${lines.map((line) => `${line}\r\n`).join("")}`);
});

it("lines of JSON are the rows", () => {
  expect(
    ndjsonOf(rows)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  ).toEqual(rows);
});
