// Comments, declarations and sections of CDATA (X9). Copies their text. Decodes references only in conditional comments and in CDATA of
// XML.

import * as char from "../bytes/characters.ts";
import { startsWith, startsWithAnyCase } from "../bytes/keyword.ts";
import { CONTEXT_RAW, CONTEXT_TEXT } from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";
import { copyByte, copyUpTo, hasRoom, hide, hideByte, isShort, sourceEnd } from "./decoded.ts";
import { isForeign, isXml } from "./elements.ts";
import { NEED_SOURCE, readClosedReference, readReference } from "./reference.ts";

const NONE: i32 = 0;
const COMMENT_START: i32 = 1; // Right after `<!--`, where `>` and `->` end the comment too
const COMMENT: i32 = 2; // In a comment, after the first byte of its text
const DECLARATION: i32 = 3; // `<!`, `<?` or `</` before anything that begins no comment, CDATA or tag. The first `>` ends it
const CDATA: i32 = 4; // A section of CDATA (C192, C195)
const CONDITIONAL: i32 = 5; // A conditional comment, which begins with `<!--[if` (C194)

/** Length of `<![CDATA[`. */
const CDATA_BYTES: i32 = 9;
const CONDITIONAL_BYTES: i32 = 7; // Length of `<!--[if`

/** The construct that is open, COMMENT_START to CONDITIONAL, or NONE. */
let kind: i32 = NONE;

/** Whether a comment, a declaration or CDATA has not ended. */
export function isInComment(): bool {
  return kind != NONE;
}

/** Begins the comment, CDATA or declaration whose `<!` is at `p`; returns the address after the bytes read, or NEED_SOURCE. */
export function startComment(p: i32): i32 {
  if (isShort(p, isForeign() ? CDATA_BYTES : 4)) return NEED_SOURCE;
  if (p + 4 <= sourceEnd && startsWith(p + 2, "--")) {
    if (isShort(p, CONDITIONAL_BYTES)) return NEED_SOURCE;
    const isConditional = p + CONDITIONAL_BYTES <= sourceEnd && load8(p + 4) == char.SQUARE_OPEN && startsWithAnyCase(p + 5, "if");
    return start(p, 4, isConditional ? CONDITIONAL : COMMENT_START);
  }
  const isCdata = isForeign() && p + CDATA_BYTES <= sourceEnd && startsWith(p + 2, "[CDATA[");
  return isCdata ? start(p, CDATA_BYTES, CDATA) : startDeclaration(p);
}

/** Reads the first two bytes of a declaration; returns the address after them. */
export function startDeclaration(p: i32): i32 {
  return start(p, 2, DECLARATION);
}

function start(p: i32, count: i32, next: i32): i32 {
  kind = next;
  return next == CONDITIONAL ? hide(hide(p, 2, CONTEXT_RAW), 2, CONTEXT_TEXT) : hide(p, count, CONTEXT_RAW);
}

/** Reads the next bytes of the comment, declaration or CDATA that is open; returns the address after them, or NEED_SOURCE. */
export function readComment(p: i32): i32 {
  const last = kind == DECLARATION ? char.GREATER : kind == CDATA ? char.SQUARE_CLOSE : char.HYPHEN;
  const end = kind == COMMENT_START ? p : copyUpTo(p, last, hasReferences() ? char.AMPERSAND : last);
  if (end == sourceEnd || !hasRoom()) return end;
  if (load8(end) == char.AMPERSAND && hasReferences()) {
    const next = kind == CDATA ? readClosedReference(end) : readReference(end, true);
    return next < 0 && end > p ? end : next;
  }
  if (kind != DECLARATION && isShort(end, 4)) return end > p ? end : NEED_SOURCE;
  const length = endLength(end);
  if (length > 0) kind = NONE;
  else if (kind == COMMENT_START) kind = COMMENT;
  return length > 0 ? hideByte(hide(end, length - 1, CONTEXT_RAW), CONTEXT_TEXT) : copyByte(end);
}

/** Whether references are decoded: in conditional comments, and in CDATA of XML, which holds HTML (C284). */
function hasReferences(): bool {
  return kind == CONDITIONAL || (kind == CDATA && isXml);
}

/**
 * Returns the length of the mark at `p` that ends what is open, or 0. A comment ends with `-->` or `--!>`, at its start also with `>` or
 * `->`.
 */
function endLength(p: i32): i32 {
  if (kind == DECLARATION) return 1;
  const left = sourceEnd - p;
  if (kind == CDATA) return left >= 3 && startsWith(p, "]]>") ? 3 : 0;
  const isHyphen = load8(p) == char.HYPHEN;
  if (kind == COMMENT_START) {
    if (load8(p) == char.GREATER) return 1;
    if (isHyphen && left >= 2 && load8(p + 1) == char.GREATER) return 2;
  }
  if (!isHyphen || left < 3 || load8(p + 1) != char.HYPHEN) return 0;
  if (load8(p + 2) == char.GREATER) return 3;
  return left >= 4 && startsWith(p + 2, "!>") ? 4 : 0;
}
