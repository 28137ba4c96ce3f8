// Decodes HTML and XML for the scan (X9, C195): references in text and in values of attributes become characters. The names of tags, and
// the delimiters of tags, values, comments and declarations become bytes CONTEXT_*, one for one. These are delimiter bytes: no match runs
// over them. The last one before a text is the context of the text. TypeScript finds the texts of links by these bytes (C218):
// - A tag is CONTEXT_TEXT, one CONTEXT_ATTRIBUTE or more, its content, and CONTEXT_TEXT or CONTEXT_RAW. A tag of `a` begins with
//   CONTEXT_ATTRIBUTE, and has one for the slash of an end tag. The letters of its name but the first are bytes from 10 to 1F (putName).
// - A comment, a declaration or CDATA is two CONTEXT_RAW or more, its text, perhaps some CONTEXT_RAW, and CONTEXT_TEXT. In a conditional
//   comment, two CONTEXT_TEXT are before the text. One CONTEXT_RAW by itself begins another text of a message.

import { classOf, isAlpha } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { SET_MARKUP, SET_QUOTED, SET_STOP } from "../bytes/classes.ts";
import { isKeyword } from "../bytes/keyword.ts";
import * as layout from "../layout/memory.ts";
import { load8 } from "../platform/memory.ts";
import { findKnown } from "../url/scheme.ts";
import {
  NAME_BYTES_MAX as ATTRIBUTE_BYTES_MAX,
  ATTRIBUTE_IMAGESRCSET,
  ATTRIBUTE_SRCSET,
  attribute,
  findForm,
  NO_URL,
} from "./attribute.ts";
import { isInComment, readComment, startComment, startDeclaration } from "./comment.ts";
import * as decoded from "./decoded.ts";
import {
  advance,
  copyByte,
  copyNameAt,
  copyRun,
  findBound,
  hasRoom,
  hideByte,
  hideName,
  isLast,
  isShort,
  neutral,
  putAt,
  putName,
  putReference,
  sourceEnd,
  to,
} from "./decoded.ts";
import { beginElements, endForeign, enterForeign, FOREIGN, isForeign, isXml, META, NONE, SCRIPT, startElement, TITLE } from "./elements.ts";
import * as quotes from "./quotes.ts";
import { beginRawText, rawElement, readRawText } from "./raw-text.ts";
import { NEED_SOURCE, readReference, readTextReference, readUrlReference } from "./reference.ts";
import { endsName, isSpace } from "./space.ts";
import { findTagNameEnd, isAnchor, isNameOpen, isNameWhole, tagNameEnd } from "./tag-name.ts";
import { addDecodedMark, addValue, beginDocument, beginElement, endElement, hasLinks, markValue } from "./values.ts";

// States of the tokenizer.
const TEXT: i32 = 0;
const ELEMENT: i32 = 1; // The text of an element that is no markup
const COMMENT: i32 = 2; // A comment, a declaration or CDATA
const DOUBLE_QUOTED: i32 = 3; // In the value of an attribute, after a `"`
const SINGLE_QUOTED: i32 = 4; // In the value of an attribute, after a `'`
const UNQUOTED: i32 = 5; // In the value of an attribute that has no quotation marks
const TAG_NAME: i32 = 6; // This state and the later ones are inside a tag
const GAP: i32 = 7; // Before an attribute or the `>`
const ATTRIBUTE_NAME: i32 = 8;
const NAME_END: i32 = 9; // In white space after the name of an attribute
const VALUE_START: i32 = 10; // After the `=`, before the value

/** The value of `slashes` after `://`. */
const ALL_SLASHES: i32 = 3;

