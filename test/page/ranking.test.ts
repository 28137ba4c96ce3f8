// Rows of a table: sorted, searched and narrowed as plain sorting of all rows does it.
import { describe, expect, it } from "vitest";
import { Ranking, type SortKey } from "../../src/page/view/ranking.ts";
import type { Cells, Row, SummaryTable } from "../../src/summary/summary.ts";
import { sampleSummary } from "./sample.ts";

const table = sampleSummary(500).tables.host;
const SPANS = [null, { from: 30, to: 31 }, { from: 60, to: 90 }];
const FIELDS = { matches: 1, messages: 2 } as const;

const sumOf = (cells: Cells, field: 1 | 2, span: (typeof SPANS)[number] = null): number =>
  cells.reduce((sum, value, at) => {
    const month = cells[at - (at % 3)] as number;
    return at % 3 === field && (span === null || (month >= span.from && month <= span.to)) ? sum + value : sum;
  }, 0);

function keyOf([value, first, last, cells]: Row, key: SortKey, span: (typeof SPANS)[number]): string | number {
  if (key === "value") return value;
  if (key === "matches" || key === "messages") return sumOf(cells, FIELDS[key], span);
  if (span === null) return (key === "first" ? first : last) ?? "";
  const months = cells.filter((month, at) => at % 3 === 0 && month >= span.from && month <= span.to);
  return (key === "first" ? months[0] : months.at(-1)) ?? -1;
}

/** What a ranking should say: rows with a match in the span that contain `query`, by `key`. */
function expected({ rows }: SummaryTable, query: string, key: SortKey, sign: number, span: (typeof SPANS)[number]): string[] {
  const compare = (a: Row, b: Row): number => {
    const [one, other] = [keyOf(a, key, span), keyOf(b, key, span)];
    return sign * (one < other ? -1 : one > other ? 1 : 0);
  };
  return rows
    .filter(([value, , , cells]) => value.includes(query) && sumOf(cells, 1, span) > 0)
    .sort(compare)
    .map(([value]) => value);
}

describe.each(SPANS)("in the months %j", (span) => {
  const ranking = new Ranking(table, span);
  const valuesOf = (indexes: Iterable<number>): string[] => Array.from(indexes, (index) => (ranking.rows[index] as Row)[0]);

  it.each(["value", "matches", "messages", "first", "last"] as const)("sorts by %s", (key) => {
    for (const [query, isDescending] of [
      ["", false],
      ["", true],
      ["rye", false],
      ["WHEAT.", true],
    ] as const) {
      const found = valuesOf(ranking.arranged(query, { key, isDescending }));
      expect(found).toEqual(expected(table, query.toLowerCase(), key, isDescending ? -1 : 1, span));
    }
  });

  it("finds the rows with most matches", () => {
    expect(valuesOf(ranking.top(8))).toEqual(expected(table, "", "matches", -1, span).slice(0, 8));
    expect(ranking.most).toBe(ranking.matches(ranking.top(1)[0] as number));
    expect(ranking.count).toBe(expected(table, "", "matches", -1, span).length);
  });
});

it("an empty table has no rows", () => {
  const ranking = new Ranking({ distinct: 0, distinct_by_month: [], bound: 0, rows: [], rest: [], month_rows: [] }, null);
  expect([ranking.count, ranking.most, ranking.top(5), [...ranking.arranged("", { key: "value", isDescending: true })]]).toEqual([
    0,
    0,
    [],
    [],
  ]);
});
