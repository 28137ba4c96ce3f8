// The kernels of the JavaScript build: scalar loops on the heap itself.

import { classOf, lower } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { SET_NOT_SCHEME } from "../bytes/classes.ts";
import { startsWithAnyCase } from "../bytes/keyword.ts";
import { BASE64_TABLE } from "../layout/memory.ts";
import { isLineMark } from "./line-mark.ts";
import { heap } from "./memory.ts";

/** Returns the address of the first byte of `set` (SET_*) in [start, end), or `end`. */
export function findInSet(start: i32, end: i32, set: i32): i32 {
  const bit = 1 << set;
  let p = start;
  while (p < end && (classOf(heap[p]) & bit) === 0) p++;
  return p < end ? p : end;
}

/** Copies [start, end) to `to`, up to the first byte of `set`; returns the address of that byte, or `end`. */
export function copyUntil(to: i32, start: i32, end: i32, set: i32): i32 {
  const p = findInSet(start, end, set);
  heap.copyWithin(to, start, p);
  return p;
}

/** Copies [start, end) to `to`, up to the first backslash or `&`, with quotation marks as 03 and bytes 01 to 03 as 04: see ../kernel.ts. */
export function copyUnquoted(to: i32, start: i32, end: i32): i32 {
  let p = start;
  for (; p < end && heap[p] !== char.BACKSLASH && heap[p] !== char.AMPERSAND; p++) {
    const c = heap[p];
    heap[to + (p - start)] = c === char.QUOTE ? 3 : c <= 3 && c > 0 ? 4 : c;
  }
  return p;
}

/** Returns the address of the first 03, LF or colon in [start, end), or `end`. */
export function findStringEnd(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && heap[p] !== 3 && heap[p] !== char.LF && heap[p] !== char.COLON) p++;
  return p;
}

/** Returns the address of the first byte in [start, end) that is not ASCII, or `end`. */
export function findNonAscii(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && heap[p] < char.NON_ASCII) p++;
  return p;
}

export function findLineFeed(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && heap[p] !== char.LF) p++;
  return p;
}

export function hasComma(start: i32, end: i32): bool {
  let p = start;
  while (p < end && heap[p] !== char.COMMA) p++;
  return p < end;
}

/** Returns the first LF, or `=` with `?` after it, in [start, end), or `end`. */
export function findFeedOrWord(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && heap[p] !== char.LF && (heap[p] !== char.EQUALS || heap[p + 1] !== char.QUESTION)) p++;
  return p;
}

/** Returns the start of the longest run of scheme characters that ends at `end`, but at least `low`. */
export function findSchemeRun(low: i32, end: i32): i32 {
  let p = end - 5 >= low ? end - usualLength(end) : end;
  while (p > low && (classOf(heap[p - 1]) & (1 << SET_NOT_SCHEME)) === 0) p--;
  return p;
}

/** Returns the length of `http` or `https`, in any case, right before `end`; 0: neither is there. */
export function usualLength(end: i32): i32 {
  const length = lower(heap[end - 1]) === char.LOWER_S ? 5 : 4;
  return startsWithAnyCase(end - length, "http") ? length : 0;
}

/** Whether the name [name, name + length), of scheme characters, equals the name at `known`, in lower case. */
export function isSameName(known: i32, name: i32, length: i32): bool {
  for (let i = 0; i < length; i++) {
    if (heap[known + i] !== (heap[name + i] | 0x20)) return false;
  }
  return true;
}

/** Decodes whole groups of four digits of base64, up to the first byte that is no digit, to `to`; returns the source address after them. */
export function decodeGroups(to: i32, start: i32, end: i32): i32 {
  let at = to;
  let p = start;
  for (; p + 4 <= end; p += 4) {
    const a = heap[BASE64_TABLE + heap[p]];
    const b = heap[BASE64_TABLE + heap[p + 1]];
    const c = heap[BASE64_TABLE + heap[p + 2]];
    const d = heap[BASE64_TABLE + heap[p + 3]];
    if ((a | b | c | d) > 63) break;
    heap[at++] = (a << 2) | (b >> 4);
    heap[at++] = (b << 4) | (c >> 2);
    heap[at++] = (c << 6) | d;
  }
  return p;
}

/** Copies [start, end) to `to`; returns false at a byte of `trouble` or at a `/.`, else true. */
export function copyClean(to: i32, start: i32, end: i32, trouble: i32): bool {
  const bit = 1 << trouble;
  for (let p = start; p < end; p++) {
    const c = heap[p];
    if ((classOf(c) & bit) !== 0 || (c === char.SLASH && heap[p + 1] === char.DOT && p + 1 < end)) return false;
    heap[to + (p - start)] = c;
  }
  return true;
}

/** Copies `count` bytes, most often few, to `to`; returns the address after them. */
export function copyShort(to: i32, from: i32, count: i32): i32 {
  for (let at = 0; at < count; at++) heap[to + at] = heap[from + at];
  return to + count;
}

export function copyLower(to: i32, start: i32, end: i32): void {
  for (let p = start; p < end; p++) {
    heap[to + (p - start)] = lower(heap[p]);
  }
}

/** Copies [start, end) to `to` with bytes 01 to 03 as 04. */
export function copyText(to: i32, start: i32, end: i32): void {
  heap.copyWithin(to, start, end);
  const last = to + (end - start);
  for (let p = to; p < last; p++) {
    if (heap[p] <= 3 && heap[p] > 0) heap[p] = 4;
  }
}

/** Returns the first address in [start, end) of `Fr` after LF or `>`, or `--`, `be`, `=y` after LF, or `end`: see ../kernel.ts. */
export function findLineMark(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && !isLineMark(p)) p++;
  return p;
}

/** Returns the address of the first byte in [start, end) that is a colon, 00 to 20, or 7F to FF; else `end`. */
export function findFieldNameEnd(start: i32, end: i32): i32 {
  let p = start;
  while (p < end && heap[p] > char.SPACE && heap[p] < char.DELETE && heap[p] !== char.COLON) p++;
  return p;
}

export function fill(to: i32, count: i32, c: i32): void {
  heap.fill(c, to, to + count);
}
