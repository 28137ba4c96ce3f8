// The time line: URLs by month or year, stacked by scheme, or serious signs. Dragging over it, or choosing in two lists of months, narrows
// the other parts.
import { type Cells, OTHER_MONTHS, type Summary } from "../../summary/summary.ts";
import * as axis from "./axis.ts";
import { Brush } from "./brush.ts";
import { type Span, sumsIn, totalOf } from "./cells.ts";
import { DayPlot } from "./day-plot.ts";
import { button, element, fold, graphic, numberRow, numberTable, setText } from "./dom.ts";
import { SERIOUS } from "./flag-list.ts";
import { Plot } from "./plot.ts";
import { barPaths, COLORS, type Series, seriesOf } from "./series.ts";
import { choiceButton, type State, type ViewPart } from "./state.ts";
import { counted, monthName, monthNumber, number, share, UNKNOWN_MONTH } from "./words.ts";

const CUT_NAMED = 3;

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
  readonly #things = element("select", {}, element("option", {}, "URLs"), element("option", {}, "Serious signs"));
  readonly #counting = element("label", { title: "A URL counts once for each of its signs" }, "Count ", this.#things);
  #state: State | undefined;
  #summary: Summary | undefined;
  #noun: "URL" | "serious sign" = "URL";
  #counted: Summary | undefined;
  #series: Series[] = [];
  /** All matches by month. */
  #totals: axis.MonthTotal[] = [];
  /** Counted things with the chosen values, by month. */
  #counts: axis.MonthTotal[] = [];
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
    const head = element("div", { class: "head" }, element("h2", { id: "when" }, "When"), this.#readout);
    const scales = element("select", {}, element("option", {}, "Number"), element("option", {}, "Share"));
    scales.addEventListener("change", () => {
      this.#isShare = scales.selectedIndex === 1;
      this.#draw();
    });
    this.#things.addEventListener("change", () => {
      if (this.#state !== undefined) this.show(this.#state);
    });
    const scale = element("div", { class: "scale" }, this.#counting, element("label", {}, "Scale ", scales));
    const foot = element("div", { class: "foot" }, this.#legend, scale, this.#choice.node);
    this.node = element(
      "section",
      { class: "time-line", "aria-labelledby": "when" },
      head,
      this.#plot.node,
      this.#outside,
      foot,
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
    if (this.#summary !== summary || this.#noun !== noun) this.#read(summary, whole, noun);
    const isEmpty = this.#totals.length === 0;
    this.#plot.node.hidden = isEmpty;
    this.#days.node.hidden = isEmpty;
    this.#choice.node.hidden = isEmpty;
    if (isEmpty) {
      setText(this.#outside, summary.totals.matches === 0 ? "Nothing was found." : this.#outsideText(summary));
      return;
    }
    this.#settle();
    const legend = this.#series.map((series, index) => (series.total === 0 ? "" : legendItem(state, series, index)));
    this.#legend.replaceChildren(...legend);
    this.#choice.show(whole, this.#totals, span);
    this.#days.show(state, this.#axis, noun === "URL");
    this.#brush.show(span && [this.#fractionOf(summary.months[span.from], 0), this.#fractionOf(summary.months[span.to], 1)]);
  }

  #read(summary: Summary, whole: Summary, noun: "URL" | "serious sign"): void {
    this.#summary = summary;
    this.#noun = noun;
    this.#series = seriesOf(summary, whole, noun === "URL" ? undefined : SERIOUS);
    this.#totals = axis.monthTotals(whole);
    this.#counted = noun === "URL" ? summary : { ...summary, cells: cellsOf(this.#series) };
    this.#counts = axis.monthTotals(this.#counted);
    this.#years.replaceChildren(yearTable(summary, this.#series, (unit) => this.#titleOf(unit)));
    this.#draw();
  }

  /** Scales the drawing to the chosen months, but not while they are being chosen. */
  #settle(): void {
    if (this.#drawn !== this.#state?.span && !this.#brush.isHeld) this.#draw();
  }

  #draw(): void {
    const summary = this.#counted;
    if (summary === undefined || this.#totals.length === 0) return;
    this.#axis = axis.axisOf(this.#totals, this.#isWhole);
    const { from, to } = this.#axis;
    const span = this.#state?.span ?? null;
    const bars = axis.barsOf(this.#counts, this.#axis);
    const isChosen = ({ index }: axis.MonthTotal): boolean => span === null || (index >= span.from && index <= span.to);
    const chosen = axis.barsOf(this.#counts.filter(isChosen), this.#axis);
    const chosenAt = new Set(chosen.map(({ at }) => at));
    const shown = chosen.length === 0 ? bars : bars.filter(({ at }) => chosenAt.has(at));
    this.#drawn = span;
    const { at, matches } = busiestOf(chosen.length === 0 ? bars : chosen);
    const highest = busiestOf(shown).matches;
    this.#busiest = matches === 0 ? "None in these months" : `Most in ${axis.barName(at, this.#axis)}: ${counted(matches, this.#noun)}`;
    this.#point(null);
    const usual = axis.scaleOf(shown.map((one) => one.matches));
    const ticks = axis.numberTicks(this.#isUncut ? highest : usual);
    const top = ticks.at(-1) as number;
    const totals = new Map(bars.map((one) => [one.at, one.matches]));
    const topOf = (bar: number): number => (this.#isShare ? (totals.get(bar) ?? 1) : top);
    const paths = barPaths(this.#series, summary.months, this.#axis, topOf).map((d, index) => colored(graphic("path", { d }), index));
    const numbers = this.#isShare
      ? axis.SHARES.map((at) => ({ at, label: `${100 * at}%` }))
      : ticks.map((tick) => ({ at: tick / top, label: number(tick) }));
    this.#plot.show(to - from, paths, this.#description(summary), numbers, axis.timeTicks(this.#axis));
    this.#outside.replaceChildren(this.#outsideText(summary));
    if (usual < highest && !this.#isShare) this.#showCut(shown.filter((one) => one.matches > Math.max(top, usual)));
    this.#showFarMonths();
  }

  #description(summary: Summary): string {
    const name = ({ index }: axis.MonthTotal): string => monthName(summary.months[index] as string);
    const [first, last] = [name(this.#totals[0]), name(this.#totals.at(-1) as axis.MonthTotal)];
    return `${this.#titleOf(this.#unit)}, ${first} to ${last}. ${this.#busiest}. The numbers are in the table below.`;
  }

  get #unit(): "month" | "year" {
    return this.#axis.unit === 1 ? "month" : "year";
  }

  #titleOf(unit: string): string {
    return this.#noun === "URL" ? `URLs by ${unit} and scheme` : `Serious signs by ${unit}`;
  }

  /** Returns sentences about matches without a single month, which are never on the line; empty if there are none. */
  #outsideText({ months, cells }: Summary): string {
    const sentenceOf = (month: string | null, which: string): string => {
      const index = months.indexOf(month);
      if (index < 0) return "";
      const { matches } = sumsIn(cells, { from: index, to: index });
      if (matches === 0) return "";
      const part = share(matches, sumsIn(cells, null).matches);
      return `${counted(matches, this.#noun)} (${part}) ${which} ${matches === 1 ? "is" : "are"} not on the line. `;
    };
    return (
      sentenceOf(UNKNOWN_MONTH, "whose month is lost") +
      sentenceOf(OTHER_MONTHS, "dated before 1970 or after 2049") +
      sentenceOf(null, "without a date")
    );
  }

  /** Says how many matches are outside the axis, with a button that draws their months too, or no more. */
  #showFarMonths(): void {
    const whole = axis.axisOf(this.#totals, true);
    const isCut = whole.from !== this.#axis.from || whole.to !== this.#axis.to;
    if (!isCut && !this.#isWhole) return;
    const outside = this.#counts.filter(({ month }) => month < this.#axis.from || month >= this.#axis.to);
    const count = totalOf(outside.map(({ matches }) => matches));
    const far = counted(count, `${this.#noun} has a date`, `${this.#noun}s have dates`);
    const text = isCut && count > 0 ? `${far} far from these months, often by a wrong clock. ` : "";
    const press = (): void => {
      this.#isWhole = !this.#isWhole;
      this.#draw();
    };
    this.#outside.append(text, button({ class: "plain" }, press, isCut ? "Draw the far months too" : "Draw the main months alone"));
  }

  /** Says which bars are higher than the scale, with a button that draws them whole, or cuts them again. */
  #showCut(cut: readonly axis.Bar[]): void {
    const press = (): void => {
      this.#isUncut = !this.#isUncut;
      this.#draw();
    };
    const named = cut.slice(0, CUT_NAMED).map(({ at, matches }) => `${axis.barName(at, this.#axis)} (${counted(matches, this.#noun)})`);
    if (cut.length > CUT_NAMED) named.push(counted(cut.length - CUT_NAMED, "more", "more"));
    const text = this.#isUncut ? "" : `Higher than the scale: ${named.join(", ")}. `;
    this.#outside.append(text, button({ class: "plain" }, press, this.#isUncut ? `Cut the highest ${this.#unit}s` : "Draw them whole"));
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
    const found = this.#totals.filter(({ month }) => month >= first && month <= last);
    return found.length === 0 ? null : { from: found[0].index, to: (found.at(-1) as axis.MonthTotal).index };
  }

  #point(fraction: number | null): void {
    if (fraction === null) {
      setText(this.#readout, this.#busiest);
      return;
    }
    const bar = Math.floor(this.#monthAt(fraction) / this.#axis.unit);
    const totals = this.#counts.filter(({ month }) => Math.floor(month / this.#axis.unit) === bar);
    const total = totalOf(totals.map(({ matches }) => matches));
    const parts = this.#series.flatMap(({ name, matches }) => {
      const count = totalOf(totals.map(({ index }) => matches.get(index) ?? 0));
      return count === 0 ? [] : [`${name} ${number(count)}`];
    });
    const list = parts.length > 1 ? ` (${parts.join(", ")})` : "";
    setText(this.#readout, `${axis.barName(bar, this.#axis)}: ${counted(total, this.#noun)}${list}`);
  }
}

function cellsOf(series: readonly Series[]): Cells {
  const sums = new Map<number, number>();
  for (const [month, count] of series.flatMap(({ matches }) => [...matches])) sums.set(month, (sums.get(month) ?? 0) + count);
  return [...sums].sort(([one], [other]) => one - other).flatMap(([month, count]) => [month, count, 0]);
}

function busiestOf(bars: readonly axis.Bar[]): axis.Bar {
  return bars.reduce((most, one) => (one.matches > most.matches ? one : most), { at: 0, matches: 0 });
}

function colored<E extends ElementCSSInlineStyle>(node: E, index: number): E {
  node.style.fill = `light-dark(${COLORS[index].join(", ")})`;
  node.style.background = node.style.fill;
  return node;
}

function legendItem(state: State, { name, total, matches, choice }: Series, index: number): HTMLElement {
  const { span } = state;
  const count = span === null ? total : sumOf(matches, span);
  const swatch = colored(element("span", { class: "swatch", "aria-hidden": "true" }), index);
  const shown = choice === undefined ? name : choiceButton(state, choice, name);
  return element("li", {}, swatch, shown, " ", element("span", { class: "count" }, number(count)));
}

function sumOf(matches: ReadonlyMap<number, number>, { from, to }: Span): number {
  let sum = 0;
  for (const [month, count] of matches) if (month >= from && month <= to) sum += count;
  return sum;
}

// The numbers of the time line as a table, for screen readers.

/** Most months that are listed one by one; more are summed by year. */
const MONTHS_SHOWN = 24;

function yearTable({ months }: Summary, series: readonly Series[], titleOf: (unit: string) => string): HTMLTableElement {
  const isByYear = months.length > MONTHS_SHOWN;
  const nameOf = (month: string | null): string => {
    if (month === null) return "without a date";
    if (month === UNKNOWN_MONTH) return "in months that are lost";
    if (month === OTHER_MONTHS) return "before 1970 or after 2049";
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

// Two lists of months. Choosing in them narrows the view like dragging over the time line.

class MonthChoice {
  readonly #from = element("select", { "aria-label": "From month" });
  readonly #to = element("select", { "aria-label": "to month" });
  readonly #all: HTMLButtonElement;
  readonly node: HTMLElement;
  #summary: Summary | undefined;

  constructor(narrow: (span: Span | null) => void) {
    const choose = (): void => {
      const [from, to] = [Number(this.#from.value), Number(this.#to.value)];
      narrow({ from: Math.min(from, to), to: Math.max(from, to) });
    };
    this.#from.addEventListener("change", choose);
    this.#to.addEventListener("change", choose);
    const showAll = (): void => {
      // The button disappears with the choice, so the focus is moved away from it.
      this.#from.focus();
      narrow(null);
    };
    this.#all = button({ class: "plain" }, showAll, "All months");
    const labels = [element("label", {}, "From ", this.#from), element("label", {}, "to ", this.#to)];
    this.node = element("div", { class: "months", role: "group", "aria-label": "Months that are counted" }, ...labels, this.#all);
  }

  /** Lists `months`, which are months of a summary, and shows which are chosen. */
  show(summary: Summary, months: readonly axis.MonthTotal[], span: Span | null): void {
    if (this.#summary !== summary) {
      this.#summary = summary;
      for (const list of [this.#from, this.#to]) {
        const options = months.map(({ index }) => element("option", { value: index }, monthName(summary.months[index] as string)));
        list.replaceChildren(...options);
      }
    }
    this.#from.value = String(span?.from ?? months[0]?.index);
    this.#to.value = String(span?.to ?? months.at(-1)?.index);
    this.#all.hidden = span === null;
  }
}
