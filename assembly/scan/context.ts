// Finds the context of decoded text (X9) by the bytes CONTEXT_* that a decoder of HTML, mail or JSON left in the window.

import { isKeyword } from "../bytes/keyword.ts";
import { CONTEXT_ATTRIBUTE, CONTEXT_RAW, CONTEXT_TEXT, OPTION_DECODED, WINDOW_REGION } from "../layout/memory.ts";
import { SPECIAL_NONE, SPECIAL_TEL, SPECIAL_TEL_IN_TEXT } from "../layout/scheme-rows.ts";
import { load8 } from "../platform/memory.ts";
import { specialOf } from "../url/scheme.ts";
import * as state from "./state.ts";

/** CONTEXT_* of the text before `checked`, or 0 if the window holds no bytes CONTEXT_*. */
let context: i32 = 0;
/** The address up to which `context` is known. */
let checked: i32 = 0;

/** Begins a text in the context `start`: CONTEXT_*, or 0 for a text without bytes CONTEXT_*. */
export function startContext(start: i32): void {
  context = start;
  checked = WINDOW_REGION;
}

/** Follows the bytes of the window, which move down by `distance`: keeps the context of the first byte that stays. */
export function moveContextDown(distance: i32): void {
  if (context == 0) return;
  contextAt(WINDOW_REGION + distance);
  checked -= distance;
}

/** Whether `c` ends a context, in a text that has contexts. */
export function isBorder(c: i32): bool {
  return c > 0 && c <= CONTEXT_RAW && context != 0;
}

/** Returns CONTEXT_* of the text at `p`. Looks back only to the last address asked for, because the scan asks from front to back. */
function contextAt(p: i32): i32 {
  if (p <= checked) return context;
  let at = p - 1;
  while (at >= checked && (load8(at) == 0 || load8(at) > CONTEXT_RAW)) at--;
  if (at >= checked) context = load8(at);
  checked = p;
  return context;
}

/** Whether the text at `p` is text of HTML, neither plain nor in a tag. */
export function isShown(p: i32): bool {
  return context != 0 && contextAt(p) == CONTEXT_TEXT;
}

/** Whether the text at `p` is plain: references end a match there, because no decoder has read them (X5). */
export function isPlain(p: i32): bool {
  return (state.options & OPTION_DECODED) == 0 && (context == 0 || contextAt(p) == CONTEXT_RAW);
}

/**
 * Returns SPECIAL_* for the shape of the scheme [name, name + length), which may be in a copy. `p`: an address in its text. In an attribute
 * cid: needs no shape (X6).
 */
export function specialAt(p: i32, name: i32, length: i32, row: i32): i32 {
  if (context != 0 && isKeyword(name, name + length, "cid") && contextAt(p) == CONTEXT_ATTRIBUTE) return SPECIAL_NONE;
  return specialOf(row);
}

/** Returns specialAt for a scheme outside of delimited URLs, where `tel:` may be a label (X6). */
export function specialInText(scheme: i32, colon: i32, row: i32): i32 {
  const special = specialAt(scheme, scheme, colon - scheme, row);
  if (special != SPECIAL_TEL || (context != 0 && contextAt(scheme) == CONTEXT_ATTRIBUTE)) return special;
  return SPECIAL_TEL_IN_TEXT;
}
