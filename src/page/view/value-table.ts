// A table of values that sorts, filters and pages. Only the rows of one page are in the document.
import { BYTE_ORDER_MARK, csvCell } from "../../output/cells.ts";
import type { TableName } from "../../summary/summary.ts";
import { refanged } from "../../url/defang.ts";
import { copyText, linkForm } from "./archive-text.ts";
import { mainAxis } from "./axis.ts";
import { sumsIn } from "./cells.ts";
import { type Column, columnsOf, entryOf } from "./columns.ts";
import { button, download, element, select, setText } from "./dom.ts";
import { hostOfUrl } from "./narrow.ts";
import { MOST_FIRST, type Order, type Ranking, unlistedIn } from "./ranking.ts";
import { rankingOf, type State, type ViewPart } from "./state.ts";
import { counted, number } from "./words.ts";

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

export class RankTable implements ViewPart {
  readonly node = element("div", { class: "value-table" });
  readonly #name: keyof typeof FORMS;
  readonly #form: ValueTableForm;
  readonly #many: string;
  readonly #columns: readonly Column[];
  readonly #heads: HTMLElement[];
  readonly #body = element("tbody");
  readonly #filter = element("input", { type: "search", autocomplete: "off", spellcheck: "false", placeholder: "part of a name" });
  readonly #tools: HTMLElement;
  readonly #found = element("p", { class: "found", role: "status" });
  readonly #rest = element("p", { class: "rest" });
  readonly #pager: Pager;
  readonly #export: ExportLine;
  #state: State | undefined;
  #ranking: Ranking | undefined;
  #order: Order = MOST_FIRST;
  #arranged: readonly number[] = [];

