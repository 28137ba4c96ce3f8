// The command `urlmill explain [options] [text ...]`, and its hints about URLs that another option would find.
import { join } from "node:path";
import { EXPLAINED_BYTES_MAX, type Explanation, explain } from "../api/explain.ts";
import { SourceError } from "../base/errors.ts";
import { jsonText, shown } from "../base/shown.ts";
import { SCHEMELESS } from "../core/names.ts";
import type { ExtractOptions } from "../options/options.ts";
import { type OptionValues, optionsOf } from "../options/table.ts";
import { isTerminal } from "../output/terminal.ts";
import type { Arguments } from "./arguments.ts";
import { explanationText } from "./explanation-text.ts";
import { lineArguments, readingOf, readStdin } from "./lines.ts";
import { allowsColor, EXIT_FOUND, EXIT_NOTHING, note, Session } from "./session.ts";

/** The document with the rules. The relative path is right from build/cli/ and from build/node/. */
const RULES = join(import.meta.dirname, "../../docs/rules.md");
const NOTHING = "has nothing that begins like a URL";

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
      const name = operands.length > 1 ? `text ${index + 1}` : "the text";
      if (!options.quiet) hints.push(...hintsOf(text, explanations, search, name, operands[index]));
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

/** Returns the record of an explanation, with the member names of records. `text`: number of the text, from 1 on. */
function recordOf({ url, raw, kind, flags, code: reason, start, end, steps }: Explanation, text: number): object {
  return { text, url, raw, kind, flags, reason, start, end, steps };
}

/** Calls `explain`. Throws a plain Error for a SourceError, because the session writes no message about a SourceError. */
function explained(text: Buffer, search: ExtractOptions): Explanation[] {
  try {
    return explain(text, search);
  } catch (error) {
    throw error instanceof SourceError ? new Error(error.message, { cause: error }) : error;
  }
}

/** Returns the hints about a text, in addition to its explanations. Messages call the text `name`. `operand` is its argument, if any. */
function hintsOf(
  text: Buffer,
  explanations: readonly Explanation[],
  search: ExtractOptions,
  name: string,
  operand: string | undefined,
): string[] {
  const hints = otherOptions(text, explanations, search);
  if (explanations.length > 0) return hints;
  if (operand !== undefined) {
    const reading = readingOf(operand, "explain");
    if (reading !== undefined) return [`${shown(operand)} ${NOTHING}; it is a file, which ${reading} reads`];
  }
  return [`${name} ${NOTHING}`, ...hints];
}

function searchOptions(values: OptionValues): ExtractOptions {
  const names = optionsOf("urlmill explain").filter(([, { takenBy }]) => takenBy.includes("extract"));
  return Object.fromEntries(names.map(([name]) => [name, values[name as keyof OptionValues]]));
}

/** Reads standard input. Throws if it has more bytes than `explain` takes. */
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

/** Most hints for a text that name what another option would find; the others are counted. */
const NAMED_MOST = 10;

type Other = readonly [flag: string, options: ExtractOptions];

/** Returns a line for each text that matches only with an option that `options` lack; after NAMED_MOST lines, one with the number left. */
function otherOptions(text: Buffer, found: readonly Explanation[], options: ExtractOptions): string[] {
  // 1 at each byte of a match.
  const taken = new Uint8Array(text.length);
  for (const { url, start, end } of found) if (url !== null) taken.fill(1, start, end);
  const named: { readonly start: number; readonly line: string }[] = [];
  for (const [flag, others] of othersOf(options)) {
    for (const { url, raw, start, end } of explain(text, others)) {
      if (url === null || taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      named.push({ start, line: `${shown(raw ?? url)} would be found with ${flag}` });
    }
  }
  const lines = [...new Set(named.sort((one, other) => one.start - other.start).map(({ line }) => line))];
  const rest = lines.length - NAMED_MOST;
  return rest <= 0 ? lines : [...lines.slice(0, NAMED_MOST), `${rest} more would be found with other options`];
}

/** Returns the options to try in addition to `options`. Narrower ones come first: each email address also contains a domain. */
function othersOf(options: ExtractOptions): Other[] {
  const bare = [options.bare ?? []].flat();
  const others: Other[] = SCHEMELESS.filter((kind) => !bare.includes(kind)).map((kind) => [
    `--bare ${kind}`,
    { ...options, bare: [...bare, kind] },
  ]);
  if (options.anyScheme !== true) others.push(["--any-scheme", { ...options, anyScheme: true }]);
  // Not with --links: links are in text for programs, and --refang reads text for people.
  if (options.refang !== true && options.links !== true) others.push(["--refang", { ...options, refang: true }]);
  return others;
}
