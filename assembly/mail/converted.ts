// The converted text as it is written, with the rows that lead back to the transferred bytes.

import { storeCharacter } from "../bytes/utf8.ts";
import { MAP_SCALE_ONE } from "../layout/memory.ts";
import { copyBytes, store8 } from "../platform/memory.ts";
import { mapConverted, passConverted } from "./pipe.ts";

/** A byte that is in no UTF-8. */
const BROKEN: i32 = 0xff;

/** Next address. */
export let at: i32 = 0;
let transferredEnd: i32 = 0;

/** Begins to write at `to` the conversion of the bytes [start, end), the last that were transferred. */
export function beginConverted(to: i32, start: i32, end: i32, scale: i32): void {
  at = to;
  transferredEnd = end;
  skipTo(start, scale);
}

/** Writes one byte for one or two. */
export function putOne(c: i32): void {
  store8(at++, c);
  passConverted(1);
}

/** Copies [start, end). */
export function putRun(start: i32, end: i32): void {
  copyBytes(at, start, end - start);
  at += end - start;
  passConverted(end - start);
}

/** Leaves out the bytes before `next`; text from there on goes by `scale`. */
export function skipTo(next: i32, scale: i32 = MAP_SCALE_ONE): void {
  mapConverted(0, transferredEnd - next, scale);
}

/** Writes the character that ends before `next`; text from there on goes by `scale`. */
export function putCharacter(point: i32, next: i32, scale: i32): void {
  const end = storeCharacter(at, point);
  mapConverted(end - at, transferredEnd - next, scale);
  at = end;
}

/** Writes the character, or with 0 a byte that ends a match, for what ends before `next`; returns `next`. */
export function put(point: i32, next: i32): i32 {
  if (point > 0) {
    putCharacter(point, next, MAP_SCALE_ONE);
  } else {
    store8(at++, BROKEN);
    mapConverted(1, transferredEnd - next, MAP_SCALE_ONE);
  }
  return next;
}
