// The search for triggers for asc, with SIMD: the loops that most bytes go through once. javascript/trigger.ts and scalar/trigger.ts have
// the same names. The loops here read up to 66 bytes after `end` and one before `start`, but never return an address there.

import { ASTERISK, COLON, LOWER_L, PERCENT, SPACE, THREE, ZERO } from "../bytes/characters.ts";
import { least, splatOf } from "./vector.ts";

// Bytes whose triggers are listed at a time: few enough to be still in the first level cache when the readers look at them.
const PART_BYTES: i32 = 8192;
const BLOCK_BYTES: i32 = 32;
// Compact JSON: at least JSON_BLOCKS blocks of a part have a colon, and there are triggers for less than JSON_TRIGGERS_PERCENT of them.
const JSON_BLOCKS: i32 = 128;
const JSON_TRIGGERS_PERCENT: i32 = 25;
const NO_TRIGGER: i32 = 0x7fffffff; // Greater than any address
// Lists of addresses. BLOCKS: the blocks of a part that hold a colon. TRIGGERS: its triggers, at most about one for two bytes, and
// NO_TRIGGER after them. Words after the last entry do not count.
const BLOCKS: i32 = memory.data((PART_BYTES / BLOCK_BYTES + 2) << 2, 16) as i32;
const TRIGGERS: i32 = memory.data((PART_BYTES / 2 + BLOCK_BYTES) << 2, 16) as i32;

/** End of the part whose triggers are listed. */
let partEnd: i32 = 0;
/** The entry of TRIGGERS from which the search continues. */
let entry: i32 = TRIGGERS;
/** Whether the text is taken for compact JSON, in which a quotation mark is before nearly all colons. */
let isJson: bool = false;

/** Forgets the triggers of the window. To be called when its bytes have changed. */
export function resetTriggers(): void {
  partEnd = 0;
  isJson = false;
}

/**
 * Returns the first colon in [start, end) that may end a scheme or `URL`, or `end`. Until resetTriggers is called, `start` never becomes
 * less. Passes over the colons of most text: that of `12:30` (no letter is before it, and a byte from `0` on after it), of `":"` (no byte
 * of a scheme is before it) and of `From: x`. Finds those of `URL: x`, and of `http:` with a space at the end of the line, because
 * delimited URLs may have them (X7).
 *
 * The test for a byte b with a before, and c and d after, as signed bytes: b == ':' and (a > ':' or (a > '*' and c < '0')) and not
 * (c == ' ' and d > ' ' and a is none of 'L' 'l').
 */
export function findTrigger(start: i32, end: i32): i32 {
  if (start >= partEnd) return findInParts(start, end);
  while (load<i32>(entry) < start) entry += 4;
  const trigger = load<i32>(entry);
  return trigger != NO_TRIGGER ? least(trigger, end) : findInParts(partEnd, end);
}

/** Does what findTrigger does, for a `start` after the listed part. */
function findInParts(start: i32, end: i32): i32 {
  for (let p = start; p < end; p = partEnd) {
    listTriggers(p, least(p + PART_BYTES, end));
    const trigger = load<i32>(entry);
    if (trigger != NO_TRIGGER) return least(trigger, end);
  }
  return end;
}

/**
 * Lists the triggers of the part [start, end). A first loop lists the blocks with a colon, a second one the triggers in these blocks: most
 * blocks of most text hold no colon, and the search for one is a tenth of the work. Both loops write their lists without branches, because
 * no processor predicts which block has a colon or a trigger. One loop that stops at each trigger would be slower.
 */
