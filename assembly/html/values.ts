// Rows of the values of attributes that are meant to be URLs (X9): where each begins in the window, and its element (C106). The decoder
// adds rows, the scan takes them.

import { lower } from "../bytes/ascii.ts";
import { GREATER, LESS, SPACE } from "../bytes/characters.ts";
import { isKeyword } from "../bytes/keyword.ts";
import * as layout from "../layout/memory.ts";
import { VALUE_REGION, VALUE_ROWS_MAX, VALUE_SHIFT } from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { copyBytes, load8, loadWord, store8, storeWord } from "../platform/memory.ts";
import { ATTRIBUTE_HREF, ATTRIBUTE_ITEMTYPE, ATTRIBUTE_OF_OBJECT, attribute } from "./attribute.ts";

/** Greater than any address. */
const NO_ADDRESS: i32 = 0x7fffffff;
const ROOM: i32 = 4; // Most rows that the decoder adds between two checks of the room

/** Address of the first value that has not been taken, or NO_ADDRESS. */
export let valueAt: i32 = NO_ADDRESS;
/** The kind of that value: VALUE_TOKEN, VALUE_REFRESH, VALUE_LINK, or 0 for one URL. */
export let valueForm: i32 = 0;
/** The whole row of that value, which has the bits VALUE_MARKED and VALUE_CLOSED. */
export let valueBits: i32 = 0;
/** Number of rows that have been taken. They are the first ones. */
let taken: i32 = 0;
let count: i32 = 0;
/** Number of rows whose text refang has read. */
let refanged: i32 = 0;
/** Whether rows have an element (C106). */
export let hasElements: bool = false;
/** Whether relative URLs are links (C106). */
export let hasLinks: bool = false;
/** Length of the name in TAG_REGION; 0: no tag is open whose attributes count. */
let tagLength: i32 = 0;
/** ELEMENT_BITS of the attribute `data` in that tag. */
let bitsOfObject: i32 = 0;
/** ELEMENT_BITS of the attribute `href` in that tag. */
let bitsOfHref: i32 = 0;
/** Number of documents that this core has begun. */
let document: i32 = 0;
/** Whether the value added last has a decoded `<` or `>`. */
let hasMark: bool = false;

/** Begins a scan, and drops all rows. `withElements`: rows have an element. `withLinks`: relative URLs are links (C106). */
export function configureValues(withElements: bool, withLinks: bool): void {
  hasElements = withElements;
  hasLinks = withLinks;
  taken = 0;
  count = 0;
  refanged = 0;
  valueAt = NO_ADDRESS;
}

/** Begins a document: no tag is open. */
export function beginDocument(): void {
  document++;
  tagLength = 0;
}

/** Begins the start tag of the element with the name [start, end). */
export function beginElement(start: i32, end: i32): void {
  if (!hasElements) return;
  tagLength = end - start < layout.ELEMENT_TAG_BYTES_MAX ? end - start : layout.ELEMENT_TAG_BYTES_MAX;
  for (let i = 0; i < tagLength; i++) store8(layout.TAG_REGION + i, lower(load8(start + i)));
  bitsOfObject = isKeyword(start, end, "object") ? layout.ELEMENT_LINK : 0;
  bitsOfHref = isKeyword(start, end, "base") ? layout.ELEMENT_LINK | layout.ELEMENT_BASE : layout.ELEMENT_LINK;
}

/** Begins an end tag: no attribute in it counts. */
export function endElement(): void {
  tagLength = 0;
}

function elementAt(row: i32): i32 {
  return layout.ELEMENT_REGION + multiply(row, layout.ELEMENT_ROW_BYTES);
}

/** Returns the address of the element of the first value that has not been taken; 0: the value has none. */
export function valueElement(): i32 {
  if (!hasElements) return 0;
  const at = elementAt(taken);
  return load8(at + layout.ELEMENT_TAG_LENGTH) == 0 ? 0 : at;
}

/** Writes the element of the row that addValue adds; `mayLink`: a relative URL is a link there. */
function addElement(mayLink: bool): void {
  const at = elementAt(count);
  const bits = attribute == ATTRIBUTE_HREF ? bitsOfHref : attribute == ATTRIBUTE_OF_OBJECT ? bitsOfObject : layout.ELEMENT_LINK;
  store8(at, attribute);
  store8(at + layout.ELEMENT_TAG_LENGTH, tagLength);
  store8(at + layout.ELEMENT_BITS, hasLinks && mayLink && attribute != ATTRIBUTE_ITEMTYPE ? bits : 0);
  storeWord(at + layout.ELEMENT_DOCUMENT, document);
  copyBytes(at + layout.ELEMENT_TAG, layout.TAG_REGION, tagLength);
}

