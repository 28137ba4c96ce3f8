// Options that exclude each other, or need each other.
import { shown } from "../base/shown.ts";
import { isContextHidden, unredactedField } from "../options/asked-fields.ts";
import { namedSender, unknownSchemes, unmetName } from "../options/filter.ts";
import { areApart, wrongSender } from "../options/filter-values.ts";
import { nearest } from "../options/nearest.ts";
import { KNOWN_SCHEMES } from "../options/scheme-checks.ts";
import { FORMATS, flagOf, OPTIONS, type OptionValues } from "../options/table.ts";
import { isTerminal } from "../output/terminal.ts";
import { type Arguments, UsageError } from "./arguments.ts";

export function isOutputTerminal({ output }: OptionValues): boolean {
  return (output === undefined || output === "-") && isTerminal(1);
}

/** Throws UsageError for options that exclude or need others in any command that reads archives, and for unknown schemes. */
export function refuseOptionsTogether({ options, typed }: Arguments): void {
  const { rejected, links, base, refang, unwrap, unwrapped, match, has, subject, ignoreCase, since, until } = options;
  if (base !== undefined && !links) throw new UsageError(`${typed("base")} needs --links`);
  if (links && refang) throw new UsageError("--links cannot be given with --refang: it reads text that no program links");
  if (rejected === "-") throw new UsageError("--rejected needs the name of a file: standard output is for URLs");
  if (unwrap && options.noUnwrap) throw new UsageError("--no-unwrap cannot be given with --unwrap");
  if (unwrapped && !unwrap) throw new UsageError("--unwrapped needs --unwrap");
  if (ignoreCase && (match ?? has ?? subject) === undefined)
    throw new UsageError(`${typed("ignoreCase")} needs --match, --has or --subject`);
  if (options.quoted && options.noQuoted) throw new UsageError("--quoted cannot be given with --no-quoted");
  if (since !== undefined && until !== undefined && areApart(since, until))
    throw new UsageError(`--since ${since} is later than --until ${until}: no date is in between`);
  const name = namedSender(options);
  if (name !== undefined) throw new UsageError(`--from ${wrongSender(name)}`);
  const unmet = unmetName(options);
  if (unmet !== undefined) {
    const needed = `--${flagOf(unmet.needed, OPTIONS[unmet.needed])}${unmet.value === undefined ? "" : ` ${unmet.value}`}`;
    throw new UsageError(`${typed(unmet.option)} ${unmet.name} needs ${needed}: no match has it otherwise`);
  }
  const unredacted = unredactedField(options);
  if (unredacted !== undefined) throw new UsageError(`--userinfo redact cannot be given with ${unredacted}, which is text as written`);
  refuseUnknownSchemes(unknownSchemes(options), typed("schemes"));
}

/** Throws UsageError for options of extraction that exclude each other, or that need an absent one. */
export function refuseContradictions(args: Arguments): void {
  refuseOptionsTogether(args);
  const { options, typed } = args;
  const { fields, format, print, header, csvSafe, null: isNull, unique, uniqueBy } = options;
  const isOfRecords = FORMATS[format] === "rows";
  if (print !== undefined && (format !== "plain" || fields !== undefined))
    throw new UsageError("--print cannot be given with -f or --fields: it names its fields in braces");
  if (fields !== undefined && !isOfRecords) throw new UsageError("--fields needs -f ndjson, csv, tsv, parquet or sqlite");
  if (header !== undefined && format !== "csv" && format !== "tsv") throw new UsageError(`${typed("header")} needs -f csv or tsv`);
  if (unique && uniqueBy !== undefined) throw new UsageError(`${typed("unique")} is --unique-by url; give one of them`);
  if (csvSafe && format !== "csv") throw new UsageError("--csv-safe needs -f csv");
  if (options.defang && (format === "stix" || format === "misp"))
    throw new UsageError(`--defang cannot be given with -f ${format}: who reads it needs the URL itself`);
  if (isContextHidden(options))
    throw new UsageError(`--context needs ${print === undefined ? "context among --fields" : "{context} in --print"}`);
  if (isNull && FORMATS[format] !== "lines") throw new UsageError(`${typed("null")} needs -f plain or --print: each record is a line`);
  if (options.dateFormat !== "rfc3339" && !DATED.includes(print === undefined ? format : "tsv"))
    throw new UsageError("--date-format needs -f ndjson, csv, tsv or --print");
  if (format === "parquet" || format === "sqlite") refuseTableOnTerminal(options, format);
}

/** Formats whose dates `--date-format` affects. `--print` counts as tsv. */
const DATED: readonly OptionValues["format"][] = ["ndjson", "csv", "tsv"];

/** Throws UsageError if a binary table would be written to a terminal. */
export function refuseTableOnTerminal(options: OptionValues, format: "parquet" | "sqlite"): void {
  if (isOutputTerminal(options)) throw new UsageError(`-f ${format} needs -o FILE: a terminal shows text`);
}

function refuseUnknownSchemes(unknown: readonly string[], flag: string): void {
  if (unknown.length === 0) return;
  const [schemes, them] = unknown.length === 1 ? ["scheme", "it"] : ["schemes", "them"];
  const near = unknown.flatMap((name) => nearest(name, KNOWN_SCHEMES) ?? []);
  const advice = near.length === 0 ? "to" : `did you mean ${near.join(", ")}? To`;
  const names = shown(unknown.join(","));
  throw new UsageError(
    `${flag} has the unknown ${schemes} ${names.replaceAll(",", ", ")}; ${advice} find ${them}, give --extra-scheme ${names}`,
  );
}
