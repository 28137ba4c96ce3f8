// The media type that the header of a body of TYPE_OTHER names, in lower case (A15, C176).

import { lower } from "../bytes/ascii.ts";
import { SLASH } from "../bytes/characters.ts";
import { isKeyword } from "../bytes/keyword.ts";
import { TYPE_REGION } from "../layout/memory.ts";
import { load8, store8 } from "../platform/memory.ts";
import { heap, putHeap } from "./pipe.ts";

/** Most bytes of a type and of a subtype that are kept. RFC 6838 allows no more. */
const NAME_BYTES_MAX: i32 = 127;
/** Length of the type, slash and subtype in TYPE_REGION. */
let typeLength: i32 = 0;

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

/** Writes the type that was kept to the heap, and a zero; returns its heap address. */
export function writeType(): i32 {
  const first = heap;
  for (let i = 0; i < typeLength; i++) putHeap(load8(TYPE_REGION + i));
  putHeap(0);
  return first;
}
