// The command `urlmill [options] [path ...]`.
import { fstatSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { extractResults, type Results } from "../api/results.ts";
import { shown } from "../base/shown.ts";
import { folderReading } from "../input/folder-reading.ts";
import { type Input, identityOf, STDIN, statsOf } from "../input/paths.ts";
import { isContextHidden, unredactedField } from "../options/asked-fields.ts";
import { areApart, wrongSender } from "../options/filter.ts";
import { namedSender, unknownSchemes, unmetName } from "../options/filter-settings.ts";
import { nearest } from "../options/nearest.ts";
import { settingsOf } from "../options/options.ts";
import { KNOWN_SCHEMES } from "../options/scheme-checks.ts";
import { FORMATS, flagOf, OPTIONS, type OptionValues } from "../options/table.ts";
import { descriptorOf, NewFile } from "../output/new-file.ts";
import { Output } from "../output/output.ts";
import { rejectedLines } from "../output/rejected.ts";
import type { Result, Sink } from "../output/sink.ts";
import { isTerminal } from "../output/terminal.ts";
import { choiceOf } from "../run/command-settings.ts";
import type { Totals } from "../run/totals.ts";
import { type ScanFilesOptions, scanFiles } from "../threads/scan-files.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import type { Checkpoint, WrittenFile } from "./checkpoint.ts";
import { Repeats, remarksOf, statsLine } from "./end-of-run.ts";
import { allowsColor, Complaints, complain, EXIT_ERROR, EXIT_FOUND, EXIT_NOTHING, note, printError, Session } from "./session.ts";
import { Watch, watchKind } from "./watch.ts";

/** Writes results to a sink, and ends it: the results of a scan of the inputs, or stored results of shards. */
export type Producer = (scan: ScanFilesOptions, sink: Sink) => Promise<Totals>;

/** Optional parts of a run, in addition to its arguments. */
interface RunParts {
  readonly checkpoint?: Checkpoint | undefined;
  /** Source of the results; absent: a scan of the inputs. */
  readonly producer?: Producer | undefined;
}

/** The files that a run writes. */
type Files = Partial<Record<"output" | "rejected" | "plot", NewFile | undefined>>;

/** One run of a command that reads archives. */
interface Extraction {
  readonly options: OptionValues;
  readonly results: Results;
  readonly inputs: readonly Input[];
  /** Path of the output; undefined: standard output. */
  readonly output: string | undefined;
  readonly checkpoint: Checkpoint | undefined;
  readonly produce: Producer;
}

/** Runs `urlmill [options] [path ...]`; returns the exit code. Throws UsageError. */
export async function runExtract(args: Arguments, producer?: Producer): Promise<number> {
  refuseContradictions(args);
  const { options } = args;
  if (options.format === "sqlite") {
    // Node warns that its SQLite is experimental.
    process.removeAllListeners("warning");
    const missing = (await import("../output/sqlite.ts")).missingSqlite();
    if (missing !== undefined) throw new UsageError(`-f sqlite ${missing}`);
  }
  const settings = { ...settingsOf(options), inColor: marksMatches(options) };
  const checkpoint = await checkpointOf(args);
  return await readArchives(args, await extractResults(settings, choiceOf(options), checkpoint?.hasOutput), { checkpoint, producer });
}

/** Returns the checkpoint of a resumable run. Loads its module only for such a run. */
async function checkpointOf(args: Arguments): Promise<Checkpoint | undefined> {
  const { checkpoint, resumable, resume } = args.options;
  if (checkpoint === undefined && !resumable && !resume) return undefined;
  const module = await import("./checkpoint.ts");
  return new module.Checkpoint(args, inputsOf(args));
}

/** Reads the inputs of a command, and writes its results; returns the exit code. */
export async function readArchives(args: Arguments, results: Results, { checkpoint, producer }: RunParts = {}): Promise<number> {
  const { options } = args;
  if (!options.quiet && args.operands.length === 0 && isTerminal(0)) {
    note("reading standard input from the terminal until Ctrl-D; urlmill --help lists the options");
  }
  const inputs = producer === undefined ? inputsOf(args) : [];
  const extraction: Extraction = {
    options,
    results,
    inputs,
    produce: producer ?? ((scan, sink) => scanFiles(inputs, scan, sink)),
    output: options.output === "-" ? undefined : options.output,
    checkpoint,
  };
  const { output } = extraction;
  const { rejected, plot } = options;
  const files: Files = {};
  const discard = (): void => {
    for (const file of Object.values(files)) file?.discard();
    checkpoint?.reportKept();
  };
  try {
    refuseInputsAsOutputs(extraction);
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return EXIT_ERROR;
  }
  const openFiles = async (signal: AbortSignal): Promise<number> => {
    checkpoint?.begin();
    if (output !== undefined) files.output = await NewFile.open(output, signal, checkpoint?.kept(output));
    if (rejected !== undefined) files.rejected = await NewFile.open(rejected, signal, checkpoint?.kept(rejected));
    if (plot !== undefined) files.plot = await NewFile.open(plot, signal);
    return files.output?.fd ?? 1;
  };
  const isPiped = [output, rejected, plot].every((path) => path === undefined);
  const session = new Session(isPiped ? () => 1 : openFiles, output);
  const run = (): Promise<number> => {
    // No scan runs at the same time, so a write may block.
    if (producer !== undefined) session.output.writeAtOnce();
    return extract(extraction, session, files);
  };
  return await session.run(run, discard);
}

/** Returns whether the output is a terminal. */
export function isOutputTerminal({ output }: OptionValues): boolean {
  return (output === undefined || output === "-") && isTerminal(1);
}

/** Returns whether matches are marked in their contexts. */
function marksMatches(options: OptionValues): boolean {
  return allowsColor(options.color) && isOutputTerminal(options);
}

/** Throws UsageError for options that exclude each other in all commands that read archives. */
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

/** Throws UsageError for options of extraction that exclude each other. */
export function refuseContradictions(args: Arguments): void {
  refuseOptionsTogether(args);
  const { options, typed } = args;
  const { fields, format, print, header, csvSafe, null: isNull, unique, uniqueBy } = options;
  const isOfRecords = FORMATS[format] === "rows";
  if (print !== undefined && (format !== "plain" || fields !== undefined))
    throw new UsageError("--print cannot be given with -f or --fields");
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

/** Formats that write dates as text. */
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

/** The character to which Node decodes bytes of an argument that are not UTF-8. */
const REPLACEMENT = "\ufffd";

/** Returns the inputs that the operands name; without operands, standard input. */
export function inputsOf({ operands, rawOperand }: Arguments): readonly Input[] {
  if (operands.length === 0) return [STDIN];
  return operands.map((path, index) => {
    if (path === "-") return STDIN;
    return path.includes(REPLACEMENT) ? (rawOperand(index) ?? path) : path;
  });
}

async function extract(
  { options, results, inputs, checkpoint, produce }: Extraction,
  session: Session,
  { output, rejected, plot }: Files,
): Promise<number> {
  const begin = process.hrtime.bigint();
  const { output: written, signal } = session;
  const refused = rejected === undefined ? undefined : new Output(rejected.fd, options.rejected);
  const failures = new Complaints(
    (count) => `${count} more inputs could not be read${rejected === undefined ? "; --rejected FILE lists them" : ""}`,
  );
  const folders = await folderReading(options);
  const watch = new Watch(inputs, folders);
  watch.start(watchKind(options.progress, options.quiet, output?.fd ?? 1), signal);
  const write = (result: Result): void => {
    if (result.kind === "bytes") {
      watch.urls += result.count;
      written.write(result.bytes);
      return;
    }
    if (result.kind === "failed") {
      const { code, message, source } = result.error;
      session.hasFailed = true;
      failures.add(() => (code === "ERR_URLMILL_NOT_FOUND" ? `${message}; ${adviceFor(source ?? "")}` : message));
    }
    refused?.write(Buffer.from(rejectedLines(result)));
  };
  const sink = results.open(
    {
      write,
      wait: () => refused?.wait() ?? written.wait(),
      end: async () => void (await Promise.all([written.flush(), refused?.flush()])),
    },
    signal,
  );
  const outputs = identitiesOf(output, rejected, plot);
  watch.urls = checkpoint?.urls ?? 0;
  checkpoint?.follow(writtenFiles([output, written], [rejected, refused]), () => watch.urls, outputs);
  const repeats = new Repeats();
  const scan: ScanFilesOptions = {
    settings: results.settings,
    threads: options.threads,
    folders,
    scansHere: true,
    signal,
    failFast: options.failFast,
    outputs,
    keeper: checkpoint,
    fewerThreads: options.quiet ? undefined : reportThreads,
    position: watch.position,
    onFile: options.quiet ? undefined : (name) => repeats.add(name),
  };
  const totals = await produce(scan, sink).finally(() => watch.stop());
  const seconds = (): number => Number(process.hrtime.bigint() - begin) / 1e9;
  if (results.finish !== undefined) {
    write({ kind: "bytes", bytes: await results.finish(totals, seconds(), signal), count: totals.matches });
    await written.flush();
  }
  await checkpoint?.end();
  commit(totals, { output, rejected, plot }, results.plot?.());
  checkpoint?.remove();
  failures.end();
  const hidesUserinfo = results.settings.form.userinfo === "redact";
  if (!options.quiet) for (const line of [...remarksOf(totals, hidesUserinfo), ...repeats.lines()]) note(line);
  if (options.stats) printError(statsLine(totals, watch.urls, seconds(), results.settings.filter !== undefined));
  await watch.summarize();
  if (totals.skipped > 0) return EXIT_ERROR;
  return watch.urls > 0 ? EXIT_FOUND : EXIT_NOTHING;
}

/** Gives the complete outputs their names. If nothing could be read, an older file stays as it is. */
function commit(totals: Totals, { output, rejected, plot }: Files, picture: string | undefined): void {
  if (plot !== undefined && picture !== undefined) writeFileSync(plot.fd, picture);
  const hasFailed = totals.skipped > 0 && totals.bytes === 0;
  for (const file of [output, plot]) {
    if (hasFailed) file?.remove();
    else file?.commit();
  }
  rejected?.commit();
}

function writtenFiles(...pairs: readonly (readonly [NewFile | undefined, Output | undefined])[]): WrittenFile[] {
  return pairs.flatMap(([file, output]) => (file === undefined || output === undefined ? [] : [{ file, output }]));
}

/** Returns whether the given name of a file looks like a URL. */
export function isUrlLike(path: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
}

function adviceFor(path: string): string {
  if (isUrlLike(path)) return "urlmill reads files; for a URL there are urlmill normalize and urlmill parse";
  return "give a file, a folder, or - for standard input";
}

function reportThreads(count: number, reason: string): void {
  note(
    `scanning with ${count === 1 ? "one thread" : `${count} threads`}, because more could not start (${reason}); the results are complete`,
  );
}

/** Throws if an output is also an input or another output. */
function refuseInputsAsOutputs({ inputs, output, options: { rejected, plot } }: Extraction): void {
  if (output === undefined && rejected === undefined && plot === undefined) return;
  const descriptor = rejected === undefined ? undefined : descriptorOf(rejected);
  if (rejected !== undefined && descriptor !== undefined && descriptor === (output === undefined ? 1 : descriptorOf(output))) {
    throw new Error(`${shown(rejected)} is also the other output; give another file`);
  }
  const identities = new Map<string, string>();
  for (const input of inputs) {
    const stats = input === STDIN ? fstatSync(0) : statsOf(input);
    if (stats?.isFile()) identities.set(identityOf(stats), "an input");
  }
  const standard = output === undefined ? fstatSync(1) : undefined;
  if (standard?.isFile()) identities.set(identityOf(standard), "the other output");
  for (const path of [output, rejected, plot]) {
    if (path !== undefined && descriptorOf(path) !== undefined) continue;
    const stats = path === undefined ? undefined : statsOf(path);
    if (path === undefined || (stats !== undefined && !stats.isFile())) continue;
    const identity = stats === undefined ? resolve(path) : identityOf(stats);
    const use = identities.get(identity);
    if (use !== undefined) throw new Error(`${shown(path)} is also ${use}; give another file`);
    identities.set(identity, "the other output");
  }
}

/** Returns the identities of written and replaced files, which a scan of a folder must skip. */
export function identitiesOf(...files: (NewFile | undefined)[]): Set<string> {
  const all = [...files.flatMap((file) => [file?.stats, file?.replaced]), fstatSync(1)];
  return new Set(all.flatMap((stats) => (stats?.isFile() ? [identityOf(stats)] : [])));
}