  constructor(name: keyof typeof FORMS) {
    const form: ValueTableForm = FORMS[name];
    const many = `${form.noun}s`;
    [this.#name, this.#form, this.#many] = [name, form, many];
    this.#columns = columnsOf(form.heads, form.count);
    this.#heads = this.#columns.map((column) => this.#head(column));
    this.#filter.addEventListener("input", () => this.#arrange(0));
    this.#tools = element("div", { class: "tools" }, this.#found, element("label", {}, `Filter ${many} `, this.#filter));
    this.#pager = new Pager(many, () => this.#fill());
    const thead = element("thead", {}, element("tr", {}, ...this.#heads));
    const table = element("table", { class: "values" }, element("caption", { class: "unseen" }, form.caption), thead, this.#body);
    const scroll = element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": `Table of ${many}` }, table);
    const title = form.isAlone === true ? [] : [element("h3", {}, form.caption)];
    const values = form.heads.length > 1 ? ["redirector", "target"] : [name];
    this.#export = new ExportLine(name, many, values, () => this.#exported(values));
    this.node.append(element("div", { class: "head" }, ...title, this.#tools), scroll, this.#pager.node, this.#export.node, this.#rest);
  }

  show(state: State): void {
    const ranking = rankingOf(state, this.#name);
    const isOther = ranking !== this.#ranking;
    const isNarrowed = state.span !== this.#state?.span || state.summary !== this.#state?.summary;
    this.#ranking = ranking;
    this.#state = state;
    this.#tools.hidden = ranking.rows.length < FILTER_LEAST;
    setText(this.#rest, this.#restText(state));
    if (isOther) this.#arrange(isNarrowed ? 0 : this.#pager.range[0]);
    else this.#fill();
  }

  #head({ head, className, key }: Column): HTMLElement {
    if (key === undefined) return element("th", { scope: "col", class: className }, head);
    const press = (): void => {
      const { key: before, isDescending } = this.#order;
      this.#order = { key, isDescending: before === key ? !isDescending : key === "matches" || key === "messages" };
      this.#arrange(0);
    };
    return element("th", { scope: "col", class: className }, button({ class: "sort" }, press, head));
  }

  #arrange(start: number): void {
    if (this.#ranking === undefined) return;
    this.#columns.forEach(({ key }, index) => {
      const isSorted = key === this.#order.key;
      const order = this.#order.isDescending ? "descending" : "ascending";
      if (key !== undefined) this.#heads[index]?.setAttribute("aria-sort", isSorted ? order : "none");
    });
    // The user may paste a defanged host, or a URL into the filter of hosts.
    const text = refanged(this.#filter.value);
    const query = this.#name === "host" ? hostOfUrl(text.trim()) || text : text;
    this.#arranged = this.#ranking.arranged(query, this.#order);
    const { length } = this.#arranged;
    this.#pager.show(length, start);
    this.#export.show(length);
    setText(this.#found, this.#filter.value.trim() === "" ? "" : `${counted(length, this.#form.noun)} found`);
    this.#fill();
  }

  /** Returns the rows of all pages. `names`: names of the value columns. */
  #exported(names: readonly string[]): ExportedRow[] {
    const state = this.#state;
    if (state === undefined) return [];
    return this.#arranged.map((index) => {
      const { values, matches, messages, first, last } = entryOf(state, this.#name, index);
      return { ...Object.fromEntries(names.map((name, at) => [name, values[at]])), urls: matches, messages, first, last };
    });
  }

  #fill(): void {
    const [state, name] = [this.#state, this.#name];
    if (state === undefined) return;
    const shown = { state, name, whole: sumsIn(state.summary.cells, state.span).matches, axis: mainAxis(state.whole) };
    const rows = this.#arranged.slice(...this.#pager.range).map((index) => {
      const entry = entryOf(state, name, index);
      const cells = this.#columns.map((column) => {
        const cell = column.cell(entry, shown);
        cell.classList.add(...column.className.split(" "));
        return cell;
      });
      return element("tr", {}, ...cells);
    });
    if (rows.length === 0) rows.push(element("tr", {}, element("td", { colspan: this.#form.heads.length + 1, class: "none" }, "None.")));
    this.#body.replaceChildren(...rows);
  }

  /** Returns sentences about values that are not listed, and about numbers that are too low. */
  #restText({ summary, span, isCombined }: State): string {
    const table = summary.tables[this.#name];
    const many = this.#many;
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
    if (bound > 0 && isCombined)
      texts.push(`${counted(bound, "URL has", "URLs have")} lost the ${many}: a number may be up to ${most} too low.`);
    else if (bound > 0) texts.push(`There were too many values to count all: a number may be up to ${most} too low.`);
    return texts.join(" ");
  }
}

// Turning the pages of a table.

const SIZES = [10, 25, 100];
const [LEAST_SIZE] = SIZES;

class Pager {
  readonly node: HTMLElement;
  readonly #where = element("p", { role: "status" });
  readonly #turn: () => void;
  readonly #back: readonly HTMLButtonElement[];
  readonly #forth: readonly HTMLButtonElement[];
  #size = LEAST_SIZE;
  #count = 0;
  #start = 0;

  /** `many`: plural noun for rows. `turn` is called when the user turns a page or chooses another size. */
  constructor(many: string, turn: () => void) {
    this.#turn = turn;
    const make = (label: string, text: string, start: () => number): HTMLButtonElement =>
      button({ class: "turn", "aria-label": `${label} page of ${many}` }, () => this.#goTo(start()), text);
    this.#back = [make("First", "«", () => 0), make("Previous", "‹", () => this.#start - this.#size)];
    this.#forth = [make("Next", "›", () => this.#start + this.#size), make("Last", "»", () => this.#count)];
    const options = SIZES.map((size) => [size, `${size} rows`] as const);
    const sizes = select({ "aria-label": `Rows of a page of ${many}` }, options, ({ value }) => {
      this.#size = Number(value);
      this.#goTo(this.#start);
    });
    const buttons = element("div", { class: "turns" }, ...this.#back, ...this.#forth, sizes);
    this.node = element("nav", { class: "pager", "aria-label": `Pages of ${many}` }, this.#where, buttons);
  }

  /** Shows the page that has the row with the index `start` of `count` rows. Does not call `turn`. */
  show(count: number, start: number): void {
    this.#count = count;
    const last = Math.max(0, Math.ceil(count / this.#size) - 1);
    this.#start = Math.min(last, Math.max(0, Math.floor(start / this.#size))) * this.#size;
    const [begin, end] = this.range;
    this.node.hidden = count <= LEAST_SIZE;
    setText(this.#where, `${number(begin + 1)}–${number(end)} of ${number(count)}`);
    // A disabled button would lose the keyboard focus.
    for (const node of this.#back) node.setAttribute("aria-disabled", String(begin === 0));
    for (const node of this.#forth) node.setAttribute("aria-disabled", String(end === count));
  }

  /** The rows of the current page, as `[begin, end)`. */
  get range(): [begin: number, end: number] {
    return [this.#start, Math.min(this.#count, this.#start + this.#size)];
  }

  #goTo(start: number): void {
    this.show(this.#count, start);
    this.#turn();
  }
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

class ExportLine {
  readonly #text = element("span", { class: "quiet" });
  readonly #said = element("span", { role: "status" });
  readonly node = element("p", { class: "export" });

  /** `name`: of the files. `many`: plural noun for rows. `values`: columns that are copied. `rows` returns the rows of all pages. */
  constructor(name: string, many: string, values: readonly string[], rows: () => ExportedRow[]) {
    const copy = async (): Promise<void> => {
      const text = rows().map((row) => values.map((value) => linkForm(String(row[value]), true)).join(" "));
      setText(this.#said, (await copyText(`${text.join("\n")}\n`)) ? `${counted(text.length, "line")} copied` : "Not copied");
    };
    const make = (label: string, what: string, press: () => void): HTMLElement =>
      button({ class: "plain", "aria-label": what }, press, label);
    this.node.append(
      this.#text,
      make("CSV", `Save ${many} as CSV`, () => download(`${name}.csv`, [csvOf(rows())])),
      make("NDJSON", `Save ${many} as NDJSON`, () => download(`${name}.ndjson`, [ndjsonOf(rows())])),
      make("Copy defanged", `Copy defanged ${many}`, () => void copy()),
      this.#said,
    );
  }

  show(count: number): void {
    this.node.hidden = count === 0;
    setText(this.#text, count === 1 ? "This row:" : `These ${counted(count, "row")}:`);
    setText(this.#said, "");
  }
}
