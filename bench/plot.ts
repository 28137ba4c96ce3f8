// A bar chart as SVG: no script, readable on light and dark pages.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Side } from "./contenders.ts";
import { RECORDS } from "./records.ts";

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

const WIDTH = 840;
const LEFT = 210;
const BAR_WIDTH = 540;
const LINE = 20;
const GAP = 14;
const HEAD = 34;

const STYLE = `text{font:12px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.name{text-anchor:end}.urlmill{fill:#1a7f37}
.peer{fill:#8c959f}@media (prefers-color-scheme:dark){text{fill:#d0d7de}.urlmill{fill:#3fb950}.peer{fill:#6e7681}}`;

const encode = (text: string): string => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

function barOf({ name, value, side }: Bar, most: number, y: number): string {
  const width = Math.max(1, (value / most) * BAR_WIDTH);
  const shown = value < 10 ? value.toFixed(1) : value.toFixed(0);
  return (
    `<text class="name" x="${LEFT - 8}" y="${y + 13}">${encode(name)}</text>` +
    `<rect class="${side}" x="${LEFT}" y="${y + 2}" width="${width.toFixed(1)}" height="${LINE - 5}" rx="2"/>` +
    `<text x="${(LEFT + width + 6).toFixed(1)}" y="${y + 13}">${shown}</text>\n`
  );
}

/** The chart: the panels one below the other, each on a scale of its own. */
export function plotOf(caption: string, panels: readonly Panel[]): string {
  let y = HEAD;
  const parts = panels.map(({ title, bars }) => {
    const most = Math.max(...bars.map(({ value }) => value));
    const head = `<text class="title" x="8" y="${y + 13}">${encode(title)}</text>\n`;
    const body = bars.map((bar, index) => barOf(bar, most, y + LINE * (index + 1)));
    y += LINE * (bars.length + 1) + GAP;
    return head + body.join("");
  });
  const name = encode(caption);
  const size = `viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${name}">\n` +
    `<style>${STYLE}</style>\n<text x="8" y="20">${name}</text>\n${parts.join("")}</svg>\n`
  );
}

/** Writes records/name. */
export function writePlot(name: string, caption: string, panels: readonly Panel[]): void {
  writeFileSync(join(RECORDS, name), plotOf(caption, panels));
}
