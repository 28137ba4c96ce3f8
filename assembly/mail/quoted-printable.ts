// Quoted-printable (A6): `=XX` is a byte, `=` at the end of a line joins the line with the next one, any other `=` stays.

import { classOf } from "../bytes/ascii.ts";
import { CR, EQUALS, LF } from "../bytes/characters.ts";
import { CLASS_HEX, SET_EQUALS } from "../bytes/classes.ts";
import { hexPair, isHexPair } from "../bytes/number.ts";
import { MAP_SCALE_ONE } from "../layout/memory.ts";
import { copyUntil } from "../platform/kernel.ts";
import { load8, store8 } from "../platform/memory.ts";
import { mapRun, mapUnit, passRun } from "./pipe.ts";
import { isBlank } from "./source.ts";

/** Most bytes of a `=` and the spaces and tabs between it and the line break. */
const PADDING_BYTES_MAX: i32 = 64;

/** Address after the last byte that was written. */
export let quotedEnd: i32 = 0;

/** Decodes [start, end) to `to`; returns the end of the bytes read. A sequence that may continue after `end` waits, unless `isEnd`. */
export function readQuotedPrintable(start: i32, end: i32, to: i32, isEnd: bool): i32 {
  let p = start;
  let at = to;
  while (p < end) {
    const q = copyUntil(at, p, end, SET_EQUALS);
    at = passCopy(p, q, at);
    p = q;
    if (q == end) break;
    const next = softBreakEnd(q, end, isEnd);
    if (next < 0) break;
    if (next > 0) {
      mapUnit(0, next);
      p = next;
      continue;
    }
    if (q + 2 < end && isHexPair(q + 1)) {
      store8(at++, hexPair(q + 1));
      mapRun(q, MAP_SCALE_ONE);
      mapUnit(1, q + 3);
      p = q + 3;
      continue;
    }
    if (q + 3 > end && !isEnd && isOpen(q, end)) break;
    store8(at, EQUALS);
    at = passCopy(q, q + 1, at);
    p = q + 1;
  }
  quotedEnd = at;
  return p;
}

/** Maps the bytes at `at`, a copy of the source bytes [from, to), to these; returns the address after the copy. */
function passCopy(from: i32, to: i32, at: i32): i32 {
  if (from == to) return at;
  mapRun(from, MAP_SCALE_ONE);
  passRun(to - from, to - from);
  return at + (to - from);
}

/** Whether the `=` at `q` may begin a triplet that continues after `end`. */
function isOpen(q: i32, end: i32): bool {
  return q + 1 == end || (classOf(load8(q + 1)) & CLASS_HEX) != 0;
}

/** Returns the end of the soft line break whose `=` is at `q`; 0: there is none; -1: undecided. The end of the text is a line break too. */
function softBreakEnd(q: i32, end: i32, isEnd: bool): i32 {
  let p = q + 1;
  while (p < end && p - q <= PADDING_BYTES_MAX && isBlank(load8(p))) p++;
  if (p - q > PADDING_BYTES_MAX) return 0;
  if (p == end) return isEnd ? end : -1;
  const c = load8(p);
  if (c == LF) return p + 1;
  if (c != CR) return 0;
  if (p + 1 == end) return isEnd ? 0 : -1;
  return load8(p + 1) == LF ? p + 2 : 0;
}
