// A table of values that sorts, filters and pages. Only the rows of one page are in the document.
import { BYTE_ORDER_MARK, csvCell } from "../../output/cells.ts";
import type { Row, Summary, TableName } from "../../summary/summary.ts";
import { refanged } from "../../url/defang.ts";
import { areLinks, copyButton, copyText, linkForm, valueText } from "./archive-text.ts";
import { mainAxis } from "./axis.ts";
import { eachMonth, sumsIn } from "./cells.ts";
import { bar, button, type Child, download, element, graphic, select, setText } from "./dom.ts";
import { hostOfUrl } from "./narrow.ts";
import { MOST_FIRST, type Ranking, type SortKey, unlistedIn } from "./ranking.ts";
import { choiceButton, rankingOf, type State, type ViewPart } from "./state.ts";
import { counted, day, isMonth, monthName, monthNumber, number, numberOrDash, share } from "./words.ts";

/** The noun for a value (an s makes its plural), heads of the value columns, the head of the matches, and a caption. */
interface ValueTableForm {
  readonly noun: string;
  readonly heads: readonly string[];
  readonly count?: string;
  readonly caption: string;
  /** Whether the heading of the section already names the table. */
  readonly isAlone?: boolean;
}

const FORMS = {
  host: { noun: "host", heads: ["Host"], caption: "Hosts", isAlone: true },
  domain: { noun: "domain", heads: ["Domain"], caption: "Domains", isAlone: true },
  url: { noun: "URL", heads: ["URL"], count: "Times", caption: "URLs", isAlone: true },
  redirect: { noun: "pair", heads: ["Redirector", "Leads to"], caption: "Redirectors", isAlone: true },
  from_address: { noun: "sender", heads: ["Sender"], caption: "Senders" },
  list_id: { noun: "list", heads: ["List"], caption: "Mailing lists" },
  source: { noun: "source", heads: ["Source"], caption: "Sources" },
} satisfies Partial<Record<TableName, ValueTableForm>>;

const FILTER_LEAST = 6;

export function rankTable(name: keyof typeof FORMS): ViewPart {
  const form: ValueTableForm = FORMS[name];
  const many = `${form.noun}s`;
  const columns = columnsOf(name, form);
  let shown: { readonly state: State; readonly ranking: Ranking } | undefined;
  let order = MOST_FIRST;
  let arranged: readonly number[] = [];
  const body = element("tbody");
  const filter = element("input", { type: "search", autocomplete: "off", spellcheck: "false", placeholder: "part of a name" });
  const found = element("p", { class: "found", role: "status" });
  const tools = element("div", { class: "tools" }, found, element("label", {}, `Filter ${many} `, filter));
  const rest = element("p", { class: "rest" });

  const fill = (): void => {
    if (shown === undefined) return;
    const rows = rowsOf(shown.state, name, columns, arranged.slice(...pager.range()));
    const none = element("tr", {}, element("td", { colspan: form.heads.length + 1, class: "none" }, "None."));
    body.replaceChildren(...(rows.length === 0 ? [none] : rows));
  };
  const arrange = (start: number): void => {
    if (shown === undefined) return;
    columns.forEach(({ key }, at) => {
      const sorted = order.isDescending ? "descending" : "ascending";
      if (key !== undefined) heads[at].setAttribute("aria-sort", key === order.key ? sorted : "none");
    });
    // The user may paste a defanged host, or a URL into the filter of hosts.
    const text = refanged(filter.value);
    const query = name === "host" ? hostOfUrl(text.trim()) || text : text;
    arranged = shown.ranking.arranged(query, order);
    pager.show(arranged.length, start);
    saving.show(arranged.length);
    setText(found, filter.value.trim() === "" ? "" : `${counted(arranged.length, form.noun)} found`);
    fill();
  };
  const heads = columns.map(({ head, className, key }) => {
    const sort = (by: SortKey): void => {
      order = { key: by, isDescending: order.key === by ? !order.isDescending : by === "matches" || by === "messages" };
      arrange(0);
    };
    return element("th", { scope: "col", class: className }, key === undefined ? head : button({ class: "sort" }, () => sort(key), head));
  });
  filter.addEventListener("input", () => arrange(0));
  const pager = pagerOf(many, fill);
  const valueNames = form.heads.length > 1 ? ["redirector", "target"] : [name];
  const saving = exportLine(name, many, valueNames, () => (shown === undefined ? [] : exported(shown.state, name, valueNames, arranged)));

  const thead = element("thead", {}, element("tr", {}, ...heads));
  const table = element("table", { class: "values" }, element("caption", { class: "unseen" }, form.caption), thead, body);
  const scroll = element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": `Table of ${many}` }, table);
  const head = element("div", { class: "head" }, ...(form.isAlone === true ? [] : [element("h3", {}, form.caption)]), tools);
  const show = (state: State): void => {
    const before = shown;
    shown = { state, ranking: rankingOf(state, name) };
    tools.hidden = shown.ranking.rows.length < FILTER_LEAST;
    setText(rest, restText(state, name, many));
    const isNarrowed = state.span !== before?.state.span || state.summary !== before.state.summary;
    if (shown.ranking === before?.ranking) fill();
    else arrange(isNarrowed ? 0 : pager.range()[0]);
  };
  return { node: element("div", { class: "value-table" }, head, scroll, pager.node, saving.node, rest), show };
}