/** Address of the first source byte that readHtml has not read. */
export let reached: i32 = 0;
let mode: i32 = TEXT;
/** The element whose start tag is read, as startElement returned it; NONE in an end tag. */
let element: i32 = NONE;
/** What findForm returned for the name of an attribute that was read last; NO_URL for names that it is not asked about. */
let form: i32 = NO_URL;
/** Whether a token of a list begins with the next byte that is no white space. */
let isTokenNext: bool = false;
/** Whether the current or next token of a srcset is a descriptor of the URL before it (C106). */
let isDescriptor: bool = false;
/** Kind of the next token of a list: VALUE_TOKEN, or VALUE_LINK after the comma of a descriptor. */
let tokenForm: i32 = layout.VALUE_TOKEN;
/** Number of bytes of `://` that the text between values has just had. After all three, `=` begins no value before white space. */
let slashes: i32 = 0;
/** Whether readNames stopped before a name that may continue after the source bytes. */
let isNameCut: bool = false;

/** Begins a document of HTML or XML. `follows`: its quotes are followed (C302). */
export function beginHtml(xml: bool, follows: bool): void {
  mode = TEXT;
  element = NONE;
  form = NO_URL;
  isTokenNext = false;
  slashes = 0;
  beginElements(xml);
  beginDocument();
  quotes.beginQuotes(follows);
}

/** Decodes the source [start, end) to the window from `to` on, up to `limit`; `last`: the source ends there. Returns what readHtml does. */
export function decodeHtml(start: i32, end: i32, last: bool, to: i32, limit: i32): i32 {
  assert(start <= end && to <= limit);
  decoded.beginWindow(to, limit);
  decoded.setSource(end, last, 0);
  const stop = readHtml(start);
  assert(reached >= start && reached <= end);
  decoded.finishWindow(reached);
  return stop;
}

/** Reads the source of decoded.ts from `source` on; returns STOP_END, STOP_FULL, or STOP_INPUT: more source is needed. Sets `reached`. */
export function readHtml(source: i32): i32 {
  let p = source;
  let stop = layout.STOP_END;
  quotes.resumeQuoteValue();
  while (p < sourceEnd) {
    if (!hasRoom()) {
      stop = layout.STOP_FULL;
      break;
    }
    const next = step(p);
    if (next < 0) {
      stop = layout.STOP_INPUT;
      break;
    }
    p = next;
  }
  quotes.keepQuoteValue(false);
  reached = p;
  return stop;
}

/** Reads one byte or more at `p`; returns the address after them, or NEED_SOURCE. */
function step(p: i32): i32 {
  if (mode == TEXT) return readText(p);
  if (mode >= TAG_NAME) return readTag(p);
  if (mode >= DOUBLE_QUOTED) return readValue(p);
  if (mode == ELEMENT) return readElement(p);
  const next = readComment(p);
  if (!isInComment()) mode = TEXT;
  return next;
}

function readText(p: i32): i32 {
  let c = load8(p);
  let end = p;
  if ((classOf(c) & (1 << SET_MARKUP)) == 0) {
    end = copyRun(p, SET_MARKUP);
    if (quotes.followsQuotes) quotes.readQuoteText(to - (end - p));
    if (end == sourceEnd || !hasRoom()) return end;
    c = load8(end);
  }
  const from = to;
  const next = c == char.AMPERSAND ? readTextReference(end, isXml) : c == char.LESS ? readMarkup(end) : copyByte(end);
  if (quotes.followsQuotes) quotes.readQuoteText(from);
  return next < 0 && end > p ? end : next;
}

