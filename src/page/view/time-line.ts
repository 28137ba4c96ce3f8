// The time line: URLs by month or year, stacked by scheme, or serious signs. Dragging over it, or choosing in two lists of months, narrows
// the other parts.
import { type Cells, OTHER_MONTHS, type Summary } from "../../summary/summary.ts";
import * as axis from "./axis.ts";
import { type Span, sumsIn, totalOf } from "./cells.ts";
import { button, element, fold, graphic, numberRow, numberTable, select, setText } from "./dom.ts";
import { SERIOUS } from "./flag-list.ts";
import { Brush, MonthChoice } from "./month-choice.ts";
import { DayPlot, Plot } from "./plot.ts";
import { choiceButton, type State, type ViewPart } from "./state.ts";
import { counted, monthName, monthNumber, number, share, UNKNOWN_MONTH } from "./words.ts";

const CUT_NAMED = 3;

type Line = ReturnType<typeof lineOf>;

/** Returns what the line shows: URLs or serious signs of `source`, by month as `cells` and `counts`; `totals`: all matches of `whole`. */
function lineOf(source: Summary, whole: Summary, noun: "URL" | "serious sign") {
  const series = axis.seriesOf(source, whole, noun === "URL" ? undefined : SERIOUS);
  const cells = noun === "URL" ? source.cells : cellsOf(series);
  return { noun, source, cells, counts: axis.monthTotals({ ...source, cells }), series, totals: axis.monthTotals(whole) };
}

export class TimeLine implements ViewPart {
  readonly node: HTMLElement;
  readonly #readout = element("p", { class: "readout", "aria-hidden": "true" });
  readonly #legend = element("ul", { class: "legend" });
  readonly #outside = element("p", { class: "outside" });
  readonly #choice: MonthChoice;
  readonly #years = element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Table of the time line" });
  readonly #days = new DayPlot();
  readonly #brush: Brush;
  readonly #plot: Plot;
  readonly #things = select({}, ["URLs", "Serious signs"], () => this.#state && this.show(this.#state));
  readonly #counting = element("label", { title: "A URL counts once for each of its signs" }, "Count ", this.#things);
  #state: State | undefined;
  #line: Line | undefined;
  #axis: axis.Axis = { from: 0, to: 1, unit: 1 };
  /** Whether the axis has all months, even far ones. */
  #isWhole = false;
  /** Whether no bar is cut, even if the highest ones flatten all others. */
  #isUncut = false;
  /** Whether all bars have one height and show shares. */
  #isShare = false;
  /** The months that the drawing is scaled to. */
  #drawn: Span | null = null;
  #busiest = "";

