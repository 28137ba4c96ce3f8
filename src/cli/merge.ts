// The command `urlmill merge --plan FILE FOLDER`.
import { openMerge } from "../cluster/merge.ts";
import { openStore } from "../cluster/open.ts";
import { PlanFile } from "../cluster/plan-file.ts";
import { checkValues, flagOf, OPTIONS, type OptionName, type ReaderName } from "../options/table.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import type { Producer } from "./extract.ts";
import { patienceOf } from "./patience.ts";
import { checkFolder, refuseOutput } from "./results-folder.ts";

type Run = (args: Arguments, producer: Producer) => Promise<number>;

const RUNS: Record<ReaderName, () => Promise<Run>> = {
  extract: async () => (await import("./extract.ts")).runExtract,
  count: async () => (await import("./count.ts")).runCount,
  report: async () => (await import("./report.ts")).runReport,
};

/** Runs `urlmill merge`; returns the exit code of the command whose run was planned. Throws UsageError. */
export async function runMerge(args: Arguments): Promise<number> {
  const { plan: path } = args.options;
  const [folder, other] = args.operands;
  if (path === undefined) throw new UsageError("merge needs --plan FILE");
  if (folder === undefined || other !== undefined) throw new UsageError("merge needs the folder of the results, and nothing else");
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

/** Returns the arguments of the planned command, with the output options given to `merge`. */
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
