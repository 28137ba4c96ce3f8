// The command `urlmill`: finds out what is asked for and loads no more than that needs.
import { existsSync } from "node:fs";
import { systemCode } from "../errors.ts";
import { shown, withoutControls } from "../shown.ts";
import { type Common, nearest, parseExtract, parseNormalize, parseParse, parseResolve, UsageError } from "./arguments.ts";
import { rawArguments } from "./raw-arguments.ts";
import { complain, EXIT_ERROR, EXIT_FOUND, Session, tell } from "./session.ts";

const HELP = {
  extract: "EXTRACT_HELP",
  normalize: "NORMALIZE_HELP",
  parse: "PARSE_HELP",
  resolve: "RESOLVE_HELP",
  help: "EXTRACT_HELP",
} as const;
/** What may stand first. */
const COMMANDS = Object.keys(HELP);

async function main(args: string[]): Promise<number> {
  const [first = "", ...rest] = args;
  if (first === "help") return await help(rest);
  if (first === "normalize") {
    const command = parseNormalize(rest);
    return (await show(command, HELP.normalize)) ?? (await (await import("./normalize.ts")).runNormalize(command));
  }
  if (first === "parse") {
    const command = parseParse(rest);
    return (await show(command, HELP.parse)) ?? (await (await import("./parse.ts")).runParse(command));
  }
  if (first === "resolve") {
    const command = parseResolve(rest);
    return (await show(command, HELP.resolve)) ?? (await (await import("./resolve.ts")).runResolve(command));
  }
  const given = first === "extract" ? rest : args;
  if (given === args) refuseMisspelled(first);
  const command = parseExtract(given, (index) => rawArguments(given.length)?.[index]);
  return (await show(command, HELP.extract)) ?? (await (await import("./extract.ts")).runExtract(command));
}

/** `urlmill help [COMMAND]`. */
async function help([command = "extract"]: string[]): Promise<number> {
  const name = Object.entries(HELP).find(([known]) => known === command)?.[1];
  if (name === undefined) throw new UsageError(`there is no command ${shown(command)}; there are ${COMMANDS.join(", ")}`);
  return (await show({ help: true, version: false, quiet: false }, name)) ?? EXIT_ERROR;
}

/** Throws UsageError where the first argument is no file, but almost the name of a command. */
function refuseMisspelled(first: string): void {
  const near = /^[a-z]{4,}$/i.test(first) ? nearest(first.toLowerCase(), COMMANDS) : undefined;
  if (near === undefined || existsSync(first)) return;
  throw new UsageError(`there is no file ${first}; did you mean the command urlmill ${near}?`);
}

/** Writes what --help or --version asks for; undefined where neither does. */
async function show(command: Common, text: (typeof HELP)[keyof typeof HELP]): Promise<number | undefined> {
  if (!command.help && !command.version) return undefined;
  const usage = await import("./usage.ts");
  const session = new Session(() => 1);
  const print = async (): Promise<number> => {
    session.output.write(Buffer.from(command.help ? usage[text] : usage.versionText()));
    return EXIT_FOUND;
  };
  return await session.run(print, () => undefined);
}

// Node would end with the code that says that nothing was found.
process.once("uncaughtException", (error: unknown) => {
  const lines = `${error instanceof Error ? error.stack : String(error)}`.split("\n").map(withoutControls);
  tell(`urlmill: ${lines.join("\n")}\n`);
  process.exit(EXIT_ERROR);
});

main(process.argv.slice(2)).then(process.exit, (error: unknown) => {
  if (!(error instanceof UsageError) && systemCode(error) === undefined) throw error;
  complain(error instanceof Error ? error.message : String(error));
  process.exit(EXIT_ERROR);
});
