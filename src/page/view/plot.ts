// A drawing with numbers along its left side and times below it, and one of URLs by day or by week, of a few months.
import { DRAWING_HEIGHT, GAP, type Months, type Tick, valueScale } from "./axis.ts";
import { element, graphic, setAttribute, setText } from "./dom.ts";
import type { State } from "./state.ts";
import { counted, monthNumber, shortMonth } from "./words.ts";

export class Plot {
  readonly #drawing = graphic("svg", { preserveAspectRatio: "none", role: "img" });
  readonly #numbers = element("div", { class: "numbers", "aria-hidden": "true" });
  readonly #times = element("div", { class: "times", "aria-hidden": "true" });
  readonly node: HTMLElement;

  constructor(...over: HTMLElement[]) {
    this.node = element("div", { class: "plot" }, this.#numbers, this.#drawing, this.#times, ...over);
  }

  /** Draws `paths`, and labels both axes. `width`: units of the drawing from left to right. `words` describe the drawing. */
  show(width: number, paths: readonly SVGPathElement[], words: string, numbers: readonly Tick[], times: readonly Tick[]): void {
    setAttribute(this.#drawing, "viewBox", `0 0 ${width} ${DRAWING_HEIGHT}`);
    setAttribute(this.#drawing, "aria-label", words);
    this.#drawing.replaceChildren(...paths);
    this.#numbers.replaceChildren(...numbers.map(({ at, label }) => labelAt("bottom", at, label)));
    this.#times.replaceChildren(...timeLabels(times, this.#times.clientWidth));
  }
}

const LABEL_END = 0.9;

function labelAt(side: "left" | "bottom", fraction: number, label: string): HTMLElement {
  // A label near the end ends at its mark, so that it does not stick out.
  const node = element("span", { class: side === "left" && fraction > LABEL_END && "end" }, label);
  node.style[side] = `${fraction * 100}%`;
  return node;
}

/** Assumed pixels of a character of a label, with its share of the gap after the label. */
const CHARACTER_PIXELS = 9;
/** Assumed pixels of an axis that is not shown yet: those of a narrow screen. */
const NARROW_PIXELS = 280;

/** Returns the labels of a time axis of `width` pixels, without labels that would overlap the one before them. */
function timeLabels(ticks: readonly Tick[], width: number): HTMLElement[] {
  let free = 0;
  const kept = ticks.filter(({ at, label }) => {
    const length = (CHARACTER_PIXELS * label.length) / (width || NARROW_PIXELS);
    const start = at > LABEL_END ? at - length : at;
    const isKept = start >= free;
    if (isKept) free = start + length;
    return isKept;
  });
  return kept.map(({ at, label }) => labelAt("left", at, label));
}

// URLs by day or by week.

const [MONTHS_BY_DAY, MONTHS_BY_WEEK] = [3, 24];
const DAY_MS = 86_400_000;
/** Days of a bar. */
const DAYS = { day: 1, week: 7 } as const;
/** 1970-01-01 is a Thursday, so many days after the Monday of its week. */
const DAYS_AFTER_MONDAY = 3;
const TICKS_MOST = 9;

interface DayBars {
  readonly unit: keyof typeof DAYS;
  /** The first bar, in days since 1970: the first day of the months, or the Monday of its week. */
  readonly from: number;
  readonly counts: readonly number[];
}

/** Returns the bars of the months of an axis; undefined if there are too many months. `days`: pairs of a day since 1970 and its matches. */
export function dayBars(days: readonly number[], { from, to }: Months): DayBars | undefined {
  if (to - from > MONTHS_BY_WEEK) return undefined;
  const unit = to - from > MONTHS_BY_DAY ? "week" : "day";
  const size = DAYS[unit];
  const [first, end] = [from, to].map((month) => Date.UTC(Math.floor(month / 12), month % 12) / DAY_MS);
  const start = unit === "week" ? first - ((first + DAYS_AFTER_MONDAY) % DAYS.week) : first;
  const counts = Array.from({ length: Math.ceil((end - start) / size) }, () => 0);
  for (let at = 0; at < days.length; at += 2) {
    if (days[at] >= first && days[at] < end) counts[Math.floor((days[at] - start) / size)] += days[at + 1];
  }
  return { unit, from: start, counts };
}

/** Returns the name of a day: `5 Mar 1996`. */
function dayName(day: number): string {
  const date = new Date(day * DAY_MS);
  return `${date.getUTCDate()} ${shortMonth(date.getUTCMonth())} ${date.getUTCFullYear()}`;
}

/** Returns a drawing of URLs by day or by week. It is hidden if there are too many months. */
export function dayPlot() {
  const title = element("h3");
  const readout = element("p", { class: "readout", "aria-hidden": "true" });
  const plot = new Plot();
  const unknown = element("p", { class: "outside" }, "Days are counted for all URLs together, not for a choice of them.");
  const node = element("div", { class: "by-day" }, element("div", { class: "head" }, title, readout), plot.node, unknown);

  const draw = ({ unit, from, counts }: DayBars): void => {
    const most = Math.max(...counts);
    const nameOf = (at: number): string => dayName(from + DAYS[unit] * at);
    const when = unit === "week" ? "in the week of" : "on";
    setText(readout, `Most ${when} ${nameOf(counts.indexOf(most))}: ${counted(most, "URL")}`);
    const { ticks, topOf } = valueScale(most);
    const bar = (count: number, at: number): string => {
      const height = ((DRAWING_HEIGHT * count) / topOf(at)).toFixed(1);
      return count === 0 ? "" : `M${at + GAP / 2} ${DRAWING_HEIGHT}v-${height}h${1 - GAP}V${DRAWING_HEIGHT}z`;
    };
    const path = graphic("path", { d: counts.map(bar).join("") });
    const step = Math.ceil(counts.length / TICKS_MOST);
    const marked = counts.flatMap((_, at) => (at % step === 0 ? [at] : []));
    const times = marked.map((at) => ({ at: at / counts.length, label: nameOf(at).replace(/ \d+$/, "") }));
    plot.show(counts.length, [path], `URLs by ${unit}. ${readout.textContent}.`, ticks, times);
  };
  /** Shows a state; `axis`: the months of the time line. `isOfAll`: URLs are drawn unless they are chosen by values. */
  const show = ({ whole, span, choices, isOfLinks }: State, axis: Months, isOfAll: boolean): void => {
    const isChosen = choices.length > 0 || !isOfAll;
    const [first, last] = span === null ? [] : [whole.months[span.from], whole.months[span.to]];
    const months = first == null || last == null ? axis : { from: monthNumber(first), to: monthNumber(last) + 1 };
    const bars = dayBars(whole.days, months);
    node.hidden = bars === undefined;
    if (bars === undefined) return;
    setText(title, `By ${bars.unit}`);
    plot.node.hidden = isChosen;
    unknown.hidden = !isChosen && !isOfLinks;
    if (isChosen) setText(readout, "");
    else draw(bars);
  };
  return { node, show };
}
