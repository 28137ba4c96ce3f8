// Shared by the commands of a plan: plan, run-shard, verify and merge.
import { statSync } from "node:fs";
import { shown } from "../base/shown.ts";
import { isRemote } from "../cluster/open.ts";
import type { Patience } from "../cluster/remote/tries.ts";
import type { OptionValues } from "../options/table.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { note } from "./session.ts";

/** Returns the number of retries, if it is given, and unless `quiet` a function that notes an outage once for each server. */
export function patienceOf({ retries, quiet }: OptionValues): Partial<Patience> {
  const reported = new Set<string>();
  const onOutage = (object: string, message: string): void => {
    const server = /^\w+:\/\/[^/]*/.exec(object)?.[0] ?? object;
    if (!reported.has(server)) note(message);
    reported.add(server);
  };
  return { ...(retries === undefined ? {} : { retries }), ...(quiet ? {} : { onOutage }) };
}

/** Returns the plan and the folder of results that a command gets. Throws UsageError. */
export function planAndFolder(name: "verify" | "merge", { options, operands }: Arguments): { path: string; folder: string } {
  const [folder, other] = operands;
  if (options.plan === undefined) throw new UsageError(`${name} needs --plan FILE`);
  if (folder === undefined || other !== undefined) throw new UsageError(`${name} needs the folder of the results, and nothing else`);
  return { path: options.plan, folder };
}

/** Throws UsageError if a local folder does not exist or is a file. */
export function checkFolder(folder: string): void {
  if (isRemote(folder)) return;
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`there is no folder ${shown(folder)}: run-shard makes it, or mkdir`);
  if (!stats.isDirectory()) throw new UsageError(`${shown(folder)} is a file; give the folder of the results`);
}
