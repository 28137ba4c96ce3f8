// The command `urlmill explain [options] [text ...]`, and its hints about URLs that another option would find.
import { join } from "node:path";
import stringWidth from "string-width";
import { EXPLAINED_BYTES_MAX, type Explanation, type ExplanationStep, explain } from "../api/explain.ts";
import { jsonText, shown, withoutControls } from "../base/shown.ts";
import { SCHEMELESS } from "../core/names.ts";
import { REASON_MEANINGS } from "../core/reason-table.ts";
import type { ExtractOptions } from "../options/options.ts";
import { type OptionValues, optionsOf } from "../options/table.ts";
import { cut, endOf } from "../output/display-width.ts";
import { isTerminal } from "../output/output.ts";
import type { Arguments } from "./arguments.ts";
import { lineArguments, readingOf, readStdin } from "./lines.ts";
import { EXIT_FOUND, EXIT_NOTHING, hasColor, inSession, note } from "./session.ts";

/** The document with the rules. The relative path is right from build/cli/ and from build/node/. */
const RULES = join(import.meta.dirname, "../../docs/rules.md");

export async function runExplain(given: Arguments): Promise<number> {
  const { operands, options } = lineArguments(given);
  const { quiet, color, explainFormat } = options;
  const search = searchOptions(options);
  const inColor = hasColor(color, 1);
  return await inSession(async ({ output, write, signal }) => {
    const texts = operands.length > 0 ? operands.map((operand) => Buffer.from(operand)) : [await readText(quiet, signal)];
    const isRecord = explainFormat === "ndjson";
    output.leaveUnchanged();
    const found: Explanation[] = [];
    const hints: string[] = [];
    for (const [index, text] of texts.entries()) {
      const explanations = explain(text, search);
      const name = operands.length > 1 ? `text ${index + 1}` : "the text";
      if (!quiet) hints.push(...hintsOf(text, explanations, search, name, operands[index]));
      for (const one of explanations) {
        const { url, raw, kind, flags, code: reason, start, end, steps } = one;
        const gap = found.length === 0 ? "" : "\n";
        const record = { text: index + 1, url, raw, kind, flags, reason, start, end, steps };
        write(isRecord ? `${jsonText(record)}\n` : gap + explanationText(text, one, inColor));
        found.push(one);
      }
    }
    if (found.length > 0 && !isRecord && !quiet && isTerminal(1)) write(`\nThe rules are described in ${RULES}\n`);
    await output.flush();
    for (const hint of hints) note(hint);
    return found.some(({ url }) => url !== null) ? EXIT_FOUND : EXIT_NOTHING;
  });
}

/** Returns the hints about a text, in addition to its explanations. Messages call the text `name`. `operand` is its argument, if any. */
function hintsOf(text: Buffer, found: readonly Explanation[], search: ExtractOptions, name: string, operand = ""): string[] {
  const hints = otherOptions(text, found, search);
  if (found.length > 0) return hints;
  const nothing = "has nothing that begins like a URL";
  const reading = readingOf(operand, "explain");
  return reading === undefined ? [`${name} ${nothing}`, ...hints] : [`${shown(operand)} ${nothing}; it is a file, which ${reading} reads`];
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
  const kinds = SCHEMELESS.filter((kind) => !bare.includes(kind));
  const others = kinds.map((kind): Other => [`--bare ${kind}`, { ...options, bare: [...bare, kind] }]);
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
/** Most columns of the text that a rule decided about; a longer text is usually the whole span. */
const PIECE_COLUMNS = 40;

const [GREEN, RED, CYAN] = ["1;32", "1;31", "36"];

function explanationText(text: Buffer, explanation: Explanation, inColor: boolean): string {
  const { url, code, kind = "plain", flags, steps } = explanation;
  const colored = (color: string, shown: string): string => (inColor ? `\x1b[${color}m${shown}\x1b[0m` : shown);
  const marked = (shown: string): string => colored(url === null ? RED : GREEN, shown);
  const about = [...(kind === "plain" ? [] : [kind]), ...flags];
  const result = url === null ? `no URL: ${code}. ${REASON_MEANINGS.get(code ?? "")?.text}` : withoutControls(url);
  const lines = [
    ...spanLines(text, explanation, marked),
    `  ${marked(result)}${about.length === 0 ? "" : ` (${about.join(", ")})`}`,
    ...steps.map((step) => `    ${colored(CYAN, step.rule.padEnd(5))}${step.what}${pieceOf(text, step, explanation)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the lines of a span, each with a line of marks below it, which `marked` colors. */
function spanLines(text: Buffer, { start, end }: Explanation, marked: (marks: string) => string): string[] {
  const lines: string[] = [];
  for (let from = start; from < end && lines.length < 2 * LINES_MOST; ) {
    const lineFeed = text.indexOf(LINE_FEED, from);
    const lineEnd = lineFeed < 0 ? text.length : lineFeed;
    const to = Math.min(end, lineEnd);
    const lineStart = from === 0 ? 0 : text.lastIndexOf(LINE_FEED, from - 1) + 1;
    const before = endOf(shownText(text, Math.max(lineStart, from - BYTES_MOST), from), BEFORE_COLUMNS);
    const span = cut(shownText(text, from, Math.min(to, from + BYTES_MOST)), SPAN_COLUMNS);
    const after = cut(shownText(text, to, Math.min(lineEnd, to + BYTES_MOST)), AFTER_COLUMNS);
    lines.push(before + span + after, " ".repeat(stringWidth(before)) + marked("^".repeat(Math.max(1, stringWidth(span)))));
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
  // A rule may be about only the first byte of a UTF-8 character.
  let to = end;
  while (((text[to] ?? 0) & 0xc0) === 0x80 && to - end < 3) to++;
  const piece = jsonText(text.toString("utf8", start, to));
  return stringWidth(piece) > PIECE_COLUMNS ? "" : `: ${piece}`;
}
