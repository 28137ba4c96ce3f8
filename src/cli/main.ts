// The command `urlmill`: finds out what is asked for and loads no more than that needs.

import { systemCode } from "../errors.ts";
import { type Common, parseExtract, parseNormalize, parseParse, parseResolve, UsageError } from "./arguments.ts";
import { complain, EXIT_ERROR, EXIT_FOUND, Session, tell } from "./session.ts";

async function main(args: string[]): Promise<number> {
  if (args[0] === "normalize") {
    const command = parseNormalize(args.slice(1));
    return (await show(command, "NORMALIZE_HELP")) ?? (await (await import("./normalize.ts")).runNormalize(command));
  }
  if (args[0] === "parse") {
    const command = parseParse(args.slice(1));
    return (await show(command, "PARSE_HELP")) ?? (await (await import("./parse.ts")).runParse(command));
  }
  if (args[0] === "resolve") {
    const command = parseResolve(args.slice(1));
    return (await show(command, "RESOLVE_HELP")) ?? (await (await import("./resolve.ts")).runResolve(command));
  }
  const command = parseExtract(args);
  return (await show(command, "EXTRACT_HELP")) ?? (await (await import("./extract.ts")).runExtract(command));
}

/** Writes what --help or --version asks for; undefined where neither does. */
async function show(command: Common, help: "EXTRACT_HELP" | "NORMALIZE_HELP" | "PARSE_HELP" | "RESOLVE_HELP"): Promise<number | undefined> {
  if (!command.help && !command.version) return undefined;
  const usage = await import("./usage.ts");
  const session = new Session(() => 1);
  const print = async (): Promise<number> => {
    session.output.write(Buffer.from(command.help ? usage[help] : usage.versionText()));
    return EXIT_FOUND;
  };
  return await session.run(print, () => undefined);
}

// Node would end with the code that says that nothing was found.
process.once("uncaughtException", (error: unknown) => {
  tell(`urlmill: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(EXIT_ERROR);
});

main(process.argv.slice(2)).then(process.exit, (error: unknown) => {
  if (!(error instanceof UsageError) && systemCode(error) === undefined) throw error;
  complain(error instanceof Error ? error.message : String(error));
  process.exit(EXIT_ERROR);
});
