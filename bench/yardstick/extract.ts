// The yardstick's extractor: where matches start and end, and the loop over all matches. Frozen: see ../yardstick.ts.

import { writeUrl } from "./lines.ts";
import { setPlain, writePlain, writtenEnd } from "./plain.ts";
import { findColon, findScheme, isSchemeName, schemeStart, startsScheme } from "./scheme.ts";
import * as table from "./tables.ts";

const { ALPHA, CLASS, DIGIT, FILE, FTP, HARD, HEX, HOST, LOOK, MAGNET, MAILTO, NEWS, SCHEME, SNEWS, TEL, TRAIL, URN, USERINFO } = table;

// What the functions below leave behind for their caller; a match is rare enough for that, and no object is made.
let lowest = 0; // first byte that may be read
let hostStart = 0;
let goesOn = false; // behind the authority stands / ? or #
let endsInHost = false;

/** Number of bytes of the non-ASCII character at `p` if it is kept (X4, roughly), else 0. */
function keptLength(bytes: Uint8Array, p: number, to: number): number {
  const lead = bytes[p];
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (length === 0 || p + length > to) return 0;
  for (let i = 1; i < length; i++) if ((bytes[p + i] & 0xc0) !== 0x80) return 0;
  const second = bytes[p + 1];
  if (lead === 0xc2 || (lead === 0xe2 && second < 0x82) || (lead === 0xe3 && second === 0x80)) return 0;
  if ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f)) return 0;
  if ((lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f)) return 0;
  return lead === 0xef && second >= 0xbb && second <= 0xbd ? 0 : length;
}

/** X2: offset behind the authority that starts at `a`, or -1 where there is none. */
function authorityEnd(bytes: Uint8Array, a: number, to: number): number {
  let p = a;
  while (p < to && (CLASS[bytes[p]] & HOST) !== 0) p++;
  hostStart = a;
  if (p < to && bytes[p] !== 47) {
    let q = p;
    for (; q < to && ((CLASS[bytes[q]] & USERINFO) !== 0 || bytes[q] === 64); q++) if (bytes[q] === 64) hostStart = q + 1;
    p = hostEnd(bytes, hostStart, to);
  }
  const first = bytes[hostStart];
  if (p === hostStart || p < 0 || first === 45 || first === 46) return -1;
  goesOn = false;
  endsInHost = true;
  if (p === to) return p;
  const stop = bytes[p];
  if (stop === 58) return portEnd(bytes, p, to);
  goesOn = stop === 47 || stop === 63 || stop === 35;
  return p;
}

function hostEnd(bytes: Uint8Array, host: number, to: number): number {
  let p = host;
  if (p < to && bytes[p] === 91) {
    for (p++; p < to && ((CLASS[bytes[p]] & HOST) !== 0 || bytes[p] === 58); p++);
    return p < to && bytes[p] === 93 ? p + 1 : -1;
  }
  while (p < to) {
    const c = bytes[p];
    if ((CLASS[c] & HOST) !== 0) p++;
    else if (c === 37 && p + 2 < to && (CLASS[bytes[p + 1]] & CLASS[bytes[p + 2]] & HEX) !== 0) p += 3;
    else if (c < 128) break;
    else {
      const kept = keptLength(bytes, p, to);
      if (kept === 0) break;
      p += kept;
    }
  }
  return p;
}

/** X2, C4: offset behind the port whose colon stands at `colon`; the colon itself where there is no port; -1 for a bad one. */
function portEnd(bytes: Uint8Array, colon: number, to: number): number {
  let p = colon + 1;
  let port = 0;
  for (; p < to && (CLASS[bytes[p]] & DIGIT) !== 0; p++) if (port <= 65535) port = port * 10 + bytes[p] - 48;
  const stop = p < to ? bytes[p] : 32;
  if (stop === 47 || stop === 63 || stop === 35) {
    if (port > 65535) return -1;
    if (p === colon + 1 && stop === 47 && bytes[p + 1] === 47 && isSchemeName(bytes, hostStart, colon)) return -1;
    goesOn = true;
    return p;
  }
  if (stop === 58) {
    if (p + 1 < to && (CLASS[bytes[p + 1]] & HOST) !== 0) return -1;
  } else {
    let q = p;
    while (q < to && (bytes[q] === 46 || bytes[q] === 45 || bytes[q] === 95)) q++;
    if (q < to && (CLASS[bytes[q]] & HOST) !== 0) return colon;
  }
  if (p === colon + 1) return colon;
  endsInHost = false;
  return port > 65535 ? -1 : p;
}

/** Whether the `&` at `p` starts one of the references of X5 that end a match, also behind `&amp;`. */
export function isEndingReference(bytes: Uint8Array, amp: number, to: number): boolean {
  let p = amp + 1;
  while (p + 3 < to && (bytes[p] | 32) === 97 && (bytes[p + 1] | 32) === 109 && (bytes[p + 2] | 32) === 112 && bytes[p + 3] === 59) p += 4;
  let semicolon = p;
  while (semicolon < to && semicolon - p < 5 && (CLASS[bytes[semicolon]] & ALPHA) !== 0) semicolon++;
  if (semicolon === p || semicolon >= to || bytes[semicolon] !== 59) return false;
  let name = "";
  for (let i = p; i < semicolon; i++) name += String.fromCharCode(bytes[i] | 32);
  return name === "lt" || name === "gt" || name === "quot" || name === "nbsp" || name === "apos";
}

