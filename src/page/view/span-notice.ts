// The line that says which months are shown.
import { sumsIn } from "./cells.ts";
import { button, element, setText } from "./dom.ts";
import type { Part, State } from "./state.ts";
import { monthName, number } from "./words.ts";

/** Says that everything is narrowed to some months. It stays in sight. */
export class SpanNotice implements Part {
  readonly node: HTMLElement;
  readonly #text = element("p", { role: "status" });
  readonly #all: HTMLButtonElement;

  constructor(showAll: () => void) {
    this.#all = button({ class: "plain" }, showAll, "Show all months");
    this.node = element("div", { class: "notice" }, this.#text, this.#all);
  }

  /** Shows a state. */
  show({ summary: { months, cells }, span }: State): void {
    // The text is there from the start: screen readers say only what changes.
    this.node.classList.toggle("unseen", span === null);
    this.#all.hidden = span === null;
    if (span === null) {
      setText(this.#text, "");
      return;
    }
    const [from, to] = [monthName(months[span.from] as string), monthName(months[span.to] as string)];
    const [some, all] = [sumsIn(cells, span).matches, sumsIn(cells, null).matches];
    setText(this.#text, `${from === to ? from : `${from} to ${to}`}: ${number(some)} of ${number(all)} URLs`);
  }
}