function listTriggers(start: i32, end: i32): void {
  const blocksEnd = isJson ? listNamedBlocks(start, end) : listBlocks(start, end);
  const colon = splatOf(COLON);
  const space = splatOf(SPACE);
  const ell = splatOf(LOWER_L);
  const zero = splatOf(ZERO);
  const distance = splatOf(COLON - ASTERISK);
  let last = TRIGGERS;
  for (let block = BLOCKS; block < blocksEnd; block += 4) {
    const p = load<i32>(block);
    const first = triggers(p, colon, space, ell, zero, distance);
    const second = triggers(p + 16, colon, space, ell, zero, distance);
    let mask: u32 = i8x16.bitmask(first) | (i8x16.bitmask(second) << 16);
    const next = last + (popcnt(mask) << 2);
    // Few blocks have more than two triggers.
    store<i32>(last, p + ctz(mask));
    mask &= mask - 1;
    store<i32>(last, p + ctz(mask), 4);
    mask &= mask - 1;
    if (mask != 0) listOthers(last + 8, p, mask);
    last = next;
  }
  store<i32>(last, NO_TRIGGER);
  entry = TRIGGERS;
  partEnd = end;
  const blocks = (blocksEnd - BLOCKS) >> 2;
  if (blocks >= JSON_BLOCKS && ((last - TRIGGERS) >> 2) * 100 < blocks * JSON_TRIGGERS_PERCENT) isJson = true;
}

/** Writes the addresses of the bits of `mask`, for the block at `p`, to the list from `last` on. */
function listOthers(last: i32, p: i32, mask: u32): void {
  let at = last;
  for (let rest = mask; rest != 0; rest &= rest - 1) {
    store<i32>(at, p + ctz(rest));
    at += 4;
  }
}

/** Lists the blocks of [start, end) that hold a colon; returns the end of the list. */
function listBlocks(start: i32, end: i32): i32 {
  const colon = splatOf(COLON);
  let last = BLOCKS;
  for (let p = start; p < end; p += 2 * BLOCK_BYTES) {
    last = listed(last, p, colons(p, colon), colons(p + 16, colon));
    last = listed(last, p + BLOCK_BYTES, colons(p + 32, colon), colons(p + 48, colon));
  }
  return last;
}

/**
 * Lists the blocks of [start, end) with a colon after a byte above `*`. This is twice the work of listBlocks, but compact JSON has so few
 * of these blocks that the whole search is faster.
 */
function listNamedBlocks(start: i32, end: i32): i32 {
  const colon = splatOf(COLON);
  const asterisk = splatOf(ASTERISK);
  let last = BLOCKS;
  for (let p = start; p < end; p += 2 * BLOCK_BYTES) {
    last = listed(last, p, namedColons(p, colon, asterisk), namedColons(p + 16, colon, asterisk));
    last = listed(last, p + BLOCK_BYTES, namedColons(p + 32, colon, asterisk), namedColons(p + 48, colon, asterisk));
  }
  return last;
}

/** Adds the block at `p` to the list that ends at `last`, if `first` or `second` has a byte other than 0. Returns the end of the list. */
function listed(last: i32, p: i32, first: v128, second: v128): i32 {
  store<i32>(last, p);
  return last + ((i8x16.bitmask(v128.or(first, second)) != 0 ? 1 : 0) << 2);
}

function colons(p: i32, colon: v128): v128 {
  return i8x16.eq(v128.load(p), colon);
}

function namedColons(p: i32, colon: v128, asterisk: v128): v128 {
  return v128.and(colons(p, colon), i8x16.gt_s(v128.load(p - 1), asterisk));
}

/** Returns for each of the 16 bytes at `p`: FF if it is a trigger, else 0. */
function triggers(p: i32, colon: v128, space: v128, ell: v128, zero: v128, distance: v128): v128 {
  const before = v128.load(p - 1);
  const next = v128.load(p, 1);
  const spaced = v128.and(i8x16.eq(next, space), i8x16.gt_s(v128.load(p, 2), space));
  const passed = v128.andnot(spaced, i8x16.eq(v128.or(before, space), ell));
  const sides = i8x16.gt_s(i8x16.add_sat_s(before, v128.and(i8x16.lt_s(next, zero), distance)), colon);
  return v128.and(v128.andnot(colons(p, colon), passed), sides);
}

/** Returns the address of the first `%3` in [start, end), or `end` (C146). */
export function findEncodedThree(start: i32, end: i32): i32 {
  const percent = splatOf(PERCENT);
  const three = splatOf(THREE);
  for (let p = start; p < end; p += 16) {
    const mask = i8x16.bitmask(v128.and(i8x16.eq(v128.load(p), percent), i8x16.eq(v128.load(p, 1), three)));
    if (mask != 0) return least(p + ctz(mask), end);
  }
  return end;
}
