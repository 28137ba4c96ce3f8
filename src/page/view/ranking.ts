// The rows of a table in an order, narrowed to months and to a text.
import type { Row, SummaryTable } from "../../summary/summary.ts";
import { edgesIn, type Span, sumsIn } from "./cells.ts";

export type SortKey = "value" | "matches" | "messages" | "first" | "last";

export interface Order {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

export const MOST_FIRST: Order = { key: "matches", isDescending: true };

const allRows = new WeakMap<SummaryTable, readonly Row[]>();

/** Returns the rows that are known in the months of a span. */
export function rowsIn(table: SummaryTable, span: Span | null): readonly Row[] {
  if (span === null || table.month_rows.length === 0) return table.rows;
  const rows = allRows.get(table) ?? [...table.rows, ...table.month_rows];
  allRows.set(table, rows);
  return rows;
}

/** Returns the number of matches in the months of a span that belong to no known row. */
export function unlistedIn({ rest, month_rows }: SummaryTable, span: Span | null): number {
  const { matches } = sumsIn(rest, span);
  return span === null ? matches : month_rows.reduce((left, [, , , cells]) => left - sumsIn(cells, span).matches, matches);
}

export class Ranking {
  readonly rows: readonly Row[];
  readonly #span: Span | null;
  readonly #matches: Float64Array;
  readonly #messages: Float64Array;
  /** Indexes of the rows that have a match in the span. */
  readonly #present: readonly number[];
  /** Values in lower case, made for the first search. */
  #lowered: string[] | undefined;

  /** Counts only the months of `span`; null for all. */
  constructor(table: SummaryTable, span: Span | null) {
    this.rows = rowsIn(table, span);
    this.#span = span;
    const sums = this.rows.map(([, , , cells]) => sumsIn(cells, span));
    this.#matches = Float64Array.from(sums, ({ matches }) => matches);
    this.#messages = Float64Array.from(sums, ({ messages }) => messages);
    this.#present = [...sums.keys()].filter((index) => this.#matches[index] > 0);
  }

  get count(): number {
    return this.#present.length;
  }

  get most(): number {
    return this.#matches.reduce((most, matches) => Math.max(most, matches), 0);
  }

  matches(index: number): number {
    return this.#matches[index];
  }

  messages(index: number): number {
    return this.#messages[index];
  }

  /** Returns the indexes of the first and last month of a row in the span; undefined if it has no match there. */
  edges(index: number): Span | undefined {
    return edgesIn(this.rows[index][3], this.#span);
  }

  /** Returns the indexes of the rows whose values contain `query`, in any case. Rows with equal keys stay in the order of the table. */
  arranged(query: string, { key, isDescending }: Order): Uint32Array {
    return sortedBy(this.#find(query.trim().toLowerCase()), this.#keysOf(key), isDescending ? -1 : 1);
  }

  /** Ranks the values in advance, because the first sorting by values of a large table is slow. */
  prepare(): void {
    ranksOf(this.rows);
  }

  top(count: number): number[] {
    return highest(this.#present, count, (index) => this.matches(index));
  }

  #find(query: string): readonly number[] {
    if (query === "") return this.#present;
    this.#lowered ??= this.rows.map(([value]) => value.toLowerCase());
    const lowered = this.#lowered;
    return this.#present.filter((index) => lowered[index].includes(query));
  }

  #keysOf(key: SortKey): Float64Array {
    if (key === "matches") return this.#matches;
    if (key === "messages") return this.#messages;
    if (key === "value") return ranksOf(this.rows);
    const [column, edge] = key === "first" ? ([1, "from"] as const) : ([2, "to"] as const);
    if (this.#span === null) return Float64Array.from(this.rows, (row) => digitsOf(row[column]));
    return Float64Array.from(this.rows, (_, index) => this.edges(index)?.[edge] ?? -1);
  }
}

/** Returns the numbers with the highest keys, `count` at most, by falling keys. Equal keys keep the order of `numbers`. */
export function highest(numbers: Iterable<number>, count: number, keyOf: (one: number) => number): number[] {
  const found: number[] = [];
  for (const one of numbers) {
    const key = keyOf(one);
    if (found.length === count && key <= keyOf(found[count - 1])) continue;
    let at = found.length;
    while (at > 0 && keyOf(found[at - 1]) < key) at--;
    found.splice(at, 0, one);
    if (found.length > count) found.pop();
  }
  return found;
}

/** Ranks of the values of a table among all its rows. They do not depend on the months. */
const ranks = new WeakMap<readonly Row[], Float64Array>();

function ranksOf(rows: readonly Row[]): Float64Array {
  const known = ranks.get(rows);
  if (known !== undefined) return known;
  const values = rows.map(([value]) => value);
  const order = Uint32Array.from(values.keys()).sort((a, b) => (values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : 0));
  const found = new Float64Array(rows.length);
  order.forEach((index, rank) => {
    found[index] = rank;
  });
  ranks.set(rows, found);
  return found;
}

const ZERO = 0x30;

/** Returns the digits of a date as one number; 0 for null. Date.parse would be slow. */
function digitsOf(date: string | null): number {
  let digits = 0;
  for (let at = 0; date !== null && at < date.length; at++) {
    const digit = date.charCodeAt(at) - ZERO;
    if (digit >= 0 && digit <= 9) digits = digits * 10 + digit;
  }
  return digits;
}

/** Returns indexes in the order of their keys times `sign`. Equal keys keep the order of `indexes`. */
export function sortedBy(indexes: readonly number[], keys: Float64Array, sign: 1 | -1): Uint32Array {
  const order = Uint32Array.from(indexes);
  // Often nothing is to be sorted: the rows of a table are in the order of their matches.
  const isSorted = order.every((index, at) => at === 0 || sign * keys[order[at - 1]] <= sign * keys[index]);
  return isSorted ? order : order.sort((one, other) => sign * (keys[one] - keys[other]));
}
