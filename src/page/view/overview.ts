// The first screen: headline figures, what is linked most, by whom, and what looks dangerous.
import type { TableName } from "../../summary/summary.ts";
import { sumsIn } from "./cells.ts";
import { bar } from "./columns.ts";
import { element, tableOf } from "./dom.ts";
import { foundFlags, idOfFlag } from "./flag-list.ts";
import { linkText, plainText } from "./link-text.ts";
import { type Part, rankingOf, type State } from "./state.ts";
import { day, number, size } from "./words.ts";

/** Rows of a list on the first screen. */
const ROWS = 8;

/** The headline figures. */
export class Figures implements Part {
  readonly node = element("dl", { class: "figures" });

  /** Shows a state. */
  show(state: State): void {
    const { summary, span } = state;
    const { totals, months } = summary;
    const { matches, messages } = sumsIn(summary.cells, span);
    const distinct = (name: TableName, total: number): string => (span === null ? number(total) : present(state, name));
    const all = span === null ? "" : " in all";
    const dates = span === null ? [day(totals.first), day(totals.last)] : [months[span.from] as string, months[span.to] as string];
    this.node.replaceChildren(
      figure("URLs", number(matches)),
      figure("different URLs", distinct("url", totals.urls)),
      figure("hosts", distinct("host", totals.hosts)),
      figure("domains", distinct("domain", totals.domains)),
      figure("messages with URLs", number(messages)),
      figure(`read${all}`, size(totals.bytes)),
      figure("first to last", dates[0] === dates[1] ? (dates[0] as string) : `${dates[0]} – ${dates[1]}`, "dates"),
    );
  }
}

/** Returns how many values have a match in the months of a span; with a plus if values without a row may have some too. */
function present(state: State, name: TableName): string {
  const { distinct, rows, rest } = state.summary.tables[name];
  const isMore = distinct > rows.length && sumsIn(rest, state.span).matches > 0;
  return `${number(rankingOf(state, name).count)}${isMore ? "+" : ""}`;
}

function figure(label: string, value: string, className = ""): HTMLElement {
  return element("div", { class: className !== "" && className }, element("dt", {}, label), element("dd", {}, value));
}

/** A short list of the most frequent values, with bars. */
export class TopList implements Part {
  readonly node = element("section", { class: "top" });
  readonly #name: TableName;
  readonly #title: string;
  readonly #head: string;

  constructor(name: TableName, title: string, head: string) {
    this.#name = name;
    this.#title = title;
    this.#head = head;
  }

  /** Shows a state. */
  show(state: State): void {
    const ranking = rankingOf(state, this.#name);
    const { most } = ranking;
    const rows = ranking.top(ROWS).map((index) => {
      const [value] = ranking.rows[index] ?? [""];
      const matches = ranking.matches(index);
      const name = element("span", { class: "name" }, this.#name === "host" ? linkText(value, state.isDefanged) : plainText(value));
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, name, bar(matches, most)),
        element("td", { class: "number" }, number(matches)),
      );
    });
    const head = [element("th", { scope: "col" }, this.#head), element("th", { scope: "col", class: "number" }, "URLs")];
    const body = rows.length > 0 ? rows : [element("tr", {}, element("td", { colspan: 2 }, "None is known."))];
    const table = tableOf(this.#title, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
    this.node.replaceChildren(table);
  }
}

/** A short list of what looks dangerous. */
export class DangerList implements Part {
  readonly node = element("section", { class: "top danger" });

  /** Shows a state. */
  show({ summary, span }: State): void {
    const found = foundFlags(summary, span).filter(({ concern }) => concern !== "damaged");
    const rows = found.slice(0, ROWS).map(({ flag, title, concern, count }) => {
      const name = element("a", { href: `#${idOfFlag(flag)}` }, title);
      const mark = element("span", { class: `mark ${concern}`, "aria-hidden": "true" });
      return element("tr", {}, element("th", { scope: "row" }, mark, name), element("td", { class: "number" }, number(count)));
    });
    const none = "No disguised host, password, odd port or control character was found.";
    const body = rows.length > 0 ? rows : [element("tr", {}, element("td", { colspan: 2, class: "none" }, none))];
    const head = [element("th", { scope: "col" }, "Sign"), element("th", { scope: "col", class: "number" }, "URLs")];
    const table = tableOf("What looks dangerous", element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
    this.node.replaceChildren(table);
  }
}
