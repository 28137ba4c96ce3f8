// The series of the time line: matches by month for each of the most frequent schemes.
import type { Row, Summary } from "../../summary/summary.ts";
import { eachMonth, sumsIn } from "./cells.ts";

/** Number of schemes with a color of their own. */
const COLORED = 4;

/** Matches of one color, by the index of the month. */
export interface Series {
  readonly name: string;
  readonly total: number;
  readonly matches: ReadonlyMap<number, number>;
}

/** Returns the most frequent schemes, each with its matches, and all others together. */
export function seriesOf({ tables: { scheme } }: Summary): Series[] {
  const rows = [...scheme.rows].sort((a, b) => sumsIn(b[3], null).matches - sumsIn(a[3], null).matches);
  const alone = rows.slice(0, rows.length === COLORED + 1 ? COLORED + 1 : COLORED);
  const series = alone.map((row) => sumOf(row[0], [row]));
  const others = sumOf("others", [...rows.slice(alone.length), ["", null, null, scheme.rest]]);
  return others.total === 0 ? series : [...series, others];
}

function sumOf(name: string, rows: readonly Row[]): Series {
  const matches = new Map<number, number>();
  let total = 0;
  for (const [, , , cells] of rows) {
    eachMonth(cells, (month, count) => {
      matches.set(month, (matches.get(month) ?? 0) + count);
      total += count;
    });
  }
  return { name: name === "" ? "no scheme" : name, total, matches };
}
