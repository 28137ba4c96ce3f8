// A chart of lines as SVG, both axes logarithmic: no script, readable on light and dark pages.
import { encode, HEAD, svgOf } from "./plot.ts";

/** One line; its values belong to the places of the chart, in their order. */
export interface Line {
  readonly name: string;
  readonly values: readonly number[];
  /** Drawn with gaps, in the colour of the line before. */
  readonly dashed?: true;
}

const LEFT = 56;
const WIDTH = 520;
const HEIGHT = 320;
const LEGEND = 220;
const FOOT = 44;
const BOTTOM = HEAD + HEIGHT;
/** How far left of the least place 0 stands, which has no logarithm, in decades. */
const ZERO_GAP = 0.4;

const LIGHT = ["#1a7f37", "#0969da", "#bc4c00", "#6e7781"];
const DARK = ["#3fb950", "#58a6ff", "#f0883e", "#8b949e"];
const colours = (list: readonly string[]): string =>
  list.map((colour, index) => `.c${index}{stroke:${colour}}.c${index} circle{fill:${colour}}`).join("");
const STYLE = `polyline,.key{fill:none;stroke-width:2}circle{stroke:none}.dashed polyline,.dashed .key{stroke-dasharray:5 3}
.grid{stroke:#d0d7de;stroke-width:.5}.x{text-anchor:middle}.y{text-anchor:end}${colours(LIGHT)}
@media (prefers-color-scheme:dark){.grid{stroke:#30363d}${colours(DARK)}}`;

/** 1, 2 and 5 times powers of ten, from the last that is not above `least` to the first that is not below `most`. */
function ticksBetween(least: number, most: number): number[] {
  const ticks: number[] = [];
  for (let power = 10 ** Math.floor(Math.log10(least)); ; power *= 10) {
    for (const tick of [power, 2 * power, 5 * power]) {
      if (tick <= least) ticks.length = 0;
      ticks.push(tick);
      if (tick >= most) return ticks;
    }
  }
}

/** Where places stand, in pixels: by their logarithms, 0 to the left of them. Places ascend. */
function acrossOf(locations: readonly number[]): (place: number) => number {
  const least = Math.log10(locations.find((place) => place > 0) as number);
  const first = locations[0] === 0 ? least - ZERO_GAP : least;
  const decades = Math.log10(locations.at(-1) as number) - first;
  return (place) => LEFT + ((place === 0 ? 0 : Math.log10(place) - first) / decades) * WIDTH;
}

/** In pixels. */
type Point = readonly [x: string, y: string];

/** A line with its points, and its name as the legend's row `row`. */
function drawingOf({ name, dashed }: Line, points: readonly Point[], row: number, colour: number): string {
  const dots = points.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="2.5"/>`).join("");
  const [x, y] = [LEFT + WIDTH + 16, HEAD + 14 + 20 * row];
  const key = `<line class="key" x1="${x}" y1="${y}" x2="${x + 24}" y2="${y}"/>`;
  const line = `<polyline points="${points.map((point) => point.join(",")).join(" ")}"/>`;
  const group = `<g class="c${colour}${dashed ? " dashed" : ""}">${line}${dots}${key}</g>`;
  return `${group}<text x="${x + 30}" y="${y + 4}">${encode(name)}</text>\n`;
}

/** The chart: a line through the values of each; `places` ascend, and the first may be 0. */
export function linesPlotOf(caption: string, across: string, locations: readonly number[], lines: readonly Line[]): string {
  const values = lines.flatMap((line) => line.values);
  const ticks = ticksBetween(Math.min(...values), Math.max(...values));
  const [bottom, top] = [ticks[0] as number, ticks.at(-1) as number];
  const xOf = acrossOf(locations);
  const yOf = (value: number): number => BOTTOM - (Math.log(value / bottom) / Math.log(top / bottom)) * HEIGHT;
  const grid = (x1: number, y1: number, x2: number, y2: number): string =>
    `<line class="grid" x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`;
  const rows = ticks.map((tick) => {
    const y = yOf(tick);
    return `${grid(LEFT, y, LEFT + WIDTH, y)}<text class="y" x="${LEFT - 6}" y="${(y + 4).toFixed(1)}">${tick}</text>\n`;
  });
  const columns = locations.map((place) => {
    const x = xOf(place);
    return `${grid(x, HEAD, x, BOTTOM)}<text class="x" x="${x.toFixed(1)}" y="${BOTTOM + 16}">${place}</text>\n`;
  });
  const title = `<text class="x" x="${LEFT + WIDTH / 2}" y="${BOTTOM + 36}">${encode(across)}</text>\n`;
  let colour = -1;
  const drawn = lines.map((line, index) => {
    if (!line.dashed) colour++;
    const points = line.values.map((value, at): Point => [xOf(locations[at] as number).toFixed(1), yOf(value).toFixed(1)]);
    return drawingOf(line, points, index, colour % LIGHT.length);
  });
  const body = [...rows, ...columns, title, ...drawn].join("");
  return svgOf(caption, LEFT + WIDTH + LEGEND, BOTTOM + FOOT, STYLE, body);
}
