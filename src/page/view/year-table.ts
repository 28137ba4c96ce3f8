// The numbers of the time line as a table, for screen readers.
import { OTHER_MONTHS, type Summary } from "../../summary/summary.ts";
import { element, tableOf } from "./dom.ts";
import type { Series } from "./series.ts";
import { monthName, number, UNKNOWN_MONTH } from "./words.ts";

/** Most months that are listed one by one; more are summed by year. */
const MONTHS_SHOWN = 24;

/** A table of matches by year or month and by scheme. It is made when it is opened. */
export class YearTable {
  readonly node = element("details", { class: "years" }, element("summary", {}, "The time line as a table"));
  readonly #frame = element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Table of the time line" });
  #make: (() => HTMLElement) | undefined;

  constructor() {
    this.node.append(this.#frame);
    this.node.addEventListener("toggle", () => this.#fill());
  }

  /** Shows the numbers of a summary. */
  show(summary: Summary, series: readonly Series[]): void {
    this.#make = () => yearTable(summary, series);
    this.#fill();
  }

  #fill(): void {
    if (!this.node.open || this.#make === undefined) return;
    this.#frame.replaceChildren(this.#make());
    this.#make = undefined;
  }
}

function yearTable({ months }: Summary, series: readonly Series[]): HTMLTableElement {
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
      counts[at] = counts[at] + (matches.get(index) ?? 0);
    });
  });
  const cell = (count: number): HTMLElement => element("td", { class: "number" }, number(count));
  const heads = [isByYear ? "Year" : "Month", ...series.map(({ name }) => name), "all"];
  const head = element("tr", {}, ...heads.map((text, index) => element("th", { scope: "col", class: index > 0 && "number" }, text)));
  const body = [...rows].flatMap(([name, counts]) => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total === 0 && name === nameOf(UNKNOWN_MONTH)) return [];
    return element("tr", {}, element("th", { scope: "row" }, name), ...counts.map(cell), cell(total));
  });
  return tableOf(`URLs by ${isByYear ? "year" : "month"} and scheme`, element("thead", {}, head), element("tbody", {}, ...body));
}
