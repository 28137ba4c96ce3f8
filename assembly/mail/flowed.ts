// Joins the lines of format=flowed with DelSp (A9).

import { CR, GREATER, HYPHEN, LF, SPACE } from "../bytes/characters.ts";
import { load8 } from "../platform/memory.ts";
import { joinLine, putRun } from "./converted.ts";
import { endShiftedLine } from "./iso-2022.ts";
import { isUnshifted, readCharacter } from "./multi-byte.ts";

/** Lines with this many quote marks or more are not joined. */
const MARKS_MAX: i32 = 64;
const SIGNATURE_HYPHENS: i32 = 2; // Length of `-- `, the line before a signature, without its space
const NO_SIGNATURE: i32 = 9; // Value of `signature` for a line that does not begin like `-- `

let isAtLineStart: bool = true;
/** Number of quote marks of the line, at most MARKS_MAX. */
let depth: i32 = 0;
/** Number of bytes of `-- ` that are the whole text of the line so far; NO_SIGNATURE: the text is another one. */
let signature: i32 = 0;

export function beginFlowed(): void {
  isAtLineStart = true;
}

/** Joins the flowed lines of [start, end); returns the end of the bytes read. Undecided bytes wait, unless `isEnd`. */
export function readFlowed(start: i32, end: i32, isEnd: bool): i32 {
  let p = start;
  while (p < end) {
    if (isAtLineStart) {
      const marks = marksEnd(p, end);
      if (marks == end && !isEnd) break;
      const text = marks < end && load8(marks) == SPACE ? marks + 1 : marks;
      putRun(p, text);
      startLine(marks - p);
      p = text;
      continue;
    }
    const next = readByte(p, end, isEnd);
    if (next < 0) break;
    p = next;
  }
  return p;
}

function startLine(marks: i32): void {
  isAtLineStart = false;
  depth = marks;
  signature = 0;
}

/** Returns the end of the quote marks at `p`, at most MARKS_MAX of them. */
function marksEnd(p: i32, end: i32): i32 {
  const bound = p + MARKS_MAX < end ? p + MARKS_MAX : end;
  let at = p;
  while (at < bound && load8(at) == GREATER) at++;
  return at;
}

function readByte(p: i32, end: i32, isEnd: bool): i32 {
  const c = load8(p);
  if (c == SPACE) {
    const next = nextLineText(p, end, isEnd);
    if (next < 0) return -1;
    if (next > 0) {
      startLine(depth);
      endShiftedLine();
      joinLine(next);
      return next;
    }
  }
  const wasPlain = isUnshifted();
  const next = readCharacter(p, end, isEnd);
  if (next < 0) return -1;
  const isSignature = wasPlain && signature <= SIGNATURE_HYPHENS && c == (signature == SIGNATURE_HYPHENS ? SPACE : HYPHEN);
  if (c != CR) signature = isSignature ? signature + 1 : NO_SIGNATURE;
  if (c == LF) isAtLineStart = true;
  return next;
}

/** Returns the address of the text of the next line if the space at `p` ends a flowed line; 0: it does not; -1: undecided. */
function nextLineText(p: i32, end: i32, isEnd: bool): i32 {
  let at = p + 1;
  if (at < end && load8(at) == CR) at++;
  if (at >= end) return isEnd ? 0 : -1;
  if (load8(at) != LF || signature == SIGNATURE_HYPHENS) return 0;
  const marks = marksEnd(at + 1, end);
  if (marks >= end) return isEnd ? 0 : -1;
  const nextDepth = marks - at - 1;
  if (nextDepth != depth || nextDepth == MARKS_MAX) return 0;
  return load8(marks) == SPACE ? marks + 1 : marks;
}
