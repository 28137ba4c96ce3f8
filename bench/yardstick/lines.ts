// The yardstick's normalizer: N1 to N6 of one match. Frozen: see ../yardstick.ts.

import { findByte } from "./extract.ts";
import * as table from "./tables.ts";

const { CLASS, FILE, FTP, GOPHER, HEX, HOST, HTTP_LIKE, LOGIN, LOWER, MAILTO, PATH, PORTS, QUERY } = table;
const { SIP, TREE, UNRESERVED, URN, USERINFO, XMPP } = table;

/** Writes the normal form of the match `[start, end)` to `out[at ...]` and returns the offset behind it. */
export function writeUrl(bytes: Uint8Array, start: number, end: number, scheme: number, out: Uint8Array, at: number): number {
  let p = start;
  let o = at;
  for (; bytes[p] !== 58; p++) out[o++] = LOWER[bytes[p]];
  out[o++] = 58;
  p++;
  if (scheme >= MAILTO || bytes[p] !== 47) return writeOpaque(bytes, p, end, scheme, out, o);
  const slashes = bytes[p + 1] === 47;
  out[o++] = 47;
  out[o++] = 47;
  if (slashes) p += 2;
  const host = o;
  for (; p < end; p++) {
    const c = bytes[p];
    if ((CLASS[c] & HOST) === 0) break;
    out[o++] = LOWER[c];
  }
  if (p < end && bytes[p] !== 47 && bytes[p] !== 63 && bytes[p] !== 35) {
    const a = p - (o - host);
    while (p < end && bytes[p] !== 47 && bytes[p] !== 63 && bytes[p] !== 35) p++;
    o = writeAuthority(bytes, a, p, scheme, out, host);
  }
  if (scheme === FILE && o - host === 9 && String.fromCharCode(...out.subarray(host, o)) === "localhost") o = host;
  if (p === end || bytes[p] !== 47) {
    if (TREE[scheme] === 1 || LOGIN.includes(scheme)) out[o++] = 47;
    else if (scheme === GOPHER && p === end) o = writeGopherRoot(out, o);
  } else if (scheme === GOPHER && p + 1 === end) return writeGopherRoot(out, o);
  return writeTail(bytes, p, end, scheme, out, o);
}

function writeGopherRoot(out: Uint8Array, at: number): number {
  out[at] = 47;
  out[at + 1] = 49;
  return at + 2;
}

function writeAuthority(bytes: Uint8Array, from: number, end: number, scheme: number, out: Uint8Array, at: number): number {
  let o = at;
  let host = from;
  for (let i = from; i < end; i++) if (bytes[i] === 64) host = i + 1;
  if (host > from) {
    let stop = host - 1;
    if (HTTP_LIKE.includes(scheme) && stop > from && findByte(bytes, 58, from, stop) === stop - 1) stop--;
    o = writeEncoded(bytes, from, stop, USERINFO, out, o);
    if (stop > from || !HTTP_LIKE.includes(scheme)) out[o++] = 64;
  }
  let p = host;
  if (bytes[p] === 91) while (p < end && bytes[p] !== 93) out[o++] = LOWER[bytes[p++]];
  for (; p < end && bytes[p] !== 58; p++) out[o++] = LOWER[bytes[p]];
  p++;
  let port = 0;
  for (let i = p; i < end; i++) port = port * 10 + bytes[i] - 48;
  while (p + 1 < end && bytes[p] === 48) p++;
  if (p >= end || port === PORTS[scheme]) return o;
  out[o++] = 58;
  while (p < end) out[o++] = bytes[p++];
  return o;
}

/** N2: `bytes[from, end)` with triplets in their normal form and everything encoded that has not the class `allowed`. */
function writeEncoded(bytes: Uint8Array, from: number, end: number, allowed: number, out: Uint8Array, at: number): number {
  let o = at;
  for (let p = from; p < end; p++) {
    let c = bytes[p];
    if (c === 37 && p + 2 < end && (CLASS[bytes[p + 1]] & CLASS[bytes[p + 2]] & HEX) !== 0) {
      c = hexValue(bytes[p + 1]) * 16 + hexValue(bytes[p + 2]);
      p += 2;
      if ((CLASS[c] & UNRESERVED) !== 0) {
        out[o++] = c;
        continue;
      }
    } else if ((CLASS[c] & allowed) !== 0 && c !== 37 && c < 128) {
      out[o++] = c;
      continue;
    }
    out[o++] = 37;
    out[o++] = HEX_DIGITS.charCodeAt(c >> 4);
    out[o++] = HEX_DIGITS.charCodeAt(c & 15);
  }
  return o;
}

