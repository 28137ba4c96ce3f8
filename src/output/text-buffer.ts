// A buffer in which writers put bytes of text one after the other: no string and no object is made for them.
import { grown } from "../arrays.ts";

const utf8 = new TextEncoder();
/** From this length on a typed array's own copy is faster than a loop. */
const SET_BYTES_LEAST = 160;
/** Smaller numbers need no more than 32 bits and nine digits. */
const NINE_DIGITS = 1_000_000_000;

/** All writers of this thread share it: one that starts small and grows for each block or file would leave megabytes of garbage. */
let buffer = new DataView(new ArrayBuffer(1 << 16));
let used = 0;

/** Returns the UTF-8 of `text`. */
export function viewOf(text: string): DataView {
  const bytes = utf8.encode(text);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns the number of bytes in the buffer. */
export function usedBytes(): number {
  return used;
}

/** Empties the buffer; returns what was in it, which is valid until the next `put`. */
export function takeBytes(): Uint8Array {
  const bytes = new Uint8Array(buffer.buffer, 0, used);
  used = 0;
  return bytes;
}

/** Makes room for `count` more bytes: beside it only putText does. */
export function reserve(count: number): void {
  const needed = used + count;
  if (needed <= buffer.byteLength) return;
  buffer = new DataView(grown(new Uint8Array(buffer.buffer), Math.max(needed, 2 * buffer.byteLength)).buffer);
}

/** Puts all bytes of a view. */
export function put(bytes: DataView): void {
  putPart(bytes, 0, bytes.byteLength);
}

/** Puts `length` bytes of a view, from the offset `from` on. */
export function putPart(bytes: DataView, from: number, length: number): void {
  const out = buffer;
  const at = used;
  used += length;
  if (length >= SET_BYTES_LEAST) {
    new Uint8Array(out.buffer).set(new Uint8Array(bytes.buffer, bytes.byteOffset + from, length), at);
    return;
  }
  // Four bytes at a time: twice as fast as a loop over bytes, and for a hundred of them twice as fast as subarray and set.
  const words = length & ~3;
  for (let index = 0; index < words; index += 4) out.setInt32(at + index, bytes.getInt32(from + index, true), true);
  for (let index = words; index < length; index++) out.setUint8(at + index, bytes.getUint8(from + index));
}

/** Puts the UTF-8 of a text, and makes room for it. */
export function putText(text: string): void {
  const bytes = viewOf(text);
  reserve(bytes.byteLength);
  put(bytes);
}

/** Puts the characters of a scheme in lower case: digits, "+", "-" and "." have that bit already. */
export function putLowerCase(bytes: DataView, from: number, length: number): void {
  for (let index = 0; index < length; index++) buffer.setUint8(used++, bytes.getUint8(from + index) | 0x20);
}

/** Puts a whole number from 0 on in decimal digits. */
export function putNumber(value: number): void {
  if (value < NINE_DIGITS) {
    putDigits(value, digitsOf(value));
    return;
  }
  const high = Math.floor(value / NINE_DIGITS);
  putDigits(high, digitsOf(high));
  putDigits(value - high * NINE_DIGITS, 9);
}

function digitsOf(value: number): number {
  let length = 1;
  for (let limit = 10; limit <= value; limit *= 10) length++;
  return length;
}

function putDigits(value: number, length: number): void {
  let rest = value | 0;
  for (let digit = used + length - 1; digit >= used; digit--) {
    const tenth = (rest / 10) | 0;
    buffer.setUint8(digit, 0x30 + rest - tenth * 10);
    rest = tenth;
  }
  used += length;
}
