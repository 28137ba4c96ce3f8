// The output of `urlmill count`: rows of counts.
import { Counter } from "../count/counter.ts";
import { spillSettings } from "../count/spill-settings.ts";
import { Pacer } from "../input/pacer.ts";
import type { OptionValues } from "../options/table.ts";
import { type GroupRows, type GroupRowsOptions, groupRows } from "../output/group-rows.ts";
import type { GroupTextOptions } from "../output/group-text.ts";
import { before, type Result, type Sink } from "../output/sink.ts";
import { commandSettings } from "../run/command-settings.ts";
import type { Results } from "./results.ts";

/** Characters of rows per write, and rows between two pauses. */
const ROWS_LENGTH = 1 << 16;
const ROWS_MOST = 1 << 12;

type Format = NonNullable<OptionValues["countFormat"]>;

/** Returns the output of counts; `columns`: the width of the terminal. */
export async function countResults(options: OptionValues, format: Format = "tsv", columns?: number): Promise<Results> {
  const { by, header = true, csvSafe, memory } = options;
  const spill = spillSettings(memory);
  const counter = new Counter(by, spill);
  const begin = await rowsOf({ by, header, csvSafe, byMessages: options.messages, columns }, format);
  const open: Results["open"] = (sink, signal) => {
    const rows = begin(sink);
    const end = async (): Promise<void> => {
      await writeGroups(counter, rows, options, sink, new Pacer(signal));
      spill.file.close();
      await sink.end();
    };
    const write = (result: Result): void => {
      if (result.kind === "matches") counter.add(result);
      else if (result.kind === "groups") counter.merge(result);
      else sink.write(result);
    };
    return { ...before(sink, write), end };
  };
  return { settings: commandSettings("count", options), open };
}

/** Returns a function that creates the row writer of a format. It returns lines, or writes to the sink. */
async function rowsOf(options: GroupTextOptions & Omit<GroupRowsOptions, "format">, format: Format): Promise<(sink: Sink) => GroupRows> {
  if (format === "table") {
    const { GroupText } = await import("../output/group-text.ts");
    return () => new GroupText(options);
  }
  if (format !== "parquet") return () => groupRows({ ...options, format });
  const { groupTable } = await import("../output/parquet.ts");
  return await groupTable(options.by);
}

async function writeGroups(
  counter: Counter,
  rows: GroupRows,
  { top, min = 1, messages }: OptionValues,
  sink: Sink,
  pacer: Pacer,
): Promise<void> {
  let lines = "";
  let count = 0;
  const give = (): void => {
    if (count > 0 || lines !== "") sink.write({ kind: "bytes", bytes: Buffer.from(lines), count });
    lines = "";
    count = 0;
  };
  for (const group of counter.groups(top, messages)) {
    // Rows descend, so all later ones have too few as well.
    if (group !== undefined && (messages ? group.messages : group.count) < min) break;
    if (group !== undefined) {
      lines += rows.add(group);
      count++;
    }
    if (group !== undefined && lines.length < ROWS_LENGTH && count < ROWS_MOST) continue;
    give();
    await sink.wait();
    await pacer.pause();
  }
  lines += rows.end();
  give();
}
