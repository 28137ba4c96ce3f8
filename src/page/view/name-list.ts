// Short lists of the most frequent values of a table, with bars.
import type { TableName } from "../../summary/summary.ts";
import { sumsIn } from "./cells.ts";
import { bar } from "./columns.ts";
import { element, tableOf } from "./dom.ts";
import { linkText, plainText } from "./link-text.ts";
import { choiceButton, type Part, rankingOf, type State } from "./state.ts";
import { number, share } from "./words.ts";

/** What a list shows. */
export interface NameListForm {
  readonly name: TableName;
  readonly caption: string;
  readonly head: string;
  /** Rows at most. */
  readonly rows: number;
  /** Shown instead of names. */
  readonly words?: ReadonlyMap<string, string>;
  /** Whether the names are hosts, which are shown defanged. */
  readonly isOfHosts?: boolean;
  /** Whether each name has its share of all matches. */
  readonly hasShare?: boolean;
}

/** A list of names. */
export class NameList implements Part {
  readonly node = element("div", { class: "names" });
  readonly #form: NameListForm;

  constructor(form: NameListForm) {
    this.#form = form;
  }

  /** Shows a state. */
  show(state: State): void {
    const { name: table, caption, head, rows: most, hasShare } = this.#form;
    const ranking = rankingOf(state, table);
    const largest = ranking.most;
    const whole = sumsIn(state.summary.cells, state.span).matches;
    const heads = [head, "URLs", ...(hasShare === true ? ["Share"] : [])];
    const rows = ranking.top(most).map((index) => {
      const [value] = ranking.rows[index] ?? [""];
      const matches = ranking.matches(index);
      const numbers = [number(matches), ...(hasShare === true ? [share(matches, whole)] : [])];
      const name = element("th", { scope: "row" }, this.#nameOf(value, state), bar(matches, largest));
      return element("tr", {}, name, ...numbers.map((text) => element("td", { class: "number" }, text)));
    });
    if (rows.length === 0) rows.push(element("tr", {}, element("td", { colspan: heads.length }, "None is known.")));
    const cells = heads.map((text, index) => element("th", { scope: "col", class: index > 0 && "number" }, text));
    const thead = element("thead", {}, element("tr", {}, ...cells));
    this.node.replaceChildren(tableOf(caption, thead, element("tbody", {}, ...rows)));
  }

  #nameOf(value: string, state: State): HTMLElement {
    const { name, isOfHosts, words } = this.#form;
    const text = words?.get(value) ?? (value === "" ? "none" : value);
    const shown = isOfHosts === true ? linkText(text, state.isDefanged) : plainText(text);
    return element("span", { class: "name" }, choiceButton(state, { name, value }, shown));
  }
}
