// The hosts and senders that have most matches with a flag.
import { JOINT, type TableName } from "../../summary/summary.ts";
import { element } from "./dom.ts";
import { linkText, plainText } from "./link-text.ts";
import { choiceButton, type State } from "./state.ts";
import { number } from "./words.ts";

/** Values that are named. */
const NAMED = 5;
const TABLES_NAMED = [
  ["host", "Hosts"],
  ["from_address", "Senders"],
] as const;

/** Counts values by flag, from combinations. */
export class FlagCompany {
  /** By table, flag and number of the value: matches. */
  #counts: Record<(typeof TABLES_NAMED)[number][0], Map<string, Map<number, number>>> = { host: new Map(), from_address: new Map() };

  /** Takes the numbers of a state. */
  read({ whole, span, indexes }: State): void {
    const { values, columns, months, matches } = whole.combinations;
    const flags = values.flag.map((names) => names.split(JOINT));
    this.#counts = { host: new Map(), from_address: new Map() };
    for (const index of indexes ?? matches.keys()) {
      if (columns.flag[index] < 0 || (span !== null && (months[index] < span.from || months[index] > span.to))) continue;
      for (const flag of flags[columns.flag[index]]) {
        for (const [name] of TABLES_NAMED) {
          const value = columns[name][index];
          if (value < 0) continue;
          const counts = this.#counts[name].get(flag) ?? new Map<number, number>();
          this.#counts[name].set(flag, counts);
          counts.set(value, (counts.get(value) ?? 0) + matches[index]);
        }
      }
    }
  }

  /** Returns a line for each table that has a value with the flag. Its numbers are at least so high. */
  lines(flag: string, state: State): HTMLElement[] {
    return TABLES_NAMED.flatMap(([name, title]) => {
      const counts = [...(this.#counts[name].get(flag) ?? [])].sort(([, one], [, other]) => other - one);
      if (counts.length === 0) return [];
      const items = counts.slice(0, NAMED).map(([value, count]) => item(state, name, state.whole.combinations.values[name][value], count));
      const more = counts.length > NAMED ? [` and ${number(counts.length - NAMED)} more`] : [];
      return [element("p", { class: "company" }, `${title}: `, ...items, ...more)];
    });
  }
}

function item(state: State, name: TableName, value: string, count: number): HTMLElement {
  const shown = name === "host" ? linkText(value, state.isDefanged) : plainText(value);
  return element("span", {}, choiceButton(state, { name, value }, shown), ` ${number(count)}`);
}
