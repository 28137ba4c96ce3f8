// Narrows a summary to the matches with chosen values. The combinations of the summary say which values these matches have.
import type { Cells, Combinations, Example, MessageExample, Row, Summary, SummaryTable, TableName } from "../../summary/summary.ts";
import { FORGOTTEN, JOINT, NO_VALUE, TABLES } from "../../summary/summary.ts";
import { eachMonth, sumsIn, totalOf } from "./cells.ts";
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
    has: values[name].map((one) => namesIn(name, one).includes(value)),
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
  for (const name of TABLES) Object.defineProperty(tables, name, { enumerable: true, get: once(() => make(name)) });
  return tables;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
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
  const { matches, columns, values } = combinations;
  const byName = new Map<string, Cells>();
  const cellsOf = (one: string): Cells => {
    const cells = byName.get(one) ?? [];
    byName.set(one, cells);
    return cells;
  };
  // A click may ask for few of 100,000 values: those with one name each get cells when they are met.
  const cellsOfValues: Cells[][] = hasSeveral(name) ? values[name].map((value) => namesIn(name, value).map(cellsOf)) : [];
  const left = rest.slice();
  const distinctByMonth = new Array<number>(months.length + 1).fill(0);
  let forgotten = 0;
  for (const index of indexes) {
    const month = monthAt(combinations, index, months.length);
    const value = columns[name][index];
    const count = matches[index];
    if (value === FORGOTTEN) forgotten += count;
    if (value < 0) left[month] += count;
    else {
      cellsOfValues[value] ??= [[]];
      for (const cells of cellsOfValues[value]) {
        // Combinations come by month, so that the months of a value ascend.
        if (cells.at(-3) === month) cells[cells.length - 2] += count;
        else {
          cells.push(month, count, 0);
          distinctByMonth[month]++;
        }
      }
    }
  }
  const named = hasSeveral(name) ? [...byName] : cellsOfValues.map(([cells], value) => [values[name][value], cells] as const);
  const found = named.filter(([, cells]) => cells.length > 0);
  const rows = once(() => rowsOf(found, months, tables[name]));
  return {
    distinct: found.length,
    distinct_by_month: distinctByMonth,
    bound: bound + forgotten,
    get rows() {
      return rows();
    },
    rest: Array.from(left).flatMap((count, at) => (count === 0 ? [] : [at, count, 0])),
    month_rows: [],
  };
}

/** Returns the rows of values, those with most matches first. A row with all matches of its value is that of `whole`, with its messages. */
function rowsOf(found: readonly (readonly [value: string, cells: Cells])[], months: Summary["months"], whole: SummaryTable): Row[] {
  const known = new Map(whole.bound > 0 ? [] : whole.rows.map((row) => [row[0], row]));
  const rows = found.map(([value, cells]) => ({ value, cells, ...sumsIn(cells, null) })).sort((one, other) => other.matches - one.matches);
  return rows.map(({ value, cells, matches }) => {
    const same = known.get(value);
    if (same !== undefined && sumsIn(same[3], null).matches === matches) return same;
    const { first, last } = datesOf(cells, months);
    return [value, first, last, cells];
  });
}

/** A match may have several flags and redirectors. */
function hasSeveral(name: TableName): boolean {
  return name === "flag" || name === "redirect";
}

/** Returns the single names in a value of a column. */
function namesIn(name: TableName, value: string): string[] {
  return hasSeveral(name) ? [...new Set(value.split(JOINT))] : [value];
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
