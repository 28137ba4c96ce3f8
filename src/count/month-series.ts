// Matches by month of the most frequent values of a field, for a time line.
import { viewOf } from "../base/arrays.ts";
import type { KeyField } from "../options/fields.ts";
import { otherPrefix } from "./arranged.ts";
import { COLUMNS, NO_MATCHES, TOTAL } from "./count-rows.ts";
import { eachRow, GroupTable } from "./group-table.ts";
import { endOfValues, valuesOf } from "./key-fields.ts";
import type { SpillSettings } from "./spill.ts";

const SERIES_MOST = 4; // Most values with a series of their own. The other values share one series.
const MONTH: readonly KeyField[] = ["month"];

/** The counts of a value, or of all values without a series of their own. */
interface MonthSeries {
  readonly name: string;
  readonly total: number;
  /** By the index in `months`. */
  readonly matches: ReadonlyMap<number, number>;
}

/** The series with matches, and the months with matches in order. */
export interface SeriesByMonth {
  readonly months: readonly string[];
  readonly series: readonly MonthSeries[];
  readonly undated: number;
}

/**
 * Returns the series of a table whose keys are a month, or a month and the value of `field`; `ofMessages`: of keys that are a month, the
 * messages with a match, and the others of the total. Yields where the caller may pause.
 */
export function* seriesByMonth(
  table: GroupTable,
  settings: SpillSettings,
  field: KeyField | undefined,
  ofMessages: boolean,
): Generator<undefined, SeriesByMonth> {
  const alone = field === undefined ? [] : yield* frequentValues(table, settings, field);
  const ofField = field === undefined ? ["URLs"] : [...alone.map((value) => value ?? `no ${field}`), "others"];
  const names = ofMessages ? ["with a URL", "without one"] : ofField;
  const series = names.map((name) => ({ name, total: 0, matches: new Map<number, number>() }));
  const months: string[] = [];
  const isOther = otherPrefix(MONTH);
  let undated = 0;
  yield* table.eachByKey((row) => {
    const [month, value] = valuesOf(row.bytes, row.keyStart, field === undefined ? MONTH : [...MONTH, field]);
    const found = row.number(ofMessages ? COLUMNS.messages : COLUMNS.count);
    const others = ofMessages ? row.number(TOTAL) - found : 0;
    if (month === undefined) {
      undated += found + others;
      return;
    }
    if (isOther(row)) months.push(month);
    const index = ofMessages ? 0 : alone.indexOf(value);
    for (const [one, count] of [[series.at(index), found] as const, [series.at(-1), others] as const]) {
      const at = months.length - 1;
      if (one === undefined || count === 0) continue;
      one.matches.set(at, (one.matches.get(at) ?? 0) + count);
      one.total += count;
    }
  });
  return { months, series: series.filter(({ total }) => total > 0), undated };
}

/** Returns the values that have a series of their own: those with the most matches with a date. */
function* frequentValues(
  table: GroupTable,
  settings: SpillSettings,
  field: KeyField,
): Generator<undefined, readonly (string | undefined)[]> {
  const totals = new GroupTable(settings);
  yield* table.eachByKey((row) => {
    const start = endOfValues(row.bytes, row.keyStart, MONTH);
    const isDated = valuesOf(row.bytes, row.keyStart, MONTH)[0] !== undefined;
    if (isDated) totals.add(viewOf(row.bytes), start, row.keyEnd, { ...NO_MATCHES, count: row.number(COLUMNS.count) });
  });
  const values: (string | undefined)[] = [];
  const largest = totals.sorted([COLUMNS.count], SERIES_MOST + 2);
  yield* eachRow(largest, (row) => void values.push(valuesOf(row.bytes, row.keyStart, [field])[0]));
  // A single further value has a series of its own too.
  return values.length <= SERIES_MOST + 1 ? values : values.slice(0, SERIES_MOST);
}
