// The names of members in JSON (A16): the structure around a string gives the string a name. A string that may hold a match is a segment
// with this name; the text after it is a segment without a name.

import { classOf } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { CLASS_JSON } from "../bytes/classes.ts";
import { WHERE_JSON } from "../layout/mail.ts";
import { CONTEXT_RAW, JSON_NAMES, OPTION_ENCODED, OPTION_SCHEMELESS } from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { copyText, findStringEnd } from "../platform/kernel.ts";
import { load8, loadWord, storeWord } from "../platform/memory.ts";
import { options } from "../scan/state.ts";
import { writePart } from "./parts.ts";
import { addSegment, heap, putHeap, putHeapText } from "./pipe.ts";

/** Most nested containers whose names are kept. */
const LEVELS_MAX: i32 = 64;
const DEPTH_MAX: i32 = 0x40000000; // Deeper containers are not counted
const NAME_BYTES_MAX: i32 = 128; // Most bytes of a name. Its length fits into a byte
const CONTINUATION: i32 = 0x80; // The two upper bits of the bytes after the first byte of a character in UTF-8
const CONTINUATION_MASK: i32 = 0xc0; // The mask of these two bits
// The slot of a container. The slot after it is that of its current member, and of a container that is the value of this member.
/** Address of the slot that holds the name: this one, or that of a container around it. */
const SLOT_HOLDER: i32 = 0;
const SLOT_ADDRESS: i32 = 4; // Heap address of the name; 0: it has not been written in this call
const SLOT_LENGTH: i32 = 8; // Length of the name in bytes
const SLOT_NAME: i32 = 12; // The bytes of the name, and one more, which shows whether the last character ends
const SLOT_BYTES: i32 = 144;
const UNKNOWN: i32 = -1; // Value of lastField and part before the first segment of a call

let depth: i32 = 0;
/** Whether a name and a colon have been read, so that a value follows. */
let isMember: bool = false;
/** Whether a string has been read that is a name if a colon follows. */
let isNamed: bool = false;
let isInString: bool = false;
/** Window address of the start of the string if no segment has begun there, else 0. */
let pending: i32 = 0;
/** Heap address of the name of the last segment of this call, 0 if that has no name, or UNKNOWN. */
let lastField: i32 = UNKNOWN;
/** Heap address of the number of the part, or UNKNOWN. */
let part: i32 = UNKNOWN;

export function beginNames(): void {
  isInString = false;
  pending = 0;
  leaveAll();
  storeWord(slotOf(0) + SLOT_HOLDER, slotOf(0));
  storeWord(slotOf(0) + SLOT_LENGTH, 0);
  lastField = UNKNOWN;
  part = UNKNOWN;
}

/** Begins a call of the decoder: the heap is empty. */
export function forgetHeap(): void {
  for (let level = 0; level <= LEVELS_MAX + 1; level++) storeWord(slotOf(level) + SLOT_ADDRESS, 0);
  lastField = UNKNOWN;
  part = UNKNOWN;
}

function slotOf(level: i32): i32 {
  return JSON_NAMES + multiply(level, SLOT_BYTES);
}

/** Returns the level of the innermost container whose name is known. */
function levelNow(): i32 {
  return depth < LEVELS_MAX ? depth : LEVELS_MAX;
}

function leaveAll(): void {
  depth = 0;
  isMember = false;
  isNamed = false;
}

/** Reads the text [start, end) of the window, in which CONTEXT_RAW replaces quotation marks. */
export function readNames(start: i32, end: i32): void {
  let p = start;
  while (p < end) {
    if (isInString) {
      p = readString(p, end);
    } else {
      const c = load8(p);
      p++;
      if ((classOf(c) & CLASS_JSON) != 0) readStructure(c, p);
    }
  }
}

/** Reads the decoded escape [start, end) of the window. */
export function readEscaped(start: i32, end: i32): void {
  if (!isInString) return;
  if (load8(start) == char.COLON) beginPending();
  keep(start, end);
}

/** Ends a piece of the text. An unfinished string becomes a segment, because its start may leave the window. */
export function endPiece(): void {
  if (isInString) beginPending();
}

