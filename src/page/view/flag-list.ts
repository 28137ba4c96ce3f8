// The flags of a run, what they mean, and examples of each.
import { JOINT, type Summary } from "../../summary/summary.ts";
import { ExampleLists, exampleItem, valueText } from "./archive-text.ts";
import { isIn, isWithin, type Span, sumsIn, totalOf } from "./cells.ts";
import { element } from "./dom.ts";
import { commandOf, listing } from "./listing-command.ts";
import { type Concern, FLAG_MEANINGS, type Meaning } from "./meanings-table.ts";
import { rowsIn } from "./ranking.ts";
import { choiceButton, partOf, type State, type ViewPart } from "./state.ts";
import { counted, number } from "./words.ts";

interface FoundFlag extends Meaning {
  readonly flag: string;
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

export function flagList(): ViewPart {
  const lists = new ExampleLists();
  return partOf(element("div", { class: "flags" }), (state) => {
    const { summary, span } = state;
    const found = foundFlags(state);
    const company = companyOf(state);
    const groups = GROUPS.flatMap(([concern, title]) => {
      const items = found.filter((flag) => flag.concern === concern).map((flag) => flagItem(flag, state, company(flag.flag), lists));
      return items.length === 0 ? [] : [element("h3", {}, title), ...items];
    });
    const names = new Set(found.map(({ flag }) => flag));
    const absent = [...FLAG_MEANINGS].flatMap(([flag, { title }]) => (names.has(flag) ? [] : [title]));
    const known = counted(summary.tables.flag.rows.length, "most frequent flag is", "most frequent flags are");
    const notFound = absent.length === 0 ? "" : `Not found: ${absent.join(", ")}.`;
    const rest = knowsFlags(summary, span) ? notFound : `Only the ${known} known of single months.`;
    return [...groups, element("p", { class: "rest" }, rest)];
  });
}

function flagItem(found: FoundFlag, state: State, company: readonly HTMLElement[], lists: ExampleLists): HTMLElement {
  const { flag, title, text, concern, count, messages = 0 } = found;
  const { summary, span, choices, isCombined, isDefanged, isOfLinks } = state;
  const kept = summary.flags.find((one) => one.flag === flag)?.examples ?? [];
  const examples = kept.filter(({ date }) => isWithin(date, summary.months, span)).map((example) => exampleItem(example, isDefanged));
  const name = element("h4", { id: idOfFlag(flag), tabindex: "-1" }, title, " ", element("code", {}, flag));
  const counts = element("p", { class: "count" }, counted(count, "URL"), messages === 0 ? "" : ` in ${counted(messages, "message")}`);
  const head = element("div", { class: "head" }, name, counts, choiceButton(state, { name: "flag", value: flag }, "Only these"));
  const item = element("article", { class: concern }, head, element("p", { class: "meaning" }, text), ...company);
  item.append(...lists.list(flag, examples));
  if (examples.length === 0 && (span !== null || isCombined)) item.append(element("p", { class: "facts" }, NO_EXAMPLES));
  const command = examples.length < count ? commandOf([flag], summary, span, choices, isOfLinks) : undefined;
  if (command !== undefined) item.append(listing(command));
  return item;
}

// The hosts and senders with the most matches that have a flag.

const NAMED = 5;
const TABLES_NAMED = [
  ["host", "Hosts"],
  ["from_address", "Senders"],
] as const;

/** Returns a function that gives, for a flag, a line for each table that has a value with the flag. The numbers are lower bounds. */
function companyOf(state: State): (flag: string) => HTMLElement[] {
  const { whole, span, indexes, isDefanged } = state;
  const { values, columns, months, matches } = whole.combinations;
  const flagged = [...(indexes ?? matches.keys())].filter((index) => columns.flag[index] >= 0 && isIn(span, months[index]));
  return (flag) => {
    const hasFlag = values.flag.map((flags) => flags.split(JOINT).includes(flag));
    const ofFlag = flagged.filter((index) => hasFlag[columns.flag[index]]);
    return TABLES_NAMED.flatMap(([name, title]) => {
      const counts = new Map<number, number>();
      for (const index of ofFlag) {
        const at = columns[name][index];
        if (at >= 0) counts.set(at, (counts.get(at) ?? 0) + matches[index]);
      }
      if (counts.size === 0) return [];
      const sorted = [...counts].sort(([one, few], [other, many]) => many - few || one - other);
      const items = sorted.slice(0, NAMED).map(([at, count], index) => {
        const value = values[name][at];
        const shown = choiceButton(state, { name, value }, valueText(name, value, isDefanged));
        return element("span", {}, index === 0 ? "" : ", ", shown, ` ${number(count)}`);
      });
      const more = counts.size > NAMED ? [` and ${number(counts.size - NAMED)} more`] : [];
      return [element("p", { class: "company" }, `${title}: `, ...items, ...more)];
    });
  };
}
