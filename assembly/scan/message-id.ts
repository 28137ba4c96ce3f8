// Header fields with text that only looks like an address: message ids in angle brackets (X10, C97), and Received (C98).

import { classOf } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { CLASS_WORD } from "../bytes/classes.ts";
import { isKeyword } from "../bytes/keyword.ts";
import { WINDOW_REGION } from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";
import { isBorder } from "./context.ts";
import * as state from "./state.ts";

/** The address that was asked about last, the start of its header field (0: none near enough), and whether a `<` is open there. */
let checked: i32 = 0;
let fieldStart: i32 = 0;
let isOpen: bool = false;

/** Forgets the facts about the window. To be called when its bytes have changed. */
export function resetMessageIds(): void {
  checked = 0;
}

/** Whether the text at `p` is in angle brackets in a field of message ids: in a header, or in lines of text that look like one. */
export function isInMessageId(p: i32): bool {
  return findField(p) && isOpen && holdsMessageIds(fieldStart, p);
}

/** Whether the text at `p` is in a Received field: in a header, or in lines of text that look like one. (C98) */
export function isInReceived(p: i32): bool {
  if (!findField(p)) return false;
  const name = skipQuoteMarks(fieldStart, p);
  const end = findFieldNameEnd(name, p);
  return load8(end) == char.COLON && endsWith(name, end, "received");
}

/**
 * Sets fieldStart and isOpen for the text at `p`; returns whether its field starts near enough. Looks back to the last address that was
 * asked about, and at most urlBytesMax bytes.
 */
function findField(p: i32): bool {
  const bound = state.lookBack(p, state.urlBytesMax);
  const known = checked > 0 && checked <= p;
  const low = known && checked > bound ? checked : bound;
  let angle = 0;
  let at = p;
  while (at > low && !startsField(at)) {
    at--;
    const c = load8(at);
    if (angle == 0 && (c == char.LESS || c == char.GREATER)) angle = c;
  }
  if (startsField(at)) fieldStart = at;
  else if (!known || at != checked) fieldStart = 0;
  else if (angle == 0 && isOpen) angle = char.LESS;
  checked = p;
  isOpen = angle == char.LESS;
  return fieldStart >= bound;
}

/** Whether a line begins at `p` that does not continue a field. */
function startsField(p: i32): bool {
  if (p == WINDOW_REGION) return true;
  const before = load8(p - 1);
  const c = load8(p);
  return isBorder(before) || (before == char.LF && c != char.SPACE && c != char.TAB);
}

/** Whether the field at `start`, after quote marks, has a name that ends like that of a field of message ids. */
function holdsMessageIds(start: i32, end: i32): bool {
  const name = skipQuoteMarks(start, end);
  const p = findFieldNameEnd(name, end);
  return load8(p) == char.COLON && (endsWith(name, p, "message-id") || endsWith(name, p, "in-reply-to") || endsWithOther(name, p));
}

function skipQuoteMarks(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && (load8(p) == char.GREATER || load8(p) == char.SPACE)) p++;
  return p;
}

function findFieldNameEnd(name: i32, end: i32): i32 {
  let p = name;
  while (p < end && (classOf(load8(p)) & CLASS_WORD) != 0) p++;
  return p;
}

function endsWithOther(name: i32, end: i32): bool {
  return (
    endsWith(name, end, "references") ||
    endsWith(name, end, "content-id") ||
    endsWith(name, end, "msg-id") ||
    endsWith(name, end, "supersedes")
  );
}

/** Whether [name, end) is `word` in any case, or ends in a hyphen and `word`. */
function endsWith(name: i32, end: i32, word: string): bool {
  const start = end - word.length;
  return start >= name && isKeyword(start, end, word) && (start == name || load8(start - 1) == char.HYPHEN);
}
