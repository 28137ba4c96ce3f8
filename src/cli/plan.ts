// The command `urlmill plan [count|report] [options] -o FILE [path ...]`.
import { existsSync } from "node:fs";
import { SourceError } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { plan } from "../cluster/plan.ts";
import { isFile, isPlan, type PlanEnd } from "../cluster/plan-file.ts";
import { statsOf } from "../input/paths.ts";
import { optionsOf, READER_NAMES } from "../options/table.ts";
import { descriptorOf, NewFile } from "../output/new-file.ts";
import { reportOptions } from "../run/command-settings.ts";
import { type Arguments, COMMAND_NAMES, UsageError } from "./arguments.ts";
import { refuseContradictions, refuseOptionsTogether } from "./contradictions.ts";
import { refuseCountContradictions } from "./count.ts";
import { identitiesOf, inputsOf, isUrlLike } from "./extract.ts";
import { complain, complaintsOf, countText, EXIT_ERROR, EXIT_FOUND, inSession, note, patienceOf, sizeText } from "./session.ts";

/** Options that cannot be planned: a shard is done or not done, and has no checkpoint. */
const REFUSED = ["checkpoint", "resumable", "resume"];

export async function runPlan(args: Arguments): Promise<number> {
  const { options, given, typed, operands, planned: command = "extract" } = args;
  const refused = REFUSED.find((name) => given[name] !== undefined);
  if (refused !== undefined) throw new UsageError(`${typed(refused)} cannot be given to plan: a shard that is not done is run again`);
  if (operands.length === 0) throw new UsageError("plan needs the names of files and folders: standard input is read once");
  if (command === "extract") {
    refuseCommandNames(operands);
    refuseContradictions(args);
  } else if (command === "count") refuseCountContradictions(args);
  else refuseOptionsTogether({ ...args, options: reportOptions(options) });
  const own = optionsOf("urlmill plan").map(([name]) => name);
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !own.includes(name)));
  const output = options.output === "-" ? undefined : options.output;
  if (output !== undefined) refuseOtherFile(output);
  let file: NewFile | undefined;
  const open = async (signal: AbortSignal): Promise<number> => {
    if (output !== undefined) file = await NewFile.open(output, signal);
    return file?.fd ?? 1;
  };
  return await inSession(
    async (session) => {
      const { shardBytes } = options;
      const patience = patienceOf(options);
      const choices = { command, options: kept, shardBytes, outputs: identitiesOf(file), patience, signal: session.signal };
      const failures = complaintsOf((count) => `${count} more inputs cannot be read`);
      let held = "";
      let hasFile = false;
      let end: PlanEnd | undefined;
      for await (const line of plan(inputsOf(args), choices)) {
        const inputs = "inputs" in line ? line.inputs : [];
        for (const input of inputs) {
          if (!("failed" in input)) continue;
          session.hasFailed = true;
          // The merge reports it too, but only after all the work.
          failures.add(() => failureText(input.failed));
        }
        hasFile ||= inputs.some(isFile);
        if ("shards" in line) end = line;
        held += `${JSON.stringify(line)}\n`;
        // Without a file there is a plan only if no input has failed.
        if (!hasFile && (end === undefined || session.hasFailed)) continue;
        session.write(held);
        held = "";
        await session.output.wait();
      }
      failures.end();
      if (end === undefined || held !== "") {
        complain("no plan is written, because no input can be read");
        file?.remove();
        return EXIT_ERROR;
      }
      if (!options.quiet && output !== undefined) note(`${shown(output)}: ${countText(end.shards, "shard")}, ${sizeText(end.bytes)}`);
      await session.output.flush();
      file?.commit();
      return session.hasFailed ? EXIT_ERROR : EXIT_FOUND;
    },
    { open, path: output, discard: () => file?.discard() },
  );
}

function refuseCommandNames(operands: readonly string[]): void {
  const name = COMMAND_NAMES.find((command) => operands.includes(command) && !existsSync(command));
  if (name === undefined) return;
  const advice = (READER_NAMES as readonly string[]).includes(name)
    ? `the name of a command comes right after plan: urlmill plan ${name} ...`
    : "of commands only count and report are planned";
  throw new UsageError(`there is no file ${name}; ${advice}`);
}

/** Throws UsageError if the output is an existing file with bytes, but no plan: the user may have given the first input after `-o`. */
function refuseOtherFile(output: string): void {
  const stats = statsOf(output);
  if (stats?.isFile() !== true || stats.size === 0 || descriptorOf(output) !== undefined || isPlan(output)) return;
  throw new UsageError(`${shown(output)} is there, and is no plan; give another name`);
}

function failureText({ code, source, reason }: Pick<SourceError, "code" | "source" | "reason">): string {
  const advice = code === "ERR_URLMILL_NOT_FOUND" && isUrlLike(source ?? "") ? "; of URLs plan takes https://, http:// and s3://" : "";
  return new SourceError(code, source, reason).message + advice;
}
