// Narrows a summary to the matches with chosen values. The combinations of the summary say which values these matches have.
import { grown } from "../../base/arrays.ts";
import type { Combinations, Example, MessageExample, Row, Summary, SummaryTable, TableName } from "../../summary/summary.ts";
import { FORGOTTEN, JOINT, NO_VALUE, TABLES } from "../../summary/summary.ts";
import { eachMonth, sumsIn, totalOf } from "./cells.ts";
import { sortedBy } from "./ranking.ts";
import { UNKNOWN_MONTH } from "./words.ts";

/** A value of a table that matches must have. */
export interface Choice {
  readonly name: TableName;
  readonly value: string;
}

export interface Narrowed {
  /** The summary of the matches with the chosen values, in all months. */
  readonly summary: Summary;
  /** Further matches that may have the values: it is unknown whether they do. */
  readonly more: number;
  /** Whether messages are counted: only if a single value is chosen that has a row, and URLs that are no links are not left out. */
  readonly hasMessages: boolean;
  /** Indexes of the combinations of these matches. */
  readonly indexes: readonly number[];
}

/** Schemes and the flag of URLs that are no links to pages: parts of the message, mail addresses, names, vocabularies. */
export const OTHER_SCHEMES: readonly string[] = ["cid", "mid", "mailto", "urn"];
const OTHER_FLAG = "namespace";

/**
 * Returns the summary of the matches with all chosen values; `isOfLinks`: without URLs that are no links to pages. The `bound` of a table
 * counts matches that its rows may lack: matches that may have the chosen values, matches that have lost their value in the table, and if
 * months are chosen too (`isInSpan`), matches that have lost their month. The tables count the messages of those values of which no match
 * is left out.
 */
export function narrowed(
  summary: Summary,
  { choices, isOfLinks }: { readonly choices: readonly Choice[]; readonly isOfLinks: boolean },
  isInSpan: boolean,
): Narrowed {
  const { combinations, months, totals } = summary;
  const { indexes, undecided } = combinationsWith(combinations, choices, isOfLinks);
  const sums = new Float64Array(months.length + 1);
  for (const index of indexes) sums[monthAt(combinations, index, months.length)] += combinations.matches[index];
  const rows = choices.map(({ name, value }) => {
    const isOf = ([one]: Row): boolean => one === value;
    return summary.tables[name].rows.find(isOf) ?? summary.tables[name].month_rows.find(isOf);
  });
  const only = rows.length === 1 && !isOfLinks ? rows[0] : undefined;
  const cells = only?.[3] ?? Array.from(sums).flatMap((matches, month) => (matches === 0 ? [] : [month, matches, 0]));
  const combined = totalOf(sums);
  const mostOf = (row: Row | undefined, at: number): number =>
    row === undefined ? Number.POSITIVE_INFINITY : sumsIn(row[3], null).matches + summary.tables[choices[at].name].bound;
  const lost = undecided + totals.matches - totalOf(combinations.matches);
  const uncounted = Math.max(0, Math.min(lost, ...rows.map((row, at) => mostOf(row, at) - combined)));
  // Per month: matches in no combination. They have lost all their values.
  const rest = sums.map((matches) => -matches);
  eachMonth(cells, (month, matches) => {
    rest[month] += matches;
  });
  const bound = uncounted + (isInSpan ? sums[months.length] : 0);
  const tables = madeWhenRead((name) => tableOf(summary, name, indexes, rest, bound));
  const matches = sumsIn(cells, null).matches;
  const dates = only === undefined ? datesOf(cells, months) : { first: only[1], last: only[2] };
  const distinct = { urls: tables.url.distinct, hosts: tables.host.distinct, domains: tables.domain.distinct };
  return {
    summary: {
      ...summary,
      months: [...months, UNKNOWN_MONTH],
      cells,
      tables,
      totals: { ...totals, matches, ...distinct, ...dates },
      flags: summary.flags.flatMap((flag) => narrowedFlag(flag, tables.flag, choices)),
      messages: summary.messages.filter((message) => choices.every(({ name, value }) => OF_MESSAGE[name]?.(message, value))),
    },
    more: only === undefined ? uncounted : summary.tables[choices[0].name].bound,
    hasMessages: only !== undefined,
    indexes,
  };
}

