// The hosts and senders with the most matches that have a flag.
import { JOINT } from "../../summary/summary.ts";
import { element } from "./dom.ts";
import { valueText } from "./link-text.ts";
import { highest } from "./ranking.ts";
import { choiceButton, type State } from "./state.ts";
import { number } from "./words.ts";

/** Most values that are named in a line. */
const NAMED = 5;
const TABLES_NAMED = [
  ["host", "Hosts"],
  ["from_address", "Senders"],
] as const;

/** For each table: the matches of its values, by the index of the value. */
type Counts = Record<(typeof TABLES_NAMED)[number][0], Float64Array>;

/** Counts values by flag, from combinations. */
export class FlagCompany {
  readonly #counts = new Map<string, Counts>();

  read({ whole, span, indexes }: State): void {
    const { values, columns, months, matches } = whole.combinations;
    this.#counts.clear();
    const countsOf = (flag: string): Counts => {
      const known = this.#counts.get(flag);
      if (known !== undefined) return known;
      const counts = { host: new Float64Array(values.host.length), from_address: new Float64Array(values.from_address.length) };
      this.#counts.set(flag, counts);
      return counts;
    };
    const ofFlags: Counts[][] = [];
    const count = (index: number): void => {
      const flags = columns.flag[index];
      if (flags < 0 || (span !== null && (months[index] < span.from || months[index] > span.to))) return;
      ofFlags[flags] ??= values.flag[flags].split(JOINT).map(countsOf);
      for (const counts of ofFlags[flags]) {
        for (const [name] of TABLES_NAMED) if (columns[name][index] >= 0) counts[name][columns[name][index]] += matches[index];
      }
    };
    if (indexes !== undefined) indexes.forEach(count);
    else for (let index = 0; index < matches.length; index++) count(index);
  }

  /** Returns a line for each table that has a value with the flag. The numbers are lower bounds. */
  lines(flag: string, state: State): HTMLElement[] {
    return TABLES_NAMED.flatMap(([name, title]) => {
      const counts = this.#counts.get(flag)?.[name];
      const values: number[] = [];
      counts?.forEach((count, value) => {
        if (count > 0) values.push(value);
      });
      if (counts === undefined || values.length === 0) return [];
      const items = highest(values, NAMED, (index) => counts[index]).map((index, at) => {
        const value = state.whole.combinations.values[name][index];
        const shown = choiceButton(state, { name, value }, valueText(name, value, state.isDefanged));
        return element("span", {}, at === 0 ? "" : ", ", shown, ` ${number(counts[index])}`);
      });
      const more = values.length > NAMED ? [` and ${number(values.length - NAMED)} more`] : [];
      return [element("p", { class: "company" }, `${title}: `, ...items, ...more)];
    });
  }
}
