// What the parts of the view show.
import type { Summary } from "../../summary/summary.ts";
import type { Span } from "./cells.ts";

/** What is shown at the moment. */
export interface State {
  readonly summary: Summary;
  /** Months that everything is narrowed to; null is for all. */
  readonly span: Span | null;
  /** Whether URLs and hosts are shown and copied in a form that no program makes a link of. */
  readonly isDefanged: boolean;
}

/** A part of the view. It keeps what its user has set, such as an order or a page, when it shows another state. */
export interface Part {
  readonly node: HTMLElement;
  show(state: State): void;
}
