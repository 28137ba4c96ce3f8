// Scheme dispatch: which row of the scheme table a name has (X1).

import { CLASS_ALPHA, CLASS_SCHEME } from "../bytes/classes.ts";
import { CLASS_TABLE, SCHEME_SLOTS, SCHEME_TABLE } from "../layout/memory.ts";
import {
  NAME_BYTES_MAX,
  ROW_LENGTH,
  ROW_NAME,
  ROW_PORT,
  ROW_SHAPE,
  ROW_SPECIAL,
  SCHEME_HTTP,
  SCHEME_HTTPS,
  SCHEME_ROW_BYTES,
  SCHEME_UNKNOWN,
  SHAPE_HIERARCHICAL,
  SHAPE_KNOWN,
  SPECIAL_NONE,
} from "../layout/scheme-rows.ts";
import { multiply } from "../platform/arith.ts";
import { isSameName } from "../platform/kernel.ts";
import { load8, loadWord, store8 } from "../platform/memory.ts";

/** Bits of CLASS_* and SET_* of the byte `c`. */
export function classOf(c: i32): i32 {
  return loadWord(CLASS_TABLE + (c << 2));
}

/** `c` in lower case, if it is a letter of ASCII. */
export function lower(c: i32): i32 {
  return c >= 0x41 && c <= 0x5a ? c | 0x20 : c;
}

function rowAddress(row: i32): i32 {
  return SCHEME_TABLE + multiply(row, SCHEME_ROW_BYTES);
}

/** Enters a row of the scheme table, which is filled, into the slots. */
export function indexRow(row: i32): void {
  const at = rowAddress(row);
  let slot = hashScheme(at + ROW_NAME, load8(at + ROW_LENGTH));
  while (load8(SCHEME_SLOTS + slot) != 0) slot = (slot + 1) & 255;
  store8(SCHEME_SLOTS + slot, row + 1);
}

/** First slot of a name. Case makes no difference. */
function hashScheme(name: i32, length: i32): i32 {
  const first = load8(name) | 0x20;
  const second = load8(name + 1) | 0x20;
  const last = load8(name + length - 1) | 0x20;
  return (multiply(first, 37) + multiply(second, 11) + multiply(last, 5) + multiply(length, 41)) & 255;
}

function sameName(row: i32, name: i32, length: i32): bool {
  const at = rowAddress(row);
  return load8(at + ROW_LENGTH) == length && isSameName(at + ROW_NAME, name, length);
}

/** Row of the scheme whose name stands in [name, name + length), known or not, or SCHEME_UNKNOWN. */
export function findRow(name: i32, length: i32): i32 {
  if (length < 2 || length > NAME_BYTES_MAX) return SCHEME_UNKNOWN;
  // Most are http or https, the first rows.
  const usual = length - 4;
  if ((usual == SCHEME_HTTP || usual == SCHEME_HTTPS) && sameName(usual, name, length)) return usual;
  let slot = hashScheme(name, length);
  while (true) {
    const row = load8(SCHEME_SLOTS + slot) - 1;
    if (row < 0) return SCHEME_UNKNOWN;
    if (sameName(row, name, length)) return row;
    slot = (slot + 1) & 255;
  }
}

/** Row of a known scheme (X1), or SCHEME_UNKNOWN. */
export function findKnown(name: i32, length: i32): i32 {
  const row = findRow(name, length);
  return row >= 0 && (shapeOf(row) & SHAPE_KNOWN) != 0 ? row : SCHEME_UNKNOWN;
}

/** SHAPE_* bits of a row; an unknown scheme is hierarchical where `//` follows. */
export function shapeOf(row: i32): i32 {
  return row < 0 ? SHAPE_HIERARCHICAL : load8(rowAddress(row) + ROW_SHAPE);
}

/** SPECIAL_* of a row. */
export function specialOf(row: i32): i32 {
  return row < 0 ? SPECIAL_NONE : load8(rowAddress(row) + ROW_SPECIAL);
}

/** Default port of a row, or 0. */
export function portOf(row: i32): i32 {
  return row < 0 ? 0 : loadWord(rowAddress(row) + ROW_PORT);
}

/** Whether [name, name + length) begins with `x-` and goes on (X1 a). */
export function isExperimental(name: i32, length: i32): bool {
  return length > 2 && lower(load8(name)) == 0x78 && load8(name + 1) == 0x2d;
}

/** Whether it is `data` or `javascript`, which are never extracted (X1). */
export function isNeverExtracted(name: i32, length: i32): bool {
  if (length == 4) return isName(name, 0x64, 0x61, 0x74, 0x61);
  if (length != 10) return false;
  return isName(name, 0x6a, 0x61, 0x76, 0x61) && isName(name + 4, 0x73, 0x63, 0x72, 0x69) && isName(name + 6, 0x72, 0x69, 0x70, 0x74);
}

function isName(at: i32, a: i32, b: i32, c: i32, d: i32): bool {
  return lower(load8(at)) == a && lower(load8(at + 1)) == b && lower(load8(at + 2)) == c && lower(load8(at + 3)) == d;
}

/** Whether a known scheme's name stands at `at`, directly followed by a `://` that ends at `bound` at the latest (X3). */
export function schemeFollows(at: i32, bound: i32): bool {
  let p = at;
  const limit = at + NAME_BYTES_MAX + 1;
  while (p < limit && isSchemeByte(load8(p))) p++;
  if (p + 3 > bound || load8(p) != 0x3a || load8(p + 1) != 0x2f || load8(p + 2) != 0x2f) return false;
  return findKnown(at, p - at) != SCHEME_UNKNOWN;
}

/** Whether `c` may stand in a scheme's name. */
export function isSchemeByte(c: i32): bool {
  return (classOf(c) & CLASS_SCHEME) != 0;
}

/** Whether `c` is a letter of ASCII. */
export function isAlpha(c: i32): bool {
  return (classOf(c) & CLASS_ALPHA) != 0;
}