function rowsOf(state: State, name: TableName, columns: readonly Column[], indexes: readonly number[]): HTMLElement[] {
  const whole = { matches: sumsIn(state.summary.cells, state.span).matches, axis: mainAxis(state.whole) };
  return indexes.map((index) => {
    const entry = entryOf(state, name, index);
    const cells = columns.map(({ className, cell }, at) => {
      return element(at === 0 ? "th" : "td", { scope: at === 0 && "row", class: className }, cell(entry, state, whole));
    });
    return element("tr", {}, ...cells);
  });
}

/** Returns sentences about values that are not listed, and about numbers that are too low. */
function restText({ summary, span, isCombined }: State, name: TableName, many: string): string {
  const table = summary.tables[name];
  const { distinct, bound, rows } = table;
  const whole = sumsIn(summary.cells, span).matches;
  const [isCut, others] = [distinct > rows.length, unlistedIn(table, span)];
  const [listed, most] = [number(rows.length), number(bound)];
  const texts: string[] = [];
  if (isCut && span === null) texts.push(`The ${listed} most frequent of ${number(distinct)} ${many} are listed.`);
  if (isCut && span !== null && others > 0) {
    texts.push(`Listed are those of the ${listed} ${many} most frequent in all months, and the most frequent of each month.`);
    texts.push(`Of ${counted(whole, "URL")} in these months, ${number(others)} ${others === 1 ? "has" : "have"} none of these.`);
  } else if (others > 0 && rows.length > 0) texts.push(`${counted(others, "URL has", "URLs have")} none of the ${many} of this table.`);
  if (bound > 0) {
    const why = isCombined ? `${counted(bound, "URL has", "URLs have")} lost the ${many}` : "There were too many values to count all";
    texts.push(`${why}: a number may be up to ${most} too low.`);
  }
  return texts.join(" ");
}

// The columns of a table of values.

type Entry = ReturnType<typeof entryOf>;

