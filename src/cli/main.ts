#!/usr/bin/env node
// The command `urlmill`: parses the arguments, and loads only the modules of the command.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../base/errors.ts";
import { shown, withoutControls } from "../base/shown.ts";
import { hint, nearest } from "../options/nearest.ts";
import { type CommandName, type OptionValues, READER_NAMES } from "../options/table.ts";
import { type Arguments, readArguments, UsageError } from "./arguments.ts";
import { chooseColor, complainOf, EXIT_ERROR, print, printError } from "./session.ts";

// Node 22.8 and later keep compiled code. Their own folder is below /tmp, where others could put code. Node reads its variables itself.
const caches = process.env.XDG_CACHE_HOME || (process.env.HOME && join(process.env.HOME, ".cache"));
const { enableCompileCache } = process.getBuiltinModule("node:module") as { enableCompileCache?: (folder: string) => unknown };
if (caches) enableCompileCache?.(join(caches, "urlmill"));

/** The commands. Each returns its exit code, and throws UsageError. */
const COMMANDS: Record<CommandName, () => Promise<(args: Arguments) => Promise<number>>> = {
  extract: async () => (await import("./extract.ts")).runExtract,
  count: async () => (await import("./count.ts")).runCount,
  report: async () => (await import("./report.ts")).runReport,
  page: async () => (await import("./page.ts")).runPage,
  explain: async () => (await import("./explain.ts")).runExplain,
  normalize: async () => (await import("./normalize.ts")).runNormalize,
  parse: async () => (await import("./parse.ts")).runParse,
  resolve: async () => (await import("./resolve.ts")).runResolve,
  plan: async () => (await import("./plan.ts")).runPlan,
  "run-shard": async () => (await import("./shards.ts")).runRunShard,
  verify: async () => (await import("./shards.ts")).runVerify,
  merge: async () => (await import("./shards.ts")).runMerge,
};
const NAMES = [...Object.keys(COMMANDS), "help", "completions"];

async function main(args: string[]): Promise<number> {
  const [first = "", ...rest] = args;
  if (first === "help") return await help(rest);
  if (first === "completions") return await print((await import("./completions.ts")).completionScript(rest));
  const isNamed = isCommand(first);
  if (!isNamed) refuseMisspelled(first, NAMES, "urlmill");
  const command = isNamed ? first : "extract";
  const read = command === "plan" ? readPlanned(rest) : readArguments(command, isNamed ? rest : args);
  if (!isNamed) refuseLateCommand(read.operands[0], args);
  chooseColor(read.options.color);
  const text = await answerOf(read.options, isNamed ? command : undefined);
  if (text !== undefined) return await print(text);
  const run = await COMMANDS[command]();
  return await run(read);
}

/** Reads the arguments after `plan`. The first may be the name of the planned command, by default extract. Throws UsageError. */
function readPlanned(args: string[]): Arguments {
  const planned = READER_NAMES.find((name) => name === args[0]);
  if (planned === undefined) refuseMisspelled(args[0], READER_NAMES, "urlmill plan");
  return readArguments("plan", planned === undefined ? args : args.slice(1), planned ?? "extract");
}

/** Returns the text that an option such as `--help` asks for instead of a run; undefined without such an option. */
async function answerOf(options: OptionValues, command: CommandName | undefined): Promise<string | undefined> {
  const { help, version, listSchemes, listFields } = options;
  if (!help && !version && !listSchemes && !listFields) return undefined;
  const usage = await import("./usage.ts");
  if (help) return command === undefined ? usage.screenText() : usage.helpText(command);
  if (version) return usage.versionText();
  return listSchemes ? usage.schemeList() : usage.fieldList();
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

async function help([name = "help"]: string[]): Promise<number> {
  const usage = await import("./usage.ts");
  if (["help", "--help", "-h"].includes(name)) return await print(usage.screenText());
  if (isCommand(name)) return await print(usage.helpText(name));
  if (name === "completions") return await print((await import("./completions.ts")).COMPLETIONS_HELP);
  throw new UsageError(`there is no command ${shown(name)}${hint(name, NAMES)}; there are ${NAMES.join(", ")}`);
}

/** Throws UsageError if the first argument looks like a misspelled name that may follow `before`, and no such file exists. */
function refuseMisspelled(first = "", names: readonly string[], before: string): void {
  const near = /^[a-z]{4,}$/i.test(first) ? nearest(first.toLowerCase(), names) : undefined;
  if (near === undefined || existsSync(first)) return;
  throw new UsageError(`there is no file ${first}; did you mean the command ${before} ${near}?`);
}

/** Throws UsageError if the first operand is the name of a command (after options), and no such file exists. */
function refuseLateCommand(operand: string | undefined, args: readonly string[]): void {
  if (operand === undefined || !isCommand(operand) || existsSync(operand)) return;
  const after = args.filter((_, index) => index !== args.indexOf(operand));
  throw new UsageError(`there is no file ${operand}; options come after the command: urlmill ${[operand, ...after].map(shown).join(" ")}`);
}

/**
 * Ends the process when its event loop is empty, or after 100 ms if something still waits, for example for input. On Node 24 and
 * later `process.exit` can wait forever: it joins threads of V8, and a thread that compiles may wait for the caller (nodejs/node 54918).
 */
function end(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), 100).unref();
}

// Without this listener Node would exit with 1, which means that nothing was found.
process.once("uncaughtException", (error: unknown) => {
  const lines = `${error instanceof Error ? error.stack : String(error)}`.split("\n").map(withoutControls);
  printError(`urlmill: ${lines.join("\n")}\n`);
  process.exit(EXIT_ERROR);
});

main(process.argv.slice(2)).then(end, (error: unknown) => {
  if (!(error instanceof UsageError) && systemCode(error) === undefined) throw error;
  complainOf(error);
  end(EXIT_ERROR);
});
