// Reads raw text: the content of elements without markup (X9, C190, C191).

import * as char from "../bytes/characters.ts";
import { SET_MARKUP } from "../bytes/classes.ts";
import { startsWith } from "../bytes/keyword.ts";
import { CONTEXT_ATTRIBUTE, CONTEXT_TEXT } from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";
import { copyByte, copyRun, copyUpTo, hasRoom, hideByte, isShort, sourceEnd } from "./decoded.ts";
import { elementOf, NONE, nameLengthOf, PLAINTEXT, SCRIPT, TITLE } from "./elements.ts";
import { NEED_SOURCE, readReference } from "./reference.ts";
import { endsName } from "./space.ts";

// States of the text of a script: normal, after `<!--`, and after `<script` inside that.
const UNESCAPED: i32 = 0;
const ESCAPED: i32 = 1;
const DOUBLE_ESCAPED: i32 = 2;

/** The element whose text is read; NONE: its end tag has begun. */
export let rawElement: i32 = NONE;
let escaped: i32 = UNESCAPED;

/** Begins the text of an element from SCRIPT on. */
export function beginRawText(element: i32): void {
  rawElement = element;
  escaped = UNESCAPED;
}

/** Reads the next bytes of the text, or the `</` of its end tag; returns the address after the bytes read, or NEED_SOURCE. */
export function readRawText(p: i32): i32 {
  // A hyphen may end the escaped state.
  const end = escaped == UNESCAPED ? copyRun(p, SET_MARKUP) : copyUpTo(p, char.LESS, char.HYPHEN);
  if (end > p || end == sourceEnd || !hasRoom()) return end;
  const c = load8(p);
  if (c == char.LESS && rawElement != PLAINTEXT) return readLess(p);
  if (c == char.AMPERSAND && rawElement >= TITLE) return readReference(p, false);
  if (c != char.HYPHEN) return copyByte(p);
  if (isShort(p, 3)) return NEED_SOURCE;
  if (p + 3 <= sourceEnd && startsWith(p, "-->")) escaped = UNESCAPED;
  return copyByte(p);
}

/** Reads the `<` at `p`, which may begin the end tag or change the state of a script; returns what readRawText does. */
function readLess(p: i32): i32 {
  const length = nameLengthOf(rawElement);
  if (isShort(p, length + 3)) return NEED_SOURCE;
  if (isTag(p, 2, length) && load8(p + 1) == char.SLASH) {
    if (escaped != DOUBLE_ESCAPED) {
      // After raw text, the first CONTEXT_* ends the text, and the second one begins the tag.
      const second = rawElement >= TITLE ? CONTEXT_ATTRIBUTE : CONTEXT_TEXT;
      rawElement = NONE;
      return hideByte(hideByte(p, CONTEXT_TEXT), second);
    }
    escaped = ESCAPED;
  } else if (rawElement == SCRIPT) {
    if (escaped == ESCAPED && isTag(p, 1, length)) escaped = DOUBLE_ESCAPED;
    // The hyphens may belong to a `-->` too.
    if (escaped == UNESCAPED && p + 4 <= sourceEnd && startsWith(p, "<!--")) {
      escaped = ESCAPED;
      return copyByte(copyByte(p));
    }
  }
  return copyByte(p);
}

/** Whether the name of the element, `length` bytes, is `before` bytes after `p`, with a byte after it that ends a name. */
function isTag(p: i32, before: i32, length: i32): bool {
  const name = p + before;
  const end = name + length;
  return end < sourceEnd && elementOf(name, end) == rawElement && endsName(load8(end));
}
