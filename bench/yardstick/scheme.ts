// The yardstick's search for colons and scheme names (X1). Frozen: see ../yardstick.ts.

import * as table from "./tables.ts";

const { ALPHA, CLASS, DIGIT, HASHES, HTTP, HTTPS, NAME_MAX, NAMES, OPAQUE_LAST, SCHEME, SLOTS, X_SCHEME } = table;

/** Offset of the first byte of the scheme that `findScheme` found last. */
export let schemeStart = 0;

// The node-own search is a memchr and beats every loop in JavaScript; it works on any Uint8Array.
const indexOf = Buffer.prototype.indexOf;

/** Next colon at or after `from` and before `to - 1` that may stand behind a scheme, or `to`. */
export function findColon(bytes: Uint8Array, from: number, to: number): number {
  let p = indexOf.call(bytes, 58, from);
  while (p >= 0 && p < to - 1) {
    if (isTrigger(bytes, p)) return p;
    // A time of day has its next colon three bytes on.
    const isTime = p + 3 < to && bytes[p + 3] === 58 && (CLASS[bytes[p + 1]] & CLASS[bytes[p + 2]] & DIGIT) !== 0;
    p = isTime ? p + 3 : indexOf.call(bytes, 58, p + 1);
  }
  return to;
}

function isTrigger(bytes: Uint8Array, colon: number): boolean {
  const next = bytes[colon + 1];
  if (next <= 32) return false;
  return (CLASS[bytes[colon - 1]] & (next === 47 ? SCHEME : OPAQUE_LAST)) !== 0;
}

function isName(bytes: Uint8Array, start: number, end: number, hash: number): number {
  const found = SLOTS[(hash ^ (hash >>> 12)) & 4095];
  if (found < 0 || HASHES[found] !== hash) return -1;
  const name = NAMES[found] ?? "";
  if (name.length !== end - start) return -1;
  for (let i = 0; i < name.length; i++) if ((bytes[start + i] | 32) !== name.charCodeAt(i)) return -1;
  return found;
}

/** X1: number of the scheme whose name ends at `colon`, its start left in `schemeStart`; -1 if there is none. */
export function findScheme(bytes: Uint8Array, colon: number, floor: number, slashes: boolean): number {
  const secure = (bytes[colon - 1] | 32) === 115;
  const start = secure ? colon - 5 : colon - 4;
  if (slashes && start > floor && (CLASS[bytes[start - 1]] & SCHEME) === 0 && (bytes[start] | 32) === 104) {
    if ((bytes[start + 1] | 32) === 116 && (bytes[start + 2] | 32) === 116 && (bytes[start + 3] | 32) === 112) {
      schemeStart = start;
      return secure ? HTTPS : HTTP;
    }
  }
  let best = -1;
  let whole = -1;
  let hash = 0;
  let i = colon;
  while (i > floor && (CLASS[bytes[i - 1]] & SCHEME) !== 0) {
    i--;
    hash = (Math.imul(hash, 131) + (bytes[i] | 32)) | 0;
    whole = colon - i <= NAME_MAX ? isName(bytes, i, colon, hash) : -1;
    if (whole >= 0 && slashes && (whole <= HTTPS || i === floor || (CLASS[bytes[i - 1]] & ALPHA) === 0)) {
      best = whole;
      schemeStart = i;
    }
  }
  if (whole >= 0 && whole !== X_SCHEME) best = whole;
  else if (colon - i > 2 && (bytes[i] | 32) === 120 && bytes[i + 1] === 45) best = slashes ? X_SCHEME : -1;
  else return best;
  schemeStart = i;
  return best;
}

/** Whether `[start, end)` is a known scheme's name. */
export function isSchemeName(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > NAME_MAX) return false;
  let hash = 0;
  for (let i = end - 1; i >= start; i--) hash = (Math.imul(hash, 131) + (bytes[i] | 32)) | 0;
  const found = isName(bytes, start, end, hash);
  return found >= 0 && found !== X_SCHEME;
}

/** C6: whether a known scheme and `://` stand at `start`. */
export function startsScheme(bytes: Uint8Array, start: number, to: number): boolean {
  let p = start;
  while (p < to && p - start <= NAME_MAX && (CLASS[bytes[p]] & SCHEME) !== 0) p++;
  return p > start && p + 2 < to && bytes[p] === 58 && bytes[p + 1] === 47 && bytes[p + 2] === 47 && isSchemeName(bytes, start, p);
}