/** X3: offset of the byte that ends a match whose path starts at `from`. */
function matchEnd(bytes: Uint8Array, from: number, to: number, quoted: boolean): number {
  let p = from;
  let round = 0;
  let square = 0;
  let curly = 0;
  while (p < to) {
    const c = bytes[p];
    if ((CLASS[c] & LOOK) === 0) {
      p++;
      continue;
    }
    if ((CLASS[c] & HARD) !== 0) return p;
    if (c >= 128) {
      const kept = keptLength(bytes, p, to);
      if (kept === 0) return p;
      p += kept;
      continue;
    }
    if (c === 40) round++;
    else if (c === 91) square++;
    else if (c === 123) curly++;
    else if (c === 41) {
      if (--round < 0) return p;
    } else if (c === 93) {
      if (--square < 0) return p;
    } else if (c === 125) {
      if (--curly < 0) return p;
    } else if (c === 39) {
      if (quoted) return p;
    } else if (c === 38) {
      if (isEndingReference(bytes, p, to)) return p;
    } else if (startsScheme(bytes, p + 1, to)) return p;
    p++;
  }
  return p;
}

/** X5: end of the match `[start, end)` with its trailing punctuation taken off; `low` where all of it goes. */
export function trimmedEnd(bytes: Uint8Array, start: number, low: number, end: number, inHost: boolean): number {
  let e = end;
  while (e > low) {
    const c = bytes[e - 1];
    if ((CLASS[c] & TRAIL) === 0) break;
    if (c === 45 || c === 95 || c === 42 || c === 126) {
      if (inHost && (c === 45 || c === 95)) e--;
      else {
        const marks = mirroredMarks(bytes, start, low, e);
        if (marks === 0) break;
        e -= marks;
      }
    } else {
      if (c === 59 && e - low > 4 && isAmp(bytes, e - 5)) break;
      e--;
    }
  }
  return e;
}

function isAmp(bytes: Uint8Array, p: number): boolean {
  return bytes[p] === 38 && (bytes[p + 1] | 32) === 97 && (bytes[p + 2] | 32) === 109 && (bytes[p + 3] | 32) === 112;
}

/** Length of the longest run of emphasis marks before `end` that mirrors the bytes before `start`, at most 8. */
function mirroredMarks(bytes: Uint8Array, start: number, low: number, end: number): number {
  for (let n = Math.min(8, start - lowest, end - low); n > 0; n--) {
    let i = 0;
    for (; i < n; i++) {
      const c = bytes[start - 1 - i];
      if (c !== bytes[end - n + i] || (c !== 42 && c !== 95 && c !== 126)) break;
    }
    if (i === n) return n;
  }
  return 0;
}

/** Offset of the first `byte` in `[from, to)`, or `to`. */
export function findByte(bytes: Uint8Array, byte: number, from: number, to: number): number {
  let p = from;
  while (p < to && bytes[p] !== byte) p++;
  return p;
}

function isHost(bytes: Uint8Array, start: number, end: number): boolean {
  return end > start && bytes[start] !== 45 && bytes[start] !== 46 && hostEnd(bytes, start, end) === end;
}

/** X6: whether `[start, end)`, all that stands behind the colon, has the shape of its opaque scheme. */
function hasShape(bytes: Uint8Array, scheme: number, start: number, end: number): boolean {
  if (end <= start) return false;
  if (scheme === MAILTO) {
    const question = findByte(bytes, 63, start, end);
    if (findByte(bytes, 61, question, end) < end) return true;
    let host = question;
    while (host > start && bytes[host - 1] !== 64 && !(bytes[host - 1] === 48 && bytes[host - 2] === 52 && bytes[host - 3] === 37)) host--;
    const sign = bytes[host - 1] === 64 ? 1 : 3;
    return host - sign > start && isHost(bytes, host, findByte(bytes, 44, host, question));
  }
  if (scheme === URN) {
    const colon = findByte(bytes, 58, start, end);
    for (let i = start; i < colon; i++) if ((CLASS[bytes[i]] & (ALPHA | DIGIT)) === 0 && bytes[i] !== 45) return false;
    return colon - start >= 2 && colon - start <= 32 && bytes[start] !== 45 && bytes[colon - 1] !== 45 && colon + 1 < end;
  }
  if (scheme === TEL) return (CLASS[bytes[bytes[start] === 43 ? start + 1 : start]] & DIGIT) !== 0;
  if (scheme === MAGNET) return findByte(bytes, 63, start, end) < end;
  const at = findByte(bytes, 64, start + 1, end);
  if (at + 1 < end) return true;
  return (scheme === NEWS || scheme === SNEWS) && at >= end && isGroup(bytes, start, end);
}

