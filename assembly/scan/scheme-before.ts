// The scheme before a colon (X1).

import { isAlpha } from "../bytes/ascii.ts";
import { OPTION_ANY_SCHEME } from "../layout/memory.ts";
import * as rule from "../layout/notes.ts";
import * as rows from "../layout/scheme-rows.ts";
import { usualLength } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import { findKnown, isExperimental, isNeverExtracted } from "../url/scheme.ts";
import * as state from "./state.ts";

/** Address of the scheme that findScheme found. While a copy is read, its address in the copy. */
export let scheme: i32 = 0;
/** Row of the scheme; SCHEME_UNKNOWN for x-* and for a scheme of X1 (c). */
export let row: i32 = 0;
/** Whether a letter is before the scheme (X1 b). */
export let glued: bool = false;

/** Sets the address of the scheme to that of another copy of the same text. */
export function moveScheme(to: i32): void {
  scheme = to;
}

/** Finds the scheme that ends the run [run, colon) by X1 (a), (b) or (c). `slashes`: two slashes follow, perhaps with escapes. */
export function findScheme(run: i32, colon: i32, slashes: bool): bool {
  scheme = run;
  glued = false;
  // Most candidates need no search in the table.
  if (slashes && usualLength(colon) == colon - run && run < colon) {
    row = colon - run == 4 ? rows.SCHEME_HTTP : rows.SCHEME_HTTPS;
    note(rule.X1_KNOWN, run, colon);
    return true;
  }
  row = findKnown(run, colon - run);
  if (row >= 0 || isExperimental(run, colon - run)) {
    note(rule.X1_KNOWN, run, colon);
    return row >= 0 || slashes;
  }
  if (!slashes) return false;
  return findSuffix(run, colon) || ((state.options & OPTION_ANY_SCHEME) != 0 && findAnySuffix(run, colon));
}

/** Finds the longest suffix of [run, colon) that could be a scheme (X1 c); returns false if there is none or it is never extracted. */
function findAnySuffix(run: i32, colon: i32): bool {
  let p = run;
  while (p < colon && !isAlpha(load8(p))) p++;
  scheme = p;
  row = rows.SCHEME_UNKNOWN;
  glued = false;
  note(rule.X1_ANY, p, colon);
  return colon - p > 1 && !isNeverExtracted(p, colon - p);
}

/** Finds the longest suffix of [run, colon) that is a known scheme and allowed there (X1 b); returns false if there is none. */
function findSuffix(run: i32, colon: i32): bool {
  let p = colon - rows.NAME_BYTES_MAX;
  if (p <= run) p = run + 1;
  for (; p < colon; p++) {
    row = findKnown(p, colon - p);
    if (row == rows.SCHEME_UNKNOWN) continue;
    glued = isAlpha(load8(p - 1));
    scheme = p;
    if (glued && row > rows.SCHEME_HTTPS) continue;
    note(rule.X1_SUFFIX, p, colon);
    if (glued) note(rule.X1_GLUED, p - 1, p);
    return true;
  }
  return false;
}
