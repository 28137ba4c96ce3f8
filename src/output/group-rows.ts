// The formats of counted groups that are text: csv, tsv and ndjson for programs, a table for people.
import type { Group } from "../count/groups.ts";
import { fieldOf, type KeyField } from "../fields.ts";
import type { FieldValue } from "../scanner/field-values.ts";
import { jsonText, withoutControls } from "../shown.ts";
import { cut, padded, widthOf } from "./display-width.ts";
import { csvCell, tsvCell } from "./table.ts";

/** Columns after those of the fields. */
export const COUNTS = ["count", "messages", "first", "last"] as const;
/** The first of the dates among them. */
const DATES = 2;

/** How groups are written. */
export interface GroupRowsOptions {
  readonly by: readonly KeyField[];
  readonly format: "table" | "tsv" | "csv" | "ndjson";
  readonly header: boolean;
  readonly csvSafe: boolean;
  /** Whether the rows are sorted by messages, which bars show then. */
  readonly byMessages: boolean;
  /** Of the table: columns of the terminal; undefined: lines may be of any length. */
  readonly columns: number | undefined;
}

/** Writes groups as lines. What a table is like depends on its first rows, so those wait. */
export interface GroupRows {
  /** Returns the lines that are complete with this group. */
  add(group: Group): string;
  /** Returns the lines that have waited. */
  end(): string;
}

/** Returns what writes groups in a format. */
export function groupRows(options: GroupRowsOptions): GroupRows {
  if (options.format === "table") return new Table(options);
  const { by, header, format, csvSafe } = options;
  if (format === "ndjson") return { add: (group) => `${jsonText(recordOf(by, group))}\n`, end: () => "" };
  const [separator, end] = format === "csv" ? [",", "\r\n"] : ["\t", "\n"];
  const cellOf = format === "csv" ? (value: FieldValue): string => csvCell(value, csvSafe) : tsvCell;
  // Numbers and dates are cells as they are.
  const lineOf = ({ values, count, messages, first = "", last = "" }: Group): string => {
    let line = "";
    for (let index = 0; index < by.length; index++) line += cellOf(typed(by[index] as KeyField, values[index])) + separator;
    return `${line}${count}${separator}${messages}${separator}${first}${separator}${last}${end}`;
  };
  let names = header ? [...by, ...COUNTS].join(separator) + end : "";
  const takeNames = (): string => {
    const line = names;
    names = "";
    return line;
  };
  return { add: (group) => takeNames() + lineOf(group), end: takeNames };
}

function typed(name: KeyField, value: string | undefined): string | number | undefined {
  return value !== undefined && name !== "flag" && fieldOf(name).type === "integer" ? Number(value) : value;
}

/** Returns the values of the columns of a group. */
export function cellsOf(by: readonly KeyField[], { values, count, messages, first, last }: Group): (string | number | undefined)[] {
  return [...by.map((name, index) => typed(name, values[index])), count, messages, first, last];
}

function recordOf(by: readonly KeyField[], group: Group): object {
  const { count, messages, first = null, last = null } = group;
  const values = by.map((name, index) => [name, typed(name, group.values[index]) ?? null]);
  return { ...Object.fromEntries(values), count, messages, first, last };
}

/** Rows that the widths of columns are made for; later ones are cut to these. */
const ROWS_MEASURED = 1000;
/** Columns between two of a table. */
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
/** What a value looks like that is not there. */
const NONE = "-";

/** Aligned columns, and a bar for the count. */
class Table implements GroupRows {
  readonly #options: GroupRowsOptions;
  #waiting: Group[] | undefined = [];
  #widths: number[] = [];
  /** The largest number that a bar shows, and columns of its bar. */
  #most = 0;
  #bar = BAR_COLUMNS;
  /** Columns that no group has a value for, among the counts. */
  #shown: readonly boolean[] = [];

  constructor(options: GroupRowsOptions) {
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
    this.#widths = [...by, ...COUNTS].map((_, index) => Math.max(...rows.map((row) => widthOf(row[index] as string))));
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
      if ((this.#widths[widest] as number) <= least) break;
      this.#widths[widest] = (this.#widths[widest] as number) - 1;
    }
    return left;
  }

  /** The number that rows are sorted by. */
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
      const width = this.#widths[index] as number;
      // Counts end, and values begin, at the same column.
      return [padded(cut(cell, width), width, index === fields || index === fields + 1)];
    });
    return shown.join(GAP);
  }
}
