// The state that the parts of the view show.
import type { Summary, SummaryTable, TableName } from "../../summary/summary.ts";
import type { Span } from "./cells.ts";
import { button, type Child } from "./dom.ts";
import type { Choice, Narrowed } from "./narrow.ts";
import { Ranking } from "./ranking.ts";

export interface State extends Omit<Narrowed, "indexes"> {
  readonly whole: Summary;
  readonly choices: readonly Choice[];
  /** Whether the user wants links to pages alone; null: the user has not said. */
  readonly wantsLinks: boolean | null;
  /** Whether links are shown alone until the user says otherwise: the run is over, and serious signs prevail. */
  readonly linksAtFirst: boolean;
  /** Whether URLs that are no links to pages are left out: as the user wants, or at first. */
  readonly isOfLinks: boolean;
  /** Whether `summary` is made from combinations. */
  readonly isCombined: boolean;
  /** Indexes of the combinations in `summary`; undefined for all. */
  readonly indexes: readonly number[] | undefined;
  /** Chooses a value; if it is chosen already, takes the choice back. */
  readonly choose: (choice: Choice) => void;
  /** The chosen months; null for all. */
  readonly span: Span | null;
  readonly isDefanged: boolean;
}

const rankings = new WeakMap<SummaryTable, { readonly span: Span | null; readonly ranking: Ranking }>();

export function rankingOf({ summary, span }: State, name: TableName): Ranking {
  const table = summary.tables[name];
  const known = rankings.get(table);
  if (known?.span === span) return known.ranking;
  const ranking = new Ranking(table, span);
  rankings.set(table, { span, ranking });
  return ranking;
}

export const NOUNS: Readonly<Record<TableName, string>> = {
  scheme: "scheme",
  kind: "form",
  where: "place",
  flag: "sign",
  host: "host",
  domain: "domain",
  url: "URL",
  from_address: "sender",
  list_id: "list",
  source: "source",
  redirect: "redirector",
};

/** Returns the key of a choice. The buttons of the choice have it as an attribute. */
export function keyOf({ name, value }: Choice): string {
  return `${name} ${value}`;
}

export function isChosen({ choices }: State, choice: Choice): boolean {
  return choices.some((one) => keyOf(one) === keyOf(choice));
}

/** Returns a button that chooses a value, or takes its choice back. */
export function choiceButton(state: State, choice: Choice, ...children: Child[]): HTMLButtonElement {
  const pressed = isChosen(state, choice);
  const title = pressed ? "Show all again" : `Show only this ${NOUNS[choice.name]}`;
  const attributes = { class: "choice", "aria-pressed": String(pressed), title, "data-choice": keyOf(choice) };
  return button(attributes, () => state.choose(choice), ...children);
}

/** A part of the view. It keeps the user's settings, such as an order or a page, when it shows another state. */
export interface ViewPart {
  readonly node: HTMLElement;
  show(state: State): void;
}

export function partOf(node: HTMLElement, childrenOf: (state: State) => readonly Child[]): ViewPart {
  return { node, show: (state) => node.replaceChildren(...childrenOf(state)) };
}
