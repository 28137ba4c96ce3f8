// The command `urlmill merge --plan FILE FOLDER`.
import { basename, dirname } from "node:path";
import { shown } from "../base/shown.ts";
import { isResultName } from "../cluster/marker.ts";
import { openMerge } from "../cluster/merge.ts";
import { isRemote, openStore } from "../cluster/open.ts";
import { PlanFile } from "../cluster/plan-file.ts";
import { isFile, type Shard } from "../cluster/plan-lines.ts";
import { pathOf } from "../cluster/shard.ts";
import { identityOf, statsOf } from "../input/paths.ts";
import { checkValues, flagOf, OPTIONS, type OptionName, type ReaderName } from "../options/table.ts";
import { descriptorOf, targetOf } from "../output/new-file.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { checkFolder, patienceOf, planAndFolder } from "./cluster-commands.ts";
import type { Producer } from "./extract.ts";

type RunCommand = (args: Arguments, producer: Producer) => Promise<number>;

const RUNS: Record<ReaderName, () => Promise<RunCommand>> = {
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
  for (const file of [planned.options.output, planned.options.rejected, planned.options.plot])
    if (file !== undefined) await refuseOutput(file, plan, path, folder);
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
  return {
    options: checkValues(`urlmill ${header.command}`, all),
    given: all,
    typed: (name) => (others[name] === undefined ? `--${flagOf(name, OPTIONS[name as OptionName])}` : typed(name)),
    operands,
    rawOperand: () => undefined,
  };
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
