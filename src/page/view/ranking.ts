// The rows of a table in an order, narrowed to months and to a text.
import type { Row, SummaryTable } from "../../summary/summary.ts";
import { edgesIn, type Span, sumsIn } from "./cells.ts";

export type SortKey = "value" | "matches" | "messages" | "first" | "last";

export interface Order {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

export const MOST_FIRST: Order = { key: "matches", isDescending: true };

/** Returns the rows that are known in the months of a span. */
export function rowsIn({ rows, month_rows }: SummaryTable, span: Span | null): readonly Row[] {
  return span === null ? rows : [...rows, ...month_rows];
}

/** Returns the number of matches in the months of a span that belong to no known row. */
export function unlistedIn({ rest, month_rows }: SummaryTable, span: Span | null): number {
  const { matches } = sumsIn(rest, span);
  return span === null ? matches : month_rows.reduce((left, [, , , cells]) => left - sumsIn(cells, span).matches, matches);
}

/** The rows of a table, counted in the months of `span`; null for all. */
export class Ranking {
  readonly rows: readonly Row[];
  readonly #span: Span | null;
  readonly #sums: readonly ReturnType<typeof sumsIn>[];
  /** Indexes of the rows that have a match in the span. */
  readonly #present: readonly number[];

  constructor(table: SummaryTable, span: Span | null) {
    this.rows = rowsIn(table, span);
    this.#span = span;
    this.#sums = this.rows.map(([, , , cells]) => sumsIn(cells, span));
    this.#present = [...this.rows.keys()].filter((index) => this.matches(index) > 0);
  }

  get count(): number {
    return this.#present.length;
  }

  get most(): number {
    return this.#sums.reduce((most, { matches }) => Math.max(most, matches), 0);
  }

  matches(index: number): number {
    return this.#sums[index].matches;
  }

  messages(index: number): number {
    return this.#sums[index].messages;
  }

  /** Returns the indexes of the first and last month of a row in the span; undefined if it has no match there. */
  edges(index: number): Span | undefined {
    return edgesIn(this.rows[index][3], this.#span);
  }

  /** Returns the indexes of the rows whose values contain `query`, in any case. Rows with equal keys stay in the order of the table. */
  arranged(query: string, { key, isDescending }: Order): number[] {
    const lowered = query.trim().toLowerCase();
    const found = this.#present.filter((index) => lowered === "" || this.rows[index][0].toLowerCase().includes(lowered));
    const keys = this.rows.map((_, index) => this.#keyOf(index, key));
    const sign = isDescending ? -1 : 1;
    return found.sort((one, other) => (keys[one] < keys[other] ? -sign : keys[one] > keys[other] ? sign : 0));
  }

  top(count: number): number[] {
    return this.#present.toSorted((one, other) => this.matches(other) - this.matches(one)).slice(0, count);
  }

  #keyOf(index: number, key: SortKey): string | number {
    const [value, first, last] = this.rows[index];
    if (key === "value") return value;
    if (key === "matches" || key === "messages") return this.#sums[index][key];
    if (this.#span === null) return (key === "first" ? first : last) ?? "";
    return this.edges(index)?.[key === "first" ? "from" : "to"] ?? -1;
  }
}
