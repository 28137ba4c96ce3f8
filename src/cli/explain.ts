// The command `urlmill explain [options] [text ...]`.
import { EXPLAINED_BYTES_MAX, explain } from "../api/explain.ts";
import { type OptionValues, optionsOf } from "../option-table.ts";
import type { ExtractOptions } from "../options.ts";
import { isTerminal } from "../output/terminal.ts";
import { jsonText } from "../shown.ts";
import type { Arguments } from "./arguments.ts";
import { explanationText } from "./explanation-text.ts";
import { lineArguments, readStdin } from "./lines.ts";
import { allowsColor, EXIT_FOUND, EXIT_NOTHING, note, Session } from "./session.ts";

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
    let gap = "";
    for (const [index, text] of texts.entries()) {
      const explanations = explain(text, search);
      if (explanations.length === 0 && !options.quiet) note(`${nameOf(texts, index)} has nothing that begins like a URL`);
      for (const one of explanations) {
        if (one.url !== null) exitCode = EXIT_FOUND;
        session.output.write(
          Buffer.from(isRecord ? `${jsonText({ text: index + 1, ...one })}\n` : gap + explanationText(text, one, inColor)),
        );
        gap = "\n";
      }
    }
    return exitCode;
  });
}

function nameOf({ length }: readonly Buffer[], index: number): string {
  return length === 1 ? "the text" : `text ${index + 1}`;
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
