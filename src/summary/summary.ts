// The summary of a run as JSON, for the report, the page and the library. Most tables have the names of fields of records.
import type { KeyField } from "../options/fields.ts";

/** Fields that matches must have for a summary. */
export const SUMMARY_FIELDS: readonly KeyField[] = ["flags", "start", "where", "from_address", "subject", "list_id"];
/** Names of the tables of a summary. */
export const TABLES = [
  "scheme",
  "kind",
  "where",
  "flag",
  "host",
  "domain",
  "url",
  "from_address",
  "list_id",
  "source",
  "redirect",
] as const;
/** Name of a table. */
export type TableName = (typeof TABLES)[number];
/** Numbers in a combination for a missing value, and for a forgotten value. */
export const [NO_VALUE, FORGOTTEN] = [-1, -2];
/** Separates the flags of a match, and its steps from redirectors, in a value of a combination. */
export const JOINT = "\n";

/** All months before 1970 and after 2049 together: wrong clocks make many. */
export const OTHER_MONTHS = "other";

/** Counts of the matches of a run, by month and by value. Userinfo in it is `***`. */
export interface Summary {
  /** Version of this shape. */
  version: 1;
  /** Version of the package. */
  urlmill: string;
  /** Version of the rules. */
  rules: string;
  /** Version of Unicode. */
  unicode: string;
  run: SummaryRun;
  totals: SummaryTotals;
  /**
   * Months with matches, ascending: `1998-01`. After these `other`, if there are dates before 1970 or after 2049; the last one is null if
   * there are matches without a date.
   */
  months: (string | null)[];
  /** All matches, and the messages that hold them, by month. */
  cells: Cells;
  /** Pairs: a day of `months`, in days since 1970, ascending; its matches. */
  days: number[];
  tables: Record<TableName, SummaryTable>;
  combinations: Combinations;
  /** Flags of matches, each with its first examples. */
  flags: { flag: string; count: number; examples: Example[] }[];
  /**
   * Messages with signs of danger, up to 100: those with the most different signs first (`userinfo` and `reserved-port` count half), then
   * those with the most URLs that have one. Of messages with the same sender and subject there is one.
   */
  messages: MessageExample[];
  /** Reasons of refused candidates and URLs, each with its first examples. */
  rejected: { reason: string; count: number; examples: Example[] }[];
  /** Omissions by reason, with the location of the first of each; `types`: the number of attachments, by media type. */
  left_out: {
    reason: string;
    count: number;
    source: string;
    start: number | null;
    message_id: string | null;
    types: Record<string, number>;
  }[];
}

/** How a run was made. */
export interface SummaryRun {
  /** Time when the run started: RFC 3339 in UTC. */
  started: string;
  seconds: number;
  threads: number;
  /** The options that were given, by their names on the command line. */
  options: Record<string, unknown>;
  inputs: string[];
}

/** Sums over all sources. */
export interface SummaryTotals {
  bytes: number;
  /** Files, and members of archives, that were read. */
  sources: number;
  messages: number;
  matches: number;
  /** Matches that a filter dropped. */
  filtered: number;
  /** Matches that `--since` or `--until` dropped because their message has no date. Counted matches without a date have the month null. */
  filtered_undated: number;
  /** Different URLs; of a bounded table (`bound` above 0), the remaining ones. */
  urls: number;
  /** Different hosts, likewise. */
  hosts: number;
  /** Different registrable domains, likewise. */
  domains: number;
  /** Sources that were not read to the end. */
  skipped: number;
  /** Uncertain message boundaries. */
  doubtful: number;
  /** Body parts that were not read. */
  parts_skipped: number;
  /** Bytes of these parts. */
  bytes_skipped: number;
  /** Date of the earliest message with a match: RFC 3339 in UTC; null if none has a date. */
  first: string | null;
  /** Date of the latest one, likewise. */
  last: string | null;
}

/** How often each value of a field occurs. */
export interface SummaryTable {
  /** Different values; of a bounded table (`bound` above 0), the remaining ones. */
  distinct: number;
  /** Different values in each of `months`. A value may occur in several months. */
  distinct_by_month: number[];
  /** 0: every number is exact. Otherwise a value may have up to this many matches more than its row says. */
  bound: number;
  /** The most frequent values, by falling matches, then by their bytes. */
  rows: Row[];
  /** Matches without a value, and of values without a row. A message counts once for each of these values. */
  rest: Cells;
  /** Values without a row that are frequent in a month: up to 20 a month, fewer if there are many months. `rest` includes their matches. */
  month_rows: Row[];
}

/**
 * Values that occur together in a month: columns of equal length. If there are too many, the rarest ones have forgotten some of their
 * values, and the very rarest are missing: the numbers of a combination are never too high.
 */
export interface Combinations {
  /** The values of each column; JOINT separates several flags or redirectors of a match. */
  values: Record<TableName, string[]>;
  /** Indexes into `values`, NO_VALUE or FORGOTTEN. */
  columns: Record<TableName, number[]>;
  /** Indexes into `months` of the summary, or FORGOTTEN, ascending. */
  months: number[];
  matches: number[];
}

/** A value, the dates of the earliest and of the latest message with it, and its matches. */
export type Row = [value: string, first: string | null, last: string | null, cells: Cells];

/** Triples: the index of a month in `months`, ascending; matches; messages with one of these matches. */
export type Cells = number[];

/** One match or one refused candidate. */
export interface Example {
  url: string | null;
  /** As written in the text, with userinfo hidden; null for a rejected candidate with `userinfo: "redact"`. */
  raw: string | null;
  /** Text of the link (C218); null if there is none. */
  text: string | null;
  /** Name of the source; `-` if it has none. */
  source: string;
  /** Byte offset in the source. */
  start: number;
  message_id: string | null;
  date: string | null;
}

/** A message that has a URL with a sign of danger. */
export interface MessageExample {
  /** Name of the source; `-` if it has none. */
  source: string;
  /** Byte offset in the source of the first URL with a sign. */
  start: number;
  message_id: string | null;
  date: string | null;
  from_address: string | null;
  subject: string | null;
  /** Its URLs. */
  matches: number;
  /** Its URLs that have a sign. */
  signed: number;
  /** Its signs: flags. */
  flags: string[];
  /** The hosts of the first five URLs with a sign. */
  hosts: string[];
}