/** Returns the combinations with all chosen values, by month, those without a month last; `undecided`: matches that may have the values. */
function combinationsWith(
  { values, columns, months, matches }: Combinations,
  choices: readonly Choice[],
  isOfLinks: boolean,
): { indexes: readonly number[]; undecided: number } {
  const isOther = values.scheme.map((scheme) => OTHER_SCHEMES.includes(scheme));
  const isNamed = values.flag.map((flags) => flags.split(JOINT).includes(OTHER_FLAG));
  const wanted = choices.map(({ name, value }) => ({
    column: columns[name],
    has: values[name].map(SEVERAL.has(name) ? (one) => one.split(JOINT).includes(value) : (one) => one === value),
  }));
  const [dated, timeless]: [number[], number[]] = [[], []];
  let undecided = 0;
  for (let index = 0; index < matches.length; index++) {
    const isPossible = wanted.every(({ column, has }) => column[index] === FORGOTTEN || (column[index] !== NO_VALUE && has[column[index]]));
    if (!isPossible || (isOfLinks && (isOther[columns.scheme[index]] || isNamed[columns.flag[index]]))) continue;
    if (wanted.some(({ column }) => column[index] === FORGOTTEN)) undecided += matches[index];
    else (months[index] < 0 ? timeless : dated).push(index);
  }
  return { indexes: dated.concat(timeless), undecided };
}

/** Returns the index of the month of a combination, or `unknown` if the month was forgotten. */
function monthAt({ months }: Combinations, index: number, unknown: number): number {
  return months[index] < 0 ? unknown : months[index];
}

/** Returns tables that are made when they are first read, because the visible parts need few of them. */
function madeWhenRead(make: (name: TableName) => SummaryTable): Summary["tables"] {
  const tables = {} as Record<TableName, SummaryTable>;
  for (const name of TABLES) {
    let table: SummaryTable | undefined;
    const get = (): SummaryTable => {
      table ??= make(name);
      return table;
    };
    Object.defineProperty(tables, name, { enumerable: true, get });
  }
  return tables;
}

/**
 * Returns a table of the values in the combinations with `indexes`. `rest`: by month, the matches in no combination. `bound`: matches that
 * may have any value. The rows too are made when they are first read.
 */
function tableOf(
  { combinations, months, tables }: Summary,
  name: TableName,
  indexes: readonly number[],
  rest: Float64Array,
  bound: number,
): SummaryTable {
  const { matches } = combinations;
  const column = combinations.columns[name];
  const { names, parts } = partsOf(combinations, name);
  const cells = new ValueCells(names.length, indexes.length);
  const left = rest.slice();
  let forgotten = 0;
  for (const index of indexes) {
    const month = monthAt(combinations, index, months.length);
    const value = column[index];
    if (value === FORGOTTEN) forgotten += matches[index];
    if (value < 0) left[month] += matches[index];
    else if (parts === undefined) cells.add(value, month, matches[index]);
    else for (const part of parts[value]) cells.add(part, month, matches[index]);
  }
  let rows: Row[] | undefined;
  return {
    distinct: cells.distinct,
    distinct_by_month: cells.distinctByMonth(months.length + 1),
    bound: bound + forgotten,
    get rows() {
      rows ??= withWholeRows(cells.rows(names, months), tables[name]);
      return rows;
    },
    rest: Array.from(left).flatMap((count, at) => (count === 0 ? [] : [at, count, 0])),
    month_rows: [],
  };
}

/** Returns rows of which those that have all matches of their value are the rows of the whole table, which count messages. */
function withWholeRows(rows: Row[], whole: SummaryTable): Row[] {
  if (whole.bound > 0) return rows;
  const known = new Map(whole.rows.map((row) => [row[0], row]));
  return rows.map((row) => {
    const same = known.get(row[0]);
    return same !== undefined && sumsIn(same[3], null).matches === sumsIn(row[3], null).matches ? same : row;
  });
}

const NO_CELL = -1;

/** The matches of values by month: a linked list of cells for each value. Typed arrays, because a click may count 100,000 values. */
class ValueCells {
  /** By value: its matches; its last cell, or NO_CELL. */
  readonly #totals: Float64Array;
  readonly #last: Int32Array;
  /** By cell: the index of its month; its matches; the cell of the same value before it, or NO_CELL. */
  #months: Int32Array<ArrayBuffer>;
  #matches: Float64Array<ArrayBuffer>;
  #before: Int32Array<ArrayBuffer>;
  #count = 0;
  distinct = 0;

  /** Values are numbers below `size`. `room`: initial capacity in cells. */
  constructor(size: number, room: number) {
    this.#totals = new Float64Array(size);
    this.#last = new Int32Array(size).fill(NO_CELL);
    this.#months = new Int32Array(room);
    this.#matches = new Float64Array(room);
    this.#before = new Int32Array(room);
  }

