// A table of values that sorts, filters and pages. Only the rows of one page are in the document.

import { BYTE_ORDER_MARK, csvCell } from "../../output/cells.ts";
import type { TableName } from "../../summary/summary.ts";
import { refanged } from "../../url/defang.ts";
import { mainAxis } from "./axis.ts";
import { sumsIn } from "./cells.ts";
import { type Column, columnsOf, dateAt, messagesAt, valuesOf } from "./columns.ts";
import { button, download, element, setText } from "./dom.ts";
import { copyText, linkForm } from "./link-text.ts";
import { hostOfUrl } from "./narrow.ts";
import { Pager } from "./pager.ts";
import { MOST_FIRST, type Order, type Ranking, unlistedIn } from "./ranking.ts";
import { rankingOf, type State, type ViewPart } from "./state.ts";
import { counted, number } from "./words.ts";

interface ValueTableForm {
  readonly name: TableName;
  readonly caption: string;
  readonly heads: readonly string[];
  /** The noun for a value: `host`. An s makes its plural. */
  readonly noun: string;
  /** The head of the column of matches, if it is not "URLs". */
  readonly count?: string;
  /** Whether the heading of the section already names the table. */
  readonly isAlone?: boolean;
}

const PAGE_ROWS = 10;
const PREPARED_LEAST = 10_000;
const FILTER_LEAST = 6;

export class RankTable implements ViewPart {
  readonly node = element("div", { class: "value-table" });
  readonly #form: ValueTableForm;
  readonly #columns: readonly Column[];
  readonly #heads: HTMLElement[];
  readonly #body = element("tbody");
  readonly #filter: HTMLInputElement;
  readonly #tools: HTMLElement;
  readonly #found = element("p", { class: "found", role: "status" });
  readonly #rest = element("p", { class: "rest" });
  readonly #pager: Pager;
  readonly #export: ExportLine;
  readonly #scroll: HTMLElement;
  #state: State | undefined;
  #ranking: Ranking | undefined;
  #order: Order = MOST_FIRST;
  #arranged: Uint32Array = new Uint32Array();

