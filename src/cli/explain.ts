// The command `urlmill explain [options] [text ...]`.
import { join } from "node:path";
import { EXPLAINED_BYTES_MAX, type Explanation, explain } from "../api/explain.ts";
import { SourceError } from "../base/errors.ts";
import { jsonText, shown } from "../base/shown.ts";
import type { ExtractOptions } from "../options/options.ts";
import { type OptionValues, optionsOf } from "../options/table.ts";
import { isTerminal } from "../output/terminal.ts";
import type { Arguments } from "./arguments.ts";
import { explanationText } from "./explanation-text.ts";
import { lineArguments, readingOf, readStdin } from "./lines.ts";
import { otherOptions } from "./other-options.ts";
import { allowsColor, EXIT_FOUND, EXIT_NOTHING, note, Session } from "./session.ts";

/** The same for build/cli/ and build/node/. */
const RULES = join(import.meta.dirname, "../../docs/rules.md");
const NOTHING = "has nothing that begins like a URL";

/** Runs `urlmill explain`; returns the exit code. */
export async function runExplain(given: Arguments): Promise<number> {
  const { operands, options } = lineArguments(given);
  const session = new Session();
  const search = searchOptions(options);
  const inColor = allowsColor(options.color) && (options.color === "always" || isTerminal(1));
  return await session.run(async () => {
    const texts = operands.length > 0 ? operands.map((operand) => Buffer.from(operand)) : [await readText(options.quiet, session)];
    let exitCode = EXIT_NOTHING;
    const isRecord = options.explainFormat === "ndjson";
    session.output.leaveUnchanged();
    const hints: string[] = [];
    let gap = "";
    for (const [index, text] of texts.entries()) {
      const explanations = explained(text, search);
      if (!options.quiet) hints.push(...hintsOf(text, explanations, search, operands, index));
      for (const one of explanations) {
        if (one.url !== null) exitCode = EXIT_FOUND;
        session.output.write(Buffer.from(isRecord ? `${jsonText(recordOf(one, index + 1))}\n` : gap + explanationText(text, one, inColor)));
        gap = "\n";
      }
    }
    if (gap !== "" && !isRecord && !options.quiet && isTerminal(1))
      session.output.write(Buffer.from(`\nThe rules are described in ${RULES}\n`));
    await session.output.flush();
    for (const hint of hints) note(hint);
    return exitCode;
  });
}

/** Returns the record of an explanation, with the names of records. */
function recordOf({ url, raw, kind, flags, code: reason, start, end, steps }: Explanation, text: number): object {
  return { text, url, raw, kind, flags, reason, start, end, steps };
}

/** The same as `explain`, with an error that no other run has named. */
function explained(text: Buffer, search: ExtractOptions): Explanation[] {
  try {
    return explain(text, search);
  } catch (error) {
    throw error instanceof SourceError ? new Error(error.message, { cause: error }) : error;
  }
}

/** Returns the messages about a text in addition to its explanations; `index`: of its operand, if it is one. */
function hintsOf(
  text: Buffer,
  explanations: readonly Explanation[],
  search: ExtractOptions,
  operands: readonly string[],
  index: number,
): string[] {
  if (explanations.length > 0) return otherOptions(text, explanations, search);
  const reading = readingOf(operands[index] ?? "", "explain");
  if (reading !== undefined) return [`${shown(operands[index] ?? "")} ${NOTHING}; it is a file, which ${reading} reads`];
  return [`${operands.length > 1 ? `text ${index + 1}` : "the text"} ${NOTHING}`, ...otherOptions(text, explanations, search)];
}

/** Returns the options of the command that are those of `extract`. */
function searchOptions(values: OptionValues): ExtractOptions {
  const names = optionsOf("urlmill explain").filter(([, { takenBy }]) => takenBy.includes("extract"));
  return Object.fromEntries(names.map(([name]) => [name, values[name as keyof OptionValues]]));
}

/** Reads standard input, as far as it can be explained and one byte more. */
async function readText(quiet: boolean, session: Session): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let count = 0;
  for await (const chunk of readStdin("explain", quiet, session, "a text from the terminal")) {
    chunks.push(chunk);
    count += chunk.length;
    if (count > EXPLAINED_BYTES_MAX) throw new Error(`standard input has more than the ${EXPLAINED_BYTES_MAX} bytes that explain reads`);
  }
  return Buffer.concat(chunks);
}
