// Matches by month of the most frequent values of a field, for a time line.
import type { KeyField } from "../options/fields.ts";
import { Prefix, viewOf } from "./arranged.ts";
import { COLUMNS, GroupTable } from "./group-table.ts";
import { endOfValues, valuesOf } from "./key-fields.ts";
import type { SpillSettings } from "./spill-settings.ts";

/** Most values with a series of their own. The other values share one series. */
const SERIES_MOST = 4;
const MONTH: readonly KeyField[] = ["month"];

/** The counts of a value, or of all values without a series of their own. */
interface MonthSeries {
  readonly name: string;
  /** Sum of all months. */
  readonly total: number;
  /** By the index in `months`. */
  readonly matches: ReadonlyMap<number, number>;
}

/** The series with matches, and the months with matches in order. */
export interface SeriesByMonth {
  readonly months: readonly string[];
  readonly series: readonly MonthSeries[];
  /** Matches without a date. */
  readonly undated: number;
}

/** Returns the series of a table whose keys are a month, or a month and the value of `field`. Yields where the caller may pause. */
export function* seriesByMonth(
  table: GroupTable,
  settings: SpillSettings,
  field: KeyField | undefined,
): Generator<undefined, SeriesByMonth> {
  const alone = field === undefined ? [] : yield* frequentValues(table, settings, field);
  const names = field === undefined ? ["URLs"] : [...alone.map((value) => value ?? `no ${field}`), "others"];
  const series = names.map((name) => ({ name, total: 0, matches: new Map<number, number>() }));
  const months: string[] = [];
  const prefix = new Prefix(MONTH);
  let undated = 0;
  for (const row of table.byKey()) {
    if (row === undefined) {
      yield;
      continue;
    }
    const [month, value] = valuesOf(row.bytes, row.keyStart, field === undefined ? MONTH : [...MONTH, field]);
    const count = row.number(COLUMNS.count);
    if (month === undefined) {
      undated += count;
      continue;
    }
    if (prefix.isOther(row)) months.push(month);
    const index = alone.indexOf(value);
    const one = index < 0 ? series[series.length - 1] : series[index];
    const at = months.length - 1;
    one.matches.set(at, (one.matches.get(at) ?? 0) + count);
    one.total += count;
  }
  return { months, series: series.filter(({ total }) => total > 0), undated };
}

/** Returns the values that have a series of their own: those with the most matches with a date. */
function* frequentValues(
  table: GroupTable,
  settings: SpillSettings,
  field: KeyField,
): Generator<undefined, readonly (string | undefined)[]> {
  const totals = new GroupTable(settings);
  for (const row of table.byKey()) {
    if (row === undefined) {
      yield;
      continue;
    }
    const start = endOfValues(row.bytes, row.keyStart, MONTH);
    const isDated = valuesOf(row.bytes, row.keyStart, MONTH)[0] !== undefined;
    if (isDated) totals.add(viewOf(row), start, row.keyEnd, { count: row.number(COLUMNS.count), ...NO_MESSAGES });
  }
  const values: (string | undefined)[] = [];
  for (const row of totals.sorted({ numbers: [COLUMNS.count], most: SERIES_MOST + 2 })) {
    if (row === undefined) yield;
    else values.push(valuesOf(row.bytes, row.keyStart, [field])[0]);
  }
  // A single further value has a series of its own too.
  return values.length <= SERIES_MOST + 1 ? values : values.slice(0, SERIES_MOST);
}

const NO_MESSAGES = { messages: 0, serial: 0, first: Number.NaN, last: Number.NaN };
