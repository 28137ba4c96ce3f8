// The cells of a table of values.
import type { Row, TableName } from "../../summary/summary.ts";
import type { Axis } from "./axis.ts";
import { eachMonth } from "./cells.ts";
import { element, graphic } from "./dom.ts";
import { areLinks, copyButton, valueText } from "./link-text.ts";
import type { Ranking, SortKey } from "./ranking.ts";
import { choiceButton, type State } from "./state.ts";
import { day, isMonth, monthName, monthNumber, number, share } from "./words.ts";

interface RowView {
  readonly state: State;
  readonly name: TableName;
  readonly ranking: Ranking;
  readonly index: number;
  /** All matches with the chosen values in the chosen months. */
  readonly whole: number;
  readonly axis: Axis | undefined;
}

export interface Column {
  readonly head: string;
  readonly className: string;
  readonly key?: SortKey;
  cell(row: RowView): HTMLElement;
}

/** Units of a small drawing from its bottom to its top. */
const HEIGHT = 100;
const BARS = 48;

/** Returns the columns of a table of values. `heads`: heads of the value columns, two for pairs. `count`: head of the matches. */
export function columnsOf(heads: readonly string[], count = "URLs"): Column[] {
  const values: Column[] = heads.map((head, at) => ({
    head,
    className: at === 0 ? "value" : "value second",
    ...(at === 0 ? { key: "value" } : {}),
    cell: (row) => valueCell(row, at),
  }));
  return [
    ...values,
    { head: count, className: "number", key: "matches", cell: ({ ranking, index }) => numberCell(ranking.matches(index)) },
    { head: "Share", className: "share", cell: shareCell },
    {
      head: "Messages",
      className: "number messages",
      key: "messages",
      cell: ({ state, ranking, index }) => numberCell(messagesAt(state, ranking, index)),
    },
    { head: "Over time", className: "over-time", cell: overTimeCell },
    { head: "First", className: "date first", key: "first", cell: (row) => dateCell(row, "from") },
    { head: "Last", className: "date", key: "last", cell: (row) => dateCell(row, "to") },
  ];
}

function rowOf({ ranking, index }: RowView): Row {
  return ranking.rows[index];
}

/** Returns the texts of a row's value. In the table `redirect` there are two, divided by a blank: the redirector and the target. */
export function valuesOf([value]: Row, name: TableName): string[] {
  if (name !== "redirect") return [value];
  const blank = value.indexOf(" ");
  return [value.slice(0, blank), value.slice(blank + 1)];
}

function valueCell(row: RowView, at: number): HTMLElement {
  const { state, name } = row;
  const value = valuesOf(rowOf(row), name)[at];
  const choice = { name, value: rowOf(row)[0] };
  const shown = element("span", { class: "name" }, choiceButton(state, choice, valueText(name, value, state.isDefanged)));
  const line = element("span", { class: "line" }, shown, ...(areLinks(name) ? [copyButton(value, state.isDefanged)] : []));
  return at === 0 ? element("th", { scope: "row" }, line) : element("td", {}, line);
}

function numberCell(value: number | null): HTMLElement {
  return element("td", {}, value === null ? "–" : number(value));
}

/** Returns the messages of a row; null if unknown: a message may be in several combinations. */
export function messagesAt({ isCombined }: State, ranking: Ranking, index: number): number | null {
  const messages = ranking.messages(index);
  return isCombined && messages === 0 ? null : messages;
}

function shareCell({ ranking, index, whole }: RowView): HTMLElement {
  const matches = ranking.matches(index);
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
function overTimeCell(row: RowView): HTMLElement {
  const { axis } = row;
  const { months } = row.state.whole;
  const cell = element("td");
  if (axis === undefined) return cell;
  const length = axis.to - axis.from;
  const heights = new Float64Array(Math.min(BARS, length));
  let [most, busiest] = [0, -1];
  eachMonth(rowOf(row)[3], (at, matches) => {
    const month = months[at];
    if (!isMonth(month)) return;
    if (matches > most) [most, busiest] = [matches, at];
    const slot = Math.floor(((monthNumber(month) - axis.from) * heights.length) / length);
    if (slot < 0 || slot >= heights.length) return;
    heights[slot] += matches;
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

/** Returns the first or last date of a row, or null if unknown. With a span or chosen values only the month is known, not the day. */
export function dateAt({ span, summary }: State, ranking: Ranking, index: number, side: "from" | "to"): string | null {
  if (span === null) return ranking.rows[index][side === "from" ? 1 : 2];
  const edges = ranking.edges(index);
  const month = edges && summary.months[edges[side]];
  return isMonth(month) ? month : null;
}

function dateCell({ state, ranking, index }: RowView, side: "from" | "to"): HTMLElement {
  return element("td", {}, day(dateAt(state, ranking, index, side)));
}
