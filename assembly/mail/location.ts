// The URLs that header fields give body parts (C107): Content-Base, else Content-Location, of the part or of the multiparts around it.

import { isAlpha } from "../bytes/ascii.ts";
import { COLON, SPACE } from "../bytes/characters.ts";
import { FIELD_CONTENT_LOCATION } from "../layout/mail.ts";
import { LOCATION_REGION, LOCATION_ROW_BYTES } from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { copyBytes, load8, loadWord, store8, storeWord } from "../platform/memory.ts";
import { isSchemeByte } from "../url/scheme.ts";
import { heap, putHeap } from "./pipe.ts";
import { fields } from "./reader.ts";

/** Number of the row of the header that is read. The row of an open multipart or message has the number of that plus 1. */
const HEADER_ROW: i32 = 0;
const LENGTH_BYTES: i32 = 4; // Bytes of the length at the start of a row, before the URL

/** Whether the header has a Content-Base with an absolute URL. */
let hasBase: bool = false;
/** Whether the header has a Content-Location with an absolute URL. */
let hasLocation: bool = false;

function rowOf(number: i32): i32 {
  return LOCATION_REGION + multiply(number, LOCATION_ROW_BYTES);
}

export function beginLocation(): void {
  hasBase = false;
  hasLocation = false;
  storeWord(rowOf(HEADER_ROW), 0);
}

/**
 * Keeps the body of a field, without its white space, if it is an absolute URL that fits into a row. The first such field of each name
 * counts; Content-Base (`isBase`) replaces Content-Location.
 */
export function readLocation(start: i32, end: i32, isBase: bool): void {
  if (hasBase || (hasLocation && !isBase) || !isAbsolute(start, end)) return;
  let length = 0;
  for (let p = start; p < end; p++) if (load8(p) > SPACE) length++;
  if (length > LOCATION_ROW_BYTES - LENGTH_BYTES) return;
  let at = rowOf(HEADER_ROW) + LENGTH_BYTES;
  for (let p = start; p < end; p++) if (load8(p) > SPACE) store8(at++, load8(p));
  storeWord(rowOf(HEADER_ROW), length);
  if (isBase) hasBase = true;
  else hasLocation = true;
}

/** Whether [start, end) begins with a scheme and a colon, after white space. */
function isAbsolute(start: i32, end: i32): bool {
  let name = start;
  while (name < end && load8(name) <= SPACE) name++;
  let p = name;
  while (p < end && isSchemeByte(load8(p))) p++;
  return p < end && load8(p) == COLON && isAlpha(load8(name));
}

/** Gives the open multipart or message `number`, from 0 on, the URL of the header that was read; without `hasHeader`, no URL. */
export function openLocation(number: i32, hasHeader: bool): void {
  const row = rowOf(number + 1);
  const length = hasHeader ? loadWord(rowOf(HEADER_ROW)) : 0;
  storeWord(row, length);
  copyBytes(row + LENGTH_BYTES, rowOf(HEADER_ROW) + LENGTH_BYTES, length);
}

/**
 * Writes the URL of the part in `depth` open multiparts and messages to the heap, and a zero; returns its heap address. 0: there is no URL,
 * or FIELD_CONTENT_LOCATION is not collected.
 */
export function writeLocation(depth: i32): i32 {
  if ((fields & (1 << FIELD_CONTENT_LOCATION)) == 0) return 0;
  let row = rowOf(HEADER_ROW);
  for (let number = depth; loadWord(row) == 0 && number > 0; number--) row = rowOf(number);
  const length = loadWord(row);
  if (length == 0) return 0;
  const first = heap;
  for (let i = 0; i < length; i++) putHeap(load8(row + LENGTH_BYTES + i));
  putHeap(0);
  return first;
}
