// Options that exclude each other, or need each other, in a command.
import { shown } from "../base/shown.ts";
import {
  type Contradiction,
  fieldContradiction,
  formatContradiction,
  searchContradiction,
  unknownSchemes,
} from "../options/contradictions.ts";
import { KNOWN_SCHEMES } from "../options/filter-values.ts";
import { nearest } from "../options/nearest.ts";
import { FORMATS, type OptionValues } from "../options/table.ts";
import { isTerminal } from "../output/output.ts";
import { type Arguments, UsageError } from "./arguments.ts";

export function isOutputTerminal({ output }: OptionValues): boolean {
  return (output === undefined || output === "-") && isTerminal(1);
}

/** Throws UsageError for options that exclude or need others in any command that reads archives, and for unknown schemes. */
export function refuseOptionsTogether({ options, typed }: Arguments): void {
  const { rejected, unwrap, noUnwrap, unique, uniqueBy } = options;
  refuse(searchContradiction(options), typed);
  if (rejected === "-") throw new UsageError("--rejected needs the name of a file: standard output is for URLs");
  if (unwrap && noUnwrap) throw new UsageError("--no-unwrap cannot be given with --unwrap");
  const unknown = unknownSchemes(options);
  if (unknown.length > 0) throw new UsageError(`${typed("schemes")} ${unknownText(unknown)}`);
  if (unique && uniqueBy !== undefined) throw new UsageError(`${typed("unique")} is --unique-by url; give one of them`);
}

function refuse(contradiction: Contradiction | undefined, typed: Arguments["typed"]): void {
  if (contradiction !== undefined) throw new UsageError(`${typed(contradiction[0])} ${contradiction[2]}`);
}

export function refuseContradictions(args: Arguments): void {
  refuseOptionsTogether(args);
  const { options, typed } = args;
  const { format, print, null: isNull, dateFormat } = options;
  refuse(formatContradiction(options) ?? fieldContradiction(options), typed);
  if (isNull && FORMATS[format] !== "lines") throw new UsageError(`${typed("null")} needs -f plain or --print: each record is a line`);
  if (dateFormat !== "rfc3339" && !DATED.includes(print === undefined ? format : "tsv"))
    throw new UsageError("--date-format needs -f ndjson, csv, tsv or --print");
  if (format === "parquet" || format === "sqlite") refuseTableOnTerminal(options, format);
}

/** Formats whose dates `--date-format` affects. `--print` counts as tsv. */
const DATED: readonly OptionValues["format"][] = ["ndjson", "csv", "tsv"];

/** Throws UsageError if a binary table would be written to a terminal. */
export function refuseTableOnTerminal(options: OptionValues, format: "parquet" | "sqlite"): void {
  if (isOutputTerminal(options)) throw new UsageError(`-f ${format} needs -o FILE: a terminal shows text`);
}

function unknownText(unknown: readonly string[]): string {
  const [schemes, them] = unknown.length === 1 ? ["scheme", "it"] : ["schemes", "them"];
  const near = unknown.flatMap((name) => nearest(name, KNOWN_SCHEMES) ?? []);
  const advice = near.length === 0 ? "to" : `did you mean ${near.join(", ")}? To`;
  const names = shown(unknown.join(","));
  return `has the unknown ${schemes} ${names.replaceAll(",", ", ")}; ${advice} find ${them}, give --extra-scheme ${names}`;
}
