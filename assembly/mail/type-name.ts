// The media type of a body, in lower case, and its file name, both from its header. They are kept of attachments, and of all bodies with
// FIELD_BODY (A10, A15, C176).

import { lower } from "../bytes/ascii.ts";
import { SLASH } from "../bytes/characters.ts";
import { isKeyword } from "../bytes/keyword.ts";
import { TYPE_REGION } from "../layout/memory.ts";
import { copyBytes, load8, store8 } from "../platform/memory.ts";
import { heap, putHeap, putHeapText } from "./pipe.ts";

/** Most bytes of a type and of a subtype that are kept. RFC 6838 allows no more. */
const NAME_BYTES_MAX: i32 = 127;
/** Length of the type, slash and subtype in TYPE_REGION. */
let typeLength: i32 = 0;
/** Address of the file name, after the longest type. */
const NAME: i32 = TYPE_REGION + 256;
let nameLength: i32 = 0;

export function keepName(name: i32, length: i32): void {
  copyBytes(NAME, name, length);
  nameLength = length;
}

export function hasName(): bool {
  return nameLength > 0;
}

/** Forgets the type and the name of the body before. */
export function forgetBody(): void {
  typeLength = 0;
  nameLength = 0;
}

/** Keeps the type [start, typeEnd) and the subtype [name, end). */
export function keepType(start: i32, typeEnd: i32, name: i32, end: i32): void {
  typeLength = 0;
  for (let p = start; p < typeEnd && p < start + NAME_BYTES_MAX; p++) store8(TYPE_REGION + typeLength++, lower(load8(p)));
  store8(TYPE_REGION + typeLength++, SLASH);
  for (let p = name; p < end && p < name + NAME_BYTES_MAX; p++) store8(TYPE_REGION + typeLength++, lower(load8(p)));
}

/** Whether the type that was kept is application/octet-stream (C176). */
export function isOctetStream(): bool {
  return isKeyword(TYPE_REGION, TYPE_REGION + typeLength, "application/octet-stream");
}

/** Writes the type and the name that are kept to the heap, each with a zero after it; returns the heap address. */
export function writeDescription(): i32 {
  const first = heap;
  putHeapText(TYPE_REGION, typeLength);
  putHeap(0);
  putHeapText(NAME, nameLength);
  putHeap(0);
  return first;
}
