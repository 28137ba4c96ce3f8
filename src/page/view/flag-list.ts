// The flags of a run, what they mean, and examples of each.
import type { Example, Summary } from "../../summary/summary.ts";
import { isWithin, type Span, sumsIn, totalOf } from "./cells.ts";
import { element, setText } from "./dom.ts";
import { ExampleLists, exampleItem } from "./examples.ts";
import { FlagCompany } from "./flag-company.ts";
import { commandOf, listing } from "./listing-command.ts";
import { type Concern, FLAG_MEANINGS } from "./meanings-table.ts";
import { rowsIn } from "./ranking.ts";
import { choiceButton, type State, type ViewPart } from "./state.ts";
import { counted } from "./words.ts";

interface FoundFlag {
  readonly flag: string;
  readonly title: string;
  readonly text: string;
  readonly concern: Concern;
  readonly count: number;
  /** Messages with such a match; undefined if unknown, as in a summary that is made from combinations. */
  readonly messages: number | undefined;
}

const GROUPS: readonly (readonly [concern: Concern, title: string])[] = [
  ["dangerous", "Look twice before you open these"],
  ["unusual", "Unusual, often harmless"],
  ["damaged", "Perhaps not what the sender wrote"],
];

/** Signs that ordinary mail hardly has: the dangerous ones, and numbers as hosts, the most frequent sign of spam. */
export const SERIOUS: ReadonlyMap<string, string> = new Map(
  [...FLAG_MEANINGS].flatMap(([flag, { concern, title }]) => (concern === "dangerous" || flag === "numeric-host" ? [[flag, title]] : [])),
);

/**
 * Serious signs prevail if there is one for every twentieth URL, and ten at least. Spam has 12 for 100 URLs, mailing lists and
 * newsletters have less than one. A few URLs do not tell which of these an archive is.
 */
const [PREVAILING_SHARE, PREVAILING_LEAST] = [0.05, 10];

export function signsPrevail({ totals, tables }: Summary): boolean {
  const signs = totalOf(tables.flag.rows.map(([flag, , , cells]) => (SERIOUS.has(flag) ? sumsIn(cells, null).matches : 0)));
  return signs >= Math.max(PREVAILING_LEAST, PREVAILING_SHARE * totals.matches);
}

const NO_EXAMPLES = "None of the examples that were kept is known to be among these.";

/** Returns the flags that have a match in the months of a span, the most important first. */
export function foundFlags({ summary: { tables, flags }, span, isCombined }: State): FoundFlag[] {
  const sums = new Map(rowsIn(tables.flag, span).map(([flag, , , cells]) => [flag, sumsIn(cells, span)]));
  return [...FLAG_MEANINGS].flatMap(([flag, meaning]) => {
    const found = sums.get(flag);
    const count = (span === null ? flags.find((one) => one.flag === flag)?.count : found?.matches) ?? 0;
    return count === 0 ? [] : [{ flag, ...meaning, count, messages: isCombined && found?.messages === 0 ? undefined : found?.messages }];
  });
}

/** Returns whether all flags of the matches in a span are known. The table may have no row for a rare flag. */
export function knowsFlags({ tables: { flag } }: Summary, span: Span | null): boolean {
  return span === null || rowsIn(flag, span).length === flag.distinct;
}

export function idOfFlag(flag: string): string {
  return `flag-${flag}`;
}

export class FlagList implements ViewPart {
  readonly #groups = element("div");
  readonly #absent = element("p", { class: "rest" });
  readonly node = element("div", { class: "flags" }, this.#groups, this.#absent);
  readonly #examples = new ExampleLists();
  readonly #company = new FlagCompany();

  show(state: State): void {
    const { summary, span } = state;
    const found = foundFlags(state);
    this.#company.read(state);
    const groups = GROUPS.flatMap(([concern, title]) => {
      const items = found.filter((flag) => flag.concern === concern);
      if (items.length === 0) return [];
      return [element("h3", {}, title), ...items.map((flag) => this.#item(flag, state))];
    });
    this.#groups.replaceChildren(...groups);
    const names = new Set(found.map(({ flag }) => flag));
    const absent = [...FLAG_MEANINGS].flatMap(([flag, { title }]) => (names.has(flag) ? [] : [title]));
    const known = counted(summary.tables.flag.rows.length, "most frequent flag is", "most frequent flags are");
    if (!knowsFlags(summary, span)) setText(this.#absent, `Only the ${known} known of single months.`);
    else setText(this.#absent, absent.length === 0 ? "" : `Not found: ${absent.join(", ")}.`);
  }

  #item({ flag, title, text, concern, count, messages = 0 }: FoundFlag, state: State): HTMLElement {
    const { summary, span, choices, isCombined, isDefanged, isOfLinks } = state;
    const examples = examplesOf(summary, flag, span).map((example) => exampleItem(example, isDefanged));
    const name = element("h4", { id: idOfFlag(flag), tabindex: "-1" }, title, " ", element("code", {}, flag));
    const head = element(
      "div",
      { class: "head" },
      name,
      element("p", { class: "count" }, counted(count, "URL"), messages === 0 ? "" : ` in ${counted(messages, "message")}`),
      choiceButton(state, { name: "flag", value: flag }, "Only these"),
    );
    const item = element(
      "article",
      { class: concern },
      head,
      element("p", { class: "meaning" }, text),
      ...this.#company.lines(flag, state),
    );
    if (examples.length > 0) item.append(this.#examples.list(flag, examples));
    else if (span !== null || isCombined) item.append(element("p", { class: "facts" }, NO_EXAMPLES));
    const command = examples.length < count ? commandOf([flag], summary, span, choices, isOfLinks) : undefined;
    if (command !== undefined) item.append(listing(command));
    return item;
  }
}

function examplesOf({ flags, months }: Summary, flag: string, span: Span | null): readonly Example[] {
  const examples = flags.find((one) => one.flag === flag)?.examples ?? [];
  return examples.filter(({ date }) => isWithin(date, months, span));
}
