// Writes an explanation for people: the lines of the text with the span marked, the result, and the rules that decided.
import stringWidth from "string-width";
import type { Explanation, ExplanationStep } from "../api/explain.ts";
import { jsonText, withoutControls } from "../base/shown.ts";
import { REASON_MEANINGS } from "../core/reason-table.ts";
import { cut, endOf } from "../output/display-width.ts";

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

export function explanationText(text: Buffer, explanation: Explanation, inColor: boolean): string {
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

/** A line of the text, with the indent and the marks of the line below it. */
interface SpanLine {
  readonly line: string;
  readonly indent: string;
  readonly marks: string;
}

function spanLines(text: Buffer, start: number, end: number): SpanLine[] {
  const lines: SpanLine[] = [];
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
