// The command `urlmill [options] [path ...]`, and the reading of archives that count, report and merge share with it.
import { fstatSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { extractResults, type Results } from "../api/results.ts";
import { shown } from "../base/shown.ts";
import { folderReading, type Input, identityOf, STDIN, statsOf } from "../input/paths.ts";
import { settingsOf } from "../options/options.ts";
import { descriptorOf, NewFile } from "../output/new-file.ts";
import { isTerminal, Output } from "../output/output.ts";
import { rejectedLines } from "../output/rejected.ts";
import type { Result, Sink } from "../output/sink.ts";
import { choiceOf } from "../run/command-settings.ts";
import type { Totals } from "../run/totals.ts";
import { type ScanFilesOptions, scanFiles } from "../threads/scan-files.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { isOutputTerminal, refuseContradictions } from "./contradictions.ts";
import { Repeats, remarksOf, statsLine } from "./end-of-run.ts";
import { complaintsOf, EXIT_ERROR, EXIT_FOUND, EXIT_NOTHING, hasColor, inSession, note, printError, type Session } from "./session.ts";
import { Watch, watchKind } from "./watch.ts";

/** Writes results to a sink, and ends it. A merge gives one, for the stored results of shards. */
export type Producer = (scan: ScanFilesOptions, sink: Sink) => Promise<Totals>;

const OUTPUTS = ["output", "rejected", "plot"] as const;
type ByOutput<T> = { [Name in (typeof OUTPUTS)[number]]?: T | undefined };

interface ArchiveRun {
  readonly args: Arguments;
  readonly results: Results;
  readonly checkpoint?: Checkpoint | undefined;
  /** Source of the results; absent: a scan of the inputs. */
  readonly producer?: Producer | undefined;
}

export async function runExtract(args: Arguments, producer?: Producer): Promise<number> {
  refuseContradictions(args);
  const { options } = args;
  if (options.format === "sqlite") {
    // Node warns that its SQLite is experimental.
    process.removeAllListeners("warning");
    const missing = (await import("../output/sqlite.ts")).missingSqlite();
    if (missing !== undefined) throw new UsageError(`-f sqlite ${missing}`);
  }
  const settings = { ...settingsOf(options), inColor: isOutputTerminal(options) && hasColor(options.color, 1) };
  // Another run does not load the module.
  const isResumable = options.checkpoint !== undefined || options.resumable || options.resume;
  const checkpoint = isResumable ? new (await import("./checkpoint.ts")).Checkpoint(args, inputsOf(args)) : undefined;
  const results = await extractResults(settings, choiceOf(options), checkpoint?.hasOutput);
  return await readArchives({ args, results, checkpoint, producer });
}

/** Reads the inputs of a command, or the results of `producer`, and writes the output; returns the exit code. */
export async function readArchives(run: ArchiveRun): Promise<number> {
  const { args, checkpoint, producer } = run;
  const { options } = args;
  if (!options.quiet && args.operands.length === 0 && isTerminal(0)) {
    note("reading standard input from the terminal until Ctrl-D; urlmill --help lists the options");
  }
  const inputs = producer === undefined ? inputsOf(args) : [];
  const { output, rejected, plot } = options;
  const paths: ByOutput<string> = { output: output === "-" ? undefined : output, rejected, plot };
  refuseInputsAsOutputs(inputs, paths);
  const files: ByOutput<NewFile> = {};
  const open = async (signal: AbortSignal): Promise<number> => {
    checkpoint?.begin();
    for (const name of OUTPUTS) {
      const path = paths[name];
      if (path !== undefined) files[name] = await NewFile.open(path, signal, checkpoint?.kept(path));
    }
    return files.output?.fd ?? 1;
  };
  const discard = (): void => {
    for (const file of Object.values(files)) file?.discard();
    checkpoint?.reportKept();
  };
  return await inSession((session) => scanInputs(run, inputs, files, session), { open, path: paths.output, discard });
}

export function inputsOf({ paths }: Arguments): readonly Input[] {
  return paths.length === 0 ? [STDIN] : paths.map((path) => (path === "-" ? STDIN : path));
}

async function scanInputs(run: ArchiveRun, inputs: readonly Input[], files: ByOutput<NewFile>, session: Session): Promise<number> {
  const { results, checkpoint, producer } = run;
  const { options } = run.args;
  const { output, rejected, plot } = files;
  const begin = process.hrtime.bigint();
  const { threads, failFast, quiet } = options;
  const { settings } = results;
  const { output: written, signal } = session;
  const refused = rejected === undefined ? undefined : new Output(rejected.fd, options.rejected);
  const advice = rejected === undefined ? "; --rejected FILE lists them" : "";
  const failures = complaintsOf((count) => `${count} more inputs could not be read${advice}`);
  const folders = await folderReading(options);
  const watch = new Watch(inputs, folders);
  watch.start(watchKind(options.progress, quiet, output?.fd ?? 1), signal);
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
  const end = async (): Promise<void> => void (await Promise.all([written.flush(), refused?.flush()]));
  const sink = results.open({ write, wait: () => refused?.wait() ?? written.wait(), end }, signal);
  const identities = identitiesOf(output, rejected, plot);
  const outputs = { has: (identity: string) => identities.has(identity) || identity === checkpoint?.identity };
  watch.urls = checkpoint?.urls ?? 0;
  checkpoint?.follow(refused === undefined ? [written] : [written, refused], () => watch.urls);
  const repeats = new Repeats();
  const reports = quiet ? {} : { fewerThreads: reportThreads, onFile: (name: string) => repeats.add(name) };
  const { position } = watch;
  const scan = { settings, threads, failFast, folders, signal, outputs, keeper: checkpoint, position, scansHere: true, ...reports };
  // Nothing else uses this thread during a merge, so a write may block.
  if (producer !== undefined) written.writeAtOnce();
  const totals = await (producer === undefined ? scanFiles(inputs, scan, sink) : producer(scan, sink)).finally(() => watch.stop());
  const seconds = (): number => Number(process.hrtime.bigint() - begin) / 1e9;
  if (results.finish !== undefined) {
    write({ kind: "bytes", bytes: await results.finish(totals, seconds(), signal), count: totals.matches });
    await written.flush();
  }
  await checkpoint?.end();
  commit(totals, files, results.plot?.());
  checkpoint?.remove();
  failures.end();
  if (!quiet) for (const line of [...remarksOf(totals, settings), ...repeats.lines()]) note(line);
  if (options.stats) printError(statsLine(totals, watch.urls, seconds(), settings.filter !== undefined));
  await watch.summarize();
  if (totals.skipped > 0) return EXIT_ERROR;
  // Rows of `count --messages-all` may be of messages without a URL.
  return watch.urls > 0 && totals.matches > 0 ? EXIT_FOUND : EXIT_NOTHING;
}

/** Writes `picture`, and gives the complete files their names. If a source failed and no byte was read, only the rejected file stays. */
function commit({ skipped, bytes }: Totals, { output, rejected, plot }: ByOutput<NewFile>, picture: string | undefined): void {
  if (plot !== undefined && picture !== undefined) writeFileSync(plot.fd, picture);
  for (const file of [output, plot]) {
    if (skipped > 0 && bytes === 0) file?.remove();
    else file?.commit();
  }
  rejected?.commit();
}

export function isUrlLike(path: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
}

function adviceFor(path: string): string {
  if (isUrlLike(path)) return "urlmill reads files; for a URL there are urlmill normalize and urlmill parse";
  return "give a file, a folder, or - for standard input";
}

function reportThreads(count: number, reason: string): void {
  const threads = count === 1 ? "one thread" : `${count} threads`;
  note(`scanning with ${threads}, because more could not start (${reason}); the results are complete`);
}

function refuseInputsAsOutputs(inputs: readonly Input[], { output, rejected, plot }: ByOutput<string>): void {
  const paths = [output, rejected, plot].filter((path) => path !== undefined);
  if (paths.length === 0) return;
  const descriptor = rejected === undefined ? undefined : descriptorOf(rejected);
  if (descriptor !== undefined && descriptor === (output === undefined ? 1 : descriptorOf(output))) {
    throw new UsageError(`${shown(rejected as string)} is also the other output; give another file`);
  }
  const identities = new Map<string, string>();
  for (const input of inputs) {
    const stats = input === STDIN ? fstatSync(0) : statsOf(input);
    if (stats?.isFile()) identities.set(identityOf(stats), "an input");
  }
  const standard = output === undefined ? fstatSync(1) : undefined;
  if (standard?.isFile()) identities.set(identityOf(standard), "the other output");
  for (const path of paths.filter((one) => descriptorOf(one) === undefined)) {
    const stats = statsOf(path);
    if (stats?.isFile() === false) continue;
    const identity = stats === undefined ? resolve(path) : identityOf(stats);
    const use = identities.get(identity);
    if (use !== undefined) throw new UsageError(`${shown(path)} is also ${use}; give another file`);
    identities.set(identity, "the other output");
  }
}

/** Returns the identities of written and replaced files, and of standard output if it is a file. A scan must not read them. */
export function identitiesOf(...files: (NewFile | undefined)[]): Set<string> {
  const all = [...files.flatMap((file) => [file?.stats, file?.replaced]), fstatSync(1)];
  return new Set(all.flatMap((stats) => (stats?.isFile() ? [identityOf(stats)] : [])));
}
