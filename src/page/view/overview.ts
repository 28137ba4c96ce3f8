// The first screen: headline figures, what was not read, and dangerous or unusual flags.
import type { Summary, TableName } from "../../summary/summary.ts";
import { type Span, sumsIn } from "./cells.ts";
import { element, numberCell, numberTable } from "./dom.ts";
import { foundFlags, idOfFlag, knowsFlags } from "./flag-list.ts";
import { plainText } from "./link-text.ts";
import { OMISSION_NAMES } from "./meanings-table.ts";
import { unlistedIn } from "./ranking.ts";
import { type Part, rankingOf, type State } from "./state.ts";
import { counted, day, number, size } from "./words.ts";

/** Most rows of a list on the first screen. */
export const OVERVIEW_ROWS = 8;

/** Figures that count different values: label, table, and name in the totals. */
const DISTINCT = [
  ["different URLs", "url", "urls"],
  ["hosts", "host", "hosts"],
  ["domains", "domain", "domains"],
] as const;

/** The headline figures. */
export class Figures implements Part {
  readonly node = element("dl", { class: "figures" });

  /** Shows a state. */
  show(state: State): void {
    const { summary, span } = state;
    const { totals, months } = summary;
    const { matches, messages } = sumsIn(summary.cells, span);
    const all = span === null && !state.isCombined ? "" : " in all";
    const distinct = DISTINCT.map(([label, name, total]) => {
      const isLeast = state.isCombined && summary.tables[name].bound > 0;
      return { label, count: span === null ? totals[total] : present(state, span, name), isLeast };
    });
    const unknown = distinct.filter(({ count }) => count === null).map(({ label }) => label);
    const note = `${unknown.join(", ")}: known of one month, or of all`;
    const dates = span === null ? [day(totals.first), day(totals.last)] : [months[span.from] as string, months[span.to] as string];
    this.node.replaceChildren(
      figure("URLs", number(matches)),
      ...distinct.flatMap(({ label, count, isLeast }) => (count === null ? [] : [figure(label, `${isLeast ? "≥ " : ""}${number(count)}`)])),
      ...(unknown.length === 0 ? [] : [figure(note, "–", "unknown")]),
      figure("messages with URLs", state.hasMessages ? number(messages) : "–"),
      figure(`read${all}`, size(totals.bytes)),
      figure("first to last", dates[0] === dates[1] ? dates[0] : `${dates[0]} – ${dates[1]}`, "dates"),
    );
  }
}

/** Reasons of omissions that the line does not name: the user asked for them, or they lose nothing. */
const WANTED: ReadonlySet<string> = new Set(["excluded", "output"]);
/** Most media types that are named. */
const TYPES_NAMED = 3;

/** A line about what was not read, with a link to the section that says where. */
export class NotRead implements Part {
  readonly node = element("p", { class: "rest" });

  /** Shows a state. */
  show({ summary }: State): void {
    const parts = summary.left_out.filter(({ reason }) => !WANTED.has(reason)).map(omissionWords);
    this.node.hidden = parts.length === 0;
    this.node.replaceChildren(plainText(`Left out: ${parts.join("; ")}.`), " ", element("a", { href: "#run" }, "Where"));
  }
}

function omissionWords({ reason, count, types }: Summary["left_out"][number]): string {
  const sorted = Object.entries(types).sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1));
  const named = sorted.slice(0, TYPES_NAMED).map(([type, times]) => `${type} ${number(times)}`);
  if (sorted.length > TYPES_NAMED) named.push(counted(sorted.length - TYPES_NAMED, "other type"));
  const shown = named.length === 0 ? "" : ` (${named.join(", ")})`;
  return `${number(count)} ${OMISSION_NAMES.get(reason) ?? reason}${shown}`;
}

/** Returns the number of values with a match in the months of a span; null if unknown. For a single month it is known. */
function present(state: State, span: Span, name: TableName): number | null {
  const table = state.summary.tables[name];
  if (span.from === span.to) return table.distinct_by_month[span.from];
  const isCut = table.distinct > table.rows.length && unlistedIn(table, span) > 0;
  return isCut ? null : rankingOf(state, name).count;
}

function figure(label: string, value: string, className = ""): HTMLElement {
  return element("div", { class: className !== "" && className }, element("dt", {}, label), element("dd", {}, value));
}

/** A short list of dangerous and unusual flags. */
export class DangerList implements Part {
  readonly node = element("section", { class: "top danger" });

  /** Shows a state. */
  show({ summary, span }: State): void {
    const found = foundFlags(summary, span).filter(({ concern }) => concern !== "damaged");
    const most = found.length <= OVERVIEW_ROWS ? OVERVIEW_ROWS : OVERVIEW_ROWS - 1;
    const rows = found.slice(0, most).map(({ flag, title, concern, count }) => {
      const name = element("a", { href: `#${idOfFlag(flag)}` }, title);
      const mark = element("span", { class: `mark ${concern}`, "aria-hidden": "true" });
      return element("tr", {}, element("th", { scope: "row" }, mark, name), numberCell(number(count)));
    });
    if (found.length > most) {
      const more = element("a", { href: "#flags" }, counted(found.length - most, "more sign"));
      rows.push(element("tr", {}, element("th", { scope: "row" }, more), element("td")));
    }
    const none = knowsFlags(summary, span) ? "No disguised host, password, odd port or control character was found." : "None is known.";
    const body = rows.length > 0 ? rows : [element("tr", {}, element("td", { colspan: 2, class: "none" }, none))];
    this.node.replaceChildren(numberTable("What looks dangerous", ["Sign", "URLs"], body));
  }
}
