// Drawings of bars over time: the months and numbers along their axes, and their series of bars.
import type { Row, Summary, SummaryTable } from "../../summary/summary.ts";
import { eachMonth, sumsIn, totalOf } from "./cells.ts";
import type { Choice } from "./narrow.ts";
import { isMonth, monthName, monthNumber, number, shortMonth } from "./words.ts";

/** Consecutive months, as numbers of months since the year 0: `from` is the first, `to` comes after the last. */
export interface Months {
  readonly from: number;
  readonly to: number;
}

/** The months of the time line. `unit`: months of a bar, 1 or 12. */
export interface Axis extends Months {
  readonly unit: number;
}

/** A bar of the time line: `at` is its first month, divided by the unit of the axis. */
export interface Bar {
  readonly at: number;
  readonly matches: number;
}

/** A mark at an axis, at a part of its length from 0 to 1. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

export interface MonthTotal {
  readonly index: number;
  /** Number of the month since the year 0. */
  readonly month: number;
  readonly matches: number;
}

/** Most matches, as a share of all, that a much shorter axis leaves outside: wrong clocks date mail to 1970 or 2038. */
const OUTSIDE_SHARE = 0.002;
/** A month that is at most this many months away from the axis is not left outside. */
const FAR = 12;
/** Months of a year, and most months of an axis with ticks of months. */
const [YEAR, SHORT_AXIS] = [12, 36];
/** Most months of an axis with a bar for each month. A longer axis has bars of years. */
const MONTHS_MOST = 240;
const YEARS_APART = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];
const MONTHS_APART = [1, 3, 6, 12];
/** Most distances between ticks in the length of an axis. */
const TICKS_MOST = 9;

/** Returns the months of a summary that have matches, ascending. Entries that are no single month (`isMonth`) are left out. */
export function monthTotals({ months, cells }: Summary): MonthTotal[] {
  const totals: MonthTotal[] = [];
  eachMonth(cells, (index, matches) => {
    const month = months[index];
    if (isMonth(month) && matches > 0) totals.push({ index, month: monthNumber(month), matches });
  });
  return totals;
}

/** Returns the matches in the months of an axis by bar. The bars are in the order of `totals`. */
export function barsOf(totals: readonly MonthTotal[], { from, to, unit }: Axis): Bar[] {
  const bars = new Map<number, number>();
  for (const { month, matches } of totals) {
    const at = Math.floor(month / unit);
    if (month >= from && month < to) bars.set(at, (bars.get(at) ?? 0) + matches);
  }
  return Array.from(bars, ([at, matches]) => ({ at, matches }));
}

/** Returns the length of a bar: `month`, or `year`. */
export function unitName({ unit }: Axis): "month" | "year" {
  return unit === 1 ? "month" : "year";
}

/** Returns the name of a bar: `March 1998`, or `1998` if it is a year. */
export function barName(at: number, { unit }: Axis): string {
  return unit === 1 ? monthName(`${Math.floor(at / YEAR)}-${(at % YEAR) + 1}`) : String(at);
}

/**
 * Returns the axis of `totals`, which are ascending and not empty. It has all their months, or, unless `isWhole`, only a part that is less
 * than half as long, if the part has nearly all matches.
 */
export function axisOf(totals: readonly MonthTotal[], isWhole: boolean): Axis {
  const whole = between(totals[0], totals.at(-1) as MonthTotal);
  if (isWhole) return whole;
  const inside = withoutFar(totals, OUTSIDE_SHARE);
  const main = between(inside[0], inside.at(-1) as MonthTotal);
  return (main.to - main.from) * 2 < whole.to - whole.from ? main : whole;
}

/** Returns `totals` without first and last months that are far from all others, and have at most a share of the matches. */
export function withoutFar(totals: readonly MonthTotal[], share: number): readonly MonthTotal[] {
  let left = share * totalOf(totals.map(({ matches }) => matches));
  let [first, last] = [0, totals.length - 1];
  while (first < last) {
    const [low, high] = [totals[first], totals[last]];
    const least = low.matches <= high.matches ? low : high;
    if (least.matches > left) break;
    left -= least.matches;
    if (least === low) first++;
    else last--;
  }
  const monthOf = (at: number): number => totals[at]?.month ?? Number.NaN;
  // After the first or last month `monthOf` is NaN, and the comparison is false.
  while (monthOf(first) - monthOf(first - 1) <= FAR) first--;
  while (monthOf(last + 1) - monthOf(last) <= FAR) last++;
  return totals.slice(first, last + 1);
}

/** Returns the axis without far-off months; undefined if nothing has a date. */
export function mainAxis(summary: Summary): Axis | undefined {
  const totals = monthTotals(summary);
  return totals.length === 0 ? undefined : axisOf(totals, false);
}

function between({ month: from }: MonthTotal, last: MonthTotal): Axis {
  const to = last.month + 1;
  if (to - from <= MONTHS_MOST) return { from, to, unit: 1 };
  return { from: Math.floor(from / YEAR) * YEAR, to: Math.ceil(to / YEAR) * YEAR, unit: YEAR };
}

/** Returns the ticks of years along an axis, or of months if the axis is short. */
export function timeTicks({ from, to }: Months): Tick[] {
  const length = to - from;
  const isShort = length <= SHORT_AXIS;
  const steps = isShort ? MONTHS_APART : YEARS_APART.map((years) => years * YEAR);
  const step = steps.find((apart) => length / apart <= TICKS_MOST) ?? (steps.at(-1) as number);
  const ticks: Tick[] = [];
  for (let month = Math.ceil(from / step) * step; month < to; month += step) {
    const year = String(Math.floor(month / YEAR));
    ticks.push({ at: (month - from) / length, label: isShort ? `${shortMonth(month % YEAR)} ${year}` : year });
  }
  return ticks;
}

/**
 * The scale may cut bars if there are at least SCALED_LEAST. It cuts the share OUTLIERS, one at least, if the highest bar has more than
 * FACTOR times the matches of the highest uncut one.
 */
const [SCALED_LEAST, OUTLIERS, FACTOR] = [12, 0.02, 4];

/** Returns the height of the scale: the matches of the highest bar, without the few bars that would flatten all others. */
export function scaleOf(matches: readonly number[]): number {
  const sorted = [...matches].sort((one, other) => other - one);
  const [most = 0] = sorted;
  if (sorted.length < SCALED_LEAST) return most;
  const usual = sorted[Math.max(1, Math.ceil(OUTLIERS * sorted.length))];
  return most > FACTOR * usual ? usual : most;
}

const SHARES = [0, 0.25, 0.5, 0.75, 1];

/** Returns the ticks of a scale of numbers up to `most`, or of the shares of bars, and a function that gives the matches of a full bar. */
export function valueScale(most: number, sharesOf?: readonly Bar[]): { ticks: Tick[]; topOf: (bar: number) => number } {
  if (sharesOf !== undefined) {
    const sums = new Map(sharesOf.map(({ at, matches }) => [at, matches]));
    return { ticks: SHARES.map((at) => ({ at, label: `${100 * at}%` })), topOf: (bar) => sums.get(bar) ?? 1 };
  }
  const numbers = numberTicks(most);
  const top = numbers.at(-1) as number;
  return { ticks: numbers.map((one) => ({ at: one / top, label: number(one) })), topOf: () => top };
}

/** Returns round numbers from 0 up: the last is at least `most`, and the end of the axis. */
export function numberTicks(most: number): number[] {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, most / 2))));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size * 3 >= most) ?? 10 * power;
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

// The series of the time line: matches by month for each of the most frequent schemes, or signs.

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
