// Two lists of months that narrow everything as dragging over the time line does.
import type { Summary } from "../../summary/summary.ts";
import type { MonthTotal } from "./axis.ts";
import type { Span } from "./cells.ts";
import { button, element } from "./dom.ts";
import { monthName } from "./words.ts";

/** The lists, and a button for all months. */
export class MonthChoice {
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
      // The button goes away with the choice.
      this.#from.focus();
      narrow(null);
    };
    this.#all = button({ class: "plain" }, showAll, "All months");
    const labels = [element("label", {}, "From ", this.#from), element("label", {}, "to ", this.#to)];
    this.node = element("div", { class: "months", role: "group", "aria-label": "Months that are counted" }, ...labels, this.#all);
  }

  /** Lists the months of a summary and shows which are chosen. */
  show(summary: Summary, months: readonly MonthTotal[], span: Span | null): void {
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
