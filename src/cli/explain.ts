// The command `urlmill explain [options] [text ...]`, and its hints about URLs that another option would find.
import { join } from "node:path";
import stringWidth from "string-width";
import { EXPLAINED_BYTES_MAX, type Explanation, type ExplanationStep, explain } from "../api/explain.ts";
import { SourceError } from "../base/errors.ts";
import { jsonText, shown, withoutControls } from "../base/shown.ts";
import { SCHEMELESS } from "../core/names.ts";
import { REASON_MEANINGS } from "../core/reason-table.ts";
import type { ExtractOptions } from "../options/options.ts";
import { type OptionValues, optionsOf } from "../options/table.ts";
import { cut, endOf } from "../output/display-width.ts";
import { isTerminal } from "../output/output.ts";
import type { Arguments } from "./arguments.ts";
import { lineArguments, readingOf, readStdin } from "./lines.ts";
import { allowsColor, EXIT_FOUND, EXIT_NOTHING, inSession, note } from "./session.ts";

/** The document with the rules. The relative path is right from build/cli/ and from build/node/. */
const RULES = join(import.meta.dirname, "../../docs/rules.md");
const NOTHING = "has nothing that begins like a URL";

export async function runExplain(given: Arguments): Promise<number> {
  const { operands, options } = lineArguments(given);
  const { quiet, color, explainFormat } = options;
  const search = searchOptions(options);
  const inColor = allowsColor(color) && (color === "always" || isTerminal(1));
  return await inSession(async ({ output, write, signal }) => {
    const texts = operands.length > 0 ? operands.map((operand) => Buffer.from(operand)) : [await readText(quiet, signal)];
    let exitCode = EXIT_NOTHING;
    const isRecord = explainFormat === "ndjson";
    output.leaveUnchanged();
    const hints: string[] = [];
    let gap = "";
    for (const [index, text] of texts.entries()) {
      const explanations = explained(text, search);
      const name = operands.length > 1 ? `text ${index + 1}` : "the text";
      if (!quiet) hints.push(...hintsOf(text, explanations, search, name, operands[index]));
      for (const one of explanations) {
        if (one.url !== null) exitCode = EXIT_FOUND;
        write(isRecord ? `${jsonText(recordOf(one, index + 1))}\n` : gap + explanationText(text, one, inColor));
        gap = "\n";
      }
    }
    if (gap !== "" && !isRecord && !quiet && isTerminal(1)) write(`\nThe rules are described in ${RULES}\n`);
    await output.flush();
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
function hintsOf(text: Buffer, found: readonly Explanation[], search: ExtractOptions, name: string, operand?: string): string[] {
  const hints = otherOptions(text, found, search);
  if (found.length > 0) return hints;
  const reading = operand === undefined ? undefined : readingOf(operand, "explain");
  if (reading !== undefined) return [`${shown(operand as string)} ${NOTHING}; it is a file, which ${reading} reads`];
  return [`${name} ${NOTHING}`, ...hints];
}

function searchOptions(values: OptionValues): ExtractOptions {
  const names = optionsOf("urlmill explain").filter(([, { takenBy }]) => takenBy.includes("extract"));
  return Object.fromEntries(names.map(([name]) => [name, values[name as keyof OptionValues]]));
}

/** Reads standard input. Throws if it has more bytes than `explain` takes. */
async function readText(quiet: boolean, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let count = 0;
  for await (const chunk of readStdin("explain", quiet, signal, "a text from the terminal")) {
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

// An explanation for people: the lines of the text with the span marked, the result, and the rules that decided.

const LINE_FEED = 0x0a;
/** Most columns that are shown of a line before the span, in it, and after it. */
const [BEFORE_COLUMNS, SPAN_COLUMNS, AFTER_COLUMNS] = [30, 100, 30];
/** Most bytes to decode of the text before a span, in it, and after it. A character has at most four bytes. */
const BYTES_MOST = 4 * SPAN_COLUMNS;
/** Most lines of a span that are shown: as many as the longest delimited URL has (X7). */
const LINES_MOST = 9;
const RULE_COLUMNS = 5;
/** Most columns of the text that a rule decided about; a longer text is usually the whole span. */
const PIECE_COLUMNS = 40;

const GREEN = "1;32";
const RED = "1;31";
const CYAN = "36";

function explanationText(text: Buffer, explanation: Explanation, inColor: boolean): string {
  const { url, code, kind = "plain", flags, start, end, steps } = explanation;
  const color = url === null ? RED : GREEN;
  const colored = (code: string, shown: string): string => (inColor ? `\x1b[${code}m${shown}\x1b[0m` : shown);
  const about = [...(kind === "plain" ? [] : [kind]), ...flags];
  const result = url === null ? `no URL: ${code}. ${REASON_MEANINGS.get(code ?? "")?.text}` : withoutControls(url);
  const lines = [
    ...spanLines(text, start, end).flatMap(({ line, indent, marks }) => [line, indent + colored(color, marks)]),
    `  ${colored(color, result)}${about.length === 0 ? "" : ` (${about.join(", ")})`}`,
    ...steps.map((step) => `    ${colored(CYAN, step.rule.padEnd(RULE_COLUMNS))}${step.what}${pieceOf(text, step, explanation)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the lines of a span, each with the indent and the marks of the line below it. */
function spanLines(text: Buffer, start: number, end: number): { readonly line: string; readonly indent: string; readonly marks: string }[] {
  const lines: ReturnType<typeof spanLines> = [];
  for (let from = start; from < end && lines.length < LINES_MOST; ) {
    const lineFeed = text.indexOf(LINE_FEED, from);
    const lineEnd = lineFeed < 0 ? text.length : lineFeed;
    const to = Math.min(end, lineEnd);
    const lineStart = from === 0 ? 0 : text.lastIndexOf(LINE_FEED, from - 1) + 1;
    const before = endOf(shownText(text, Math.max(lineStart, from - BYTES_MOST), from), BEFORE_COLUMNS);
    const span = cut(shownText(text, from, Math.min(to, from + BYTES_MOST)), SPAN_COLUMNS);
    const after = cut(shownText(text, to, Math.min(lineEnd, to + BYTES_MOST)), AFTER_COLUMNS);
    lines.push({ line: before + span + after, indent: " ".repeat(stringWidth(before)), marks: "^".repeat(Math.max(1, stringWidth(span))) });
    from = lineEnd + 1;
  }
  return lines;
}

/** Returns bytes of one line in a form safe for a terminal. A tab or a CR becomes a space. */
function shownText(text: Buffer, start: number, end: number): string {
  return withoutControls(text.toString("utf8", start, end).replace(/[\t\r]/g, " "));
}

/** Returns `: ` and the text that a rule decided about; empty if there is no text, if it is the whole span, or if it is too long. */
function pieceOf(text: Buffer, { start, end }: ExplanationStep, whole: Explanation): string {
  if (start >= end || end - start > BYTES_MOST || (start <= whole.start && end >= whole.end)) return "";
  const piece = jsonText(text.toString("utf8", start, characterEnd(text, end)));
  return stringWidth(piece) > PIECE_COLUMNS ? "" : `: ${piece}`;
}

/** Returns `end`, or if it is inside a UTF-8 character, the end of the character: a rule may be about only its first byte. */
function characterEnd(text: Buffer, end: number): number {
  let at = end;
  while (((text[at] ?? 0) & 0xc0) === 0x80 && at - end < 3) at++;
  return at;
}