  /** `narrow` is called with the chosen months; null for all. */
  constructor(narrow: (span: Span | null) => void) {
    this.#choice = new MonthChoice(narrow);
    this.#brush = new Brush({
      choose: (from, to) => narrow(from === null ? null : this.#spanAt(from, to)),
      settle: () => this.#settle(),
      point: (at) => this.#point(at),
    });
    this.#plot = new Plot(this.#brush.node);
    const scales = select({}, ["Number", "Share"], ({ selectedIndex }) => {
      this.#isShare = selectedIndex === 1;
      this.#draw();
    });
    const scale = element("div", { class: "scale" }, this.#counting, element("label", {}, "Scale ", scales));
    this.node = element(
      "section",
      { class: "time-line", "aria-labelledby": "when" },
      element("div", { class: "head" }, element("h2", { id: "when" }, "When"), this.#readout),
      this.#plot.node,
      this.#outside,
      element("div", { class: "foot" }, this.#legend, scale, this.#choice.node),
      this.#days.node,
      fold({ class: "years" }, "The time line as a table", this.#years),
    );
  }

  show(state: State): void {
    const { summary, whole, span } = state;
    this.#state = state;
    const { rows, distinct } = whole.tables.flag;
    const hasSigns = rows.length === distinct && rows.some(([flag]) => SERIOUS.has(flag));
    this.#counting.hidden = !hasSigns;
    const noun = hasSigns && this.#things.selectedIndex === 1 ? "serious sign" : "URL";
    if (this.#line?.source !== summary || this.#line.noun !== noun) {
      this.#line = lineOf(summary, whole, noun);
      this.#years.replaceChildren(yearTable(summary, this.#line.series, (unit) => this.#titleOf(unit)));
      this.#draw();
    }
    const { series, totals } = this.#line;
    const isEmpty = totals.length === 0;
    for (const { node } of [this.#plot, this.#days, this.#choice]) node.hidden = isEmpty;
    if (isEmpty) {
      setText(this.#outside, summary.totals.matches === 0 ? "Nothing was found." : this.#outsideText(this.#line));
      return;
    }
    this.#settle();
    this.#legend.replaceChildren(...series.map((one, index) => (one.total === 0 ? "" : legendItem(state, one, index))));
    this.#choice.show(whole, totals, span);
    this.#days.show(state, this.#axis, noun === "URL");
    this.#brush.show(span && [this.#fractionOf(summary.months[span.from], 0), this.#fractionOf(summary.months[span.to], 1)]);
  }

  /** Scales the drawing to the chosen months, but not while they are being chosen. */
  #settle(): void {
    if (this.#drawn !== this.#state?.span && !this.#brush.isHeld) this.#draw();
  }

  #draw(): void {
    const line = this.#line;
    if (line === undefined || line.totals.length === 0) return;
    const { counts, series, totals, source } = line;
    this.#axis = axis.axisOf(totals, this.#isWhole);
    const span = this.#state?.span ?? null;
    this.#drawn = span;
    const bars = axis.barsOf(counts, this.#axis);
    const isChosen = ({ index }: axis.MonthTotal): boolean => span === null || (index >= span.from && index <= span.to);
    const chosen = axis.barsOf(counts.filter(isChosen), this.#axis);
    const chosenAt = new Set(chosen.map(({ at }) => at));
    const shown = chosen.length === 0 ? bars : bars.filter(({ at }) => chosenAt.has(at));
    this.#busiest = this.#busiestText(busiestOf(chosen.length === 0 ? bars : chosen));
    this.#point(null);
    const highest = busiestOf(shown).matches;
    const usual = axis.scaleOf(shown.map(({ matches }) => matches));
    const ticks = axis.numberTicks(this.#isUncut ? highest : usual);
    const top = ticks.at(-1) as number;
    const sums = new Map(bars.map(({ at, matches }) => [at, matches]));
    const topOf = (bar: number): number => (this.#isShare ? (sums.get(bar) ?? 1) : top);
    const paths = axis.barPaths(series, source.months, this.#axis, topOf).map((d, index) => colored(graphic("path", { d }), index));
    const numbers = this.#isShare
      ? axis.SHARES.map((at) => ({ at, label: `${100 * at}%` }))
      : ticks.map((tick) => ({ at: tick / top, label: number(tick) }));
    this.#plot.show(this.#axis.to - this.#axis.from, paths, this.#description(line), numbers, axis.timeTicks(this.#axis));
    this.#outside.replaceChildren(this.#outsideText(line));
    if (usual < highest && !this.#isShare) this.#offerUncut(shown.filter(({ matches }) => matches > Math.max(top, usual)));
    this.#offerWhole(line);
  }

  #busiestText({ at, matches }: axis.Bar): string {
    return matches === 0 ? "None in these months" : `Most in ${axis.barName(at, this.#axis)}: ${this.#counted(matches)}`;
  }

  #counted(count: number): string {
    return counted(count, this.#line?.noun ?? "URL");
  }

  #description({ source: { months }, totals }: Line): string {
    const [first, last] = [totals[0], totals.at(-1)].map((total) => monthName(months[total?.index ?? 0] as string));
    return `${this.#titleOf(this.#unit)}, ${first} to ${last}. ${this.#busiest}. The numbers are in the table below.`;
  }

  get #unit(): "month" | "year" {
    return this.#axis.unit === 1 ? "month" : "year";
  }

  #titleOf(unit: string): string {
    return this.#line?.noun === "URL" ? `URLs by ${unit} and scheme` : `Serious signs by ${unit}`;
  }

  /** Returns sentences about matches without a single month, which are never on the line; empty if there are none. */
  #outsideText({ source: { months }, cells }: Line): string {
    const sentences = OUTSIDE.map(([month, , which]) => {
      const index = months.indexOf(month);
      const { matches } = sumsIn(cells, { from: index, to: index });
      const part = share(matches, sumsIn(cells, null).matches);
      return matches === 0 ? "" : `${this.#counted(matches)} (${part}) ${which} ${matches === 1 ? "is" : "are"} not on the line. `;
    });
    return sentences.join("");
  }

  /** Says how many matches are outside the axis, with a button that draws their months too, or no more. */
  #offerWhole({ noun, totals, counts }: Line): void {
    const { from, to } = this.#axis;
    const whole = axis.axisOf(totals, true);
    const isCut = whole.from !== from || whole.to !== to;
    if (!isCut && !this.#isWhole) return;
    const count = totalOf(counts.map(({ month, matches }) => (month < from || month >= to ? matches : 0)));
    const far = counted(count, `${noun} has a date`, `${noun}s have dates`);
    const text = isCut && count > 0 ? `${far} far from these months, often by a wrong clock. ` : "";
    this.#offer(text, isCut ? "Draw the far months too" : "Draw the main months alone", () => {
      this.#isWhole = !this.#isWhole;
    });
  }

  /** Says which bars are higher than the scale, with a button that draws them whole, or cuts them again. */
  #offerUncut(cut: readonly axis.Bar[]): void {
    const named = cut.slice(0, CUT_NAMED).map(({ at, matches }) => `${axis.barName(at, this.#axis)} (${this.#counted(matches)})`);
    if (cut.length > CUT_NAMED) named.push(counted(cut.length - CUT_NAMED, "more", "more"));
    const text = this.#isUncut ? "" : `Higher than the scale: ${named.join(", ")}. `;
    this.#offer(text, this.#isUncut ? `Cut the highest ${this.#unit}s` : "Draw them whole", () => {
      this.#isUncut = !this.#isUncut;
    });
  }

  #offer(text: string, label: string, change: () => void): void {
    const press = (): void => {
      change();
      this.#draw();
    };
    this.#outside.append(text, button({ class: "plain" }, press, label));
  }

