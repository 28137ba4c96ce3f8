// The command `urlmill run-shard --plan FILE --index I -o FOLDER`.
import { shown, shownValue } from "../base/shown.ts";
import { isFinal, ShardError } from "../cluster/errors.ts";
import type { Marker } from "../cluster/marker.ts";
import { openStore } from "../cluster/open.ts";
import { PlanFile, parsed } from "../cluster/plan-file.ts";
import { isShard, type Shard } from "../cluster/plan-lines.ts";
import { runShard } from "../cluster/shard.ts";
import type { OptionValues } from "../options/table.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { patienceOf } from "./cluster-commands.ts";
import { readLines, readStdin } from "./lines.ts";
import { complain, EXIT_FOUND, inSession, type Session } from "./session.ts";

/** The plan is wrong, or an input has changed: another try is useless (EX_DATAERR in sysexits.h). */
const EXIT_BAD_INPUT = 65;
/** Another try may succeed (EX_TEMPFAIL in sysexits.h). */
const EXIT_TRY_AGAIN = 75;
/** Environment variables in which schedulers pass the index of a task. */
const INDEX_NAMES = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"];

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
      const run = (shard: Shard): Promise<Marker> => runShard(plan.header, shard, store, { signal, patience });
      if (index !== undefined) await run(await plan.shard(index));
      else await runLines(plan, run, session, options.quiet);
      return EXIT_FOUND;
    } catch (error) {
      if (signal.aborted) throw error;
      complain(error instanceof Error ? error.message : String(error));
      return isFinal(error) ? EXIT_BAD_INPUT : EXIT_TRY_AGAIN;
    }
  });
}

function indexOf({ index }: OptionValues): number {
  if (index !== undefined) return index;
  const name = INDEX_NAMES.find((known) => process.env[known] !== undefined);
  if (name === undefined)
    throw new UsageError(`run-shard needs --index I, --stdin, or one of ${INDEX_NAMES.join(", ")} in the environment`);
  const text = process.env[name] as string;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${name} must be the number of a shard, from 0 on, not ${shownValue(text)}`);
}

/**
 * Runs the shards in the lines of standard input: `KEY TAB SHARD` or `SHARD`, where SHARD is a line of a plan or its number. Writes for
 * each the key (without one, the shard's number), a tab and the marker.
 */
async function runLines(
  plan: PlanFile,
  run: (shard: Shard) => Promise<Marker>,
  { output, write, signal }: Session,
  quiet: boolean,
): Promise<void> {
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
