// The state that the parts of the view show.
import type { Summary, TableName } from "../../summary/summary.ts";
import type { Span } from "./cells.ts";
import { Ranking } from "./ranking.ts";

/** The current view. */
export interface State {
  readonly summary: Summary;
  /** The chosen months; null for all. */
  readonly span: Span | null;
  /** Whether URLs and hosts are shown and copied in defanged form. */
  readonly isDefanged: boolean;
  /** Rankings of the tables in these months, made on first use. */
  readonly rankings: Map<TableName, Ranking>;
}

/** Returns the ranking of a table. */
export function rankingOf({ summary, span, rankings }: State, name: TableName): Ranking {
  const known = rankings.get(name);
  if (known !== undefined) return known;
  const ranking = new Ranking(summary.tables[name], span);
  rankings.set(name, ranking);
  return ranking;
}

/** A part of the view. It keeps the user's settings, such as an order or a page, when it shows another state. */
export interface Part {
  readonly node: HTMLElement;
  show(state: State): void;
}