/** Reads the `<` at `p` in text, and the start of the tag, comment or declaration that it may begin. */
function readMarkup(p: i32): i32 {
  if (isShort(p, 2)) return NEED_SOURCE;
  const c = p + 1 < sourceEnd ? load8(p + 1) : 0;
  if (isAlpha(c)) return readStartTag(p);
  if (c == char.QUESTION || c == char.EXCLAMATION) return readHidden(p);
  if (c != char.SLASH) return copyByte(p);
  if (isShort(p, 3)) return NEED_SOURCE;
  if (p + 2 == sourceEnd) return copyByte(p);
  const first = load8(p + 2);
  if (first == char.GREATER) return hideByte(hideByte(hideByte(p, layout.CONTEXT_TEXT), layout.CONTEXT_ATTRIBUTE), layout.CONTEXT_TEXT);
  if (!isAlpha(first)) return readHidden(p);
  if (isShort(p, 4)) return NEED_SOURCE;
  const end = findTagNameEnd(p + 2);
  if (isNameOpen(p + 2, end)) return NEED_SOURCE;
  if (isForeign() && !isXml && (end == sourceEnd || endsName(load8(end)))) endForeign(p + 2, end);
  if (quotes.followsQuotes) quotes.closeQuote(p + 2, tagNameEnd(p + 2, end));
  element = NONE;
  endElement();
  const begin = hideByte(p, isAnchor(p + 2, end) ? layout.CONTEXT_ATTRIBUTE : layout.CONTEXT_TEXT);
  hideName(hideByte(begin, layout.CONTEXT_ATTRIBUTE), end);
  if (end < sourceEnd && load8(end) == char.GREATER) return hideByte(end, layout.CONTEXT_TEXT);
  mode = TAG_NAME;
  return end;
}

/** Reads a `<!`, a `<?`, or a `</` that begins no tag. A comment, declaration or CDATA begins there. */
function readHidden(p: i32): i32 {
  const next = load8(p + 1) == char.EXCLAMATION ? startComment(p) : startDeclaration(p);
  if (next >= 0) mode = COMMENT;
  return next;
}

/** Reads the `<` before a letter: it begins a tag, or is text if `URL:` or a known scheme and a colon follow (X7). */
function readStartTag(p: i32): i32 {
  const name = p + 1;
  const end = findTagNameEnd(name);
  if (isNameOpen(name, end)) return NEED_SOURCE;
  if (end < sourceEnd && load8(end) == char.COLON) {
    if (isKeyword(name, end, "url")) return copyByte(p);
    // Names in XML may have colons, but no slashes. So in XML `<` before a known scheme is text only if a slash follows the colon (C195).
    if (isXml && isShort(end, 2)) return NEED_SOURCE;
    if ((!isXml || (end + 1 < sourceEnd && load8(end + 1) == char.SLASH)) && findKnown(name, end - name) >= 0) return copyByte(p);
  }
  if (!isXml && isKeyword(name, end, "wbr")) {
    if (isShort(end, 2)) return NEED_SOURCE;
    const close = load8(end) == char.SLASH ? end + 1 : end;
    if (close < sourceEnd && load8(close) == char.GREATER) return putReference(0, 0, close + 1);
  }
  element = tagNameEnd(name, end) == end ? startElement(name, end) : NONE;
  if (quotes.followsQuotes) quotes.beginQuoteTag(name, tagNameEnd(name, end));
  hideName(hideByte(p, isAnchor(name, end) ? layout.CONTEXT_ATTRIBUTE : layout.CONTEXT_TEXT), end);
  if (element == NONE && end < sourceEnd && load8(end) == char.GREATER) {
    if (quotes.followsQuotes) quotes.endQuoteTag();
    return hideByte(end, layout.CONTEXT_TEXT);
  }
  beginElement(name, end);
  mode = TAG_NAME;
  return end;
}

/** Reads a tag and the values of its attributes, as far as the source and the room go. */
function readTag(start: i32): i32 {
  let p = start;
  while (true) {
    p = readNames(p);
    if (p == sourceEnd || !hasRoom()) return p;
    if (isNameCut) return p > start ? p : NEED_SOURCE;
    const c = load8(p);
    if (c == char.GREATER) return closeTag(p);
    p = startValue(p, c);
    const next = readValue(p);
    if (next < 0) return p > start ? p : next;
    p = next;
    if (mode != GAP || p == sourceEnd || !hasRoom()) return p;
  }
}

/**
 * Reads the bytes of a tag up to its `>`, the first byte of a value, or a name that may continue, or as far as source and room go. Text
 * between values stays text.
 */