  constructor(form: ValueTableForm) {
    const { name, caption, heads, noun } = form;
    const many = `${noun}s`;
    this.#form = form;
    this.#columns = columnsOf(heads, form.count);
    this.#heads = this.#columns.map((column) => this.#head(column));
    this.#filter = element("input", { type: "search", autocomplete: "off", spellcheck: "false", placeholder: "part of a name" });
    this.#filter.addEventListener("input", () => this.#arrange(0));
    const label = element("label", {}, `Filter ${many} `, this.#filter);
    this.#tools = element("div", { class: "tools" }, this.#found, label);
    this.#pager = new Pager(many, PAGE_ROWS, () => this.#fill());
    const thead = element("thead", {}, element("tr", {}, ...this.#heads));
    const table = element("table", { class: "values" }, element("caption", { class: "unseen" }, caption), thead, this.#body);
    this.#scroll = element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": `Table of ${many}` }, table);
    const title = form.isAlone === true ? [] : [element("h3", {}, caption)];
    const values = heads.length > 1 ? ["redirector", "target"] : [name];
    this.#export = new ExportLine(name, many, values, () => this.#exported(values));
    const head = element("div", { class: "head" }, ...title, this.#tools);
    this.node.append(head, this.#scroll, this.#pager.node, this.#export.node, this.#rest);
  }

  show(state: State): void {
    const ranking = rankingOf(state, this.#form.name);
    const isOther = ranking !== this.#ranking;
    const isNarrowed = state.span !== this.#state?.span || state.summary !== this.#state?.summary;
    this.#ranking = ranking;
    this.#state = state;
    this.#tools.hidden = ranking.rows.length < FILTER_LEAST;
    setText(this.#rest, this.#restText(state));
    // Browsers without idle callbacks prepare at the first sorting.
    if (isOther && ranking.rows.length > PREPARED_LEAST) globalThis.requestIdleCallback?.(() => ranking.prepare());
    if (isOther) this.#arrange(isNarrowed ? 0 : this.#pager.range[0]);
    else this.#fill();
  }

  #head(column: Column): HTMLElement {
    const { head, className, key } = column;
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
    this.#arranged = this.#ranking.arranged(this.#query(), this.#order);
    this.#pager.show(this.#arranged.length, start);
    this.#export.show(this.#arranged.length);
    setText(this.#found, this.#filter.value.trim() === "" ? "" : `${counted(this.#arranged.length, this.#form.noun)} found`);
    this.#fill();
  }

  // The user may paste a defanged host, or a URL into the filter of hosts.
  #query(): string {
    const text = refanged(this.#filter.value);
    return this.#form.name === "host" ? hostOfUrl(text.trim()) || text : text;
  }

  /** Returns the rows of all pages. `names`: names of the value columns. */
  #exported(names: readonly string[]): ExportedRow[] {
    const [state, ranking] = [this.#state, this.#ranking];
    if (state === undefined || ranking === undefined) return [];
    return Array.from(this.#arranged, (index) => {
      const values = valuesOf(ranking.rows[index], this.#form.name);
      const messages = messagesAt(state, ranking, index);
      const [first, last] = (["from", "to"] as const).map((side) => dateAt(state, ranking, index, side));
      return { ...Object.fromEntries(names.map((name, at) => [name, values[at]])), urls: ranking.matches(index), messages, first, last };
    });
  }

  #fill(): void {
    const [state, ranking] = [this.#state, this.#ranking];
    if (state === undefined || ranking === undefined) return;
    const whole = sumsIn(state.summary.cells, state.span).matches;
    const common = { state, name: this.#form.name, ranking, whole, axis: mainAxis(state.whole) };
    const rows = Array.from(this.#arranged.slice(...this.#pager.range), (index) => {
      const cells = this.#columns.map((column) => {
        const cell = column.cell({ ...common, index });
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
    const table = summary.tables[this.#form.name];
    const many = `${this.#form.noun}s`;
    const { distinct, bound, rows } = table;
    const whole = sumsIn(summary.cells, span).matches;
    const [isCut, others] = [distinct > rows.length, unlistedIn(table, span)];
    const texts: string[] = [];
    if (isCut && span === null) texts.push(`The ${number(rows.length)} most frequent of ${number(distinct)} ${many} are listed.`);
    if (isCut && span !== null && others > 0) {
      texts.push(
        `Listed are those of the ${number(rows.length)} ${many} most frequent in all months, and the most frequent of each month.`,
      );
      texts.push(`Of ${counted(whole, "URL")} in these months, ${number(others)} ${others === 1 ? "has" : "have"} none of these.`);
    } else if (others > 0 && rows.length > 0) texts.push(`${counted(others, "URL has", "URLs have")} none of the ${many} of this table.`);
    if (bound > 0 && isCombined)
      texts.push(`${counted(bound, "URL has", "URLs have")} lost the ${many}: a number may be up to ${number(bound)} too low.`);
    else if (bound > 0) texts.push(`There were too many values to count all: a number may be up to ${number(bound)} too low.`);
    return texts.join(" ");
  }
}

// The rows of a table as files and as text. Files are made in the page: nothing is requested.

/** A row: its columns by their names; null: unknown. */
type ExportedRow = Readonly<Record<string, string | number | null>>;

/** Returns rows as csv for spreadsheets: no cell is a formula. */
export function csvOf(rows: readonly ExportedRow[]): string {
  const lines = rows.map((row) =>
    Object.values(row)
      .map((value) => csvCell(value ?? undefined, true))
      .join(","),
  );
  return BYTE_ORDER_MARK + [Object.keys(rows[0] ?? {}).join(","), ...lines].map((line) => `${line}\r\n`).join("");
}

export function ndjsonOf(rows: readonly ExportedRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

class ExportLine {
  readonly #text = element("span", { class: "quiet" });
  readonly #said = element("span", { role: "status" });
  readonly node: HTMLElement;

  /** `name`: of the files. `many`: plural noun for rows. `values`: columns that are copied. `rows` returns the rows of all pages. */
  constructor(name: string, many: string, values: readonly string[], rows: () => ExportedRow[]) {
    const copy = async (): Promise<void> => {
      const text = rows().map((row) => values.map((value) => linkForm(String(row[value]), true)).join(" "));
      setText(this.#said, (await copyText(`${text.join("\n")}\n`)) ? `${counted(text.length, "line")} copied` : "Not copied");
    };
    const make = (label: string, what: string, press: () => void): HTMLElement =>
      button({ class: "plain", "aria-label": what }, press, label);
    this.node = element(
      "p",
      { class: "export" },
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
