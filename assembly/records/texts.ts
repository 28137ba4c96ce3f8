// Numbers the different texts of rows in the order in which they come, with a hash table: who counts rows by one of their texts needs no
// copy of it.

import * as code from "../layout/codes.ts";
import { RECORD_REGION } from "../layout/memory.ts";
import * as layout from "../layout/texts.ts";
import { multiply } from "../platform/arith.ts";
import { copyShort } from "../platform/kernel.ts";
import { load8, loadBytes, loadWord, storeWord } from "../platform/memory.ts";

/** Stands for a number: there is no room for the text. */
const NO_ROOM: i32 = -1;
/** Bytes that a copy may write after a text. */
const OVERWRITE: i32 = 16;

/** What hashes begin with. */
let seed: i32 = 0;
/** Texts, the address after the last one, and slots, a power of 2. */
let count: i32 = 0;
let textsEnd: i32 = 0;
let slots: i32 = 0;

/** Forgets all texts. Whoever writes a text must not know `random`, and so no texts with equal hashes. */
export function beginTexts(random: i32): void {
  seed = random;
  count = 0;
  textsEnd = layout.TEXT_REGION;
  clearSlots(layout.SLOTS_LEAST);
}

/**
 * Sets NUMBER_REGION for the rows [first, end): the word `field` of a row has the address of its text, the next one the length. Returns the
 * first row for whose text there is no room, or `end`.
 */
export function numberTexts(first: i32, end: i32, field: i32): i32 {
  for (let i = first; i < end; i++) {
    const span = RECORD_REGION + multiply(i, code.RECORD_WORDS << 2) + (field << 2);
    const number = numberOf(layout.BATCH_REGION + loadWord(span), loadWord(span + 4));
    if (number == NO_ROOM) return i;
    storeWord(layout.NUMBER_REGION + (i << 2), number);
  }
  return end;
}

/** Returns the number of a text, which is added if it is new; or NO_ROOM. */
function numberOf(start: i32, length: i32): i32 {
  const hash = hashOf(start, length);
  let slot = firstSlot(hash);
  let text = loadWord(slot + 4);
  while (text != 0) {
    if (loadWord(slot) == hash && isText(text, start, length)) return loadWord(text + layout.TEXT_NUMBER);
    slot = nextSlot(slot);
    text = loadWord(slot + 4);
  }
  return add(hash, start, length);
}

function add(hash: i32, start: i32, length: i32): i32 {
  const text = textsEnd;
  const end = (text + layout.TEXT_BYTES + length + 3) & ~3;
  if (count == layout.TEXTS_MOST || end + OVERWRITE > layout.TEXT_REGION_END) return NO_ROOM;
  if (count << 1 == slots) doubleSlots();
  const number = count++;
  storeWord(layout.TEXT_TABLE + (number << 2), text);
  storeWord(text + layout.TEXT_HASH, hash);
  storeWord(text + layout.TEXT_NUMBER, number);
  storeWord(text + layout.TEXT_LENGTH, length);
  copyShort(text + layout.TEXT_BYTES, start, length);
  textsEnd = end;
  fillSlot(hash, text);
  return number;
}

function doubleSlots(): void {
  clearSlots(slots << 1);
  for (let number = 0; number < count; number++) {
    const text = loadWord(layout.TEXT_TABLE + (number << 2));
    fillSlot(loadWord(text + layout.TEXT_HASH), text);
  }
}

function clearSlots(wanted: i32): void {
  slots = wanted;
  const end = layout.TEXT_SLOTS + (slots << layout.SLOT_SHIFT);
  for (let slot = layout.TEXT_SLOTS; slot < end; slot += 1 << layout.SLOT_SHIFT) storeWord(slot + 4, 0);
}

function fillSlot(hash: i32, text: i32): void {
  let slot = firstSlot(hash);
  while (loadWord(slot + 4) != 0) slot = nextSlot(slot);
  storeWord(slot, hash);
  storeWord(slot + 4, text);
}

function firstSlot(hash: i32): i32 {
  return layout.TEXT_SLOTS + ((hash & (slots - 1)) << layout.SLOT_SHIFT);
}

function nextSlot(slot: i32): i32 {
  const next = slot + (1 << layout.SLOT_SHIFT);
  return next == layout.TEXT_SLOTS + (slots << layout.SLOT_SHIFT) ? layout.TEXT_SLOTS : next;
}

function isText(text: i32, start: i32, length: i32): bool {
  if (loadWord(text + layout.TEXT_LENGTH) != length) return false;
  const known = text + layout.TEXT_BYTES;
  let at = 0;
  for (; at + 4 <= length; at += 4) if (loadWord(known + at) != loadBytes(start + at)) return false;
  for (; at < length; at++) if (load8(known + at) != load8(start + at)) return false;
  return true;
}

/** Returns the hash MurmurHash3 (32 bits) of a text. */
function hashOf(start: i32, length: i32): i32 {
  let hash = seed;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    const mixed = hash ^ scrambled(loadBytes(start + at));
    hash = (multiply((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
  }
  let last = 0;
  for (let shift = 0; at < length; at++, shift += 8) last |= load8(start + at) << shift;
  hash ^= scrambled(last) ^ length;
  hash = multiply(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = multiply(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function scrambled(word: i32): i32 {
  const product = multiply(word, 0xcc9e2d51);
  return multiply((product << 15) | (product >>> 17), 0x1b873593);
}
