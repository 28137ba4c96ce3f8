// The command `urlmill`: finds out what is asked for and loads no more than that needs.
import { type Common, parseExtract, parseNormalize, parseParse, parseResolve, UsageError } from "./arguments.ts";
import { complain, EXIT_ERROR, EXIT_FOUND, Session } from "./session.ts";

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

main(process.argv.slice(2)).then(process.exit, (error: unknown) => {
  if (!(error instanceof UsageError)) throw error;
  complain(error.message);
  process.exit(EXIT_ERROR);
});
