// The command `urlmill [options] [path ...]`.
import { fstatSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { identityOf, STDIN } from "../input/paths.ts";
import { descriptorOf, NewFile } from "../output/new-file.ts";
import { Output } from "../output/output.ts";
import { rejectedLines } from "../output/rejected.ts";
import type { Result, Sink } from "../output/sink.ts";
import { isTerminal } from "../output/terminal.ts";
import { shown } from "../shown.ts";
import { scanFiles } from "../threads/scan-files.ts";
import type { ExtractCommand } from "./arguments.ts";
import { chooseCompilers } from "./compilers.ts";
import { leftOut } from "./left-out.ts";
import { Complaints, complain, EXIT_ERROR, EXIT_FOUND, EXIT_NOTHING, Session, tell } from "./session.ts";
import { statsLine } from "./stats.ts";

/** Extracts; returns the exit code. */
export async function runExtract(command: ExtractCommand): Promise<number> {
  if (command.unknownSchemes.length > 0 && !command.quiet) {
    complain(`no known scheme: ${shown(command.unknownSchemes.join(", "))}; -s +NAME adds one, --any-scheme finds any before //`);
  }
  if (command.isStdinImplied && !command.quiet && isTerminal(0)) {
    complain("reading from the terminal, to its end (Ctrl-D); urlmill --help tells more");
  }
  const files: Partial<Record<"output" | "rejected", NewFile>> = {};
  const discard = (): void => {
    for (const file of Object.values(files)) file.discard();
  };
  try {
    refuseInputsAsOutputs(command);
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return EXIT_ERROR;
  }
  const { output, rejected } = command;
  const openFiles = async (signal: AbortSignal): Promise<number> => {
    if (output !== undefined) files.output = await NewFile.open(output, signal);
    if (rejected !== undefined) files.rejected = await NewFile.open(rejected, signal);
    return files.output?.fd ?? 1;
  };
  const session = new Session(output === undefined && rejected === undefined ? () => 1 : openFiles, output);
  return await session.run(() => extract(command, session, files.output, files.rejected), discard);
}

async function extract(
  command: ExtractCommand,
  session: Session,
  output: NewFile | undefined,
  rejected: NewFile | undefined,
): Promise<number> {
  const begin = process.hrtime.bigint();
  chooseCompilers(command.inputs);
  const { output: results, signal } = session;
  const refused = rejected === undefined ? undefined : new Output(rejected.fd, command.rejected);
  const failures = new Complaints(
    (count) => `${count} more could not be read${rejected === undefined ? "; --rejected FILE lists them" : ""}`,
  );
  let count = 0;
  const write = (result: Result): void => {
    if (result.kind === "bytes") {
      count += result.count;
      results.write(result.bytes);
      return;
    }
    if (result.kind === "failed") {
      const { code, message, source } = result.error;
      session.hasFailed = true;
      failures.add(() => (code === "ERR_NOT_FOUND" ? `${message}; ${adviceFor(source ?? "")}` : message));
    }
    refused?.write(Buffer.from(rejectedLines(result)));
  };
  const sink: Sink = {
    write,
    wait: () => refused?.wait() ?? results.wait(),
    end: async () => void (await Promise.all([results.flush(), refused?.flush()])),
  };
  const totals = await scanFiles(
    command.inputs,
    {
      settings: command.settings,
      threads: command.threads,
      scansHere: true,
      signal,
      failFast: command.failFast,
      outputs: identitiesOf(output, rejected),
      fewerThreads: command.quiet ? undefined : reportThreads,
    },
    sink,
  );
  // Where nothing at all could be read there is no result to keep: an older file stays as it is. The list says why.
  if (totals.skipped > 0 && totals.bytes === 0) output?.discard();
  else output?.commit();
  rejected?.commit();
  failures.end();
  if (!command.quiet) for (const line of leftOut(totals.omitted, command.settings.form.userinfo === "redact")) complain(line);
  if (command.stats) tell(statsLine(totals, Number(process.hrtime.bigint() - begin) / 1e9));
  if (totals.skipped > 0) return EXIT_ERROR;
  return count > 0 ? EXIT_FOUND : EXIT_NOTHING;
}

function adviceFor(path: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return "urlmill reads files; for a URL there are urlmill normalize and urlmill parse";
  return "give a file, a folder, or - for standard input";
}

function reportThreads(count: number, reason: string): void {
  complain(`scanning with ${count === 1 ? "one thread" : `${count} threads`}; more could not start (${reason}). The results are complete`);
}

/** Throws where a file that is to be written is an input, or is to be written twice. */
function refuseInputsAsOutputs({ inputs, output, rejected }: ExtractCommand): void {
  if (output === undefined && rejected === undefined) return;
  const descriptor = rejected === undefined ? undefined : descriptorOf(rejected);
  if (rejected !== undefined && descriptor !== undefined && descriptor === (output === undefined ? 1 : descriptorOf(output))) {
    throw new Error(`${shown(rejected)} is also the other output; give another file`);
  }
  const identities = new Map<string, string>();
  for (const input of inputs) {
    const stats = input === STDIN ? fstatSync(0) : statOf(input);
    if (stats?.isFile()) identities.set(identityOf(stats), "an input");
  }
  const standard = output === undefined ? fstatSync(1) : undefined;
  if (standard?.isFile()) identities.set(identityOf(standard), "the other output");
  for (const path of [output, rejected]) {
    if (path !== undefined && descriptorOf(path) !== undefined) continue;
    const stats = path === undefined ? undefined : statOf(path);
    if (path === undefined || (stats !== undefined && !stats.isFile())) continue;
    const identity = stats === undefined ? resolve(path) : identityOf(stats);
    const use = identities.get(identity);
    if (use !== undefined) throw new Error(`${shown(path)} is also ${use}; give another file`);
    identities.set(identity, "the other output");
  }
}

// What cannot be looked at is named when its turn comes to be read or written.
function statOf(path: string | Buffer): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Files that are written, and those that they take the place of: a folder with one of them in it does not give its own results. */
function identitiesOf(...files: (NewFile | undefined)[]): Set<string> {
  const all = [...files.flatMap((file) => [file?.stats, file?.replaced]), fstatSync(1)];
  return new Set(all.flatMap((stats) => (stats?.isFile() ? [identityOf(stats)] : [])));
}
