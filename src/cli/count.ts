// The command `urlmill count [options] [path ...]`.
import { countResults } from "../api/count-results.ts";
import type { OptionValues } from "../options/table.ts";
import { keyFields } from "../run/command-settings.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { isOutputTerminal, type Producer, readArchives, refuseOptionsTogether, refuseTableOnTerminal } from "./extract.ts";

/** Runs `urlmill count [options] [path ...]`; returns the exit code. Throws UsageError. */
export async function runCount(args: Arguments, producer?: Producer): Promise<number> {
  const { options } = args;
  const format = refuseCountContradictions(args);
  const columns = isOutputTerminal(options) ? process.stdout.columns || undefined : undefined;
  const draw = options.plot === undefined ? undefined : (await import("../page/view/chart.ts")).chartOf;
  const results = await countResults(options, format, columns, draw);
  // Message numbers count from the start of a file, so one thread must read the whole file.
  const threads = keyFields(options).includes("message") ? 1 : options.threads;
  return await readArchives({ ...args, options: { ...options, threads } }, results, { producer });
}

/** Returns the format of the rows. Throws UsageError for options that exclude each other. */
export function refuseCountContradictions(args: Arguments): NonNullable<OptionValues["countFormat"]> {
  refuseOptionsTogether(args);
  const { options, typed } = args;
  const format = options.countFormat ?? (isOutputTerminal(options) ? "table" : "tsv");
  if (format === "parquet") refuseTableOnTerminal(options, format);
  if (options.header !== undefined && (format === "ndjson" || format === "parquet"))
    throw new UsageError(`${typed("header")} needs -f table, csv or tsv`);
  if (options.csvSafe && format !== "csv") throw new UsageError("--csv-safe needs -f csv");
  if (options.context !== undefined && !keyFields(options).includes("context")) throw new UsageError("--context needs --by context");
  if (options.onlyQuoted && (options.share || options.plot !== undefined))
    throw new UsageError("--only-quoted cannot be given with --share or --plot, which show all matches");
  if (options.onlyQuoted && (options.quoted || options.noQuoted))
    throw new UsageError(
      `--only-quoted cannot be given with ${typed(options.quoted ? "quoted" : "noQuoted")}: it looks at quoted and other lines`,
    );
  const [first, ...others] = keyFields(options);
  if (options.unique && keyFields(options).includes("url"))
    throw new UsageError(`${typed("unique")} counts URLs: --by cannot name url too`);
  if (options.unique && options.messages) throw new UsageError(`${typed("unique")} counts URLs, and --messages messages; give one of them`);
  if (options.plot !== undefined && (first !== "month" || others.length > 1))
    throw new UsageError("--plot needs --by month, or --by month and one more field");
  if (options.plot !== undefined && options.share && others.length === 0)
    throw new UsageError("--plot with --share needs --by month and one more field, whose shares it draws");
  if (options.plot === "-") throw new UsageError("--plot needs the name of a file: standard output is for rows");
  return format;
}
