// The twin's search for triggers, on the heap itself.

import { heap } from "./memory.ts";

// Node's Buffer searches for a byte several times as fast as a typed array does.
declare const Buffer: { from(buffer: ArrayBufferLike, start: number, length: number): Uint8Array } | undefined;

// The heap up to the end that findTrigger was given last, and the next colon and `<` in it.
let searched: Uint8Array = heap.subarray(0, 0);
let nextColon: i32 = -1;
let nextLess: i32 = -1;

/** Forgets what is known of the window's bytes; to be called when they have changed. */
export function resetTriggers(): void {
  searched = heap.subarray(0, 0);
}

function startSearch(end: i32): void {
  searched = typeof Buffer === "undefined" ? heap.subarray(0, end) : Buffer.from(heap.buffer, 0, end);
  nextColon = -1;
  nextLess = -1;
}

function indexOrEnd(byte: i32, start: i32): i32 {
  const at = searched.indexOf(byte, start);
  return at < 0 ? searched.length : at;
}

/** First address in [start, end) where a URL may be decided, or `end`: see ../trigger.ts. */
export function findTrigger(start: i32, end: i32): i32 {
  if (searched.length !== end) startSearch(end);
  for (let p = start; p < end; p++) {
    if (nextColon < p) nextColon = indexOrEnd(0x3a, p);
    if (nextLess < p) nextLess = indexOrEnd(0x3c, p);
    p = nextColon < nextLess ? nextColon : nextLess;
    if (p < end && isTrigger(p)) return p;
  }
  return end;
}

function isTrigger(p: i32): boolean {
  const next = heap[p + 1];
  if (heap[p] === 0x3c) return next > 0x40 || next <= 0x20;
  const before = heap[p - 1];
  return next === 0x2f || (next > 0x20 && before > 0x40 && before < 0x80);
}
