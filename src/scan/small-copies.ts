// Copies of parts of a core's memory. Short ones share buffers, because V8 needs as long for a new buffer as for a short scan.

/** Bytes of a shared buffer. */
const SHARED_BYTES = 1 << 14;
/** Most bytes of one copy in a shared buffer. */
const SHORT_BYTES = 1 << 10;

let sharedWords = new Int32Array(SHARED_BYTES >> 2);
let sharedBytes = new Uint8Array(sharedWords.buffer);
let used = 0;

/** Reserves `count` bytes in the shared buffer; returns their offset, a multiple of 4. */
function reserve(count: number): number {
  if (used + count > SHARED_BYTES) {
    sharedWords = new Int32Array(SHARED_BYTES >> 2);
    sharedBytes = new Uint8Array(sharedWords.buffer);
    used = 0;
  }
  const at = used;
  used = (at + count + 3) & ~3;
  return at;
}

/** Returns a copy of the words [from, to). */
export function copyWords(words: Int32Array<ArrayBuffer>, from: number, to: number): Int32Array<ArrayBuffer> {
  const count = to - from;
  if (count * 4 > SHORT_BYTES) return words.slice(from, to);
  const at = reserve(count * 4) >> 2;
  for (let index = 0; index < count; index++) sharedWords[at + index] = words[from + index];
  return sharedWords.subarray(at, at + count);
}

/** Returns a copy of the bytes [from, to). */
export function copyBytes(bytes: Uint8Array<ArrayBuffer>, from: number, to: number): Uint8Array<ArrayBuffer> {
  const count = to - from;
  if (count > SHORT_BYTES) return bytes.slice(from, to);
  const at = reserve(count);
  sharedBytes.set(bytes.subarray(from, to), at);
  return sharedBytes.subarray(at, at + count);
}

/** Returns an array with the same elements and a buffer of its own, which can go to another thread. */
export function withOwnBuffer<Elements extends Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(array: Elements): Elements {
  return array.byteLength === array.buffer.byteLength ? array : (array.slice() as Elements);
}
