// The command `urlmill count [options] [path ...]`.
import { countResults, shownColumns } from "../api/count-results.ts";
import { isMessageField } from "../options/fields.ts";
import type { OptionValues } from "../options/table.ts";
import { countColumns } from "../output/group-rows.ts";
import { distinctFields, hasMessageNumbers, keyFields, messageFields } from "../run/command-settings.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { isOutputTerminal, refuseOptionsTogether, refuseTableOnTerminal } from "./contradictions.ts";
import { type Producer, readArchives } from "./extract.ts";

export async function runCount(args: Arguments, producer?: Producer): Promise<number> {
  refuseCountContradictions(args);
  const { options } = args;
  const columns = isOutputTerminal(options) ? process.stdout.columns || undefined : undefined;
  const draw = options.plot === undefined ? undefined : (await import("../page/view/chart.ts")).chartOf;
  const results = await countResults(options, formatOf(options), columns, draw);
  const threads = hasMessageNumbers(options) ? 1 : options.threads;
  return await readArchives({ args: { ...args, options: { ...options, threads } }, results, producer });
}

function formatOf(options: OptionValues): NonNullable<OptionValues["countFormat"]> {
  if (options.countPrint !== undefined) return "tsv";
  return options.countFormat ?? (isOutputTerminal(options) ? "table" : "tsv");
}

export function refuseCountContradictions(args: Arguments): void {
  refuseOptionsTogether(args);
  const { options, typed } = args;
  const { header, csvSafe, context, onlyQuoted, quoted, noQuoted, unique, messages, plot, first, uniqueBy } = options;
  const format = formatOf(options);
  const fields = keyFields(options);
  if (format === "parquet") refuseTableOnTerminal(options, format);
  refusePrint(options, format);
  if (header !== undefined && (format === "ndjson" || format === "parquet"))
    throw new UsageError(`${typed("header")} needs -f table, csv or tsv`);
  if (csvSafe && format !== "csv") throw new UsageError("--csv-safe needs -f csv");
  if (context !== undefined && !fields.includes("context")) throw new UsageError("--context needs --by context");
  const ofMessages = refuseMessages(options);
  if (onlyQuoted && (options.share || ofMessages || plot !== undefined))
    throw new UsageError("--only-quoted cannot be given with --share, --messages-all or --plot, which show all matches");
  if (onlyQuoted && (quoted || noQuoted)) {
    const other = typed(quoted ? "quoted" : "noQuoted");
    throw new UsageError(`--only-quoted cannot be given with ${other}: it looks at quoted and other lines`);
  }
  if (first !== undefined && (distinctFields(options) !== undefined || ofMessages || onlyQuoted || plot !== undefined))
    throw new UsageError("--first cannot be given with -u, --unique-by, --messages-all, --share messages, --only-quoted or --plot");
  const wrong = first?.find((name) => !isMessageField(name));
  if (wrong !== undefined) throw new UsageError(`--first needs fields of messages, such as from_name, not ${wrong}`);
  const twice = first?.find((name) => fields.includes(name));
  if (twice !== undefined) throw new UsageError(`--first names ${twice}, which is in --by too`);
  if (unique && fields.includes("url")) throw new UsageError(`${typed("unique")} counts URLs: --by cannot name url too`);
  if (unique && messages) throw new UsageError(`${typed("unique")} counts URLs, and --messages messages; give one of them`);
  if (messages && uniqueBy?.includes("message_id") === false) throw new UsageError("--messages with --unique-by needs message_id in it");
  if (plot !== undefined) refusePlot(options, plot);
}

/** Throws UsageError for options that cannot be given with the counts of all messages. Returns whether these are wanted. */
function refuseMessages(options: OptionValues): boolean {
  const { share, messagesAll } = options;
  const fields = messageFields(options);
  if (fields === undefined) return false;
  const name = messagesAll ? "--messages-all" : "--share messages";
  const needed = "needs a field that messages without a URL have too, as the first one";
  if (fields.length === 0) throw new UsageError(`${name} ${needed}: --by month, not ${keyFields(options)[0]}`);
  if (share === true) throw new UsageError("--messages-all cannot be given with --share, but with --share messages");
  if (distinctFields(options) !== undefined) throw new UsageError(`${name} cannot be given with -u or --unique-by`);
  return true;
}

/** Throws UsageError for a template that names no column, and for a form of dates that the format does not have. */
function refusePrint(options: OptionValues, format: string): void {
  const { countPrint, countFormat, dateFormat } = options;
  if (dateFormat !== "rfc3339" && (format === "table" || format === "parquet"))
    throw new UsageError("--date-format needs -f ndjson, csv, tsv or --print");
  if (countPrint === undefined) return;
  if (countFormat !== undefined) throw new UsageError("--print cannot be given with -f");
  if (options.header) throw new UsageError("--print cannot be given with --header");
  const { by, ...shown } = shownColumns(options);
  const columns: readonly string[] = [...by, ...countColumns(shown)];
  const wrong = countPrint.fields.find(({ name }) => !columns.includes(name))?.name;
  if (wrong !== undefined) throw new UsageError(`--print has {${wrong}}, and rows have ${columns.join(", ")}`);
}

function refusePlot(options: OptionValues, plot: string): void {
  const { share } = options;
  const fields = keyFields(options);
  if (share === "messages" && fields.length > 1) throw new UsageError("--plot with --share messages needs --by month alone");
  if (fields[0] !== "month" || fields.length > 2) throw new UsageError("--plot needs --by month, or --by month and one more field");
  if (share === true && fields.length === 1)
    throw new UsageError("--plot with --share needs --by month and one more field, whose shares it draws");
  if (plot === "-") throw new UsageError("--plot needs the name of a file: standard output is for rows");
}
