// The JavaScript build's search for triggers, on the heap itself.

import { COLON, PERCENT, THREE } from "../bytes/characters.ts";
import { heap } from "./memory.ts";
import { isTrigger } from "./trigger-colon.ts";

// Node's Buffer searches for a byte several times as fast as a typed array does.
declare const Buffer: { from(buffer: ArrayBufferLike, start: number, length: number): Uint8Array } | undefined;

// The heap up to the end that a search was given last.
let searched: Uint8Array = heap.subarray(0, 0);

/** Forgets the triggers of the window. To be called when its bytes have changed. */
export function resetTriggers(): void {
  searched = heap.subarray(0, 0);
}

/** Returns the first address in [start, end) of a colon that may end a scheme's name, or `end`: see ../trigger.ts. */
export function findTrigger(start: i32, end: i32): i32 {
  searchTo(end);
  let p = searched.indexOf(COLON, start);
  while (p >= 0 && !isTrigger(p)) p = searched.indexOf(COLON, p + 1);
  return p < 0 ? end : p;
}

function searchTo(end: i32): void {
  if (searched.length !== end) searched = typeof Buffer === "undefined" ? heap.subarray(0, end) : Buffer.from(heap.buffer, 0, end);
}

/** Returns the address of the first `%3` in [start, end), or `end` (C146). */
export function findEncodedThree(start: i32, end: i32): i32 {
  searchTo(end);
  let p = searched.indexOf(PERCENT, start);
  while (p >= 0 && heap[p + 1] !== THREE) p = searched.indexOf(PERCENT, p + 1);
  return p < 0 ? end : p;
}
