// The command `urlmill plan [count|report] [options] -o FILE [path ...]`.
import { patienceOf } from "../cluster/open.ts";
import { type PlanLine, plan } from "../cluster/plan.ts";
import { SourceError } from "../errors.ts";
import { optionsOf } from "../option-table.ts";
import { NewFile } from "../output/new-file.ts";
import { reportOptions } from "../run/command-settings.ts";
import { shown } from "../shown.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { refuseCountContradictions } from "./count.ts";
import { identitiesOf, inputsOf, refuseContradictions, refuseOptionsTogether } from "./extract.ts";
import { countText, sizeText } from "./progress-text.ts";
import { Complaints, EXIT_FOUND, note, Session } from "./session.ts";

/** Options of commands that no plan has: a shard is done or it is not. */
const REFUSED = ["checkpoint", "resumable", "resume"];

/** Runs `urlmill plan`; returns the exit code. Throws UsageError. */
export async function runPlan(args: Arguments): Promise<number> {
  const { options, given, typed, operands } = args;
  const { planned: command = "extract" } = args;
  const refused = REFUSED.find((name) => given[name] !== undefined);
  if (refused !== undefined) throw new UsageError(`${typed(refused)} cannot be given to plan: a shard that is not done is run again`);
  if (operands.length === 0) throw new UsageError("plan needs the names of files and folders: standard input is read once");
  if (command === "extract") refuseContradictions(args);
  else if (command === "count") refuseCountContradictions(args);
  else refuseOptionsTogether({ ...args, options: reportOptions(options) });
  const own = optionsOf("urlmill plan").map(([name]) => name);
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !own.includes(name)));
  const output = options.output === "-" ? undefined : options.output;
  let file: NewFile | undefined;
  const session = new Session(async (signal) => {
    if (output !== undefined) file = await NewFile.open(output, signal);
    return file?.fd ?? 1;
  }, output);
  return await session.run(
    async () => {
      const { shardBytes, partitions } = options;
      const outputs = identitiesOf(file);
      const patience = patienceOf(options);
      const lines = plan(inputsOf(args), { command, options: kept, shardBytes, partitions, outputs, patience, signal: session.signal });
      const failures = new Complaints((count) => `${count} more inputs cannot be read`);
      for await (const line of lines) {
        for (const error of failuresIn(line)) failures.add(() => error.message);
        session.output.write(Buffer.from(`${JSON.stringify(line)}\n`));
        await session.output.wait();
        if (!("shards" in line)) continue;
        failures.end();
        if (!options.quiet && output !== undefined) note(`${shown(output)}: ${countText(line.shards, "shard")}, ${sizeText(line.bytes)}`);
      }
      await session.output.flush();
      file?.commit();
      return EXIT_FOUND;
    },
    () => file?.discard(),
  );
}

/** Returns why inputs of a shard cannot be read. The merge says it again, but it comes after all the work. */
function failuresIn(line: PlanLine): SourceError[] {
  const inputs = "inputs" in line ? line.inputs : [];
  return inputs.flatMap((input) =>
    "failed" in input ? [new SourceError(input.failed.code, input.failed.source, input.failed.reason)] : [],
  );
}
