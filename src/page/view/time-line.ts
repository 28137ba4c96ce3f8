// The time line: URLs by month or year, stacked by scheme, or serious signs. Dragging over it, or choosing in two lists of months, narrows
// the other parts.
import { type Cells, OTHER_MONTHS, type Summary } from "../../summary/summary.ts";
import * as axis from "./axis.ts";
import { isIn, type Span, sumsIn, totalOf } from "./cells.ts";
import { button, element, fold, graphic, numberRow, numberTable, select, setText } from "./dom.ts";
import { SERIOUS } from "./flag-list.ts";
import { brushOf, monthLists } from "./month-choice.ts";
import { dayPlot, Plot } from "./plot.ts";
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
  readonly #months: ReturnType<typeof monthLists>;
  readonly #years = element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Table of the time line" });
  readonly #days = dayPlot();
  readonly #brush: ReturnType<typeof brushOf>;
  readonly #plot: Plot;
  readonly #things = select({}, ["URLs", "Serious signs"], () => this.#state && this.show(this.#state));
  readonly #counting = element("label", { title: "A URL counts once for each of its signs" }, "Count ", this.#things);
  #state: State | undefined;
  #line: Line | undefined;
  #axis: axis.Axis = { from: 0, to: 1, unit: 1 };
  /** Wishes of the user: an axis with all months, even far ones; no cut bar, even if the highest flatten all others; bars of shares. */
  readonly #wants = { allMonths: false, wholeBars: false, shares: false };
  /** The months that the drawing is scaled to. */
  #drawn: Span | null = null;
  #busiest = "";

  /** `narrow` is called with the chosen months; null for all. */
  constructor(narrow: (span: Span | null) => void) {
    this.#months = monthLists(narrow);
    this.#brush = brushOf({
      choose: (from, to) => narrow(from === null ? null : this.#spanAt(from, to)),
      settle: () => this.#settle(),
      point: (at) => this.#point(at),
    });
    this.#plot = new Plot(this.#brush.node);
    const scales = select({}, ["Number", "Share"], ({ selectedIndex }) => {
      this.#wants.shares = selectedIndex === 1;
      this.#draw();
    });
    const scale = element("div", { class: "scale" }, this.#counting, element("label", {}, "Scale ", scales));
    this.node = element(
      "section",
      { class: "time-line", "aria-labelledby": "when" },
      element("div", { class: "head" }, element("h2", { id: "when" }, "When"), this.#readout),
      this.#plot.node,
      this.#outside,
      element("div", { class: "foot" }, this.#legend, scale, this.#months.node),
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
      this.#years.replaceChildren(yearTable(this.#line));
      this.#draw();
    }
    const { series, totals } = this.#line;
    const isEmpty = totals.length === 0;
    for (const { node } of [this.#plot, this.#days, this.#months]) node.hidden = isEmpty;
    if (isEmpty) {
      setText(this.#outside, summary.totals.matches === 0 ? "Nothing was found." : outsideText(this.#line));
      return;
    }
    this.#settle();
    this.#legend.replaceChildren(...series.map((one, index) => (one.total === 0 ? "" : legendItem(state, one, index))));
    this.#months.show(whole, totals, span);
    this.#days.show(state, this.#axis, noun === "URL");
    this.#brush.show(span && [this.#fractionOf(summary.months[span.from], 0), this.#fractionOf(summary.months[span.to], 1)]);
  }

  /** Scales the drawing to the chosen months, but not while they are being chosen. */
  #settle(): void {
    if (this.#drawn !== this.#state?.span && !this.#brush.isHeld()) this.#draw();
  }

  #draw(): void {
    const line = this.#line;
    if (line === undefined || line.totals.length === 0) return;
    const { counts, series, totals, source } = line;
    const { allMonths, wholeBars, shares } = this.#wants;
    this.#axis = axis.axisOf(totals, allMonths);
    const span = this.#state?.span ?? null;
    this.#drawn = span;
    const bars = axis.barsOf(counts, this.#axis);
    const inSpan = counts.filter(({ index }) => isIn(span, index));
    const chosen = axis.barsOf(inSpan, this.#axis);
    const chosenAt = new Set(chosen.map(({ at }) => at));
    const shown = chosen.length === 0 ? bars : bars.filter(({ at }) => chosenAt.has(at));
    const { at, matches } = busiestOf(chosen.length === 0 ? bars : chosen);
    this.#busiest = matches === 0 ? "None in these months" : `Most in ${axis.barName(at, this.#axis)}: ${counted(matches, line.noun)}`;
    this.#point(null);
    const highest = busiestOf(shown).matches;
    const usual = axis.scaleOf(shown.map((bar) => bar.matches));
    const { ticks, topOf } = axis.valueScale(wholeBars ? highest : usual, shares ? bars : undefined);
    const paths = axis.barPaths(series, source.months, this.#axis, topOf).map((d, index) => colored(graphic("path", { d }), index));
    const [first, last] = [totals[0], totals.at(-1)].map((total) => monthName(source.months[total?.index ?? 0] as string));
    const words = `${titleOf(line, axis.unitName(this.#axis))}, ${first} to ${last}. ${this.#busiest}. The numbers are in the table below.`;
    this.#plot.show(this.#axis.to - this.#axis.from, paths, words, ticks, axis.timeTicks(this.#axis));
    this.#outside.replaceChildren(outsideText(line));
    const cut = shown.filter((bar) => bar.matches > topOf(bar.at));
    if (usual < highest && !shares) this.#offerBars(line, cut);
    this.#offerMonths(line);
  }

  /** Says which bars are higher than the scale, with a button that draws them whole, or cuts them again. */
  #offerBars({ noun }: Line, cut: readonly axis.Bar[]): void {
    const named = cut.slice(0, CUT_NAMED).map(({ at, matches }) => `${axis.barName(at, this.#axis)} (${counted(matches, noun)})`);
    if (cut.length > CUT_NAMED) named.push(counted(cut.length - CUT_NAMED, "more", "more"));
    if (this.#wants.wholeBars) this.#offer("wholeBars", "", `Cut the highest ${axis.unitName(this.#axis)}s`);
    else this.#offer("wholeBars", `Higher than the scale: ${named.join(", ")}. `, "Draw them whole");
  }

  /** Says how many matches are outside the axis, with a button that draws their months too, or no more. */
  #offerMonths({ noun, totals, counts }: Line): void {
    const { from, to } = this.#axis;
    const whole = axis.axisOf(totals, true);
    const isCut = whole.from !== from || whole.to !== to;
    if (!isCut && !this.#wants.allMonths) return;
    const count = totalOf(counts.map(({ month, matches }) => (month < from || month >= to ? matches : 0)));
    const far = counted(count, `${noun} has a date`, `${noun}s have dates`);
    const text = isCut && count > 0 ? `${far} far from these months, often by a wrong clock. ` : "";
    this.#offer("allMonths", text, isCut ? "Draw the far months too" : "Draw the main months alone");
  }

  #offer(wish: "allMonths" | "wholeBars", text: string, label: string): void {
    const press = (): void => {
      this.#wants[wish] = !this.#wants[wish];
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
    const { noun, counts, series } = this.#line;
    const bar = Math.floor(this.#monthAt(fraction) / this.#axis.unit);
    const totals = counts.filter(({ month }) => Math.floor(month / this.#axis.unit) === bar);
    const parts = series.flatMap(({ name, matches }) => {
      const count = totalOf(totals.map(({ index }) => matches.get(index) ?? 0));
      return count === 0 ? [] : [`${name} ${number(count)}`];
    });
    const list = parts.length > 1 ? ` (${parts.join(", ")})` : "";
    const total = totalOf(totals.map(({ matches }) => matches));
    setText(this.#readout, `${axis.barName(bar, this.#axis)}: ${counted(total, noun)}${list}`);
  }
}

function titleOf({ noun }: Line, unit: string): string {
  return noun === "URL" ? `URLs by ${unit} and scheme` : `Serious signs by ${unit}`;
}

/** The months that are not on the line: their names in the table of the line, and in a sentence. */
const OUTSIDE: readonly (readonly [month: string | null, name: string, which: string])[] = [
  [UNKNOWN_MONTH, "in months that are lost", "whose month is lost"],
  [OTHER_MONTHS, "before 1970 or after 2049", "dated before 1970 or after 2049"],
  [null, "without a date", "without a date"],
];

/** Returns sentences about matches without a single month, which are never on the line; empty if there are none. */
function outsideText({ noun, source: { months }, cells }: Line): string {
  const sentences = OUTSIDE.map(([month, , which]) => {
    const index = months.indexOf(month);
    const { matches } = sumsIn(cells, { from: index, to: index });
    const part = share(matches, sumsIn(cells, null).matches);
    return matches === 0 ? "" : `${counted(matches, noun)} (${part}) ${which} ${matches === 1 ? "is" : "are"} not on the line. `;
  });
  return sentences.join("");
}

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
  const chosen = [...matches].filter(([month]) => isIn(state.span, month));
  const count = state.span === null ? total : totalOf(chosen.map(([, one]) => one));
  const swatch = colored(element("span", { class: "swatch", "aria-hidden": "true" }), index);
  const shown = choice === undefined ? name : choiceButton(state, choice, name);
  return element("li", {}, swatch, shown, " ", element("span", { class: "count" }, number(count)));
}

// The numbers of the time line as a table, for screen readers.

/** Most months that are listed one by one; more are summed by year. */
const MONTHS_SHOWN = 24;

function yearTable(line: Line): HTMLTableElement {
  const { months } = line.source;
  const { series } = line;
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
  return numberTable(titleOf(line, isByYear ? "year" : "month"), heads, lines);
}