const HEX_DIGITS = "0123456789ABCDEF";
export function hexValue(digit: number): number {
  return digit <= 57 ? digit - 48 : (digit | 32) - 87;
}

/** N2, N4, N6: path, query and fragment. */
function writeTail(bytes: Uint8Array, from: number, end: number, scheme: number, out: Uint8Array, at: number): number {
  let p = from;
  let o = at;
  for (; p < end; p++) {
    const c = bytes[p];
    if ((CLASS[c] & PATH) === 0 || (c === 46 && out[o - 1] === 47 && TREE[scheme] === 1)) break;
    out[o++] = c;
  }
  if (p < end && bytes[p] !== 63 && bytes[p] !== 35) {
    let stop = p;
    while (stop < end && bytes[stop] !== 63 && bytes[stop] !== 35) stop++;
    o = writeEncoded(bytes, p, stop, PATH, out, o);
    p = stop;
    if (TREE[scheme] === 1) o = removeDotSegments(out, at, o);
  }
  if (scheme === FTP && o - at > 6 && out[o - 2] === 61 && out[o - 7] === 59) lowerFtpType(out, o);
  if (p < end && bytes[p] === 63) {
    for (out[o++] = bytes[p++]; p < end && (CLASS[bytes[p]] & QUERY) !== 0; p++) out[o++] = bytes[p];
    if (p < end && bytes[p] !== 35) {
      const stop = findByte(bytes, 35, p, end);
      o = writeEncoded(bytes, p, stop, QUERY, out, o);
      p = stop;
    }
  }
  if (p + 1 >= end) return o;
  out[o++] = 35;
  return writeEncoded(bytes, p + 1, end, QUERY, out, o);
}

function lowerFtpType(out: Uint8Array, end: number): void {
  const written = String.fromCharCode(...out.subarray(end - 7, end)).toLowerCase();
  if (/^;type=[aid]$/.test(written)) for (let i = 0; i < 7; i++) out[end - 7 + i] = written.charCodeAt(i);
}

/** RFC 3986 5.2.4 on `out[start, end)`, in place; returns the new end. */
function removeDotSegments(out: Uint8Array, start: number, end: number): number {
  let o = start;
  let p = start;
  while (p < end) {
    let next = p + 1;
    while (next < end && out[next] !== 47) next++;
    const length = next - p - 1;
    if (length === 1 && out[p + 1] === 46) {
      if (next === end) out[o++] = 47;
    } else if (length === 2 && out[p + 1] === 46 && out[p + 2] === 46) {
      while (o > start && out[--o] !== 47);
      if (next === end) out[o++] = 47;
    } else {
      out.copyWithin(o, p, next);
      o += next - p;
    }
    p = next;
  }
  return o;
}

/** Opaque schemes and `file:/x`: N2 and N6. */
function writeOpaque(bytes: Uint8Array, from: number, end: number, scheme: number, out: Uint8Array, at: number): number {
  if (scheme === URN) {
    let p = from;
    let o = at;
    for (; bytes[p] !== 58; p++) out[o++] = LOWER[bytes[p]];
    return writeUrnSpecific(bytes, p, end, out, o);
  }
  const o = writeTail(bytes, from, end, scheme, out, at);
  if (scheme === MAILTO || (scheme >= SIP && scheme <= XMPP)) lowerDomains(out, at, o);
  return o;
}

function writeUrnSpecific(bytes: Uint8Array, from: number, end: number, out: Uint8Array, at: number): number {
  let o = at;
  for (let p = from; p < end; p++) {
    const c = bytes[p];
    const triplet = c === 37 && p + 2 < end && (CLASS[bytes[p + 1]] & CLASS[bytes[p + 2]] & HEX) !== 0;
    if (triplet) {
      out[o++] = 37;
      for (let i = 0; i < 2; i++) out[o++] = HEX_DIGITS.charCodeAt(hexValue(bytes[++p]));
    } else if ((CLASS[c] & QUERY) !== 0 || (c === 35 && p + 1 < end)) out[o++] = c;
    else if (c !== 35) o = writeEncoded(bytes, p, p + 1, QUERY, out, o);
  }
  return o;
}

function lowerDomains(out: Uint8Array, start: number, end: number): void {
  let inDomain = false;
  for (let i = start; i < end; i++) {
    const c = out[i];
    if (c === 63) return;
    if (c === 64) inDomain = true;
    else if (c === 44 || c === 47 || c === 59 || c === 35) inDomain = false;
    else if (inDomain) out[i] = LOWER[c];
  }
}
