// The first screen: headline figures, what was not read, short lists, and dangerous or unusual flags.
import type { Summary, TableName } from "../../summary/summary.ts";
import { plainText, valueText } from "./archive-text.ts";
import { type MonthTotal, monthTotals, withoutFar } from "./axis.ts";
import { eachMonth, type Span, sumsIn, totalOf } from "./cells.ts";
import { bar, type Child, element, numberRow, numberTable } from "./dom.ts";
import { foundFlags, idOfFlag, knowsFlags } from "./flag-list.ts";
import { OMISSION_NAMES } from "./meanings-table.ts";
import { unlistedIn } from "./ranking.ts";
import { choiceButton, partOf, rankingOf, type State, type ViewPart } from "./state.ts";
import { counted, day, number, numberOrDash, share, size, UNKNOWN_MONTH } from "./words.ts";

export const OVERVIEW_ROWS = 8;

/** Figures of different values: label, table, and name in the totals. */
const DISTINCT = [
  ["different URLs", "url", "urls"],
  ["hosts", "host", "hosts"],
  ["domains", "domain", "domains"],
] as const;

export function figures(): ViewPart {
  return partOf(element("dl", { class: "figures" }), (state) => {
    const { summary, span } = state;
    const { totals, months } = summary;
    const { matches } = sumsIn(summary.cells, span);
    const isOfAll = !state.hasMessages && state.choices.length === 0;
    const { messages } = sumsIn(isOfAll ? state.whole.cells : summary.cells, span);
    const all = span === null && !state.isCombined ? "" : " in all";
    const distinct = DISTINCT.map(([label, name, total]) => {
      const isLeast = state.isCombined && summary.tables[name].bound > 0;
      return { label, count: span === null ? totals[total] : present(state, span, name), isLeast };
    });
    const unknown = distinct.filter(({ count }) => count === null).map(({ label }) => label);
    const note = `${unknown.join(", ")}: known of one month, or of all`;
    const { dates, far } = span === null ? mainDates(summary) : { dates: [months[span.from], months[span.to]], far: 0 };
    const but = far === 0 ? "" : `, but for ${counted(far, "URL")} far off`;
    return [
      figure("URLs", number(matches)),
      ...distinct.flatMap(({ label, count, isLeast }) => (count === null ? [] : [figure(label, `${isLeast ? "≥ " : ""}${number(count)}`)])),
      ...(unknown.length === 0 ? [] : [figure(note, "–", "unknown")]),
      figure(`messages with URLs${isOfAll ? " in all" : ""}`, state.hasMessages || isOfAll ? number(messages) : "–"),
      figure(`read${all}`, size(totals.bytes)),
      figure(`first to last${but}`, [...new Set(dates)].join(" – "), "dates"),
    ];
  });
}

/** Most matches, as a share of all, whose months the headline leaves out if they are far from all others. */
const FAR_SHARE = 0.02;

/** Returns the first and the last date of a summary without far-off months, which are mostly wrong clocks, and the matches in these. */
function mainDates(summary: Summary): { readonly dates: readonly (string | null)[]; readonly far: number } {
  const { totals, months, cells } = summary;
  const inside = withoutFar(monthTotals(summary), FAR_SHARE);
  let far = -totalOf(inside.map(({ matches }) => matches));
  eachMonth(cells, (index, matches) => {
    if (months[index] !== null && months[index] !== UNKNOWN_MONTH) far += matches;
  });
  if (far === 0 || inside.length === 0) return { dates: [day(totals.first), day(totals.last)], far: 0 };
  return { dates: [inside[0], inside.at(-1) as MonthTotal].map(({ index }) => months[index]), far };
}

/** Reasons of omissions that the line does not name: the user asked for them, or they lose nothing. */
const WANTED: ReadonlySet<string> = new Set(["excluded", "output"]);
const TYPES_NAMED = 3;

export function notRead(): ViewPart {
  const node = element("p", { class: "rest" });
  return partOf(node, ({ summary }) => {
    const parts = summary.left_out.filter(({ reason }) => !WANTED.has(reason)).map(omissionWords);
    node.hidden = parts.length === 0;
    return [plainText(`Left out: ${parts.join("; ")}.`), " ", element("a", { href: "#run" }, "Where")];
  });
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

function figure(label: string, value: string, className: string | false = false): HTMLElement {
  return element("div", { class: className }, element("dt", {}, label), element("dd", {}, value));
}

export function dangerList(): ViewPart {
  return partOf(element("section", { class: "top danger" }), (state) => {
    const { summary, span } = state;
    const found = foundFlags(state).filter(({ concern }) => concern !== "damaged");
    const most = found.length <= OVERVIEW_ROWS ? OVERVIEW_ROWS : OVERVIEW_ROWS - 1;
    const rows = found.slice(0, most).map(({ flag, title, concern, count, messages }) => {
      const name = element("a", { href: `#${idOfFlag(flag)}` }, title);
      const mark = element("span", { class: `mark ${concern}`, "aria-hidden": "true" });
      return numberRow([mark, name], [number(count), numberOrDash(messages)]);
    });
    if (found.length > most) {
      const more = element("a", { href: "#flags" }, counted(found.length - most, "more sign"));
      rows.push(element("tr", {}, element("th", { scope: "row" }, more), element("td"), element("td")));
    }
    const none = knowsFlags(summary, span) ? "No disguised host, password, odd port or control character was found." : "None is known.";
    const body = rows.length > 0 ? rows : [element("tr", {}, element("td", { colspan: 3, class: "none" }, none))];
    return [numberTable("What looks dangerous", ["Sign", "URLs", "Messages"], body)];
  });
}

// Short lists of the most frequent values of a table, with bars.

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