  /** Adds matches to a value. The months of a value come in ascending order. */
  add(value: number, month: number, matches: number): void {
    const last = this.#last[value];
    this.#totals[value] += matches;
    if (last !== NO_CELL && this.#months[last] === month) {
      this.#matches[last] += matches;
      return;
    }
    if (this.#count === this.#months.length) this.#grow();
    if (last === NO_CELL) this.distinct++;
    this.#months[this.#count] = month;
    this.#matches[this.#count] = matches;
    this.#before[this.#count] = last;
    this.#last[value] = this.#count++;
  }

  #grow(): void {
    const room = 2 * this.#count + 1;
    this.#months = grown(this.#months, room);
    this.#matches = grown(this.#matches, room);
    this.#before = grown(this.#before, room);
  }

  distinctByMonth(count: number): number[] {
    const distinct = new Array<number>(count).fill(0);
    for (let cell = 0; cell < this.#count; cell++) distinct[this.#months[cell]]++;
    return distinct;
  }

  /** Returns the rows of the values, those with most matches first. */
  rows(names: readonly string[], months: Summary["months"]): Row[] {
    const found: number[] = [];
    this.#last.forEach((last, value) => {
      if (last !== NO_CELL) found.push(value);
    });
    return Array.from(sortedBy(found, this.#totals, -1), (value): Row => {
      const cells = this.#cellsOf(value);
      const { first, last } = datesOf(cells, months);
      return [names[value], first, last, cells];
    });
  }

  #cellsOf(value: number): number[] {
    const last = this.#last[value];
    if (this.#before[last] === NO_CELL) return [this.#months[last], this.#matches[last], 0];
    const cells: number[] = [];
    for (let cell = last; cell !== NO_CELL; cell = this.#before[cell]) cells.push(0, this.#matches[cell], this.#months[cell]);
    return cells.reverse();
  }
}

/** Tables in which a match may have several values. */
const SEVERAL: ReadonlySet<TableName> = new Set(["flag", "redirect"]);

/** The names of a column's single values. `parts`: for each value of the column, the indexes of its names; absent: one name each. */
interface Parts {
  readonly names: readonly string[];
  readonly parts?: readonly (readonly number[])[];
}

const knownParts = new WeakMap<readonly string[], Parts>();

function partsOf({ values }: Combinations, name: TableName): Parts {
  if (!SEVERAL.has(name)) return { names: values[name] };
  const known = knownParts.get(values[name]);
  if (known !== undefined) return known;
  const numbers = new Map<string, number>();
  const numberOf = (value: string): number => {
    const number = numbers.get(value) ?? numbers.size;
    numbers.set(value, number);
    return number;
  };
  const parts = values[name].map((value) => [...new Set(value.split(JOINT))].map(numberOf));
  const made = { names: [...numbers.keys()], parts };
  knownParts.set(values[name], made);
  return made;
}

/** Returns the names of the first and the last month of cells; null if none is known. */
function datesOf(cells: readonly number[], months: Summary["months"]): { first: string | null; last: string | null } {
  let [first, last]: (string | null)[] = [null, null];
  for (let at = 0; at < cells.length; at += 3) {
    const month = months[cells[at]] ?? null;
    first ??= month;
    last = month ?? last;
  }
  return { first, last };
}

/** Returns a flag with its matches in a narrowed table, and its examples known to have the chosen values; nothing if it has no match. */
function narrowedFlag({ flag, examples }: Summary["flags"][number], { rows }: SummaryTable, choices: readonly Choice[]): Summary["flags"] {
  const row = rows.find(([one]) => one === flag);
  if (row === undefined) return [];
  const known = examples.filter((example) => choices.every((choice) => hasValue(example, flag, choice)));
  return [{ flag, count: sumsIn(row[3], null).matches, examples: known }];
}

const SCHEME_AND_HOST = /^([a-z][a-z0-9+.-]*):(?:\/\/(?:[^/?#]*@)?(\[[^\]]*\]?|[^/?#:]*))?/i;

/** Returns the host of a URL; empty if it has none. */
export function hostOfUrl(url: string): string {
  return SCHEME_AND_HOST.exec(url)?.[2] ?? "";
}

/** The tables of which a message says its values, and whether it has one. */
export const OF_MESSAGE: Readonly<Partial<Record<TableName, (message: MessageExample, value: string) => boolean>>> = {
  flag: ({ flags }, value) => flags.includes(value),
  source: ({ source }, value) => source === value,
  from_address: ({ from_address }, value) => from_address === value,
  host: ({ hosts }, value) => hosts.includes(value),
  domain: ({ hosts }, value) => hosts.some((host) => isOfDomain(host, value)),
};

function isOfDomain(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Returns whether an example of a flag is known to have a value. */
function hasValue({ url, source }: Example, flag: string, { name, value }: Choice): boolean {
  const [, scheme, host = ""] = SCHEME_AND_HOST.exec(url ?? "") ?? [];
  const known: Partial<Record<TableName, string | null>> = { flag, source, url, scheme: scheme ?? null, host };
  return name === "domain" ? isOfDomain(host, value) : known[name] === value;
}
