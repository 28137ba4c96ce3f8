// The converted text as it is written: behind what waits in CONVERT_REGION, with the rows that lead back to the transferred bytes.

import { storeCharacter } from "../bytes/utf8.ts";
import { MAP_SCALE_ONE, MAP_SCALE_WHOLE } from "../layout/memory.ts";
import { load8, store8 } from "../platform/memory.ts";
import { mapConverted, passConverted } from "./pipe.ts";

/** Next address. */
export let at: i32 = 0;
let sourceEnd: i32 = 0;

/** Begins to write at `to` what is made of the bytes [start, end), the last that were transferred; what was begun goes on. */
export function beginConverted(to: i32, start: i32, end: i32, scale: i32, isNew: bool): void {
  at = to;
  sourceEnd = end;
  if (isNew) mapConverted(0, end - start, scale);
}

/** A run that stands for its bytes as a whole begins at `start`. */
export function shiftAt(start: i32): void {
  mapConverted(0, sourceEnd - start, MAP_SCALE_WHOLE);
}

/** Writes a character of such a run. */
export function putShifted(point: i32): void {
  const end = storeCharacter(at, point);
  passConverted(end - at);
  at = end;
}

/** Writes a byte in the place of one. */
export function putOne(c: i32): void {
  store8(at++, c);
  passConverted(1);
}

/** Copies [start, end). */
export function putRun(start: i32, end: i32): void {
  for (let p = start; p < end; p++) store8(at + (p - start), load8(p));
  at += end - start;
  passConverted(end - start);
}

/** Leaves out what stands before `next`; from there on text goes by `scale`. */
export function skipTo(next: i32, scale: i32 = MAP_SCALE_ONE): void {
  mapConverted(0, sourceEnd - next, scale);
}

/** Writes the character `point`, which ends before `next`; from there on text goes by `scale`. */
export function putCharacter(point: i32, next: i32, scale: i32): void {
  const end = storeCharacter(at, point);
  mapConverted(end - at, sourceEnd - next, scale);
  at = end;
}
