// An explanation as people read it: the lines of the text with the span marked, what came of it, and the rules that decided.
import stringWidth from "string-width";
import type { Explanation, ExplanationStep } from "../api/explain.ts";
import { jsonText, withoutControls } from "../base/shown.ts";
import { REASON_MEANINGS } from "../core/reason-table.ts";
import { cut, endOf } from "../output/display-width.ts";

const LINE_FEED = 0x0a;
/** Columns that are shown of a line before a span, of the span, and of the line after it. */
const BEFORE_COLUMNS = 30;
const SPAN_COLUMNS = 100;
const AFTER_COLUMNS = 30;
/** Bytes that are decoded for a column: no character has more. */
const BYTES_MOST = 4 * SPAN_COLUMNS;
/** Lines of a span that are shown: those of the longest delimited URL (X7). */
const LINES_MOST = 9;
/** Columns of the id of a rule. */
const RULE_COLUMNS = 5;
/** Columns of the bytes that a rule decided about; longer ones are most often the whole span. */
const PIECE_COLUMNS = 40;

const GREEN = "1;32";
const RED = "1;31";
const CYAN = "36";

/** Returns the lines of an explanation of `text`. */
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

/** A line of the text, and what is below it: an indent, and marks under the span. */
interface SpanLine {
  readonly line: string;
  readonly indent: string;
  readonly marks: string;
}

function spanLines(text: Buffer, start: number, end: number): SpanLine[] {
  const lines: SpanLine[] = [];
  for (let from = start; from < end && lines.length < LINES_MOST; ) {
    const lineEnd = indexOr(text.indexOf(LINE_FEED, from), text.length);
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

function indexOr(index: number, other: number): number {
  return index < 0 ? other : index;
}

/** Returns bytes of one line as a terminal may show them: a tab has one column, and so has a CR at the end of the line. */
function shownText(text: Buffer, start: number, end: number): string {
  return withoutControls(text.toString("utf8", start, end).replace(/[\t\r]/g, " "));
}

/** Returns the bytes that a rule decided about, unless they are the whole span. */
function pieceOf(text: Buffer, { start, end }: ExplanationStep, whole: Explanation): string {
  if (start >= end || end - start > BYTES_MOST || (start <= whole.start && end >= whole.end)) return "";
  const piece = jsonText(text.toString("utf8", start, characterEnd(text, end)));
  return stringWidth(piece) > PIECE_COLUMNS ? "" : `: ${piece}`;
}

/** Returns the end of the character of UTF-8 that goes on at `end`: a rule may be about its first byte. */
function characterEnd(text: Buffer, end: number): number {
  let at = end;
  while (((text[at] ?? 0) & 0xc0) === 0x80 && at - end < 3) at++;
  return at;
}