function readNames(start: i32): i32 {
  const bound = findBound(start);
  let p = start;
  let now = mode;
  isNameCut = false;
  while (p < bound) {
    const c = load8(p);
    // The space after a tag's name or a value needs no look at the other cases.
    if (c == char.SPACE && now <= GAP && slashes == 0) {
      now = GAP;
      putAt(p++ - start, c);
      continue;
    }
    if (c == char.GREATER || (now == VALUE_START && !isSpace(c))) break;
    if (slashes > 0 || c == char.COLON) slashes = now == TAG_NAME ? 0 : slashesAfter(c);
    const next = c == char.EQUALS && slashes == ALL_SLASHES ? ATTRIBUTE_NAME : modeAfter(c, now);
    const isStart = next == ATTRIBUTE_NAME && now != ATTRIBUTE_NAME;
    if (isStart) form = NO_URL;
    if (isStart && quotes.followsQuotes) quotes.beginQuoteAttribute();
    // Most of a tag is names. The rest of a name does not change the mode.
    if (c > char.GREATER) {
      putAt(p - start, c);
      const nameEnd = copyNameAt(p + 1 - start, p + 1, bound);
      if (isStart && nameEnd - p <= ATTRIBUTE_BYTES_MAX) {
        // Stops here if the name may continue, or if there is no room for it.
        isNameCut = nameEnd == sourceEnd && !isLast;
        if (isNameCut || (nameEnd == bound && bound < sourceEnd)) break;
        form = findForm(p, nameEnd, element == META);
        if (form != NO_URL && !isNameWhole(nameEnd)) form = NO_URL;
        if (quotes.followsQuotes && isNameWhole(nameEnd)) quotes.nameQuoteAttribute(p, nameEnd);
      }
      now = next;
      if (now == TAG_NAME) putName(p - start, p, nameEnd);
      p = nameEnd;
      // The `=` after most names needs no turn of its own.
      if (now == ATTRIBUTE_NAME && slashes == 0 && p < bound && load8(p) == char.EQUALS) {
        now = VALUE_START;
        putAt(p - start, layout.CONTEXT_ATTRIBUTE);
        p++;
      }
      continue;
    }
    now = next;
    putAt(p - start, now == VALUE_START ? layout.CONTEXT_ATTRIBUTE : now == TAG_NAME ? layout.CONTEXT_NAME : neutral(c));
    p++;
  }
  advance(p - start);
  mode = now;
  return p;
}

/** Returns `slashes` after the byte `c` of a text between values. */
function slashesAfter(c: i32): i32 {
  if (slashes == ALL_SLASHES) return isSpace(c) ? 0 : ALL_SLASHES;
  if (c == char.COLON) return 1;
  return slashes > 0 && c == char.SLASH ? slashes + 1 : 0;
}

/** Returns the mode after the byte `c` of a tag, which is neither `>` nor the first byte of a value. */
function modeAfter(c: i32, before: i32): i32 {
  if (before == VALUE_START) return VALUE_START;
  // Letters are the most frequent.
  if (c > char.EQUALS) return before == TAG_NAME ? TAG_NAME : ATTRIBUTE_NAME;
  if (c == char.SLASH) return GAP;
  if (isSpace(c)) return before == ATTRIBUTE_NAME || before == NAME_END ? NAME_END : GAP;
  if (before == TAG_NAME) return TAG_NAME;
  return c == char.EQUALS && before != GAP ? VALUE_START : ATTRIBUTE_NAME;
}

