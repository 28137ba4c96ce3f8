// The rows of a table in an order, narrowed to months and to a text.
import type { Row, SummaryTable } from "../../summary/summary.ts";
import { edgesIn, matchesIn, messagesIn, type Span } from "./cells.ts";

/** What rows are sorted by. */
export type SortKey = "value" | "matches" | "messages" | "first" | "last";

/** An order of rows. */
export interface Order {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

/** The order that tables begin with. */
export const MOST_FIRST: Order = { key: "matches", isDescending: true };

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Rows of a table; their numbers are those of the span. */
export class Ranking {
  readonly rows: readonly Row[];
  readonly #matches: Float64Array;
  readonly #messages: Float64Array;
  /** Values in lower case, made for the first search. */
  #lowered: string[] | undefined;
  #span: Span | null = null;
  #present: number[] = [];
  #most = 0;

  constructor({ rows }: SummaryTable) {
    this.rows = rows;
    this.#matches = new Float64Array(rows.length);
    this.#messages = new Float64Array(rows.length);
    this.narrow(null);
  }

  /** Counts the months of a span alone; null is for all. */
  narrow(span: Span | null): void {
    this.#span = span;
    this.#present = [];
    this.#most = 0;
    this.rows.forEach(([, , , cells], index) => {
      const matches = matchesIn(cells, span);
      this.#matches[index] = matches;
      this.#messages[index] = messagesIn(cells, span);
      if (matches > 0) this.#present.push(index);
      this.#most = Math.max(this.#most, matches);
    });
  }

  /** How many rows have a match in the span. */
  get count(): number {
    return this.#present.length;
  }

  /** The matches of the row that has most. */
  get most(): number {
    return this.#most;
  }

  /** Returns the matches of a row in the span. */
  matches(index: number): number {
    return this.#matches[index] as number;
  }

  /** Returns the messages of a row in the span. */
  messages(index: number): number {
    return this.#messages[index] as number;
  }

  /** Returns the indexes of the first and last month of a row in the span. */
  edges(index: number): Span | undefined {
    return edgesIn((this.rows[index] as Row)[3], this.#span);
  }

  /** Returns the indexes of the rows that contain `query`, in an order; equal rows stay in the order of the table. */
  arranged(query: string, { key, isDescending }: Order): number[] {
    const found = this.#find(query.trim().toLowerCase());
    const compare = this.#comparison(key);
    return found.sort(isDescending ? (a, b) => compare(b, a) || a - b : (a, b) => compare(a, b) || a - b);
  }

  /** Returns the rows with most matches, `count` at most. */
  top(count: number): number[] {
    const found: number[] = [];
    for (const index of this.#present) {
      const matches = this.matches(index);
      if (found.length === count && matches <= this.matches(found[count - 1] as number)) continue;
      let at = found.length;
      while (at > 0 && this.matches(found[at - 1] as number) < matches) at--;
      found.splice(at, 0, index);
      if (found.length > count) found.pop();
    }
    return found;
  }

  #find(query: string): number[] {
    if (query === "") return [...this.#present];
    this.#lowered ??= this.rows.map(([value]) => value.toLowerCase());
    const lowered = this.#lowered;
    return this.#present.filter((index) => (lowered[index] as string).includes(query));
  }

  #comparison(key: SortKey): (a: number, b: number) => number {
    if (key === "matches") return (a, b) => this.matches(a) - this.matches(b);
    if (key === "messages") return (a, b) => this.messages(a) - this.messages(b);
    const textOf = (index: number): string => (this.rows[index] as Row)[key === "value" ? 0 : key === "first" ? 1 : 2] ?? "";
    if (key === "value" || this.#span === null) return (a, b) => compareTexts(textOf(a), textOf(b));
    const monthOf = (index: number): number => this.edges(index)?.[key === "first" ? "from" : "to"] ?? -1;
    return (a, b) => monthOf(a) - monthOf(b);
  }
}