/** Returns what the cells of a row show; null: unknown. With a span only the months of the first and last date are known, not the days. */
function entryOf(state: State, name: TableName, index: number) {
  const { isCombined, span, summary } = state;
  const ranking = rankingOf(state, name);
  const row = ranking.rows[index];
  // In the table `redirect` a blank divides the redirector and the target.
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

function exported(state: State, name: TableName, names: readonly string[], indexes: readonly number[]): ExportedRow[] {
  return indexes.map((index) => {
    const { values, matches, messages, first, last } = entryOf(state, name, index);
    return { ...Object.fromEntries(names.map((column, at) => [column, values[at]])), urls: matches, messages, first, last };
  });
}

interface Column {
  readonly head: string;
  readonly className: string;
  readonly key?: SortKey;
  /** Returns the content of a cell. `matches`: all with the chosen values in the chosen months; `axis`: that of the time line. */
  cell(entry: Entry, state: State, whole: { readonly matches: number; readonly axis: ReturnType<typeof mainAxis> }): Child;
}

function columnsOf(name: TableName, { heads, count = "URLs" }: ValueTableForm): Column[] {
  const values = heads.map((head, at): Column => {
    const cell: Column["cell"] = ({ values, row }, state) => valueLine(name, values[at], row[0], state);
    return at === 0 ? { head, className: "value", key: "value", cell } : { head, className: "value second", cell };
  });
  return [
    ...values,
    { head: count, className: "number", key: "matches", cell: ({ matches }) => number(matches) },
    { head: "Share", className: "share", cell: ({ matches }, _, whole) => shareLine(matches, whole.matches) },
    { head: "Messages", className: "number messages", key: "messages", cell: ({ messages }) => numberOrDash(messages) },
    { head: "Over time", className: "over-time", cell: ({ row }, { whole }, { axis }) => overTime(row, whole, axis) },
    { head: "First", className: "date first", key: "first", cell: ({ first }) => day(first) },
    { head: "Last", className: "date", key: "last", cell: ({ last }) => day(last) },
  ];
}

function valueLine(name: TableName, text: string, value: string, state: State): HTMLElement {
  const shown = element("span", { class: "name" }, choiceButton(state, { name, value }, valueText(name, text, state.isDefanged)));
  return element("span", { class: "line" }, shown, ...(areLinks(name) ? [copyButton(text, state.isDefanged)] : []));
}

function shareLine(matches: number, whole: number): HTMLElement {
  return element("span", { class: "line" }, bar(matches, whole), element("span", { class: "percent" }, share(matches, whole)));
}

/** Units of a small drawing from its bottom to its top. */
const HEIGHT = 100;
const BARS = 48;

/** Returns a small drawing of a row's matches over the months of the time line, not only the chosen ones. */
function overTime([, , , cells]: Row, whole: Summary, axis: ReturnType<typeof mainAxis>): Child {
  if (axis === undefined) return "";
  const length = axis.to - axis.from;
  const heights = new Array<number>(Math.min(BARS, length)).fill(0);
  let [most, busiest] = [0, ""];
  eachMonth(cells, (at, matches) => {
    const month = whole.months[at];
    if (!isMonth(month)) return;
    if (matches > most) [most, busiest] = [matches, month];
    const slot = Math.floor(((monthNumber(month) - axis.from) * heights.length) / length);
    if (slot >= 0 && slot < heights.length) heights[slot] += matches;
  });
  if (busiest === "") return "";
  const top = Math.max(1, ...heights);
  const path = heights.map((height, at) =>
    height === 0 ? "" : `M${at} ${HEIGHT}v${-Math.max(8, (HEIGHT * height) / top)}h0.8V${HEIGHT}z`,
  );
  const viewBox = `0 0 ${heights.length} ${HEIGHT}`;
  const drawing = { class: "spark", viewBox, preserveAspectRatio: "none", role: "img", "aria-label": `most in ${monthName(busiest)}` };
  return graphic("svg", drawing, graphic("path", { d: path.join("") }));
}

// Turning the pages of a table.

const SIZES = [10, 25, 100];
const [LEAST_SIZE] = SIZES;

/** `many`: plural noun for rows. `turn` is called when the user turns a page or chooses another size. */
function pagerOf(many: string, turn: () => void) {
  let [size, count, begin] = [LEAST_SIZE, 0, 0];
  /** The rows of the current page, as `[begin, end)`. */
  const range = (): [begin: number, end: number] => [begin, Math.min(count, begin + size)];
  const make = (label: string, text: string, start: () => number): HTMLButtonElement =>
    button({ class: "turn", "aria-label": `${label} page of ${many}` }, () => goTo(start()), text);
  const back = [make("First", "«", () => 0), make("Previous", "‹", () => begin - size)];
  const forth = [make("Next", "›", () => begin + size), make("Last", "»", () => count)];
  const options = SIZES.map((rows) => [rows, `${rows} rows`] as const);
  const sizes = select({ "aria-label": `Rows of a page of ${many}` }, options, ({ value }) => {
    size = Number(value);
    goTo(begin);
  });
  const where = element("p", { role: "status" });
  const buttons = element("div", { class: "turns" }, ...back, ...forth, sizes);
  const node = element("nav", { class: "pager", "aria-label": `Pages of ${many}` }, where, buttons);

  /** Shows the page that has the row with the index `start` of `rows` rows. Does not call `turn`. */
  const show = (rows: number, start: number): void => {
    count = rows;
    const last = Math.max(0, Math.ceil(count / size) - 1);
    begin = Math.min(last, Math.max(0, Math.floor(start / size))) * size;
    const [, end] = range();
    node.hidden = count <= LEAST_SIZE;
    setText(where, `${number(begin + 1)}–${number(end)} of ${number(count)}`);
    // A disabled button would lose the keyboard focus.
    for (const one of back) one.setAttribute("aria-disabled", String(begin === 0));
    for (const one of forth) one.setAttribute("aria-disabled", String(end === count));
  };
  const goTo = (start: number): void => {
    show(count, start);
    turn();
  };
  return { node, show, range };
}

// The rows of a table as files and as text. Files are made in the page: nothing is requested.

/** A row: its columns by their names; null: unknown. */
type ExportedRow = Readonly<Record<string, string | number | null>>;

/** Returns rows as csv for spreadsheets: no cell is a formula. */
export function csvOf(rows: readonly ExportedRow[]): string {
  const lines = rows.map((row) => Object.values(row).map((value) => csvCell(value ?? undefined, true)));
  return BYTE_ORDER_MARK + [Object.keys(rows[0] ?? {}), ...lines].map((line) => `${line.join(",")}\r\n`).join("");
}

export function ndjsonOf(rows: readonly ExportedRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/**
 * Returns a line that saves or copies rows, and the element with their number. `name`: of the files. `many`: plural noun for rows.
 * `values`: columns that are copied. `rows` returns the rows of all pages.
 */
function exportLine(name: string, many: string, values: readonly string[], rows: () => ExportedRow[]) {
  const text = element("span", { class: "quiet" });
  const said = element("span", { role: "status" });
  const copy = async (): Promise<void> => {
    const lines = rows().map((row) => values.map((value) => linkForm(String(row[value]), true)).join(" "));
    setText(said, (await copyText(`${lines.join("\n")}\n`)) ? `${counted(lines.length, "line")} copied` : "Not copied");
  };
  const make = (label: string, what: string, press: () => void): HTMLElement =>
    button({ class: "plain", "aria-label": what }, press, label);
  const node = element(
    "p",
    { class: "export" },
    text,
    make("CSV", `Save ${many} as CSV`, () => download(`${name}.csv`, [csvOf(rows())])),
    make("NDJSON", `Save ${many} as NDJSON`, () => download(`${name}.ndjson`, [ndjsonOf(rows())])),
    make("Copy defanged", `Copy defanged ${many}`, () => void copy()),
    said,
  );
  const show = (count: number): void => {
    node.hidden = count === 0;
    setText(text, count === 1 ? "This row:" : `These ${counted(count, "row")}:`);
    setText(said, "");
  };
  return { node, show };
}
