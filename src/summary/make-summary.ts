// Makes the summary of the counts of a run.
import * as mail from "#core/layout/mail.js";
import { OMISSION_REASONS } from "../base/omission.ts";
import { FLAGS, PACKAGE_VERSION, REASON_NAMES, RULES_VERSION, UNICODE_VERSION } from "../core/names.ts";
import type { ScanCounts } from "../scan/scan.ts";
import { shownCombinations } from "./combinations.ts";
import { hiddenOrNull } from "./hidden.ts";
import { type MonthOrder, MonthSums, monthText } from "./month-cells.ts";
import { dateOf, shownTable } from "./shown-table.ts";
import type { Counted } from "./summarizer.ts";
import { type Summary, type SummaryRun, type SummaryTable, TABLES, type TableName } from "./summary.ts";
import type { ValueTable } from "./value-table.ts";

/** Most rows of a table by default, without the rows of single months (`month_rows`). */
export const ROWS_MOST = 1000;
const [OF_ROW, COMBINATIONS_MOST] = [50, 100_000]; // Most combinations: for each of the most rows of a table, and in all

/** Sums of a run that the scans count, not the summarizer. */
interface RunCounts extends ScanCounts {
  /** Sources that were read. */
  readonly sources: number;
  /** Sources that were not read to the end. */
  readonly skipped: number;
}

/** Returns the summary of a run; `most`: most rows of a table. Yields where the caller may pause, but not count. */
export function* makeSummary(counted: Counted, counts: RunCounts, run: SummaryRun, most = ROWS_MOST): Generator<undefined, Summary> {
  const sums = new MonthSums();
  // Each message has one source.
  yield* counted.tables.source.eachCell((_, cell) => sums.add(cell));
  const months = sums.months();
  const order: MonthOrder = { months, indexes: new Map(months.map((month, index) => [month, index])) };
  const tables: Partial<Record<TableName, SummaryTable>> = {};
  for (const name of TABLES) tables[name] = yield* shownTable(counted.tables[name], most, order);
  const combinations = yield* shownCombinations(counted.tables.combination, Math.min(OF_ROW * most, COMBINATIONS_MOST), order);
  const { flags, rejected } = counted;
  const matches = matchesByValue(counted.tables.flag);
  const archive = (counter: number): number => counts.archive[counter] ?? 0;
  return {
    version: 1,
    urlmill: PACKAGE_VERSION,
    rules: RULES_VERSION,
    unicode: UNICODE_VERSION,
    run,
    totals: {
      bytes: counts.bytes,
      sources: counts.sources,
      messages: archive(mail.COUNT_MESSAGES),
      matches: counts.matches,
      filtered: counts.filtered,
      filtered_undated: counts.undated,
      urls: counted.tables.url.count,
      hosts: counted.tables.host.count,
      domains: counted.tables.domain.count,
      skipped: counts.skipped,
      doubtful: archive(mail.COUNT_DOUBTFUL),
      parts_skipped: archive(mail.COUNT_PARTS_SKIPPED),
      bytes_skipped: archive(mail.COUNT_BYTES_SKIPPED),
      first: dateOf(sums.first),
      last: dateOf(sums.last),
    },
    months: months.map(monthText),
    cells: sums.cellsIn(order),
    days: [...counted.days].sort(([one], [other]) => one - other).flat(),
    tables: tables as Record<TableName, SummaryTable>,
    combinations,
    flags: FLAGS.map((flag) => ({ flag, count: matches.get(flag) ?? 0, examples: flags.of(flag) })).filter(isCounted),
    messages: [...counted.messages.list],
    rejected: REASON_NAMES.map((reason, index) => ({ reason, count: counts.rejected[index] ?? 0, examples: rejected.of(reason) })).filter(
      (one) => one.reason !== "" && isCounted(one),
    ),
    left_out: OMISSION_REASONS.flatMap((reason) => {
      const omitted = counts.omitted[reason];
      if (omitted === undefined) return [];
      const { count, first, types = {} } = omitted;
      const { source = "-", start = null, message_id } = first;
      return [{ reason, count, source, start, message_id: hiddenOrNull(message_id), types }];
    }),
  };
}

function isCounted({ count }: { readonly count: number }): boolean {
  return count > 0;
}

function matchesByValue(table: ValueTable): Map<string, number> {
  return new Map(
    Array.from(table.addresses(), (address) => {
      table.select(address);
      return [table.text(), table.matches];
    }),
  );
}
