// Header fields with text that only looks like an address: message ids in angle brackets (X10, C97), and Received (C98).

import { classOf } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { CLASS_WORD } from "../bytes/classes.ts";
import { isKeyword } from "../bytes/keyword.ts";
import { NAME_CODE } from "../html/decoded.ts";
import { WINDOW_REGION } from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";
import { isBorder } from "./context.ts";
import * as state from "./state.ts";

/** The address that findField was asked about last; 0: none. */
let checked: i32 = 0;
/** Start of the header field at `checked`; 0: none is near enough. */
let fieldStart: i32 = 0;
/** Whether a `<` of that field is open at `checked`. */
let isOpen: bool = false;
/** Start of the name that findFieldName found last. */
let nameStart: i32 = 0;
let nameEnd: i32 = 0;

/** Forgets the facts about the window. To be called when its bytes have changed. */
export function resetMessageIds(): void {
  checked = 0;
}

/** Whether the text at `p` is in angle brackets in a field of message ids, in a header or in text that looks like a header. */
export function isInMessageId(p: i32): bool {
  return findField(p) && isOpen && findFieldName(p) && namesMessageIds();
}

/** Whether the text at `p` is in a Received field, in a header or in text that looks like a header. (C98) */
export function isInReceived(p: i32): bool {
  return findField(p) && findFieldName(p) && nameEndsIn("received");
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

/** Whether a line begins at `p` and does not continue a field. */
function startsField(p: i32): bool {
  if (p == WINDOW_REGION) return true;
  const before = load8(p - 1);
  const c = load8(p);
  // Before a text of mail there are a line feed, CONTEXT_*, and a line feed.
  const isTextStart = isBorder(load8(p - 2)) && load8(p - 3) == char.LF;
  return isBorder(before) || (before == char.LF && (isTextStart || (c != char.SPACE && c != char.TAB)));
}

/**
 * Finds the name of the field at fieldStart, after quote marks, and in HTML after the rest of the name of a tag; returns whether a colon is
 * after it, before or at `end`.
 */
function findFieldName(end: i32): bool {
  nameStart = fieldStart;
  const isAfterMarkup = isBorder(load8(fieldStart - 1));
  while (nameStart < end && isBeforeName(load8(nameStart), isAfterMarkup)) nameStart++;
  nameEnd = nameStart;
  while (nameEnd < end && (classOf(load8(nameEnd)) & CLASS_WORD) != 0) nameEnd++;
  return load8(nameEnd) == char.COLON;
}

function isBeforeName(c: i32, isAfterMarkup: bool): bool {
  return c == char.GREATER || c == char.SPACE || (isAfterMarkup && (c & 0xf0) == NAME_CODE);
}

/** Whether the name that findFieldName found is that of a field of message ids, or ends in a hyphen and such a name. */
function namesMessageIds(): bool {
  return (
    nameEndsIn("message-id") ||
    nameEndsIn("in-reply-to") ||
    nameEndsIn("references") ||
    nameEndsIn("content-id") ||
    nameEndsIn("msg-id") ||
    nameEndsIn("supersedes")
  );
}

/** Whether the name that findFieldName found is `word` in any case, or ends in a hyphen and `word`. */
function nameEndsIn(word: string): bool {
  const start = nameEnd - word.length;
  return start >= nameStart && isKeyword(start, nameEnd, word) && (start == nameStart || load8(start - 1) == char.HYPHEN);
}
