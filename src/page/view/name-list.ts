// Short lists of the most frequent values of a table, with bars.
import type { TableName } from "../../summary/summary.ts";
import { sumsIn, totalOf } from "./cells.ts";
import { bar } from "./columns.ts";
import { type Child, element, numberRow, numberTable } from "./dom.ts";
import { valueText } from "./link-text.ts";
import type { Ranking } from "./ranking.ts";
import { choiceButton, rankingOf, type State, type ViewPart } from "./state.ts";
import { counted, number, share } from "./words.ts";

interface NameListForm {
  readonly name: TableName;
  readonly caption: string;
  readonly head: string;
  readonly rows: number;
  /** Words that are shown instead of names. */
  readonly words?: ReadonlyMap<string, string>;
  /** Matches names of header fields. Rare header fields share one row. */
  readonly rare?: RegExp;
  /** Whether each name has its share of all matches. */
  readonly hasShare?: boolean;
}

/** Rare names have less than RARE_SHARE of the matches. At least RARE_LEAST rare names share one row. */
const [RARE_SHARE, RARE_LEAST] = [0.01, 3];

export class NameList implements ViewPart {
  readonly node = element("div", { class: "names" });
  readonly #form: NameListForm;

  constructor(form: NameListForm) {
    this.#form = form;
  }

  show(state: State): void {
    const { name: table, caption, head, rows: most, hasShare } = this.#form;
    const ranking = rankingOf(state, table);
    const whole = sumsIn(state.summary.cells, state.span).matches;
    // A bar beside a share is that share. Other bars compare the rows.
    const longest = hasShare === true ? whole : ranking.most;
    const heads = [head, "URLs", ...(hasShare === true ? ["Share"] : [])];
    const { shown, rare } = this.#divided(ranking, ranking.top(most), whole);
    const rowOf = (name: Child, matches: number, title: string | false = false): HTMLElement => {
      const numbers = [number(matches), ...(hasShare === true ? [share(matches, whole)] : [])];
      return numberRow([name, bar(matches, longest)], numbers, title);
    };
    const rows = shown.map((index) => rowOf(this.#nameOf(ranking.rows[index][0], state), ranking.matches(index)));
    if (rare.length > 0) {
      const matches = totalOf(rare.map((index) => ranking.matches(index)));
      const names = rare.map((index) => ranking.rows[index][0]).join(", ");
      rows.push(rowOf(counted(rare.length, "rare header field"), matches, names));
    }
    if (rows.length === 0) rows.push(element("tr", {}, element("td", { colspan: heads.length }, "None is known.")));
    this.node.replaceChildren(numberTable(caption, heads, rows));
  }

  /** Divides rows into rows that are shown alone and rare ones. Few rare ones are shown alone too. */
  #divided(ranking: Ranking, rows: readonly number[], whole: number): { shown: readonly number[]; rare: readonly number[] } {
    const { rare } = this.#form;
    const isRare = (index: number): boolean => rare?.test(ranking.rows[index][0]) === true && ranking.matches(index) < RARE_SHARE * whole;
    const found = rows.filter(isRare);
    return found.length < RARE_LEAST ? { shown: rows, rare: [] } : { shown: rows.filter((index) => !isRare(index)), rare: found };
  }

  #nameOf(value: string, state: State): HTMLElement {
    const { name, words } = this.#form;
    const text = words?.get(value) ?? (value === "" ? "none" : value);
    return element("span", { class: "name" }, choiceButton(state, { name, value }, valueText(name, text, state.isDefanged)));
  }
}
