// The commands that read a plan: `urlmill run-shard`, `verify` and `merge`.
import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { messageOf } from "../base/errors.ts";
import { shown, shownValue } from "../base/shown.ts";
import { isFinal, ShardError } from "../cluster/errors.ts";
import { isResultName, type Marker } from "../cluster/marker.ts";
import { openMerge } from "../cluster/merge.ts";
import { isRemote, openStore } from "../cluster/open.ts";
import { isFile, isShard, PlanFile, parsed, type Shard } from "../cluster/plan-file.ts";
import { pathOf, runShard } from "../cluster/shard.ts";
import { verify } from "../cluster/verify.ts";
import { identityOf, statsOf } from "../input/paths.ts";
import { checkValues, type OptionValues, type ReaderName } from "../options/table.ts";
import { descriptorOf, targetOf } from "../output/new-file.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import type { Producer } from "./extract.ts";
import { readLines, readStdin } from "./lines.ts";
import {
  complain,
  complaintsOf,
  countText,
  EXIT_ERROR,
  EXIT_FOUND,
  EXIT_NOTHING,
  inSession,
  note,
  patienceOf,
  type Session,
} from "./session.ts";

/** Returns the plan and the folder of results that a command gets. Throws UsageError. */
function planAndFolder(name: "verify" | "merge", { options, operands }: Arguments): { path: string; folder: string } {
  const [folder, other] = operands;
  if (options.plan === undefined) throw new UsageError(`${name} needs --plan FILE`);
  if (folder === undefined || other !== undefined) throw new UsageError(`${name} needs the folder of the results, and nothing else`);
  return { path: options.plan, folder };
}

/** Throws UsageError if a local folder does not exist or is a file. */
function checkFolder(folder: string): void {
  if (isRemote(folder)) return;
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`there is no folder ${shown(folder)}: run-shard makes it, or mkdir`);
  if (!stats.isDirectory()) throw new UsageError(`${shown(folder)} is a file; give the folder of the results`);
}

// Exit codes as in sysexits.h.
const EXIT_BAD_INPUT = 65; // EX_DATAERR: the plan is wrong, or an input has changed, and another try is useless
const EXIT_TRY_AGAIN = 75; // EX_TEMPFAIL: another try may succeed
/** Environment variables in which schedulers pass the index of a task. */
const INDEX_NAMES = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"];

type RunShard = (shard: Shard) => Promise<Marker>;

export async function runRunShard({ options, typed, operands }: Arguments): Promise<number> {
  const { plan: path, output, stdin } = options;
  if (operands.length > 0) throw new UsageError(`run-shard takes no ${shown(operands[0])}: the plan names what is read`);
  if (path === undefined) throw new UsageError("run-shard needs --plan FILE");
  if (output === undefined) throw new UsageError("run-shard needs -o FOLDER");
  if (stdin && options.index !== undefined) throw new UsageError(`${typed("index")} cannot be given with --stdin`);
  const index = stdin ? undefined : indexOf(options);
  return await inSession(async (session) => {
    const { signal } = session;
    try {
      const plan = await PlanFile.open(path);
      const patience = patienceOf(options);
      const store = await openStore(output, patience);
      const run: RunShard = (shard) => runShard(plan.header, shard, store, { signal, patience });
      if (index === undefined) await runLines(plan, run, session, options.quiet);
      else await run(await plan.shard(index));
      return EXIT_FOUND;
    } catch (error) {
      if (signal.aborted) throw error;
      complain(messageOf(error));
      return isFinal(error) ? EXIT_BAD_INPUT : EXIT_TRY_AGAIN;
    }
  });
}

