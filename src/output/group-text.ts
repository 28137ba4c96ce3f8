// Counted groups as a table for people.
import stringWidth from "string-width";
import { withoutControls } from "../base/shown.ts";
import type { Group } from "../count/groups.ts";
import type { KeyField } from "../options/fields.ts";
import { cut, padded } from "./display-width.ts";
import { COUNTS, type GroupRows } from "./group-rows.ts";

/** Rows that decide the widths of columns; values of later rows are cut. */
const ROWS_MEASURED = 1000;
/** Gap between two columns of a table. */
const GAP = "  ";
/** Columns of the longest bar, and of the narrowest value. */
const BAR_COLUMNS = 20;
const VALUE_COLUMNS_LEAST = 8;
/** Values are not cut to less than this while dates are shown. */
const VALUE_COLUMNS_ENOUGH = 24;
/** Characters of a date without its time. */
const DAY_LENGTH = 10;
/** Blocks of an eighth of a column up to a whole one. */
const BLOCKS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"] as const;
/** The first of the dates among the counts. */
const DATES = 2;
/** Text for a missing value. */
const NONE = "-";

/** Options of a table. */
export interface GroupTextOptions {
  readonly by: readonly KeyField[];
  readonly header: boolean;
  /** Whether the rows are sorted by messages. Then bars show messages. */
  readonly byMessages: boolean;
  /** Columns of the terminal; undefined: lines may be of any length. */
  readonly columns: number | undefined;
}

/** Writes aligned columns, and a bar for the count. The first rows wait, because the layout depends on them. */
export class GroupText implements GroupRows {
  readonly #options: GroupTextOptions;
  #waiting: Group[] | undefined = [];
  #widths: number[] = [];
  /** The largest number that a bar shows, and columns of its bar. */
  #most = 0;
  #bar = BAR_COLUMNS;
  /** By column of COUNTS: whether it is shown. Columns without any value are not. */
  #shown: readonly boolean[] = [];

  constructor(options: GroupTextOptions) {
    this.#options = options;
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
    return this.#headLine() + groups.map((group) => this.#lineOf(group)).join("");
  }

  #measure(groups: readonly Group[]): void {
    const { by, columns } = this.#options;
    this.#most = Math.max(...groups.map((group) => this.#numberOf(group)));
    const [hasMessages, hasDates] = [groups.some(({ messages }) => messages > 0), groups.some(({ first }) => first !== undefined)];
    this.#shown = [true, hasMessages, hasDates, hasDates];
    const rows = [[...by, ...COUNTS], ...groups.map((group) => this.#cellsOf(group))];
    this.#widths = [...by, ...COUNTS].map((_, index) => Math.max(...rows.map((row) => stringWidth(row[index]))));
    if (columns !== undefined) this.#fit(columns);
  }

  /** Makes lines fit: the bar becomes shorter first, then values; dates go before values become too short to be read. */
  #fit(columns: number): void {
    const { by } = this.#options;
    const counts = COUNTS.reduce(
      (sum, _, index) => sum + (this.#shown[index] === true ? (this.#widths[by.length + index] ?? 0) + 2 : 0),
      0,
    );
    let over = this.#widths.slice(0, by.length).reduce((sum, width) => sum + width + 2, counts + BAR_COLUMNS) - columns;
    if (over <= 0) return;
    const bar = Math.max(0, BAR_COLUMNS - over);
    over -= BAR_COLUMNS - bar;
    this.#bar = bar;
    over = this.#cutValues(over, VALUE_COLUMNS_ENOUGH);
    if (over > 0 && this.#shown[DATES] === true) {
      this.#shown = [true, this.#shown[1] === true, false, false];
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

  /** Returns the number by which rows are sorted. */
  #numberOf({ count, messages }: Group): number {
    return this.#options.byMessages ? messages : count;
  }

  #cellsOf({ values, count, messages, first, last }: Group): string[] {
    const texts = values.map((value) => withoutControls(value ?? NONE));
    return [...texts, String(count), String(messages), first?.slice(0, DAY_LENGTH) ?? NONE, last?.slice(0, DAY_LENGTH) ?? NONE];
  }

  #headLine(): string {
    const { by, header } = this.#options;
    return header ? `${this.#aligned([...by, ...COUNTS]).trimEnd()}\n` : "";
  }

  #lineOf(group: Group): string {
    const eighths = Math.round((this.#numberOf(group) / Math.max(1, this.#most)) * this.#bar * 8);
    const bar = "█".repeat(eighths >> 3) + BLOCKS[eighths & 7];
    return `${(this.#aligned(this.#cellsOf(group)) + GAP + bar).trimEnd()}\n`;
  }

  #aligned(cells: readonly string[]): string {
    const fields = this.#options.by.length;
    const shown = cells.flatMap((cell, index) => {
      if (index >= fields && this.#shown[index - fields] !== true) return [];
      const width = this.#widths[index];
      // Counts end, and values begin, at the same column.
      return [padded(cut(cell, width), width, index === fields || index === fields + 1)];
    });
    return shown.join(GAP);
  }
}
