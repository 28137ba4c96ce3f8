// The line that says which months are shown.
import { sumsIn } from "./cells.ts";
import { button, element, setText } from "./dom.ts";
import type { Part, State } from "./state.ts";
import { monthName, number } from "./words.ts";

/** Says that everything is narrowed to some months. It stays in sight. */
export class SpanNotice implements Part {
  readonly #text = element("p", { role: "status" });
  readonly node: HTMLElement;

  constructor(showAll: () => void) {
    this.node = element("div", { class: "notice" }, this.#text, button({ class: "plain" }, showAll, "Show all months"));
  }

  /** Shows a state. */
  show({ summary: { months, cells }, span }: State): void {
    this.node.classList.toggle("unseen", span === null);
    if (span === null) {
      setText(this.#text, "");
      return;
    }
    const [from, to] = [monthName(months[span.from] as string), monthName(months[span.to] as string)];
    const [some, all] = [sumsIn(cells, span).matches, sumsIn(cells, null).matches];
    setText(this.#text, `${from === to ? from : `${from} to ${to}`}: ${number(some)} of ${number(all)} URLs`);
  }
}
