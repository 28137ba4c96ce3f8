// The time line as a separate SVG file: no script, no request, light or dark like the reader's system.
import { withoutControls } from "../../base/shown.ts";
import { type Axis, axisOf, barsOf, type MonthTotal, numberTicks, SHARES, timeTicks } from "./axis.ts";
import { totalOf } from "./cells.ts";
import { barPaths, DRAWING_HEIGHT, type Series } from "./series.ts";
import { counted, monthNumber, number } from "./words.ts";

/** Size of the picture in pixels. */
const [WIDTH, HEIGHT] = [960, 420];
/** Margins around the bars in pixels. */
const [LEFT, TOP, RIGHT, BOTTOM] = [72, 76, 24, 52];
/** Size of the area with the bars in pixels. */
const [INNER_WIDTH, INNER_HEIGHT] = [WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM];
/** Most characters of a name in the legend, and about the pixels of one character. */
const [NAME_LENGTH, CHARACTER] = [26, 7];
const COLORS = {
  light: ["#2c6585", "#c07a2c", "#7d5590", "#4d8a63", "#8b867b"],
  dark: ["#62a5cc", "#d99a54", "#b78fc6", "#7bbd93", "#8f8c85"],
};

/** The content of the picture. */
interface Chart {
  /** Months, `1998-03`, ascending. The matches of a series are by the index of the month in this list. */
  readonly months: readonly string[];
  readonly series: readonly Series[];
  /** Matches without a date. */
  readonly undated: number;
}

/** Returns the picture. `what`: the field of the series, `scheme`; empty for a single series. `isShare`: bars are shares of months. */
export function chartOf({ months, series, undated }: Chart, what: string, isShare = false): string {
  const totals = totalsOf(months, series);
  const axis = totals.length === 0 ? undefined : axisOf(totals, false);
  const title = `${isShare ? "Share of URLs" : "URLs"} by ${axis?.unit === 12 ? "year" : "month"}${what === "" ? "" : ` and ${what}`}`;
  const body = axis === undefined ? text(LEFT, TOP, "Nothing that was found has a date.") : drawing(axis, totals, months, series, isShare);
  const notes = undated === 0 ? "" : text(LEFT, HEIGHT - 8, `${counted(undated, "URL")} without a date`, 'class="quiet"');
  const size = `width="${WIDTH}" height="${HEIGHT}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>
${styleOf("#fdfcfa", "#1d1c1a", "#65615a", COLORS.light)}
@media (prefers-color-scheme: dark) {
${styleOf("#17181b", "#e9e7e2", "#a5a29b", COLORS.dark)}
}
</style>
<rect class="paper" ${size}/>
${text(LEFT, 28, title, 'class="title"')}
${body}${notes}</svg>
`;
}

function totalsOf(months: readonly string[], series: readonly Series[]): MonthTotal[] {
  const matchesOf = (index: number): number => series.reduce((sum, { matches }) => sum + (matches.get(index) ?? 0), 0);
  return months.map((month, index) => ({ index, month: monthNumber(month), matches: matchesOf(index) }));
}

/** Returns the bars with their axes and the legend. */
function drawing(
  axis: Axis,
  totals: readonly MonthTotal[],
  months: readonly string[],
  series: readonly Series[],
  isShare: boolean,
): string {
  const inside = new Map(barsOf(totals, axis).map(({ at, matches }) => [at, matches]));
  const ticks = isShare ? SHARES : numberTicks(Math.max(...inside.values()));
  const top = ticks.at(-1) as number;
  const topOf = (bar: number): number => (isShare ? (inside.get(bar) ?? 1) : top);
  const lines = ticks.map((tick) => {
    const y = TOP + INNER_HEIGHT * (1 - tick / top);
    const label = text(LEFT - 8, y + 4, isShare ? `${100 * tick}%` : number(tick), 'class="quiet end"');
    return `<path class="rule" d="M${LEFT} ${y.toFixed(1)}h${INNER_WIDTH}"/>\n${label}`;
  });
  const times = timeTicks(axis).map(({ at, label }) => text(LEFT + at * INNER_WIDTH, TOP + INNER_HEIGHT + 20, label, 'class="quiet"'));
  const paths = barPaths(series, months, axis, topOf).map((path, index) => `<path class="series-${index}" d="${path}"/>\n`);
  const box = `x="${LEFT}" y="${TOP}" width="${INNER_WIDTH}" height="${INNER_HEIGHT}"`;
  const bars = `<svg ${box} viewBox="0 0 ${axis.to - axis.from} ${DRAWING_HEIGHT}" preserveAspectRatio="none">\n${paths.join("")}</svg>\n`;
  const outside = totalOf(totals.map(({ matches }) => matches)) - totalOf(inside.values());
  const far = `${counted(outside, "URL has a date", "URLs have dates")} far from these months`;
  const note = outside === 0 ? "" : text(WIDTH - RIGHT, HEIGHT - 8, far, 'class="quiet end"');
  return `${lines.join("")}${bars}${times.join("")}${legend(series)}${note}`;
}

function legend(series: readonly Series[]): string {
  let [x, y] = [LEFT, 54];
  const items = series.map(({ name, total }, index) => {
    const characters = Array.from(name);
    const shown = characters.length > NAME_LENGTH ? `${characters.slice(0, NAME_LENGTH - 1).join("")}…` : name;
    const label = `${shown} ${number(total)}`;
    const width = 16 + CHARACTER * label.length + 24;
    if (x + width > WIDTH) [x, y] = [LEFT, y + 16];
    const item = `<rect class="series-${index}" x="${x}" y="${y - 9}" width="10" height="10"/>\n${text(x + 16, y, label)}`;
    x += width;
    return item;
  });
  return items.join("");
}

function styleOf(paper: string, ink: string, quiet: string, colors: readonly string[]): string {
  return `text { font: 12px system-ui, sans-serif; fill: ${ink} } .title { font-size: 16px; font-weight: 600 } .quiet { fill: ${quiet} }
.end { text-anchor: end } .paper { fill: ${paper} } .rule { stroke: ${quiet}; stroke-opacity: 0.3; fill: none }
${colors.map((color, index) => `.series-${index} { fill: ${color} }`).join(" ")}`;
}

function text(x: number, y: number, words: string, attributes = ""): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${attributes === "" ? "" : ` ${attributes}`}>${escaped(words)}</text>\n`;
}

/** Returns text that is safe as the content of an XML element. */
function escaped(words: string): string {
  return withoutControls(words).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