function wordAt(row: i32): i32 {
  return VALUE_REGION + (row << 2);
}

export function hasValueRoom(rows: i32): bool {
  return count + rows + ROOM <= VALUE_ROWS_MAX;
}

/**
 * Adds the value that begins at `address` of the window. `form`: VALUE_TOKEN, VALUE_REFRESH, VALUE_LINK, or 0 for one URL, perhaps with
 * VALUE_CLOSED. `mayLink`: a relative URL is a link there (C106).
 */
export function addValue(address: i32, form: i32, mayLink: bool): void {
  if (hasElements) addElement(mayLink);
  storeWord(wordAt(count), (address << VALUE_SHIFT) | form);
  hasMark = false;
  assert(count < VALUE_ROWS_MAX && (count == taken || address >= loadWord(wordAt(count - 1)) >> VALUE_SHIFT));
  count++;
  if (taken + 1 == count) showFirst();
}

/**
 * Sets VALUE_MARKED or VALUE_CLOSED of the value added last, unless it has been taken. If it is a VALUE_LINK, also sets the bit of the
 * values before it in the same token.
 */
export function markValue(bit: i32): void {
  for (let row = count - 1; row >= taken; row--) {
    const word = loadWord(wordAt(row));
    storeWord(wordAt(row), word | bit);
    if ((word & layout.VALUE_LINK) != layout.VALUE_LINK) break;
  }
  showFirst();
}

/**
 * Sets VALUE_MARKED of the value added last, because it has a decoded `<` or `>` at `address` of the window. Does not set it if markup
 * before that address shows that the quotation mark is missing (C103). Only the first call for a value counts.
 */
export function addDecodedMark(address: i32): void {
  if (hasMark || taken == count) return;
  hasMark = true;
  if (!hasMarkup(loadWord(wordAt(count - 1)) >> VALUE_SHIFT, address)) markValue(layout.VALUE_MARKED);
}

/** Whether [start, end) has a `>` without a `<` before it, or a `<` after white space. */
function hasMarkup(start: i32, end: i32): bool {
  let isOpened = false;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if (c == GREATER && !isOpened) return true;
    if (c != LESS) continue;
    if (p > start && load8(p - 1) <= SPACE) return true;
    isOpened = true;
  }
  return false;
}

export function takeValue(): void {
  assert(taken < count);
  taken++;
  showFirst();
}

/** Takes the values that begin before the window address `position`. */
export function dropValues(position: i32): void {
  while (valueAt < position) takeValue();
}

/** Frees the rows that have been taken. To be called when nothing refers to their elements. */
export function freeValues(): void {
  if (taken == 0) return;
  copyBytes(VALUE_REGION, wordAt(taken), (count - taken) << 2);
  if (hasElements) copyBytes(layout.ELEMENT_REGION, elementAt(taken), multiply(count - taken, layout.ELEMENT_ROW_BYTES));
  count -= taken;
  refanged -= taken;
  taken = 0;
}

/** Lowers all addresses by `distance`, because the bytes of the window move down by it. */
export function moveValuesDown(distance: i32): void {
  for (let row = taken; row < count; row++) moveRow(row, distance);
  showFirst();
}

function moveRow(row: i32, distance: i32): void {
  storeWord(wordAt(row), loadWord(wordAt(row)) - (distance << VALUE_SHIFT));
}

/** Adjusts the addresses up to and including `bound`, because refang writes the text there `distance` bytes lower. (X15) */
export function moveReadValues(bound: i32, distance: i32): void {
  const first = refanged;
  while (refanged < count && loadWord(wordAt(refanged)) >> VALUE_SHIFT <= bound) moveRow(refanged++, distance);
  if (refanged > first) showFirst();
}

/** Adjusts the addresses of the text that waits for refang, because it moves down by `distance`. (X15) */
export function moveWaitingValues(distance: i32): void {
  for (let row = refanged; row < count; row++) moveRow(row, distance);
  showFirst();
}

function showFirst(): void {
  if (taken == count) {
    valueAt = NO_ADDRESS;
    return;
  }
  const word = loadWord(wordAt(taken));
  valueAt = word >> VALUE_SHIFT;
  valueForm = word & layout.VALUE_LINK;
  valueBits = word;
}
