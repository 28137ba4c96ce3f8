// Draws a bar chart as SVG without scripts, readable on light and dark pages.
import type { Side } from "./contenders.ts";

/** One bar. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly side: Side;
}

/** Bars that share a scale. */
export interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
}

const COLUMNS = 2;
const COLUMN_WIDTH = 450;
const LEFT = 180;
const BAR_WIDTH = 215;
const LINE = 20;
const GAP = 14;
/** Height of the caption. */
const HEAD = 34;

const STYLE = `text{font:12px system-ui,sans-serif;fill:#24292f}@media (prefers-color-scheme:dark){text{fill:#d0d7de}}
.title{font-weight:600}.name{text-anchor:end}.urlmill{fill:#1a7f37}.peer{fill:#8c959f}
@media (prefers-color-scheme:dark){.urlmill{fill:#3fb950}.peer{fill:#6e7681}}`;

/** Returns a text as SVG. */
const encode = (text: string): string => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

function barOf({ name, value, side }: Bar, most: number, x: number, y: number): string {
  const width = Math.max(1, (value / most) * BAR_WIDTH);
  const shown = value < 10 ? value.toFixed(1) : value.toFixed(0);
  return (
    `<text class="name" x="${x - 8}" y="${y + 13}">${encode(name)}</text>` +
    `<rect class="${side}" x="${x}" y="${y + 2}" width="${width.toFixed(1)}" height="${LINE - 5}" rx="2"/>` +
    `<text x="${(x + width + 6).toFixed(1)}" y="${y + 13}">${shown}</text>\n`
  );
}

/** Returns the chart: panels in rows of two, each with its own scale. */
export function plotOf(caption: string, panels: readonly Panel[]): string {
  let y = HEAD;
  let rowEnd = y;
  const parts = panels.map(({ title, bars }, index) => {
    const column = index % COLUMNS;
    if (column === 0) y = rowEnd;
    const x = column * COLUMN_WIDTH;
    const most = Math.max(...bars.map(({ value }) => value));
    const head = `<text class="title" x="${x + 8}" y="${y + 13}">${encode(title)}</text>\n`;
    const body = bars.map((bar, line) => barOf(bar, most, x + LEFT, y + LINE * (line + 1)));
    rowEnd = Math.max(rowEnd, y + LINE * (bars.length + 1) + GAP);
    return head + body.join("");
  });
  const name = encode(caption);
  const [width, height] = [COLUMNS * COLUMN_WIDTH, rowEnd];
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${name}">\n` +
    `<style>${STYLE}</style>\n<text x="8" y="20">${name}</text>\n${parts.join("")}</svg>\n`
  );
}