function indexOf({ index }: OptionValues): number {
  if (index !== undefined) return index;
  const name = INDEX_NAMES.find((known) => process.env[known] !== undefined);
  const text = name === undefined ? undefined : process.env[name];
  if (text === undefined)
    throw new UsageError(`run-shard needs --index I, --stdin, or one of ${INDEX_NAMES.join(", ")} in the environment`);
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${name} must be the number of a shard, from 0 on, not ${shownValue(text)}`);
}

/**
 * Runs the shards in the lines of standard input: `KEY TAB SHARD` or `SHARD`, where SHARD is a line of a plan or its number. Writes for
 * each the key (without one, the shard's number), a tab and the marker.
 */
async function runLines(plan: PlanFile, run: RunShard, { output, write, signal }: Session, quiet: boolean): Promise<void> {
  for await (const lines of readLines(readStdin("run-shard", quiet, signal, "shards from the terminal, one a line,"))) {
    for (const line of lines.map(String).filter((text) => text.trim() !== "")) {
      const tab = line.indexOf("\t");
      const text = line.slice(tab + 1).trim();
      const shard = /^\d{1,9}$/.test(text) ? await plan.shard(Number(text)) : shardIn(text);
      const marker = await run(shard);
      write(`${tab < 0 ? shard.id : line.slice(0, tab)}\t${JSON.stringify(marker)}\n`);
      await output.flush();
    }
  }
}

function shardIn(text: string): Shard {
  const shard = parsed<Shard>(text);
  if (isShard(shard)) return shard;
  throw new ShardError("ERR_URLMILL_PLAN", `${shown(text)} is no shard: give a line of a plan, or its number`);
}

export async function runVerify(args: Arguments): Promise<number> {
  const { path, folder } = planAndFolder("verify", args);
  checkFolder(folder);
  const { hash, quiet } = args.options;
  return await inSession(async ({ output, write, signal }) => {
    const plan = await PlanFile.open(path);
    const { shards } = await plan.end();
    const store = await openStore(folder, patienceOf(args.options));
    const complaints = complaintsOf((count) => `${countText(count, "more shard")} of this kind`);
    const counts = { missing: 0, damaged: 0, changed: 0, other: 0 };
    for await (const { id, reason, message } of verify(plan, store, { hash, signal })) {
      counts[reason]++;
      if (reason !== "missing") complaints.add(() => message);
      if (reason === "missing" || reason === "damaged") write(`${id}\n`);
      await output.wait();
    }
    complaints.end();
    const { missing, damaged, changed, other: others } = counts;
    const undone = missing + damaged + changed + others;
    const afterChange = changed === 0 ? "" : `, ${changed} whose inputs have changed`;
    const rest = undone === 0 ? "" : `; ${countText(missing + damaged, "shard")} to be run${afterChange}`;
    if (!quiet) note(`${shards - undone} of ${countText(shards, "shard")} done${rest}`);
    if (others > 0) {
      complain(`${countText(others, "marker")} of another plan: give each plan a folder of its own, or remove them (docs/scale.md)`);
      return EXIT_ERROR;
    }
    return undone === 0 ? EXIT_FOUND : EXIT_NOTHING;
  });
}

const RUNS: Record<ReaderName, () => Promise<(args: Arguments, producer: Producer) => Promise<number>>> = {
  extract: async () => (await import("./extract.ts")).runExtract,
  count: async () => (await import("./count.ts")).runCount,
  report: async () => (await import("./report.ts")).runReport,
};

export async function runMerge(args: Arguments): Promise<number> {
  const { path, folder } = planAndFolder("merge", args);
  const plan = await PlanFile.open(path);
  const planned = plannedArguments(plan, args, (await plan.end()).paths);
  checkFolder(folder);
  const store = await openStore(folder, patienceOf(args.options));
  const { output, rejected, plot } = planned.options;
  for (const file of [output, rejected, plot]) if (file !== undefined) await refuseOutput(file, plan, path, folder);
  const merge = await openMerge(plan, store);
  const run = await RUNS[plan.header.command]();
  return await run(planned, merge);
}

/** Returns the arguments of the planned command, with the options given to `merge`, except `--plan` and `--retries`. */
function plannedArguments({ header }: PlanFile, { given, typed }: Arguments, operands: readonly string[]): Arguments {
  const { plan: _, retries: __, ...others } = given;
  if (others.rejected !== undefined && header.options.rejected === undefined) {
    throw new UsageError(`${typed("rejected")} needs a plan that was made with it: nothing else keeps rejected candidates`);
  }
  const all = { ...header.options, ...others };
  const options = checkValues(`urlmill ${header.command}`, all);
  return { options, given: all, typed, operands, paths: operands };
}

/** Rejects with UsageError if a merge would write over its plan, its results, or an input of the plan. */
async function refuseOutput(output: string, plan: PlanFile, planPath: string, folder: string): Promise<void> {
  if (output === "-" || descriptorOf(output) !== undefined) return;
  const target = targetOf(output);
  const refuse = (use: string): never => {
    throw new UsageError(`${shown(output)} is also ${use}; give another file`);
  };
  if (isResultName(basename(target)) && !isRemote(folder) && isSameFile(dirname(target), folder)) refuse("a result");
  const stats = statsOf(target);
  if (stats?.isFile() !== true) return;
  if (isSameFile(target, planPath)) refuse("the plan");
  for await (const shard of plan.shards()) if (hasInput(plan, shard, target, stats.size)) refuse("an input");
}

function isSameFile(one: string | Buffer, other: string): boolean {
  const [first, second] = [one, other].map(statsOf);
  return first !== undefined && second !== undefined && identityOf(first) === identityOf(second);
}

// There may be millions of inputs, so only inputs of the same size are checked for being the same file.
function hasInput({ header }: PlanFile, { inputs }: Shard, target: string, size: number): boolean {
  return inputs.some((input) => {
    if (!isFile(input) || isRemote(input.uri)) return false;
    const path = pathOf(header, input);
    return path === target || (input.size === size && isSameFile(path, target));
  });
}
