// Writes converted text, and the rows that map it to the transferred bytes (those after the transfer encoding).

import { DELETE, DOT, GREATER, LESS, NON_ASCII, SLASH, SPACE } from "../bytes/characters.ts";
import { storeCharacter } from "../bytes/utf8.ts";
import { MAP_SCALE_ONE } from "../layout/memory.ts";
import { copyBytes, load8, store8 } from "../platform/memory.ts";
import { mapConverted, passConverted } from "./pipe.ts";

/** A byte that never occurs in UTF-8. */
const BROKEN: i32 = 0xff;
const ZERO_WIDTH_SPACE: i32 = 0x200b;

/** Address of the next byte to write. */
export let at: i32 = 0;
let transferredEnd: i32 = 0;
/** Whether a U+200B is written between ASCII and a character beyond ASCII after it, to end a match (C175). */
let setsApart: bool = false;
/** The last byte that was written; 0 for a character beyond ASCII, and at the start of a text or of a joined line. */
let last: i32 = 0;
/** The byte before `last`. */
let lastButOne: i32 = 0;
/** Whether the text is HTML, where white space does not end a tag. */
let isPage: bool = false;
/** Whether the text has a `<` so far, and after its last `<` no `>`, nor in plain text white space. */
let isInAngles: bool = false;

/** Begins a text; `apart`: U+200B is written before characters beyond ASCII that end a match (C175). `page`: the text is HTML. */
export function beginText(apart: bool, page: bool): void {
  setsApart = apart;
  isPage = page;
  last = 0;
  isInAngles = false;
}

/** Leaves out the transferred bytes between two joined lines, up to the address `next`, where the text of the next line begins. */
export function joinLine(next: i32): void {
  skipTo(next);
  last = 0;
  isInAngles = false;
}

/** Begins to write the conversion of [start, end), the end of the transferred bytes so far, to `to`; `scale`: MAP_SCALE_*. */
export function beginConverted(to: i32, start: i32, end: i32, scale: i32): void {
  at = to;
  transferredEnd = end;
  skipTo(start, scale);
}

/** Writes the byte `c` for one transferred byte, or for two if the text is UTF-16. */
export function putOne(c: i32): void {
  store8(at++, c);
  follow(c);
  passConverted(1);
}

function follow(c: i32): void {
  lastButOne = last;
  last = c;
  if (c == LESS) isInAngles = true;
  else if (endsAngles(c)) isInAngles = false;
}

/** Whether the byte `c` ends a URL in angle brackets; 0 stands for a character beyond ASCII. */
function endsAngles(c: i32): bool {
  return c == GREATER || (c <= SPACE && c > 0 && !isPage);
}

/** Updates `last`, `lastButOne` and `isInAngles` for the bytes [start, end). */
function followRun(start: i32, end: i32): void {
  let p = end;
  while (p > start && load8(p - 1) != LESS && !endsAngles(load8(p - 1))) p--;
  if (p > start) isInAngles = load8(p - 1) == LESS;
  if (end - start > 1) last = load8(end - 2);
  if (end > start) follow(load8(end - 1));
}

/** Whether a character beyond ASCII ends a match here: outside `<...>`, after visible ASCII, but not after a dot or `//` (a host). */
function endsMatch(): bool {
  return !isInAngles && last > SPACE && last < DELETE && last != DOT && (last != SLASH || lastButOne != SLASH);
}

/** Copies the transferred bytes [start, end). */
export function putRun(start: i32, end: i32): void {
  copyBytes(at, start, end - start);
  at += end - start;
  if (setsApart) followRun(start, end);
  passConverted(end - start);
}

/** Leaves out the transferred bytes before the address `next`; text from there on is mapped by `scale`, MAP_SCALE_*. */
export function skipTo(next: i32, scale: i32 = MAP_SCALE_ONE): void {
  mapConverted(0, transferredEnd - next, scale);
}

/**
 * Writes the character `point` for the transferred bytes that end before `next`, perhaps with a U+200B before it (C175); text from there on
 * is mapped by `scale`.
 */
export function putCharacter(point: i32, next: i32, scale: i32): void {
  const first = setsApart && point >= NON_ASCII && endsMatch() ? storeCharacter(at, ZERO_WIDTH_SPACE) : at;
  const end = storeCharacter(first, point);
  follow(point < NON_ASCII ? point : 0);
  mapConverted(end - at, transferredEnd - next, scale);
  at = end;
}

/** Writes the character `point`, or for 0 the byte BROKEN, which ends a match. The transferred bytes end before `next`. Returns `next`. */
export function put(point: i32, next: i32): i32 {
  if (point > 0) {
    putCharacter(point, next, MAP_SCALE_ONE);
  } else {
    store8(at++, BROKEN);
    follow(0);
    mapConverted(1, transferredEnd - next, MAP_SCALE_ONE);
  }
  return next;
}
