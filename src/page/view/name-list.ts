// Short lists of names with bars: schemes, how URLs were written, and where.
import type { TableName } from "../../summary/summary.ts";
import { sumsIn } from "./cells.ts";
import { bar } from "./columns.ts";
import { element, tableOf } from "./dom.ts";
import { plainText } from "./link-text.ts";
import { type Part, rankingOf, type State } from "./state.ts";
import { number, share } from "./words.ts";

/** Rows that are shown at most: header fields and members of JSON may be many. */
const ROWS = 30;

/** A list of all names of a table that has few. */
export class NameList implements Part {
  readonly node = element("div", { class: "names" });
  readonly #name: TableName;
  readonly #caption: string;
  readonly #head: string;
  readonly #words: ReadonlyMap<string, string>;

  /** `words` are shown instead of the names. */
  constructor(name: TableName, caption: string, head: string, words: ReadonlyMap<string, string> = new Map()) {
    this.#name = name;
    this.#caption = caption;
    this.#head = head;
    this.#words = words;
  }

  /** Shows a state. */
  show(state: State): void {
    const ranking = rankingOf(state, this.#name);
    const { most } = ranking;
    const whole = sumsIn(state.summary.cells, state.span).matches;
    const rows = ranking.top(ROWS).map((index) => {
      const [value] = ranking.rows[index] ?? [""];
      const matches = ranking.matches(index);
      const name = element("span", { class: "name" }, plainText(this.#words.get(value) ?? (value === "" ? "none" : value)));
      const cells = [number(matches), share(matches, whole)].map((text) => element("td", { class: "number" }, text));
      return element("tr", {}, element("th", { scope: "row" }, name, bar(matches, most)), ...cells);
    });
    const heads = [this.#head, "URLs", "Share"].map((text, index) => element("th", { scope: "col", class: index > 0 && "number" }, text));
    const head = element("thead", {}, element("tr", {}, ...heads));
    this.node.replaceChildren(tableOf(this.#caption, head, element("tbody", {}, ...rows), { class: "ranked" }));
  }
}
