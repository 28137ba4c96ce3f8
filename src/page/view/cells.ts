// Sums the counts of a summary over months.
import type { Cells, Summary } from "../../summary/summary.ts";

/** A range of months: indexes into the months of a summary, both inclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** `Cells` have three numbers for each month: the month, matches, messages. */
const STRIDE = 3;

/** Returns the range of a span's months in `cells`, as `[begin, end)`. */
function bounds(cells: Cells, span: Span | null): readonly [begin: number, end: number] {
  if (span === null) return [0, cells.length];
  let begin = 0;
  while (begin < cells.length && cells[begin] < span.from) begin += STRIDE;
  let end = begin;
  while (end < cells.length && cells[end] <= span.to) end += STRIDE;
  return [begin, end];
}

/** Returns the matches and the messages in the months of a span; null is for all. */
export function sumsIn(cells: Cells, span: Span | null): { matches: number; messages: number } {
  const [begin, end] = bounds(cells, span);
  let [matches, messages] = [0, 0];
  for (let at = begin; at < end; at += STRIDE) {
    matches += cells[at + 1];
    messages += cells[at + 2];
  }
  return { matches, messages };
}

/** Returns the first and the last month of a span that have a match, as a span; undefined if none has. */
export function edgesIn(cells: Cells, span: Span | null): Span | undefined {
  const [begin, end] = bounds(cells, span);
  return begin === end ? undefined : { from: cells[begin], to: cells[end - STRIDE] };
}

export function eachMonth(cells: Cells, visit: (month: number, matches: number) => void): void {
  for (let at = 0; at < cells.length; at += STRIDE) visit(cells[at], cells[at + 1]);
}

export function isIn(span: Span | null, month: number): boolean {
  return span === null || (month >= span.from && month <= span.to);
}

export function totalOf(numbers: Iterable<number>): number {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
}

/** Returns whether a date is in the months of a span; all dates are in null. */
export function isWithin(date: string | null, months: Summary["months"], span: Span | null): boolean {
  if (span === null) return true;
  const [from, to] = [months[span.from] as string, months[span.to] as string];
  return date !== null && date.slice(0, 7) >= from && date.slice(0, 7) <= to;
}

/** Returns the span between two month names, in either order; null if the summary has no month between them. */
export function spanBetween({ months }: Summary, one: string, other: string): Span | null {
  const [first, last] = one <= other ? [one, other] : [other, one];
  let [from, to] = [-1, -1];
  months.forEach((month, index) => {
    if (month === null || month < first || month > last) return;
    if (from < 0) from = index;
    to = index;
  });
  return from < 0 ? null : { from, to };
}
