/**
 * Plain matches that go on in the next lines, with the option `guess` (X8).
 */
import { type Candidate, candidateAt, findEnd, type Reading, withoutTrailing } from "./plain.ts";
import type { Rules } from "./rules.ts";
import { DELIMITERS } from "./unicode.ts";

/** What a line-wrapped match is made of: for each of its lines the offsets of its first byte and after its last. */
export type Pieces = [number, number][];

const LINE_MIN = 60;
const LINE_MIN_AFTER_SLASH = 40;
const LINE_MAX = 80;
const WIDTH = 72;
const BREAKS_MAX = 8;
const VALUE_BREAKS_MAX = 3;
const LINE_BREAK = /\r?\n/y;
const WORD_START = /(?!www\.|ftp\.)[/?&=%_~+.-]?[A-Za-z0-9]/iy;
const AFTER_WORD = new RegExp(`$|[ \\t]|\\r?\\n|[^${DELIMITERS}]`, "y");
const ALONE = /$|\r?\n/y;

function testAt(pattern: RegExp, bytes: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(bytes);
}

/** Whether a line that ends with a part of a URL looks broken. */
function isBroken(line: string): boolean {
  const least = line.endsWith("/") ? LINE_MIN_AFTER_SLASH : LINE_MIN;
  return line.length >= least && line.length <= LINE_MAX && !line.endsWith("=");
}

/** Whether a word looks like a part of a URL: `kept` is what X5 leaves of it. */
function isPart(word: string, kept: string, isAlone: boolean, isAfterSlash: boolean): boolean {
  const isPath = /.\//.test(kept) && (isAfterSlash || /[\d.?&=%]/.test(kept));
  const hasSign = isPath || /.[?&=%]/.test(kept) || /.\.[a-z][a-z0-9]/i.test(kept);
  return !/[:@]/.test(word) && (hasSign || (isAlone && /\d/.test(word)));
}

/** The part of the URL at the start of the line at `next`, or null: it goes on from `pieces`, the last of them at the end of `line`. */
function nextPiece(bytes: string, candidate: Candidate, line: string, next: number, marks: number, rules: Rules): [number, number] | null {
  const gap = new RegExp(marks > 0 ? `(?: *>){${marks}} {0,2}` : " {0,2}", "y");
  if (!testAt(gap, bytes, next)) {
    return null;
  }
  const { start } = candidate;
  const first = gap.lastIndex;
  const piece = candidateAt(bytes, first, rules);
  if (piece === null || !testAt(WORD_START, bytes, first)) {
    return null;
  }
  // The breaks stay in the text, so that a bracket may close after one, but no reference goes over it.
  const joined = { ...candidate, text: bytes.slice(start, first) + piece.text, next: piece.next, rest: piece.rest };
  const end = findEnd(joined, joined.text.indexOf(":") + 1, rules);
  const last = withoutTrailing(joined, first - start, end, 0);
  const [word, kept] = [joined.text.slice(first - start, end), joined.text.slice(first - start, last)];
  const isWhole = end <= rules.urlBytesMax && testAt(AFTER_WORD, bytes, start + end);
  const fitted = line.length + word.length <= WIDTH;
  return isWhole && !fitted && isPart(word, kept, testAt(ALONE, bytes, start + end), line.endsWith("/")) ? [first, start + last] : null;
}

/** Whether something comes after the host. */
function hasPath(url: string): boolean {
  return /:\/\/[^/?#]*[/?#]/.test(url);
}

/** The quote marks at the start of a line up to `end`. */
function countMarks(bytes: string, lineStart: number, end: number): number {
  return (/^(?: *>)*/.exec(bytes.slice(lineStart, end))?.[0] ?? "").replaceAll(" ", "").length;
}

/** C141: the pieces of a match after `="` or `='` that goes on to the closing quotation mark, or null where it does not. */
function valuePieces(bytes: string, candidate: Candidate, end: number, rules: Rules): Pieces | null {
  const { start } = candidate;
  const lineStart = bytes.lastIndexOf("\n", start) + 1;
  const quote = /=(["'])$/.exec(bytes.slice(Math.max(0, start - 2), start))?.[1];
  if (quote === undefined || start - lineStart > rules.urlBytesMax) {
    return null;
  }
  const marks = countMarks(bytes, lineStart, start);
  const gap = new RegExp(`\\r?\\n(?: *>){${marks}} {0,2}(?=[^${DELIMITERS}])`, "y");
  const newUrl = new RegExp(`[,;|([{]?${rules.schemes.slashed}`, "iy");
  const pieces: Pieces = [[start, end]];
  for (let at = end; pieces.length <= VALUE_BREAKS_MAX && bytes[at - 1] !== "=" && testAt(gap, bytes, at); ) {
    const first = gap.lastIndex;
    const piece = candidateAt(bytes, first, rules);
    const { text = "", next = "", rest = "" } = piece ?? {};
    const joined = { ...candidate, text: bytes.slice(start, first) + text, next, rest };
    const length = findEnd(joined, joined.text.indexOf(":") + 1, rules);
    at = start + length;
    if (at <= first || length > rules.urlBytesMax || testAt(newUrl, bytes, first)) {
      return null;
    }
    if (bytes[at] === quote) {
      const last = start + withoutTrailing(joined, first - start, length, 0);
      const whole: Pieces = [...pieces, [first, last]];
      const isWholeHost = hasPath(bytes.slice(start, end)) || bytes[whole[1]?.[0] ?? first] === "/";
      return last > first && bytes[at - 1] !== "=" && isWholeHost ? whole : null;
    }
    pieces.push([first, at]);
  }
  return null;
}

/** X8: the pieces of a plain match; one where it does not go on. */
export function lineWrappedPieces(bytes: string, candidate: Candidate, { endBeforeX5, mayGoOn }: Reading, rules: Rules): Pieces {
  const end = candidate.start + endBeforeX5;
  const goesOnByWord = mayGoOn && hasPath(bytes.slice(candidate.start, end));
  return valuePieces(bytes, candidate, end, rules) ?? (goesOnByWord ? wordPieces(bytes, candidate, end, rules) : []);
}

/** C28, C52: the pieces of the plain match from `start` to `end` that goes on word by word. */
function wordPieces(bytes: string, candidate: Candidate, end: number, rules: Rules): Pieces {
  const { start } = candidate;
  const pieces: Pieces = [[start, end]];
  let lineStart = bytes.lastIndexOf("\n", start) + 1;
  const marks = countMarks(bytes, lineStart, start);
  let at = end;
  while (pieces.length <= BREAKS_MAX && testAt(LINE_BREAK, bytes, at) && isBroken(bytes.slice(lineStart, at))) {
    const next = LINE_BREAK.lastIndex;
    const piece = nextPiece(bytes, candidate, bytes.slice(lineStart, at), next, marks, rules);
    if (piece === null) {
      break;
    }
    pieces.push(piece);
    lineStart = next;
    at = piece[1];
  }
  return pieces;
}
