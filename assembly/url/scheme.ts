// Names of schemes (X1): their rows of the scheme table, and the fields of these rows.

import { classOf, lower } from "../bytes/ascii.ts";
import { LOWER_S } from "../bytes/characters.ts";
import { SET_NOT_SCHEME } from "../bytes/classes.ts";
import { isKeyword, startsAuthority, startsWithAnyCase } from "../bytes/keyword.ts";
import { SCHEME_SLOTS, SCHEME_TABLE } from "../layout/memory.ts";
import * as rows from "../layout/scheme-rows.ts";
import { multiply } from "../platform/arith.ts";
import { isSameName } from "../platform/kernel.ts";
import { load8, loadWord, store8 } from "../platform/memory.ts";

function rowAddress(row: i32): i32 {
  return SCHEME_TABLE + multiply(row, rows.SCHEME_ROW_BYTES);
}

/** Enters a row of the scheme table into the slots. */
export function indexScheme(row: i32): void {
  const at = rowAddress(row);
  let slot = hashScheme(at + rows.ROW_NAME, load8(at + rows.ROW_LENGTH));
  while (load8(SCHEME_SLOTS + slot) != 0) slot = (slot + 1) & 255;
  store8(SCHEME_SLOTS + slot, row + 1);
}

/** Returns the first slot of a name. Case makes no difference. */
function hashScheme(name: i32, length: i32): i32 {
  const first = load8(name) | 0x20;
  const second = load8(name + 1) | 0x20;
  const last = load8(name + length - 1) | 0x20;
  return (multiply(first, 37) + multiply(second, 11) + multiply(last, 5) + multiply(length, 41)) & 255;
}

function sameName(row: i32, name: i32, length: i32): bool {
  const at = rowAddress(row);
  return load8(at + rows.ROW_LENGTH) == length && isSameName(at + rows.ROW_NAME, name, length);
}

/** Returns the row of the name [name, name + length), even one without SHAPE_KNOWN, or SCHEME_UNKNOWN. */
export function findRow(name: i32, length: i32): i32 {
  if (length < 2 || length > rows.NAME_BYTES_MAX) return rows.SCHEME_UNKNOWN;
  // Most names are http or https, the first rows.
  const usual = length - 4;
  if ((usual == rows.SCHEME_HTTP || usual == rows.SCHEME_HTTPS) && sameName(usual, name, length)) return usual;
  let slot = hashScheme(name, length);
  while (true) {
    const row = load8(SCHEME_SLOTS + slot) - 1;
    if (row < 0) return rows.SCHEME_UNKNOWN;
    if (sameName(row, name, length)) return row;
    slot = (slot + 1) & 255;
  }
}

/** Returns the row of a known scheme (X1), or SCHEME_UNKNOWN. */
export function findKnown(name: i32, length: i32): i32 {
  const row = findRow(name, length);
  return row >= 0 && (shapeOf(row) & rows.SHAPE_KNOWN) != 0 ? row : rows.SCHEME_UNKNOWN;
}

/** Returns the SHAPE_* bits of a row; SHAPE_HIERARCHICAL for an unknown scheme. */
export function shapeOf(row: i32): i32 {
  return row < 0 ? rows.SHAPE_HIERARCHICAL : load8(rowAddress(row) + rows.ROW_SHAPE);
}

/** Returns SPECIAL_* of a row. */
export function specialOf(row: i32): i32 {
  return row < 0 ? rows.SPECIAL_NONE : load8(rowAddress(row) + rows.ROW_SPECIAL);
}

/** Returns the default port of a row, or 0. */
export function portOf(row: i32): i32 {
  return row < 0 ? 0 : loadWord(rowAddress(row) + rows.ROW_PORT);
}

/** Whether [name, name + length) begins with `x-` and is longer (X1 a). */
export function isExperimental(name: i32, length: i32): bool {
  return length > 2 && startsWithAnyCase(name, "x-");
}

/** Whether the name is `data` or `javascript`, which are never extracted (X1). */
export function isNeverExtracted(name: i32, length: i32): bool {
  return isKeyword(name, name + length, "data") || isKeyword(name, name + length, "javascript");
}

/** Whether the name of a known scheme and `://` are at `at`, and end at or before `bound` (X3). */
export function schemeFollows(at: i32, bound: i32): bool {
  let p = at;
  const limit = at + rows.NAME_BYTES_MAX + 1;
  while (p < limit && isSchemeByte(load8(p))) p++;
  if (p + 3 > bound || !startsAuthority(p)) return false;
  return findKnown(at, p - at) != rows.SCHEME_UNKNOWN;
}

/** Whether `http://` or `https://` is at `at`, in any case, and ends at or before `bound` (X3). */
export function webFollows(at: i32, bound: i32): bool {
  if (!startsWithAnyCase(at, "http")) return false;
  const colon = lower(load8(at + 4)) == LOWER_S ? at + 5 : at + 4;
  return colon + 3 <= bound && startsAuthority(colon);
}

export function isSchemeByte(c: i32): bool {
  return (classOf(c) & (1 << SET_NOT_SCHEME)) == 0;
}
