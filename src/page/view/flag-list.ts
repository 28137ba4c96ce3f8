// The flags of a run, what they mean, and examples of each.
import type { Example, Summary } from "../../summary/summary.ts";
import { type Span, sumsIn } from "./cells.ts";
import { element, setText } from "./dom.ts";
import { ExampleLists } from "./examples.ts";
import { FlagCompany } from "./flag-company.ts";
import { copyButton, plainText } from "./link-text.ts";
import { commandOf } from "./listing-command.ts";
import { type Concern, FLAG_MEANINGS } from "./meanings-table.ts";
import { rowsIn } from "./ranking.ts";
import { choiceButton, type Part, type State } from "./state.ts";
import { counted, number } from "./words.ts";

/** A flag that some match has. */
interface FoundFlag {
  readonly flag: string;
  readonly title: string;
  readonly text: string;
  readonly concern: Concern;
  readonly count: number;
}

const GROUPS: readonly (readonly [concern: Concern, title: string])[] = [
  ["dangerous", "Look twice before you open these"],
  ["unusual", "Unusual, often harmless"],
  ["damaged", "Perhaps not what the sender wrote"],
];

const NO_EXAMPLES = "None of the examples that were kept is known to be among these.";

/** Returns the flags that have a match in the months of a span, the most important first. */
export function foundFlags({ tables, flags }: Summary, span: Span | null): FoundFlag[] {
  const counts = new Map(rowsIn(tables.flag, span).map(([flag, , , cells]) => [flag, sumsIn(cells, span).matches]));
  if (span === null) for (const { flag, count } of flags) counts.set(flag, count);
  return [...FLAG_MEANINGS].flatMap(([flag, meaning]) => {
    const count = counts.get(flag) ?? 0;
    return count === 0 ? [] : [{ flag, ...meaning, count }];
  });
}

/** Returns whether all flags of the matches in a span are known. The table may have no row for a rare flag. */
export function knowsFlags({ tables: { flag } }: Summary, span: Span | null): boolean {
  return span === null || rowsIn(flag, span).length === flag.distinct;
}

/** Returns the id of the element that explains a flag. */
export function idOfFlag(flag: string): string {
  return `flag-${flag}`;
}

/** The flags with their examples, the most important first. */
export class FlagList implements Part {
  readonly #groups = element("div");
  readonly #absent = element("p", { class: "rest" });
  readonly node = element("div", { class: "flags" }, this.#groups, this.#absent);
  readonly #examples = new ExampleLists();
  readonly #company = new FlagCompany();

  /** Shows a state. */
  show(state: State): void {
    const { summary, span } = state;
    const found = foundFlags(summary, span);
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

  #item({ flag, title, text, concern, count }: FoundFlag, state: State): HTMLElement {
    const { summary, span, choices, isCombined, isDefanged } = state;
    const examples = examplesOf(summary, flag, span);
    const name = element("h4", { id: idOfFlag(flag), tabindex: "-1" }, title, " ", element("code", {}, flag));
    const head = element(
      "div",
      { class: "head" },
      name,
      element("p", { class: "count" }, number(count)),
      choiceButton(state, { name: "flag", value: flag }, "Only these"),
    );
    const item = element(
      "article",
      { class: concern },
      head,
      element("p", { class: "meaning" }, text),
      ...this.#company.lines(flag, state),
    );
    if (examples.length > 0) item.append(this.#examples.list(flag, examples, isDefanged));
    else if (span !== null || isCombined) item.append(element("p", { class: "facts" }, NO_EXAMPLES));
    const command = examples.length < count ? commandOf(flag, summary, span, choices) : undefined;
    if (command !== undefined) item.append(listing(command));
    return item;
  }
}

/** Returns the line with the command that lists all matches with a flag. */
function listing(command: string): HTMLElement {
  return element(
    "p",
    { class: "facts listing" },
    "All are listed by ",
    element("code", {}, plainText(command)),
    copyButton(command, false),
  );
}

function examplesOf({ flags, months }: Summary, flag: string, span: Span | null): readonly Example[] {
  const examples = flags.find((one) => one.flag === flag)?.examples ?? [];
  if (span === null) return examples;
  const [from, to] = [months[span.from] as string, months[span.to] as string];
  return examples.filter(({ date }) => date !== null && date.slice(0, 7) >= from && date.slice(0, 7) <= to);
}