  /** Returns the location of a month along the axis, from 0 to 1; `side` is 0 for its start, 1 for its end. */
  #fractionOf(month: string | null, side: 0 | 1): number {
    const { from, to } = this.#axis;
    const at = monthNumber(month as string) + side;
    return Math.min(1, Math.max(0, (at - from) / (to - from)));
  }

  #monthAt(fraction: number): number {
    const { from, to } = this.#axis;
    return Math.min(to - 1, from + Math.floor(fraction * (to - from)));
  }

  /** Returns the months with URLs between two locations along the axis, from 0 to 1; null if there are none. */
  #spanAt(one: number, other: number): Span | null {
    const [first, last] = [this.#monthAt(Math.min(one, other)), this.#monthAt(Math.max(one, other))];
    const found = this.#line?.totals.filter(({ month }) => month >= first && month <= last) ?? [];
    return found.length === 0 ? null : { from: found[0].index, to: (found.at(-1) as axis.MonthTotal).index };
  }

  #point(fraction: number | null): void {
    if (fraction === null || this.#line === undefined) {
      setText(this.#readout, this.#busiest);
      return;
    }
    const { counts, series } = this.#line;
    const bar = Math.floor(this.#monthAt(fraction) / this.#axis.unit);
    const totals = counts.filter(({ month }) => Math.floor(month / this.#axis.unit) === bar);
    const parts = series.flatMap(({ name, matches }) => {
      const count = totalOf(totals.map(({ index }) => matches.get(index) ?? 0));
      return count === 0 ? [] : [`${name} ${number(count)}`];
    });
    const list = parts.length > 1 ? ` (${parts.join(", ")})` : "";
    const total = totalOf(totals.map(({ matches }) => matches));
    setText(this.#readout, `${axis.barName(bar, this.#axis)}: ${this.#counted(total)}${list}`);
  }
}

/** The months that are not on the line: their names in the table of the line, and in a sentence. */
const OUTSIDE: readonly (readonly [month: string | null, name: string, which: string])[] = [
  [UNKNOWN_MONTH, "in months that are lost", "whose month is lost"],
  [OTHER_MONTHS, "before 1970 or after 2049", "dated before 1970 or after 2049"],
  [null, "without a date", "without a date"],
];

function cellsOf(series: readonly axis.Series[]): Cells {
  const sums = new Map<number, number>();
  for (const [month, count] of series.flatMap(({ matches }) => [...matches])) sums.set(month, (sums.get(month) ?? 0) + count);
  return [...sums].sort(([one], [other]) => one - other).flatMap(([month, count]) => [month, count, 0]);
}

function busiestOf(bars: readonly axis.Bar[]): axis.Bar {
  return bars.reduce((most, one) => (one.matches > most.matches ? one : most), { at: 0, matches: 0 });
}

function colored<E extends ElementCSSInlineStyle>(node: E, index: number): E {
  node.style.fill = `light-dark(${axis.COLORS[index].join(", ")})`;
  node.style.background = node.style.fill;
  return node;
}

function legendItem(state: State, { name, total, matches, choice }: axis.Series, index: number): HTMLElement {
  const { span } = state;
  const chosen = [...matches].filter(([month]) => span !== null && month >= span.from && month <= span.to);
  const count = span === null ? total : totalOf(chosen.map(([, one]) => one));
  const swatch = colored(element("span", { class: "swatch", "aria-hidden": "true" }), index);
  const shown = choice === undefined ? name : choiceButton(state, choice, name);
  return element("li", {}, swatch, shown, " ", element("span", { class: "count" }, number(count)));
}

// The numbers of the time line as a table, for screen readers.

/** Most months that are listed one by one; more are summed by year. */
const MONTHS_SHOWN = 24;

function yearTable({ months }: Summary, series: readonly axis.Series[], titleOf: (unit: string) => string): HTMLTableElement {
  const isByYear = months.length > MONTHS_SHOWN;
  const nameOf = (month: string | null): string => {
    const outside = OUTSIDE.find(([one]) => one === month);
    if (outside !== undefined || month === null) return outside?.[1] ?? "";
    return isByYear ? String(Number(month.slice(0, 4))) : monthName(month);
  };
  const rows = new Map<string, number[]>();
  months.forEach((month, index) => {
    const name = nameOf(month);
    const counts = rows.get(name) ?? series.map(() => 0);
    rows.set(name, counts);
    series.forEach(({ matches }, at) => {
      counts[at] += matches.get(index) ?? 0;
    });
  });
  const heads = [isByYear ? "Year" : "Month", ...series.map(({ name }) => name), "all"];
  const lines = [...rows].flatMap(([name, counts]) => {
    const total = totalOf(counts);
    if (total === 0 && name === nameOf(UNKNOWN_MONTH)) return [];
    return numberRow([name], [...counts, total].map(number));
  });
  return numberTable(titleOf(isByYear ? "year" : "month"), heads, lines);
}
