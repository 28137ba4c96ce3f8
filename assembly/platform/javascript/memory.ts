// The memory of the JavaScript build: one array for each instance, with the layout of the linear memory of WebAssembly.
import { MEMORY_BYTES } from "../layout/memory.ts";

/** The JavaScript build's linear memory. */
export const heap: Uint8Array = new Uint8Array(MEMORY_BYTES);
const words: Int32Array = new Int32Array(heap.buffer);

export function load8(p: i32): i32 {
  return heap[p];
}

export function loadWord(p: i32): i32 {
  return words[p >> 2];
}

/** Returns the four bytes at `p` as a word: the first is the lowest. `p` need not be a multiple of 4. */
export function loadBytes(p: i32): i32 {
  return heap[p] | (heap[p + 1] << 8) | (heap[p + 2] << 16) | (heap[p + 3] << 24);
}

export function store8(p: i32, value: i32): void {
  heap[p] = value;
}

export function storeWord(p: i32, value: i32): void {
  words[p >> 2] = value;
}

export function characterAt(text: string, index: i32): i32 {
  return text.charCodeAt(index);
}

export function copyBytes(to: i32, from: i32, count: i32): void {
  heap.copyWithin(to, from, from + count);
}
