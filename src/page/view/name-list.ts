// Short lists of the most frequent values of a table, with bars.
import type { TableName } from "../../summary/summary.ts";
import { sumsIn } from "./cells.ts";
import { bar } from "./columns.ts";
import { element, tableOf } from "./dom.ts";
import { linkText, plainText } from "./link-text.ts";
import type { Ranking } from "./ranking.ts";
import { choiceButton, type Part, rankingOf, type State } from "./state.ts";
import { counted, number, share } from "./words.ts";

/** The content of a list. */
export interface NameListForm {
  readonly name: TableName;
  readonly caption: string;
  readonly head: string;
  /** Most rows. */
  readonly rows: number;
  /** Words that are shown instead of names. */
  readonly words?: ReadonlyMap<string, string>;
  /** Whether the names are hosts, which are shown defanged. */
  readonly isOfHosts?: boolean;
  /** Matches names of header fields. Rare ones share one row. */
  readonly rare?: RegExp;
  /** Whether each name has its share of all matches. */
  readonly hasShare?: boolean;
}

/** Rare names have less than RARE_SHARE of the matches. At least RARE_LEAST rare names share one row. */
const [RARE_SHARE, RARE_LEAST] = [0.01, 3];

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
    const { shown, rare } = this.#divided(ranking, ranking.top(most), whole);
    const rows = shown.map((index) => {
      const [value] = ranking.rows[index] ?? [""];
      const matches = ranking.matches(index);
      const numbers = [number(matches), ...(hasShare === true ? [share(matches, whole)] : [])];
      const name = element("th", { scope: "row" }, this.#nameOf(value, state), bar(matches, largest));
      return element("tr", {}, name, ...numbers.map((text) => element("td", { class: "number" }, text)));
    });
    if (rare.length > 0) {
      const matches = rare.reduce((sum, index) => sum + ranking.matches(index), 0);
      const title = rare.map((index) => ranking.rows[index][0]).join(", ");
      const numbers = [number(matches), ...(hasShare === true ? [share(matches, whole)] : [])];
      const name = element("th", { scope: "row", title }, counted(rare.length, "rare header field"), bar(matches, largest));
      rows.push(element("tr", {}, name, ...numbers.map((text) => element("td", { class: "number" }, text))));
    }
    if (rows.length === 0) rows.push(element("tr", {}, element("td", { colspan: heads.length }, "None is known.")));
    const cells = heads.map((text, index) => element("th", { scope: "col", class: index > 0 && "number" }, text));
    const thead = element("thead", {}, element("tr", {}, ...cells));
    this.node.replaceChildren(tableOf(caption, thead, element("tbody", {}, ...rows)));
  }

  /** Divides rows into rows that are shown alone and rare ones. Few rare ones are shown alone too. */
  #divided(ranking: Ranking, rows: readonly number[], whole: number): { shown: readonly number[]; rare: readonly number[] } {
    const { rare } = this.#form;
    const isRare = (index: number): boolean => rare?.test(ranking.rows[index][0]) === true && ranking.matches(index) < RARE_SHARE * whole;
    const found = rows.filter(isRare);
    return found.length < RARE_LEAST ? { shown: rows, rare: [] } : { shown: rows.filter((index) => !isRare(index)), rare: found };
  }

  #nameOf(value: string, state: State): HTMLElement {
    const { name, isOfHosts, words } = this.#form;
    const text = words?.get(value) ?? (value === "" ? "none" : value);
    const shown = isOfHosts === true ? linkText(text, state.isDefanged) : plainText(text);
    return element("span", { class: "name" }, choiceButton(state, { name, value }, shown));
  }
}