/** Reads a string up to its quotation mark, a line feed or `end`; returns the address after the bytes read. */
function readString(start: i32, end: i32): i32 {
  let stop = findStringEnd(start, end);
  while (stop < end && load8(stop) == char.COLON) {
    beginPending();
    stop = findStringEnd(stop + 1, end);
  }
  keep(start, stop);
  if (stop == end) return end;
  isInString = false;
  if (load8(stop) == char.LF) {
    // The text up to the next quotation mark keeps the name of the string.
    beginPending();
    leaveAll();
  } else {
    beginSegment(stop + 1, 0);
    isNamed = !isMember;
  }
  return stop + 1;
}

/** Keeps bytes of a string that may be a name, at most NAME_BYTES_MAX and one more. */
function keep(start: i32, end: i32): void {
  if (isMember) return;
  const slot = slotOf(levelNow() + 1);
  const length = loadWord(slot + SLOT_LENGTH);
  const room = NAME_BYTES_MAX + 1 - length;
  const count = end - start < room ? end - start : room;
  if (count <= 0) return;
  // copyText may write past the slot: the slots of deeper levels are not in use.
  copyText(slot + SLOT_NAME + length, start, start + count);
  storeWord(slot + SLOT_LENGTH, length + count);
}

/** Reads the byte `c` outside of strings; `next` is the address after it. */
function readStructure(c: i32, next: i32): void {
  if (c == CONTEXT_RAW) {
    startString(next);
  } else if (c == char.COLON) {
    if (isNamed) nameMember();
    isNamed = false;
  } else if (c == char.COMMA) {
    isMember = false;
    isNamed = false;
  } else if (c == char.CURLY_OPEN || c == char.SQUARE_OPEN) {
    if (!isMember) inherit();
    if (depth < DEPTH_MAX) depth++;
    isMember = false;
    isNamed = false;
  } else if (c == char.CURLY_CLOSE || c == char.SQUARE_CLOSE) {
    if (depth > 0) depth--;
    isMember = false;
    isNamed = false;
  }
}

/** Gives a new container the name of the container around it. */
function inherit(): void {
  const slot = slotOf(levelNow());
  storeWord(slot + SLOT_BYTES + SLOT_HOLDER, loadWord(slot + SLOT_HOLDER));
}

/** Takes the string before the colon as the name of a member. A long name is cut between two characters. */
function nameMember(): void {
  const slot = slotOf(levelNow() + 1);
  let length = loadWord(slot + SLOT_LENGTH);
  if (length > NAME_BYTES_MAX) {
    length = NAME_BYTES_MAX;
    while (length > 0 && (load8(slot + SLOT_NAME + length) & CONTINUATION_MASK) == CONTINUATION) length--;
    storeWord(slot + SLOT_LENGTH, length);
  }
  storeWord(slot + SLOT_HOLDER, slot);
  isMember = true;
}

/** Begins a string at the address `start` of the window. */
function startString(start: i32): void {
  isInString = true;
  pending = start;
  if (!isMember) {
    const slot = slotOf(levelNow() + 1);
    storeWord(slot + SLOT_ADDRESS, 0);
    storeWord(slot + SLOT_LENGTH, 0);
  }
  // If every URL has a colon, readString writes the segment when it finds the first.
  if ((options & (OPTION_SCHEMELESS | OPTION_ENCODED)) != 0) beginPending();
}

/** Makes the string a segment. */
function beginPending(): void {
  if (pending == 0) return;
  beginSegment(pending, fieldOf(loadWord(slotOf(isMember ? levelNow() + 1 : levelNow()) + SLOT_HOLDER)));
  pending = 0;
}

/** Begins a segment with the name at the address `field` of the heap, unless the last segment has the same name. */
function beginSegment(start: i32, field: i32): void {
  if (field == lastField) return;
  if (part == UNKNOWN) part = writePart();
  addSegment(start, WHERE_JSON, part, field);
  lastField = field;
}

/** Returns the heap address of the name in a slot, and writes the name there first if needed; 0: the name is empty. */
function fieldOf(slot: i32): i32 {
  const length = loadWord(slot + SLOT_LENGTH);
  const known = loadWord(slot + SLOT_ADDRESS);
  if (length == 0 || known != 0) return known;
  const address = heap;
  putHeap(length);
  putHeapText(slot + SLOT_NAME, length);
  storeWord(slot + SLOT_ADDRESS, address);
  return address;
}
