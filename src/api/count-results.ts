// The output of `urlmill count`: rows of counts.
import type { RowOrder } from "../count/arranged.ts";
import { COLUMNS } from "../count/count-rows.ts";
import { Counter } from "../count/counter.ts";
import type { SeriesByMonth } from "../count/month-series.ts";
import { spillSettings } from "../count/spill.ts";
import { Pacer } from "../input/pacer.ts";
import type { KeyField } from "../options/fields.ts";
import type { OptionValues } from "../options/table.ts";
import { type CountColumnsOptions, type GroupRows, type GroupRowsOptions, groupRows } from "../output/group-rows.ts";
import type { GroupTextOptions } from "../output/group-text.ts";
import { before, type Result, type Sink } from "../output/sink.ts";
import { commandSettings, countedFields, distinctFields, keyFields, messageFields } from "../run/command-settings.ts";
import type { Results } from "./results.ts";

const ROWS_LENGTH = 1 << 16; // Characters of rows after which they are written
const ROWS_MOST = 1 << 12; // Most groups between two pauses

type Format = NonNullable<OptionValues["countFormat"]>;

/** Returns the picture of a time line; `what`: the field of its series, or an empty text. */
type Draw = (series: SeriesByMonth, what: string, share: OptionValues["share"]) => string;

/** Returns the output of `urlmill count`. `columns` is the width of the terminal; `draw` makes the picture of `--plot`. */
export async function countResults(options: OptionValues, format: Format = "tsv", columns?: number, draw?: Draw): Promise<Results> {
  const { header = true, csvSafe, share, memory, first, onlyQuoted, countPrint: print, messages: byMessages, dateFormat } = options;
  const by = keyFields(options);
  const spill = spillSettings(memory);
  const messagesBy = messageFields(options);
  const shown = (distinctFields(options) ?? first) && by;
  const counter = new Counter({ by: countedFields(options), onlyQuoted, shown, isOfFirst: first !== undefined, messagesBy }, spill);
  const begin = await rowsOf({ header, csvSafe, print, dateFormat, byMessages, columns, ...shownColumns(options) }, format);
  let picture = "";
  const open: Results["open"] = (sink, signal) => {
    const rows = begin(sink);
    const end = async (): Promise<void> => {
      const pacer = new Pacer(signal);
      if (draw !== undefined) picture = draw(await pacer.finish(counter.series(share === "messages")), by[1] ?? "", share);
      await writeGroups(counter, rows, options, sink, pacer);
      spill.file.close();
      await sink.end();
    };
    const write = (result: Result): void => {
      if (result.kind === "matches") counter.add(result);
      else if (result.kind === "messages") counter.addMessages(result.rows);
      else if (result.kind === "groups") counter.merge(result);
      else sink.write(result);
    };
    return before(sink, write, end);
  };
  return { settings: commandSettings("count", options), open, plot: draw && (() => picture) };
}

export function shownColumns(options: OptionValues): CountColumnsOptions & { readonly by: readonly KeyField[] } {
  const distinct = distinctFields(options);
  const unique = distinct !== undefined && distinct[0] !== "message_id";
  const by = [...keyFields(options), ...(options.first ?? [])];
  return { by, share: options.share !== undefined && options.share !== false, ofMessages: messageFields(options) !== undefined, unique };
}

/** Returns a function that creates the row writer of a format. The writer returns lines, or writes to the sink. */
async function rowsOf(options: GroupTextOptions & Omit<GroupRowsOptions, "format">, format: Format): Promise<(sink: Sink) => GroupRows> {
  if (format === "table") {
    const { GroupText } = await import("../output/group-text.ts");
    return () => new GroupText(options);
  }
  if (format !== "parquet") return () => groupRows({ ...options, format });
  const { groupTable } = await import("../output/parquet.ts");
  return await groupTable(options);
}

async function writeGroups(counter: Counter, rows: GroupRows, options: OptionValues, sink: Sink, pacer: Pacer): Promise<void> {
  const { min = messageFields(options) === undefined ? 1 : 0, messages } = options;
  const order = orderOf(options);
  const isLargestFirst = !order.isByKey && order.per.length === 0;
  let lines = "";
  let [count, looked] = [0, 0];
  const give = (): void => {
    if (count > 0 || lines !== "") sink.write({ kind: "bytes", bytes: Buffer.from(lines), count });
    lines = "";
    count = 0;
  };
  for (const group of counter.groups(order)) {
    const isLess = group !== undefined && (messages ? group.messages : group.count) < min;
    // All later groups have counts below `min` too.
    if (isLess && isLargestFirst) break;
    if (group !== undefined && !isLess) {
      lines += rows.add(group);
      count++;
    }
    if (group !== undefined && lines.length < ROWS_LENGTH && ++looked % ROWS_MOST !== 0) continue;
    give();
    await sink.wait();
    await pacer.pause();
  }
  lines += rows.end();
  give();
}

const TIMES: readonly KeyField[] = ["date", "year", "month", "day"]; // Fields with values in time order

function orderOf(options: OptionValues): RowOrder {
  const { by, per, top = Number.POSITIVE_INFINITY, sort, messages, share } = options;
  const fields = keyFields(options);
  const first = fields.find((name) => name !== per);
  return {
    numbers: messages ? [COLUMNS.messages, COLUMNS.count] : [COLUMNS.count],
    isByKey: (sort ?? (TIMES.includes(first ?? by[0]) ? "key" : "count")) === "key",
    most: top,
    per: per === undefined ? [] : [per],
    total: share === true ? fields.slice(0, fields.length > 1 ? 1 : 0) : undefined,
  };
}
