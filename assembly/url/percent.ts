// The percent codec of the normalizer (N2).

import { classOf } from "../bytes/ascii.ts";
import { PERCENT, UPPER_A, ZERO } from "../bytes/characters.ts";
import { CLASS_RFC1738, SET_TROUBLE, SET_TROUBLE_1738 } from "../bytes/classes.ts";
import { isSameText } from "../bytes/keyword.ts";
import { hexPair, isHexPair } from "../bytes/number.ts";
import { PROFILE_RFC1738 } from "../layout/memory.ts";
import * as rule from "../layout/notes.ts";
import { load8, store8 } from "../platform/memory.ts";
import { isNoting, note } from "../platform/note.ts";

function upperHex(value: i32): i32 {
  return value < 10 ? value + ZERO : value - 10 + UPPER_A;
}

/** Writes `value` as a triplet with upper-case digits; returns the address after it. */
export function writeTriplet(value: i32, to: i32): i32 {
  store8(to, PERCENT);
  store8(to + 1, upperHex(value >> 4));
  store8(to + 2, upperHex(value & 15));
  return to + 3;
}

/** Whether only the characters that RFC 1738 leaves unencoded stay unencoded (N8). */
export let isRfc1738: bool = false;

/** SET_* of the bytes after the scheme or authority for which a URL is not just copied. */
export let troubleSet: i32 = SET_TROUBLE;

/** Sets PROFILE_* of the next URLs. */
export function setProfile(profile: i32): void {
  isRfc1738 = profile == PROFILE_RFC1738;
  troubleSet = isRfc1738 ? SET_TROUBLE_1738 : SET_TROUBLE;
}

/**
 * Writes the component [start, end) to `to`. A byte is allowed if it is of class `component`, with RFC 1738 also of CLASS_RFC1738. Decodes
 * triplets of allowed bytes of class `decoded`, and writes all other triplets in upper case. Encodes a stray `%` and every byte that is not
 * allowed. Returns the address after the output, which is at most three times as long as the component. (N2, N8)
 */
export function writeTriplets(start: i32, end: i32, component: i32, decoded: i32, to: i32): i32 {
  const allowed = isRfc1738 ? component | CLASS_RFC1738 : component;
  let at = to;
  let p = start;
  while (p < end) {
    const c = load8(p);
    if (c == PERCENT && p + 2 < end && isHexPair(p + 1)) {
      const value = hexPair(p + 1);
      const isDecoded = (classOf(value) & decoded) != 0 && (classOf(value) & allowed) == allowed;
      if (isDecoded) {
        store8(at++, value);
        note(rule.N2_DECODED, p, p + 3);
      } else {
        at = writeTriplet(value, at);
        if (isNoting() && !isSameText(p, p + 3, at - 3)) note(rule.N2_UPPER, p, p + 3);
      }
      p += 3;
    } else {
      if ((classOf(c) & allowed) == allowed) {
        store8(at++, c);
      } else {
        at = writeTriplet(c, at);
        note(ruleOfEncoding(c, component), p, p + 1);
      }
      p++;
    }
  }
  return at;
}

/** Returns the rule by which the byte `c` of a component becomes a triplet. */
function ruleOfEncoding(c: i32, component: i32): i32 {
  if (c == PERCENT) return rule.N2_STRAY;
  return (classOf(c) & component) == component ? rule.N8_ENCODED : rule.N2_ENCODED;
}