function isGroup(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] === 42) return end === start + 1;
  if ((CLASS[bytes[start]] & ALPHA) === 0) return false;
  let dots = 0;
  for (let i = start; i < end; i++) {
    const c = bytes[i];
    if (c === 46) {
      dots++;
      if (bytes[i - 1] === 46 || i + 1 === end) return false;
    } else if ((CLASS[c] & (ALPHA | DIGIT)) === 0 && c !== 43 && c !== 45 && c !== 95) return false;
  }
  return dots > 0;
}

/** X7 on one line: 0 no `<` before the scheme, 1 `<scheme:`, 2 `<URL:scheme:`. A prefix `'` (C19) is left in `quoted`. */
export let quoted = false;
export function delimiterBefore(bytes: Uint8Array, start: number): number {
  let p = start - 1;
  quoted = p >= lowest && bytes[p] === 39;
  if (p < lowest || quoted || (CLASS[bytes[p]] & SCHEME) !== 0) return 0;
  while (p >= lowest && (bytes[p] === 32 || bytes[p] === 9)) p--;
  let form = 1;
  if (p - 3 >= lowest && bytes[p] === 58 && (bytes[p - 1] | 32) === 108 && (bytes[p - 2] | 32) === 114 && (bytes[p - 3] | 32) === 117) {
    form = 2;
    p -= 4;
    quoted = p >= lowest && bytes[p] === 39;
    while (p >= lowest && (bytes[p] === 32 || bytes[p] === 9)) p--;
  }
  if (p < lowest || bytes[p] !== 60) return 0;
  quoted = p > lowest && bytes[p - 1] === 39;
  return form;
}

/** End of a wrapped match: the offset of the first hard byte if it is the `>`, or white space before that; else -1. */
function delimitedEnd(bytes: Uint8Array, from: number, to: number): number {
  let p = from;
  while (p < to && (CLASS[bytes[p]] & HARD) === 0) p++;
  return isClosed(bytes, p, to) ? p : -1;
}

/** Whether nothing but white space stands between `from` and a `>`. */
export function isClosed(bytes: Uint8Array, from: number, to: number): boolean {
  let p = from;
  while (p < to && (bytes[p] === 32 || bytes[p] === 9)) p++;
  return p < to && bytes[p] === 62;
}

/** End of the match whose scheme's colon stands at `colon`, its scheme's start left in `schemeStart`; -1 if there is none. */
function candidateEnd(bytes: Uint8Array, scheme: number, colon: number, to: number): number {
  const start = schemeStart;
  const form = delimiterBefore(bytes, start);
  const close = form === 0 ? -1 : delimitedEnd(bytes, colon + 1, to);
  const slash = bytes[colon + 1] === 47;
  if (scheme >= MAILTO || (scheme >= NEWS && !slash)) {
    if (close >= 0 && (form === 2 ? close > colon + 1 : hasShape(bytes, scheme, colon + 1, close))) return close;
    const end = trimmedEnd(bytes, start, colon + 1, matchEnd(bytes, colon + 1, to, quoted), false);
    return hasShape(bytes, scheme, colon + 1, end) ? end : -1;
  }
  const path = slash && scheme === FILE && (bytes[colon + 2] !== 47 || (colon + 3 < to && bytes[colon + 3] === 47));
  let p = path ? colon + (bytes[colon + 2] === 47 ? 3 : 1) : -1;
  if (path) hostStart = p;
  else {
    if (!slash || colon + 2 >= to || bytes[colon + 2] !== 47) return -1;
    p = authorityEnd(bytes, colon + 3, to);
    if (p < 0) return -1;
  }
  if (close >= 0 && (path || goesOn || p === close)) return close;
  const inHost = !path && !goesOn && endsInHost;
  const end = path || goesOn ? matchEnd(bytes, p, to, quoted) : p;
  const kept = trimmedEnd(bytes, start, path ? p + 1 : hostStart, end, inHost);
  return kept > hostStart ? kept : -1;
}

/** Writes the normalized URLs of `[from, to)` to `out`, one a line; returns the number of bytes. */
export function writeLines(bytes: Uint8Array, from: number, to: number, out: Uint8Array): number {
  lowest = from;
  setPlain(bytes, out);
  let o = 0;
  let floor = from;
  let p = from + 1;
  for (;;) {
    const colon = findColon(bytes, p, to);
    if (colon >= to) return o;
    p = colon + 1;
    const slashes = bytes[p] === 47 && p + 1 < to && bytes[p + 1] === 47;
    const scheme = findScheme(bytes, colon, floor, slashes);
    if (scheme < 0) continue;
    let end = slashes && scheme <= FTP ? writePlain(bytes, schemeStart, colon, scheme, to, out, o) : -1;
    if (end >= 0) o = writtenEnd;
    else {
      end = candidateEnd(bytes, scheme, colon, to);
      if (end < 0) continue;
      o = writeUrl(bytes, schemeStart, end, scheme, out, o);
    }
    out[o++] = 10;
    floor = end;
    p = end + 1;
  }
}
