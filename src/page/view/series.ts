// The series of a drawing of bars over time. In the time line: matches by month for each of the most frequent schemes, or signs.
import type { Row, Summary, SummaryTable } from "../../summary/summary.ts";
import { type Axis, barsOf } from "./axis.ts";
import { eachMonth, sumsIn } from "./cells.ts";
import type { Choice } from "./narrow.ts";
import { isMonth, monthNumber } from "./words.ts";

export const COLORS = [
  ["#2c6585", "#62a5cc"],
  ["#c07a2c", "#d99a54"],
  ["#7d5590", "#b78fc6"],
  ["#4d8a63", "#7bbd93"],
  ["#8b867b", "#8f8c85"],
] as const;
/** Most values with a color of their own. If only one other value is left, it has one too. */
const COLORED = COLORS.length - 1;

/** A series: the matches that are drawn in one color, by the index of the month. */
export interface Series {
  readonly name: string;
  readonly total: number;
  readonly matches: ReadonlyMap<number, number>;
  readonly choice?: Choice;
}

/**
 * Returns the most frequent schemes of `whole` with their matches in a summary. All other matches are one series, if there are any.
 * `signs`: the titles of flags, which are the series instead; matches without these flags are left out.
 */
export function seriesOf({ tables }: Summary, whole: Summary, signs?: ReadonlyMap<string, string>): Series[] {
  const name = signs === undefined ? "scheme" : "flag";
  const rowsOf = ({ rows }: SummaryTable): Row[] => rows.filter(([value]) => signs === undefined || signs.has(value));
  const rows = rowsOf(whole.tables[name]).sort((a, b) => sumsIn(b[3], null).matches - sumsIn(a[3], null).matches);
  const alone = rows.slice(0, rows.length === COLORED + 1 ? COLORED + 1 : COLORED).map(([value]) => value);
  const found = rowsOf(tables[name]);
  const series = alone.map((value) => {
    const title = signs?.get(value) ?? (value === "" ? "no scheme" : value);
    const ofValue = found.filter(([one]) => one === value);
    return { ...summed(title, ofValue), choice: { name, value } as const };
  });
  const rest: Row[] = signs === undefined ? [["", null, null, tables.scheme.rest]] : [];
  const others = summed("others", [...found.filter(([value]) => !alone.includes(value)), ...rest]);
  return others.total === 0 ? series : [...series, others];
}

function summed(name: string, rows: readonly Row[]): Series {
  const matches = new Map<number, number>();
  let total = 0;
  for (const [, , , cells] of rows) {
    eachMonth(cells, (month, count) => {
      matches.set(month, (matches.get(month) ?? 0) + count);
      total += count;
    });
  }
  return { name, total, matches };
}

/** Units of the drawing from its bottom to its top. */
export const DRAWING_HEIGHT = 1000;
export const GAP = 0.16;

/** Returns an SVG path for each series, its bars stacked on earlier series. A month is one unit wide. `topOf`: matches of a full bar. */
export function barPaths(
  series: readonly Pick<Series, "matches">[],
  months: readonly (string | null)[],
  axis: Axis,
  topOf: (at: number) => number,
): string[] {
  const { from, unit } = axis;
  const heights = new Map<number, number>();
  const [indent, width] = [(unit * GAP) / 2, unit * (1 - GAP)];
  return series.map(({ matches }) => {
    const totals = Array.from(matches, ([index, count]) => ({ index, month: numberOf(months[index]), matches: count }));
    const parts = barsOf(totals, axis).map((bar) => {
      const below = heights.get(bar.at) ?? 0;
      const above = below + bar.matches;
      heights.set(bar.at, above);
      const top = topOf(bar.at);
      // Bars outside the chosen months, and bars that the scale cuts, may be higher than the drawing.
      const [bottom, upper] = [DRAWING_HEIGHT * (1 - Math.min(1, below / top)), DRAWING_HEIGHT * (1 - Math.min(1, above / top))];
      return `M${bar.at * unit - from + indent} ${bottom.toFixed(1)}V${upper.toFixed(1)}h${width}V${bottom.toFixed(1)}z`;
    });
    return parts.join("");
  });
}

/** Returns the number of a month; NaN for entries that are no single month, which are on no axis. */
function numberOf(month: string | null | undefined): number {
  return isMonth(month) ? monthNumber(month) : Number.NaN;
}
