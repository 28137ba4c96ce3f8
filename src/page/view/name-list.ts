// Short lists of the most frequent values of a table, with bars.
import type { TableName } from "../../summary/summary.ts";
import { valueText } from "./archive-text.ts";
import { sumsIn, totalOf } from "./cells.ts";
import { bar, type Child, element, numberRow, numberTable } from "./dom.ts";
import { choiceButton, partOf, rankingOf, type ViewPart } from "./state.ts";
import { counted, number, share } from "./words.ts";

interface NameListForm {
  readonly name: TableName;
  readonly caption: string;
  readonly head: string;
  readonly rows: number;
  readonly words?: ReadonlyMap<string, string>;
  /** Matches names of header fields. Rare header fields share one row. */
  readonly rare?: RegExp;
  readonly hasShare?: boolean;
}

/** Rare names have less than RARE_SHARE of the matches. At least RARE_LEAST rare names share one row. */
const [RARE_SHARE, RARE_LEAST] = [0.01, 3];

export function nameList({ name: table, caption, head, rows: most, words, rare: pattern, hasShare = false }: NameListForm): ViewPart {
  const heads = [head, "URLs", ...(hasShare ? ["Share"] : [])];
  return partOf(element("div", { class: "names" }), (state) => {
    const ranking = rankingOf(state, table);
    const whole = sumsIn(state.summary.cells, state.span).matches;
    // A bar beside a share is that share. Other bars compare the rows.
    const longest = hasShare ? whole : ranking.most;
    const rowOf = (name: Child, matches: number, title: string | false = false): HTMLElement => {
      const numbers = [number(matches), ...(hasShare ? [share(matches, whole)] : [])];
      return numberRow([name, bar(matches, longest)], numbers, title);
    };
    const top = ranking.top(most);
    const isRare = (index: number): boolean =>
      pattern?.test(ranking.rows[index][0]) === true && ranking.matches(index) < RARE_SHARE * whole;
    const found = top.filter(isRare);
    const rare = found.length < RARE_LEAST ? [] : found;
    const rows = top
      .filter((index) => !rare.includes(index))
      .map((index) => {
        const [value] = ranking.rows[index];
        const text = words?.get(value) ?? (value === "" ? "none" : value);
        const shown = choiceButton(state, { name: table, value }, valueText(table, text, state.isDefanged));
        return rowOf(element("span", { class: "name" }, shown), ranking.matches(index));
      });
    if (rare.length > 0) {
      const matches = totalOf(rare.map((index) => ranking.matches(index)));
      const names = rare.map((index) => ranking.rows[index][0]).join(", ");
      rows.push(rowOf(counted(rare.length, "rare header field"), matches, names));
    }
    if (rows.length === 0) rows.push(element("tr", {}, element("td", { colspan: heads.length }, "None is known.")));
    return [numberTable(caption, heads, rows)];
  });
}
