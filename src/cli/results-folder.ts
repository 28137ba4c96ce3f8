// Checks of verify and merge: the folder of the results must exist, and an output must not replace a file that a merge needs.
import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { shown } from "../base/shown.ts";
import { isResultName } from "../cluster/marker.ts";
import { isRemote } from "../cluster/open.ts";
import type { PlanFile } from "../cluster/plan-file.ts";
import { isFile, type Shard } from "../cluster/plan-lines.ts";
import { pathOf } from "../cluster/shard.ts";
import { identityOf, statsOf } from "../input/paths.ts";
import { descriptorOf, targetOf } from "../output/new-file.ts";
import { UsageError } from "./arguments.ts";

/** Throws UsageError if a local folder does not exist. */
export function checkFolder(folder: string): void {
  if (isRemote(folder)) return;
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`there is no folder ${shown(folder)}: run-shard makes it, or mkdir`);
  if (!stats.isDirectory()) throw new UsageError(`${shown(folder)} is a file; give the folder of the results`);
}

/** Rejects with UsageError if a merge would write over its plan, its results, or an input of the plan. */
export async function refuseOutput(output: string, plan: PlanFile, planPath: string, folder: string): Promise<void> {
  if (output === "-" || descriptorOf(output) !== undefined) return;
  const target = targetOf(output);
  const refuse = (use: string): never => {
    throw new UsageError(`${shown(output)} is also ${use}; give another file`);
  };
  if (isResultName(basename(target)) && !isRemote(folder) && isSame(dirname(target), folder)) refuse("a result");
  const stats = statsOf(target);
  if (stats?.isFile() !== true) return;
  if (isSame(target, planPath)) refuse("the plan");
  for await (const shard of plan.shards()) if (hasInput(plan, shard, target, stats.size)) refuse("an input");
}

function isSame(one: string | Buffer, other: string): boolean {
  const [first, second] = [one, other].map(statsOf);
  return first !== undefined && second !== undefined && identityOf(first) === identityOf(second);
}

// There may be millions of inputs, so only inputs of the same size are checked for being the same file.
function hasInput({ header }: PlanFile, { inputs }: Shard, target: string, size: number): boolean {
  return inputs.some((input) => {
    if (!isFile(input) || isRemote(input.uri)) return false;
    const path = pathOf(header, input);
    return path === target || (input.size === size && isSame(path, target));
  });
}
