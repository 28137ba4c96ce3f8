// The yardstick's quick way: reads, checks and writes a usual web address in one loop. Frozen: see ../yardstick.ts.

import { delimiterBefore, isClosed, isEndingReference, quoted, trimmedEnd } from "./extract.ts";
import { hexValue } from "./lines.ts";
import { startsScheme } from "./scheme.ts";
import * as table from "./tables.ts";

const { CLASS, DIGIT, FTP, HARD, HEX, HOST, LOOK, LOWER, PATH, PORTS, QUERY, TRAIL, UNRESERVED } = table;

/** Which bytes of a host, a path and a query need a look: 1, or 0 where the byte is written as it is. */
const IN_HOST = new Uint8Array(256).fill(1);
const IN_PATH = new Uint8Array(256).fill(1);
const IN_QUERY = new Uint8Array(256).fill(1);
/** Hex digits with their letters in upper case. */
const UPPER = new Uint8Array(256);
for (let i = 1; i < 128; i++) {
  UPPER[i] = i >= 97 ? i - 32 : i;
  if ((CLASS[i] & HOST) !== 0 && LOWER[i] === i) IN_HOST[i] = 0;
  // A dot may start a dot segment.
  if ((CLASS[i] & (PATH | LOOK)) === PATH && i !== 46) IN_PATH[i] = 0;
  if ((CLASS[i] & (QUERY | LOOK)) === QUERY) IN_QUERY[i] = 0;
}

let source: DataView = new DataView(new ArrayBuffer(0));
let target = source;

/** Sets the bytes that `writePlain` reads and writes. */
export function setPlain(bytes: Uint8Array, out: Uint8Array): void {
  source = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  target = new DataView(out.buffer, out.byteOffset, out.length);
}

/** Copies bytes up to the first that needs a look, four at a time; returns their number. May write three bytes more. */
function copyRun(looks: Uint8Array, from: number, to: number, at: number): number {
  let n = 0;
  for (; from + n + 4 <= to; n += 4) {
    const four = source.getInt32(from + n, true);
    target.setInt32(at + n, four, true);
    const found = looks[four & 255] | (looks[(four >>> 8) & 255] << 1) | (looks[(four >>> 16) & 255] << 2) | (looks[four >>> 24] << 3);
    if (found !== 0) return n + 31 - Math.clz32(found & -found);
  }
  return n;
}

/** Offset after the bytes that `writePlain` wrote. */
export let writtenEnd = 0;

/** Writes the port after `colon` unless it is the scheme's own. Returns its end, or -1 if it is unusual or no path follows. */
function plainPort(bytes: Uint8Array, colon: number, to: number, scheme: number, out: Uint8Array, at: number): number {
  let p = colon + 1;
  let port = 0;
  for (; p < to && p < colon + 6 && (CLASS[bytes[p]] & DIGIT) !== 0; p++) port = port * 10 + bytes[p] - 48;
  if (p === to || bytes[p] !== 47 || port > 65535 || port === 0 || bytes[colon + 1] === 48) return -1;
  writtenEnd = at;
  if (port !== PORTS[scheme]) for (let i = colon; i < p; i++) out[writtenEnd++] = bytes[i];
  return p;
}

/**
 * Writes the URL of http, https or ftp whose scheme is `[start, colon)`, and returns its end; -1 if the URL has something rare. Then
 * `candidateEnd` and `writeUrl` must read it, to the same rules.
 */
export function writePlain(
  bytes: Uint8Array,
  start: number,
  colon: number,
  scheme: number,
  to: number,
  out: Uint8Array,
  at: number,
): number {
  let o = at;
  let p = start;
  for (; p < colon; p++) out[o++] = LOWER[bytes[p]];
  out[o] = 58;
  out[o + 1] = 47;
  out[o + 2] = 47;
  o += 3;
  p += 3;
  const host = p;
  let c = 0;
  for (;;) {
    const run = copyRun(IN_HOST, p, to, o);
    p += run;
    o += run;
    if (p >= to) return -1;
    c = bytes[p];
    if ((CLASS[c] & HOST) === 0) break;
    out[o++] = LOWER[c];
    p++;
  }
  if (p === host || bytes[host] === 45 || bytes[host] === 46) return -1;
  if (c === 58) {
    p = plainPort(bytes, p, to, scheme, out, o);
    if (p < 0) return -1;
    o = writtenEnd;
    c = 47;
  }
  if (c !== 47) {
    if (c === 63 || c === 35) out[o++] = 47;
    else {
      if ((CLASS[c] & HARD) === 0 || (CLASS[bytes[p - 1]] & TRAIL) !== 0) return -1;
      out[o] = 47;
      writtenEnd = o + 1;
      return p;
    }
  }
  return writePath(bytes, start, host, p, scheme, to, out, o);
}

function writePath(
  bytes: Uint8Array,
  start: number,
  host: number,
  from: number,
  scheme: number,
  to: number,
  out: Uint8Array,
  at: number,
): number {
  const form = delimiterBefore(bytes, start);
  let o = at;
  let p = from;
  let asIs = IN_PATH;
  let hash = false;
  for (; ; p++) {
    const run = copyRun(asIs, p, to, o);
    p += run;
    o += run;
    if (p === to) break;
    let c = bytes[p];
    if ((CLASS[c] & HARD) !== 0) break;
    if (asIs[c] === 0) {
      // One of the last three bytes.
    } else if (c === 46) {
      if (out[o - 1] === 47) return -1;
    } else if (c === 63) asIs = IN_QUERY;
    else if (c === 38) {
      if (isEndingReference(bytes, p, to)) return -1;
    } else if (c === 59 || c === 44) {
      if (scheme === FTP || startsScheme(bytes, p + 1, to)) return -1;
    } else if (c === 35) {
      if (hash) return -1;
      hash = true;
      asIs = IN_QUERY;
    } else if (c === 37) {
      if (p + 2 >= to || (CLASS[bytes[p + 1]] & CLASS[bytes[p + 2]] & HEX) === 0) return -1;
      c = (hexValue(bytes[p + 1]) << 4) | hexValue(bytes[p + 2]);
      if (c === 46) return -1;
      if ((CLASS[c] & UNRESERVED) === 0) {
        out[o++] = 37;
        out[o++] = UPPER[bytes[p + 1]];
        c = UPPER[bytes[p + 2]];
      }
      p += 2;
    } else if (form === 0 && (c === 41 || c === 93 || c === 125 || (c === 39 && quoted))) break;
    else return -1;
    out[o++] = c;
  }
  if ((CLASS[bytes[p - 1]] & TRAIL) !== 0 && !(form !== 0 && isClosed(bytes, p, to))) {
    const kept = trimmedEnd(bytes, start, host, p, false);
    if (kept < from) return -1;
    o -= p - kept;
    p = kept;
  }
  writtenEnd = hash && out[o - 1] === 35 ? o - 1 : o;
  return p;
}
