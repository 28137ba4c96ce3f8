// The cells of a table of values.
import type { Row, TableName } from "../../summary/summary.ts";
import { areLinks, copyButton, valueText } from "./archive-text.ts";
import type { Axis } from "./axis.ts";
import { eachMonth } from "./cells.ts";
import { element, graphic } from "./dom.ts";
import type { SortKey } from "./ranking.ts";
import { choiceButton, rankingOf, type State } from "./state.ts";
import { day, isMonth, monthName, monthNumber, number, share } from "./words.ts";

/** What the cells of a row show; null: unknown. */
export interface TableRow {
  /** The texts of the value: in the table `redirect` the redirector and the target, which a blank divides. */
  readonly values: readonly string[];
  readonly row: Row;
  readonly matches: number;
  readonly messages: number | null;
  readonly first: string | null;
  readonly last: string | null;
}

/** Returns a row of a table. With a span or chosen values only the months of its first and last date are known, not the days. */
export function entryOf(state: State, name: TableName, index: number): TableRow {
  const { isCombined, span, summary } = state;
  const ranking = rankingOf(state, name);
  const row = ranking.rows[index];
  const blank = row[0].indexOf(" ");
  const values = name === "redirect" ? [row[0].slice(0, blank), row[0].slice(blank + 1)] : [row[0]];
  // A message may be in several combinations.
  const messages = isCombined && ranking.messages(index) === 0 ? null : ranking.messages(index);
  const common = { values, row, matches: ranking.matches(index), messages };
  if (span === null) return { ...common, first: row[1], last: row[2] };
  const edges = ranking.edges(index);
  const [first, last] = [edges?.from, edges?.to].map((at) => (at === undefined ? null : summary.months[at]));
  return { ...common, first: isMonth(first) ? first : null, last: isMonth(last) ? last : null };
}

/** What the rows of a table have in common. */
export interface Shown {
  readonly state: State;
  readonly name: TableName;
  /** All matches with the chosen values in the chosen months. */
  readonly whole: number;
  readonly axis: Axis | undefined;
}

export interface Column {
  readonly head: string;
  readonly className: string;
  readonly key?: SortKey;
  cell(entry: TableRow, shown: Shown): HTMLElement;
}

/** Units of a small drawing from its bottom to its top. */
const HEIGHT = 100;
const BARS = 48;

/** Returns the columns of a table of values. `heads`: heads of the value columns, two for pairs. `count`: head of the matches. */
export function columnsOf(heads: readonly string[], count = "URLs"): Column[] {
  const values = heads.map((head, at): Column => {
    const cell: Column["cell"] = (entry, shown) => valueCell(entry, shown, at);
    return at === 0 ? { head, className: "value", key: "value", cell } : { head, className: "value second", cell };
  });
  return [
    ...values,
    { head: count, className: "number", key: "matches", cell: ({ matches }) => element("td", {}, number(matches)) },
    { head: "Share", className: "share", cell: ({ matches }, { whole }) => shareCell(matches, whole) },
    { head: "Messages", className: "number messages", key: "messages", cell: ({ messages }) => element("td", {}, numberOrDash(messages)) },
    { head: "Over time", className: "over-time", cell: overTimeCell },
    { head: "First", className: "date first", key: "first", cell: ({ first }) => element("td", {}, day(first)) },
    { head: "Last", className: "date", key: "last", cell: ({ last }) => element("td", {}, day(last)) },
  ];
}

function valueCell({ values, row }: TableRow, { state, name }: Shown, at: number): HTMLElement {
  const text = valueText(name, values[at], state.isDefanged);
  const shown = element("span", { class: "name" }, choiceButton(state, { name, value: row[0] }, text));
  const line = element("span", { class: "line" }, shown, ...(areLinks(name) ? [copyButton(values[at], state.isDefanged)] : []));
  return at === 0 ? element("th", { scope: "row" }, line) : element("td", {}, line);
}

function numberOrDash(value: number | null): string {
  return value === null ? "–" : number(value);
}

function shareCell(matches: number, whole: number): HTMLElement {
  const percent = element("span", { class: "percent" }, share(matches, whole));
  return element("td", {}, element("span", { class: "line" }, bar(matches, whole), percent));
}

/** Returns a bar whose filled length is the share of `part` in `whole`. */
export function bar(part: number, whole: number): HTMLElement {
  const filled = element("span", {});
  filled.style.width = `${whole === 0 ? 0 : (100 * part) / whole}%`;
  return element("span", { class: "bar", "aria-hidden": "true" }, filled);
}

// A small drawing of the row's matches over the months of the time line, not only the chosen ones.
function overTimeCell({ row }: TableRow, { state, axis }: Shown): HTMLElement {
  const { months } = state.whole;
  const cell = element("td");
  if (axis === undefined) return cell;
  const length = axis.to - axis.from;
  const heights = new Float64Array(Math.min(BARS, length));
  let [most, busiest] = [0, -1];
  eachMonth(row[3], (at, matches) => {
    const month = months[at];
    if (!isMonth(month)) return;
    if (matches > most) [most, busiest] = [matches, at];
    const slot = Math.floor(((monthNumber(month) - axis.from) * heights.length) / length);
    if (slot >= 0 && slot < heights.length) heights[slot] += matches;
  });
  if (busiest < 0) return cell;
  const top = Math.max(1, ...heights);
  const path = [...heights].map((height, at) =>
    height === 0 ? "" : `M${at} ${HEIGHT}v${-Math.max(8, (HEIGHT * height) / top)}h0.8V${HEIGHT}z`,
  );
  const viewBox = `0 0 ${heights.length} ${HEIGHT}`;
  const label = `most in ${monthName(months[busiest] as string)}`;
  const drawing = { class: "spark", viewBox, preserveAspectRatio: "none", role: "img", "aria-label": label };
  cell.append(graphic("svg", drawing, graphic("path", { d: path.join("") })));
  return cell;
}
