// From what was counted to the summary that is shown.
import * as mail from "#core/layout/mail.js";
import { FLAGS, PACKAGE_VERSION, REASONS, RULES_VERSION, UNICODE_VERSION } from "../core/names.ts";
import { OMISSION_REASONS } from "../omission.ts";
import type { ScanCounts } from "../scanner/scan.ts";
import { hiddenOrNull } from "./hidden.ts";
import { type MonthCell, monthText } from "./month-cells.ts";
import { dateOf, shownTable, textOf } from "./shown-table.ts";
import type { Counted } from "./summarizer.ts";
import { type Cells, type Summary, type SummaryRun, type SummaryTable, TABLES, type TableName } from "./summary.ts";
import type { ValueTable } from "./value-table.ts";

/** Rows of a table, if nobody says how many. */
export const ROWS_MOST = 1000;

/** What a run counts beside its matches. */
export interface RunCounts extends ScanCounts {
  readonly sources: number;
  readonly skipped: number;
}

/** Returns the summary of a run; `most`: rows of a table. */
export function makeSummary(counted: Counted, counts: RunCounts, run: SummaryRun, most = ROWS_MOST): Summary {
  const months = Array.from(counted.cells, ([month]) => month).sort((one, other) => one - other);
  const indexes = new Map(months.map((month, index) => [month, index]));
  const cellsOf = (cells: Iterable<MonthCell>): Cells => packedCells(cells, indexes);
  const tables = Object.fromEntries(TABLES.map((name) => [name, shownTable(counted.tables[name], most, { months, cellsOf })]));
  const { flags, rejected } = counted;
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
      first: dateOf(counted.first),
      last: dateOf(counted.last),
    },
    months: months.map(monthText),
    cells: cellsOf(counted.cells),
    tables: tables as Record<TableName, SummaryTable>,
    flags: FLAGS.map((flag) => ({ flag, count: matchesOf(counted.tables.flag, flag), examples: flags.of(flag) })).filter(isCounted),
    rejected: REASONS.map((reason, index) => ({ reason, count: counts.rejected[index] ?? 0, examples: rejected.of(reason) })).filter(
      (one) => one.reason !== "" && isCounted(one),
    ),
    left_out: OMISSION_REASONS.flatMap((reason) => {
      const omitted = counts.omitted[reason];
      if (omitted === undefined) return [];
      const { source = "-", start = null, message_id } = omitted.first;
      return [{ reason, count: omitted.count, source, start, message_id: hiddenOrNull(message_id) }];
    }),
  };
}

function isCounted({ count }: { readonly count: number }): boolean {
  return count > 0;
}

function matchesOf(table: ValueTable, value: string): number {
  let sum = 0;
  for (const row of table.rows()) {
    if (textOf(row) !== value) continue;
    table.visitCells(({ matches }) => {
      sum += matches;
    });
  }
  return sum;
}

function packedCells(cells: Iterable<MonthCell>, indexes: ReadonlyMap<number, number>): Cells {
  const inOrder = Array.from(cells).sort(([one], [other]) => one - other);
  const packed: number[] = [];
  for (const [month, matches, messages] of inOrder) if (matches > 0) packed.push(indexes.get(month) as number, matches, messages);
  return packed;
}
