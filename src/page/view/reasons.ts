// Rejected candidates: what looked like a URL and is none.

import { REASON_MEANINGS } from "../../core/reason-table.ts";
import { element } from "./dom.ts";
import { ExampleLists } from "./examples.ts";
import type { Part, State } from "./state.ts";
import { number } from "./words.ts";

/** The reasons of a run with their examples. */
export class Reasons implements Part {
  readonly node = element("div", { class: "flags" });
  readonly #examples = new ExampleLists();

  /** Shows a state. */
  show({ summary, span, isDefanged }: State): void {
    const items = summary.rejected
      .filter(({ count }) => count > 0)
      .map(({ reason, count, examples }) => {
        const { title, text } = REASON_MEANINGS.get(reason) ?? { title: reason, text: "" };
        const name = element("h3", {}, title, " ", element("code", {}, reason));
        const head = element("div", { class: "head" }, name, element("p", { class: "count" }, number(count)));
        const item = element("article", {}, head, element("p", { class: "meaning" }, text));
        if (examples.length > 0) item.append(this.#examples.list(reason, examples, isDefanged));
        return item;
      });
    const note = span === null ? [] : [element("p", { class: "rest" }, "Rejected candidates are not counted by month: these are all.")];
    this.node.replaceChildren(...note, ...(items.length === 0 ? [element("p", {}, "Nothing was rejected.")] : items));
  }
}
