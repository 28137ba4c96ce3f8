// The series of the time line: matches by month for each of the most frequent schemes.
import type { Row, Summary } from "../../summary/summary.ts";
import type { Axis } from "./axis.ts";
import { eachMonth, sumsIn } from "./cells.ts";
import { isMonth, monthNumber } from "./words.ts";

/** Number of schemes with a color of their own. */
const COLORED = 4;

/** Matches of one color, by the index of the month. */
export interface Series {
  readonly name: string;
  readonly total: number;
  readonly matches: ReadonlyMap<number, number>;
}

/** Returns the most frequent schemes of the whole, each with its matches in a summary, and all others together. */
export function seriesOf({ tables }: Summary, whole: Summary): Series[] {
  const rows = [...whole.tables.scheme.rows].sort((a, b) => sumsIn(b[3], null).matches - sumsIn(a[3], null).matches);
  const alone = rows.slice(0, rows.length === COLORED + 1 ? COLORED + 1 : COLORED).map(([name]) => name);
  const { scheme } = tables;
  const series = alone.map((name) => {
    return sumOf(
      name,
      scheme.rows.filter(([one]) => one === name),
    );
  });
  const others = sumOf("others", [...scheme.rows.filter(([name]) => !alone.includes(name)), ["", null, null, scheme.rest]]);
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

/** Units of the drawing from its bottom to its top. */
export const DRAWING_HEIGHT = 1000;
/** The gap between bars as a share of a month, and the most months that have gaps. */
const [GAP, GAPS_MOST] = [0.16, 240];

/** Returns an SVG path for each series: its bars are stacked on those of earlier series. A month is one unit wide, and `topOf` it high. */
export function barPaths(
  series: readonly Pick<Series, "matches">[],
  months: readonly (string | null)[],
  { from, to }: Axis,
  topOf: (at: number) => number,
): string[] {
  const heights = new Map<number, number>();
  const gap = to - from <= GAPS_MOST ? GAP : 0;
  return series.map(({ matches }) => {
    let path = "";
    for (const [at, count] of matches) {
      const month = months[at];
      if (!isMonth(month)) continue;
      const x = monthNumber(month) - from;
      if (x < 0 || x >= to - from) continue;
      const below = heights.get(at) ?? 0;
      const above = below + count;
      heights.set(at, above);
      const top = topOf(at);
      // Months outside the chosen ones may be too high for the drawing.
      const [bottom, upper] = [DRAWING_HEIGHT * (1 - Math.min(1, below / top)), DRAWING_HEIGHT * (1 - Math.min(1, above / top))];
      path += `M${x + gap / 2} ${bottom.toFixed(1)}V${upper.toFixed(1)}h${1 - gap}V${bottom.toFixed(1)}z`;
    }
    return path;
  });
}
