// Counted groups as a table for people.
import stringWidth from "string-width";
import { withoutControls } from "../base/shown.ts";
import type { Group } from "../count/group-table.ts";
import type { KeyField } from "../options/fields.ts";
import { cut, padded } from "./display-width.ts";
import { type CountColumn, type CountColumnsOptions, countColumns, type GroupRows } from "./group-rows.ts";

const ROWS_MEASURED = 1000; // Rows that decide the widths of columns; values of later rows are cut
const GAP = "  ";
const BAR_COLUMNS = 20;
const VALUE_COLUMNS_LEAST = 8; // Values are not cut to fewer columns than this
const VALUE_COLUMNS_ENOUGH = 24; // While dates are shown, values are not cut to fewer columns than this
const DAY_LENGTH = 10;
const BLOCKS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"] as const; // Blocks by their eighths of a column, from none to eight
const NONE = "-";

export interface GroupTextOptions extends Omit<CountColumnsOptions, "unique"> {
  readonly by: readonly KeyField[];
  readonly header: boolean;
  /** Whether rows are ranked by messages, not by matches. Then bars show messages, unless rows have shares. */
  readonly byMessages: boolean;
  /** Columns of the terminal; undefined: lines may be of any length. */
  readonly columns: number | undefined;
}

/** Writes aligned columns, and a bar for the share, the messages or the count. The first rows wait, because the layout depends on them. */
export class GroupText implements GroupRows {
  readonly #options: GroupTextOptions;
  readonly #columns: readonly string[];
  readonly #dates: number; // Index of the first column of dates. The two columns of dates are the last ones.
  #waiting: Group[] | undefined = [];
  /** By column; 0: hidden. Messages and dates are hidden if no measured row has any, dates also if lines are too long. */
  #widths: number[] = [];
  #most = 0; // The largest number of the measured rows
  #bar = BAR_COLUMNS; // Columns of the longest bar: that of `#most` and larger numbers

  constructor(options: GroupTextOptions) {
    this.#options = options;
    this.#columns = [...options.by, ...countColumns({ ...options, unique: false })];
    this.#dates = this.#columns.length - 2;
  }

  add(group: Group): string {
    if (this.#waiting === undefined) return this.#lineOf(group);
    this.#waiting.push(group);
    return this.#waiting.length === ROWS_MEASURED ? this.end() : "";
  }

  end(): string {
    const groups = this.#waiting ?? [];
    this.#waiting = undefined;
    if (groups.length === 0) return "";
    this.#measure(groups);
    const head = this.#options.header ? `${this.#aligned(this.#columns).trimEnd()}\n` : "";
    return head + groups.map((group) => this.#lineOf(group)).join("");
  }

  #measure(groups: readonly Group[]): void {
    const { columns } = this.#options;
    this.#most = Math.max(...groups.map((group) => this.#numberOf(group)));
    const [hasMessages, hasDates] = [groups.some(({ messages }) => messages > 0), groups.some(({ first }) => first !== undefined)];
    const rows = [this.#columns, ...groups.map((group) => this.#cellsOf(group))];
    this.#widths = this.#columns.map((name, index) => {
      const isShown = index >= this.#dates ? hasDates : name !== "messages" || hasMessages;
      return isShown ? Math.max(...rows.map((row) => stringWidth(row[index]))) : 0;
    });
    if (columns !== undefined) this.#fit(columns);
  }

  /** Makes lines fit in `columns`: first the bar becomes shorter, then values. Dates go before values become too short to be read. */
  #fit(columns: number): void {
    let over = this.#widths.reduce((sum, width) => (width === 0 ? sum : sum + width + GAP.length), BAR_COLUMNS) - columns;
    if (over <= 0) return;
    this.#bar = Math.max(0, BAR_COLUMNS - over);
    over = this.#cutValues(over - BAR_COLUMNS + this.#bar, VALUE_COLUMNS_ENOUGH);
    if (over > 0 && this.#widths[this.#dates] > 0) {
      this.#widths.fill(0, this.#dates);
      over -= 2 * (DAY_LENGTH + GAP.length);
    }
    this.#cutValues(over, VALUE_COLUMNS_LEAST);
  }

  /** Cuts the widest values by `over` columns together, but to no less than `least`; returns what is left of `over`. */
  #cutValues(over: number, least: number): number {
    const fields = this.#options.by.length;
    let left = over;
    for (; left > 0; left--) {
      const widest = this.#widths.indexOf(Math.max(...this.#widths.slice(0, fields)));
      if (this.#widths[widest] <= least) break;
      this.#widths[widest] = this.#widths[widest] - 1;
    }
    return left;
  }

  /** Returns the number that a bar shows. */
  #numberOf({ count, share, messages }: Group): number {
    return share ?? (this.#options.byMessages ? messages : count);
  }

  #cellsOf({ values, ...group }: Group): string[] {
    const cells = this.#columns.slice(values.length).map((column) => {
      const value = group[column as CountColumn];
      if (column === "share") return `${group.share?.toFixed(2)}%`;
      return typeof value === "number" ? String(value) : (value?.slice(0, DAY_LENGTH) ?? NONE);
    });
    return [...values.map((value) => withoutControls(value ?? NONE)), ...cells];
  }

  #lineOf(group: Group): string {
    // Rows after the measured ones may have larger numbers.
    const part = Math.min(1, this.#numberOf(group) / (this.#most || 1));
    const eighths = Math.round(part * this.#bar * 8);
    const bar = "█".repeat(eighths >> 3) + BLOCKS[eighths & 7];
    return `${(this.#aligned(this.#cellsOf(group)) + GAP + bar).trimEnd()}\n`;
  }

  #aligned(cells: readonly string[]): string {
    const fields = this.#options.by.length;
    const shown = cells.map((cell, index) => {
      const width = this.#widths[index];
      // Counts end, and values begin, at the same column.
      return padded(index < fields ? cut(cell, width) : cell, width, index >= fields && index < this.#dates);
    });
    return shown.filter((_, index) => this.#widths[index] > 0).join(GAP);
  }
}
