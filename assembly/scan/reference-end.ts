// Character references that end a match in plain text (X5, C295).

import { isAlpha, lower } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { CHARACTER_KEPT } from "../bytes/classes.ts";
import { isKeyword, startsWithAnyCase } from "../bytes/keyword.ts";
import { numberEnd, parseNumber } from "../bytes/number.ts";
import { classOfCharacter, isSurrogate } from "../bytes/utf8.ts";
import { load8 } from "../platform/memory.ts";

/** Greater than any address. */
const NO_ADDRESS: i32 = 0x7fffffff;
const NO_BREAK_SPACE: i32 = 0xa0;
const JOINER_FIRST: i32 = 0x200c; // U+200C; U+200D is the next one
const NAME_BYTES_MAX: i32 = 6; // Most letters of a name
const DIGITS_MAX: i32 = 5; // Most digits of a number after its zeros
const VALUE_MAX: i32 = 0xffff; // A value above any number that ends a match

/** Returns the `;` of the reference at `p` if it ends a match in plain text; NO_ADDRESS for others. (X5) */
export function findReferenceEnd(p: i32): i32 {
  let at = p + 1;
  while (startsWithAnyCase(at, "amp;")) at += 4;
  if (load8(at) == char.HASH) return findNumberEnd(at + 1);
  let end = at;
  while (end - at < NAME_BYTES_MAX && isAlpha(load8(end))) end++;
  return load8(end) == char.SEMICOLON && isName(at, end) ? end : NO_ADDRESS;
}

/** Whether [start, end) is the name of white space, a bracket, a quotation mark, a dash, a bullet or an ellipsis. */
function isName(start: i32, end: i32): bool {
  if (end - start == 5 && startsWithAnyCase(start + 2, "quo")) return isQuoteName(lower(load8(start)), lower(load8(start + 1)));
  if (end - start == 5 && startsWithAnyCase(start + 1, "dash")) return lower(load8(start)) == 0x6d || lower(load8(start)) == 0x6e;
  if (isKeyword(start, end, "lt") || isKeyword(start, end, "gt") || isKeyword(start, end, "quot") || isKeyword(start, end, "nbsp"))
    return true;
  if (isKeyword(start, end, "apos") || isKeyword(start, end, "hellip") || isKeyword(start, end, "bull")) return true;
  if (isKeyword(start, end, "lsaquo") || isKeyword(start, end, "rsaquo") || isKeyword(start, end, "middot")) return true;
  return isKeyword(start, end, "ensp") || isKeyword(start, end, "emsp") || isKeyword(start, end, "thinsp");
}

/** Whether these letters before `quo` are those of ldquo, rdquo, bdquo, lsquo, rsquo, sbquo, laquo, raquo. */
function isQuoteName(first: i32, second: i32): bool {
  const isSide = first == 0x6c || first == 0x72;
  if (second == char.LOWER_D) return isSide || first == 0x62;
  if (second == 0x62) return first == 0x73;
  return isSide && (second == 0x73 || second == char.LOWER_A);
}

/** Returns the `;` after the number at `p` of a reference if its character ends a match, else NO_ADDRESS. */
function findNumberEnd(p: i32): i32 {
  const hex = lower(load8(p)) == char.LOWER_X;
  let digits = hex ? p + 1 : p;
  while (load8(digits) == char.ZERO) digits++;
  const value = parseNumber(digits, digits + DIGITS_MAX, hex, VALUE_MAX);
  if (load8(numberEnd) != char.SEMICOLON) return NO_ADDRESS;
  if (value < NO_BREAK_SPACE) {
    const isSign = value == char.LESS || value == char.GREATER || value == char.QUOTE || value == char.APOSTROPHE;
    return isSign || (value > 0 && value <= char.SPACE) ? numberEnd : NO_ADDRESS;
  }
  if (value == VALUE_MAX || isSurrogate(value) || (value | 1) == JOINER_FIRST + 1) return NO_ADDRESS;
  return classOfCharacter(value) != CHARACTER_KEPT ? numberEnd : NO_ADDRESS;
}
