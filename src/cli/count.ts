// The command `urlmill count [options] [path ...]`.
import { countResults } from "../api/count-results.ts";
import type { OptionValues } from "../options/table.ts";
import { keyFields } from "../run/command-settings.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { isOutputTerminal, refuseOptionsTogether, refuseTableOnTerminal } from "./contradictions.ts";
import { type Producer, readArchives } from "./extract.ts";

/** Runs `urlmill count [options] [path ...]`; returns the exit code. Throws UsageError. */
export async function runCount(args: Arguments, producer?: Producer): Promise<number> {
  refuseCountContradictions(args);
  const { options } = args;
  const columns = isOutputTerminal(options) ? process.stdout.columns || undefined : undefined;
  const draw = options.plot === undefined ? undefined : (await import("../page/view/chart.ts")).chartOf;
  const results = await countResults(options, formatOf(options), columns, draw);
  // Message numbers count from the start of a file, so one thread must read the whole file.
  const threads = keyFields(options).includes("message") ? 1 : options.threads;
  return await readArchives({ ...args, options: { ...options, threads } }, results, { producer });
}

/** Returns the format of the rows. */
function formatOf(options: OptionValues): NonNullable<OptionValues["countFormat"]> {
  return options.countFormat ?? (isOutputTerminal(options) ? "table" : "tsv");
}

/** Throws UsageError for options of `urlmill count` that exclude each other, or that need an absent one. */
export function refuseCountContradictions(args: Arguments): void {
  refuseOptionsTogether(args);
  const { options, typed } = args;
  const { header, csvSafe, context, onlyQuoted, quoted, noQuoted, unique, messages, plot, share } = options;
  const format = formatOf(options);
  const fields = keyFields(options);
  if (format === "parquet") refuseTableOnTerminal(options, format);
  if (header !== undefined && (format === "ndjson" || format === "parquet"))
    throw new UsageError(`${typed("header")} needs -f table, csv or tsv`);
  if (csvSafe && format !== "csv") throw new UsageError("--csv-safe needs -f csv");
  if (context !== undefined && !fields.includes("context")) throw new UsageError("--context needs --by context");
  if (onlyQuoted && (share || plot !== undefined))
    throw new UsageError("--only-quoted cannot be given with --share or --plot, which show all matches");
  if (onlyQuoted && (quoted || noQuoted)) {
    const other = typed(quoted ? "quoted" : "noQuoted");
    throw new UsageError(`--only-quoted cannot be given with ${other}: it looks at quoted and other lines`);
  }
  if (unique && fields.includes("url")) throw new UsageError(`${typed("unique")} counts URLs: --by cannot name url too`);
  if (unique && messages) throw new UsageError(`${typed("unique")} counts URLs, and --messages messages; give one of them`);
  if (plot === undefined) return;
  if (fields[0] !== "month" || fields.length > 2) throw new UsageError("--plot needs --by month, or --by month and one more field");
  if (share && fields.length === 1) throw new UsageError("--plot with --share needs --by month and one more field, whose shares it draws");
  if (plot === "-") throw new UsageError("--plot needs the name of a file: standard output is for rows");
}
