// Regions of HTML (X9): what the text at an address is, by the bytes CONTEXT_* that `decode` left in the window.

import { isKeyword } from "../bytes/keyword.ts";
import {
  CONTEXT_ATTRIBUTE,
  CONTEXT_RAW,
  OPTION_DECODED,
  STATE_CONTEXT,
  STATE_CONTEXT_CHECKED,
  STATE_HAS_CONTEXTS,
  STATE_OPTIONS,
} from "../layout/memory.ts";
import { SPECIAL_NONE } from "../layout/scheme-rows.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { specialOf } from "../url/scheme.ts";

/** Whether the window holds what was decoded from HTML. */
export function hasContexts(): bool {
  return loadWord(STATE_HAS_CONTEXTS) != 0;
}

/** Whether `c` ends a region, where there are any. */
export function isBorder(c: i32): bool {
  return c > 0 && c <= CONTEXT_RAW && hasContexts();
}

/**
 * CONTEXT_* of the text at `p`. Looks back to the last address that was asked for, as one asks from front to back: what stands before
 * that address is in the same region.
 */
export function contextAt(p: i32): i32 {
  const checked = loadWord(STATE_CONTEXT_CHECKED);
  if (p <= checked) return loadWord(STATE_CONTEXT);
  let at = p - 1;
  while (at >= checked && (load8(at) == 0 || load8(at) > CONTEXT_RAW)) at--;
  if (at >= checked) storeWord(STATE_CONTEXT, load8(at));
  storeWord(STATE_CONTEXT_CHECKED, p);
  return loadWord(STATE_CONTEXT);
}

/** Whether references that stand at `p` are no part of a match (X5): in plain text. */
export function isPlain(p: i32): bool {
  if (hasContexts()) return contextAt(p) == CONTEXT_RAW;
  return (loadWord(STATE_OPTIONS) & OPTION_DECODED) == 0;
}

/** SPECIAL_* for the shape of the scheme named at `name`, which stands in the region of `p`: cid: in an attribute needs none (X6). */
export function specialAt(p: i32, name: i32, length: i32, row: i32): i32 {
  if (hasContexts() && isKeyword(name, name + length, "cid") && contextAt(p) == CONTEXT_ATTRIBUTE) return SPECIAL_NONE;
  return specialOf(row);
}