/** Begins the value after `=` and white space, whose first byte or quotation mark `c` is at `p`. Returns the address of its first byte. */
function startValue(p: i32, c: i32): i32 {
  mode = c == char.QUOTE ? DOUBLE_QUOTED : c == char.APOSTROPHE ? SINGLE_QUOTED : UNQUOTED;
  const value = mode == UNQUOTED ? p : hideByte(p, layout.CONTEXT_ATTRIBUTE);
  quotes.beginQuoteValue();
  slashes = 0;
  isTokenNext = form == layout.VALUE_TOKEN;
  isDescriptor = false;
  tokenForm = layout.VALUE_TOKEN;
  if (form >= 0 && !isTokenNext) addValue(to, mode == UNQUOTED ? form | layout.VALUE_CLOSED : form, true);
  return value;
}

function closeTag(p: i32): i32 {
  // A slash before the `>` closes `svg` or `math`, unless it belongs to an unquoted value.
  if (element == FOREIGN && (mode != GAP || load8(to - 1) != char.SLASH)) enterForeign();
  if (quotes.followsQuotes) quotes.endQuoteTag();
  slashes = 0;
  mode = element < SCRIPT ? TEXT : ELEMENT;
  if (mode == ELEMENT) beginRawText(element);
  return hideByte(p, mode == TEXT || element >= TITLE ? layout.CONTEXT_TEXT : layout.CONTEXT_RAW);
}

function readValue(p: i32): i32 {
  if (isTokenNext && p < sourceEnd && !isSpace(load8(p))) {
    addValue(to, tokenForm | layout.VALUE_CLOSED, !isDescriptor);
    tokenForm = layout.VALUE_TOKEN;
    isTokenNext = false;
  }
  const end = copyRun(p, mode == UNQUOTED || form == layout.VALUE_TOKEN ? SET_STOP : SET_QUOTED);
  if (end == sourceEnd || !hasRoom()) return end;
  const c = load8(end);
  if (c == char.AMPERSAND) {
    const isText = form == NO_URL;
    const next = !isText ? readUrlReference(end) : isXml ? readTextReference(end, true) : readReference(end, true);
    if (next > 0 && !isText && (load8(to - 1) == char.LESS || load8(to - 1) == char.GREATER)) addDecodedMark(to - 1);
    return next < 0 && end > p ? end : next;
  }
  if (mode == UNQUOTED) {
    if (c != char.GREATER && !isSpace(c)) return copyByte(end);
    isTokenNext = false;
    if (c == char.GREATER) return closeTag(end);
  } else if (c != (mode == DOUBLE_QUOTED ? char.QUOTE : char.APOSTROPHE)) {
    if (isDescriptor && c == char.COMMA) {
      isDescriptor = false;
      isTokenNext = true;
      tokenForm = layout.VALUE_LINK;
    }
    if (form != layout.VALUE_TOKEN || !isSpace(c)) return copyByte(end);
    // In a srcset, a descriptor follows a URL that does not end in a comma.
    if (!isTokenNext && isSrcset()) isDescriptor = load8(to - 1) != char.COMMA;
    isTokenNext = true;
    tokenForm = layout.VALUE_TOKEN;
    return hideByte(end, layout.CONTEXT_ATTRIBUTE);
  } else {
    if (isShort(end, 2)) return end > p ? end : NEED_SOURCE;
    // If a name follows directly, this quotation mark may be that of the next value, and the one of this value may be missing (C103).
    if (form >= 0 && !isTokenNext && (end + 1 == sourceEnd || endsName(load8(end + 1)))) markValue(layout.VALUE_CLOSED);
    isTokenNext = false;
  }
  quotes.keepQuoteValue(true);
  mode = GAP;
  return hideByte(end, layout.CONTEXT_ATTRIBUTE);
}

/** Whether the value is a list of images whose descriptors count. Only links need them (C106). */
function isSrcset(): bool {
  return hasLinks && (attribute == ATTRIBUTE_SRCSET || attribute == ATTRIBUTE_IMAGESRCSET);
}

/** Reads the next bytes of the text of an element that is no markup, or the start of its end tag. */
function readElement(p: i32): i32 {
  const next = readRawText(p);
  if (rawElement != NONE) return next;
  endElement();
  element = NONE;
  mode = TAG_NAME;
  return next;
}
