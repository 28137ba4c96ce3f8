// The time line as a separate SVG file: no script, no request, light or dark like the reader's system.
import { withoutControls } from "../../base/shown.ts";
import * as axis from "./axis.ts";
import { totalOf } from "./cells.ts";
import { counted, monthNumber, number } from "./words.ts";

/** Pixels of the picture, of its margins, and of the area with the bars. */
const [WIDTH, HEIGHT] = [960, 420];
const [LEFT, TOP, RIGHT, BOTTOM] = [72, 76, 24, 52];
const [INNER_WIDTH, INNER_HEIGHT] = [WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM];
/** Most characters of a name in the legend, and about the pixels of one character. */
const [NAME_LENGTH, CHARACTER] = [26, 7];

interface Chart {
  /** Months, `1998-03`, ascending. The matches of a series are by the index of the month in this list. */
  readonly months: readonly string[];
  readonly series: readonly axis.Series[];
  readonly undated: number;
}

/**
 * Returns the picture. `what`: the field of the series, `scheme`; empty for a single series. `share`: bars are shares of months, those of
 * messages with "messages".
 */
export function chartOf(chart: Chart, what: string, share: boolean | "messages" = false): string {
  const [isShare, noun] = [share !== false, share === "messages" ? "message" : "URL"];
  const totals = totalsOf(chart);
  const line = totals.length === 0 ? undefined : axis.axisOf(totals, false);
  const unit = line === undefined ? "month" : axis.unitName(line);
  const title = `${isShare ? "Share of " : ""}${noun}s by ${unit}${what === "" ? "" : ` and ${what}`}`;
  const nothing = text(LEFT, TOP, "Nothing that was found has a date.");
  const body = line === undefined ? nothing : drawing(chart, line, totals, isShare, noun);
  const notes = chart.undated === 0 ? "" : text(LEFT, HEIGHT - 8, `${counted(chart.undated, noun)} without a date`, 'class="quiet"');
  const size = `width="${WIDTH}" height="${HEIGHT}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>
${styleOf("#fdfcfa", "#1d1c1a", "#65615a", 0)}
@media (prefers-color-scheme: dark) {
${styleOf("#17181b", "#e9e7e2", "#a5a29b", 1)}
}
</style>
<rect class="paper" ${size}/>
${text(LEFT, 28, title, 'class="title"')}
${body}${notes}</svg>
`;
}

function totalsOf({ months, series }: Chart): axis.MonthTotal[] {
  const matchesOf = (index: number): number => series.reduce((sum, { matches }) => sum + (matches.get(index) ?? 0), 0);
  return months.map((month, index) => ({ index, month: monthNumber(month), matches: matchesOf(index) }));
}

function drawing({ months, series }: Chart, line: axis.Axis, totals: readonly axis.MonthTotal[], isShare: boolean, noun: string): string {
  const bars = axis.barsOf(totals, line);
  const matchesIn = bars.map(({ matches }) => matches);
  const { ticks, topOf } = axis.valueScale(Math.max(...matchesIn), isShare ? bars : undefined);
  const lines = ticks.map(({ at, label }) => {
    const y = TOP + INNER_HEIGHT * (1 - at);
    return `<path class="rule" d="M${LEFT} ${y.toFixed(1)}h${INNER_WIDTH}"/>\n${text(LEFT - 8, y + 4, label, 'class="quiet end"')}`;
  });
  const times = axis.timeTicks(line).map(({ at, label }) => text(LEFT + at * INNER_WIDTH, TOP + INNER_HEIGHT + 20, label, 'class="quiet"'));
  const paths = axis.barPaths(series, months, line, topOf).map((path, index) => `<path class="series-${index}" d="${path}"/>\n`);
  const box = `x="${LEFT}" y="${TOP}" width="${INNER_WIDTH}" height="${INNER_HEIGHT}"`;
  const viewBox = `viewBox="0 0 ${line.to - line.from} ${axis.DRAWING_HEIGHT}"`;
  const drawn = `<svg ${box} ${viewBox} preserveAspectRatio="none">\n${paths.join("")}</svg>\n`;
  const outside = totalOf(totals.map(({ matches }) => matches)) - totalOf(matchesIn);
  const far = `${counted(outside, `${noun} has a date`, `${noun}s have dates`)} far from these months`;
  const note = outside === 0 ? "" : text(WIDTH - RIGHT, HEIGHT - 8, far, 'class="quiet end"');
  return `${lines.join("")}${drawn}${times.join("")}${legend(series)}${note}`;
}

function legend(series: readonly axis.Series[]): string {
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

function styleOf(paper: string, ink: string, quiet: string, theme: 0 | 1): string {
  return `text { font: 12px system-ui, sans-serif; fill: ${ink} } .title { font-size: 16px; font-weight: 600 } .quiet { fill: ${quiet} }
.end { text-anchor: end } .paper { fill: ${paper} } .rule { stroke: ${quiet}; stroke-opacity: 0.3; fill: none }
${axis.COLORS.map((pair, index) => `.series-${index} { fill: ${pair[theme]} }`).join(" ")}`;
}

function text(x: number, y: number, words: string, attributes = ""): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${attributes === "" ? "" : ` ${attributes}`}>${escaped(words)}</text>\n`;
}

/** Returns text that is safe as the content of an XML element, which has no U+FFFE and U+FFFF. */
function escaped(words: string): string {
  const shown = withoutControls(words).replaceAll("\ufffe", "\\ufffe").replaceAll("\uffff", "\\uffff");
  return shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
