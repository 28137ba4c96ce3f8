// IP addresses in schemeless text (X10, C98): their form, and the bytes that may be before and after them.

import { classOf, isAlpha, isAlphanumeric, isDigit } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { CLASS_BEFORE_SCHEMELESS, CLASS_HEX } from "../bytes/classes.ts";
import { load8 } from "../platform/memory.ts";
import { isIpv6 } from "../url/ip-literal.ts";
import { isAfterSequence, isInSequence } from "./prefix.ts";

/** Most bytes of an IPv6 address as text. */
const ADDRESS_BYTES_MAX: i32 = 45;
const GROUP_DIGITS_MAX: i32 = 4; // Most digits of a group of an IPv6 address
const NUMBER_DIGITS_MAX: i32 = 5; // Most digits of a prefix length or a port after `/` or `#`

/** Returns the address after the `]` of an IPv6 address in brackets at `start`, without a zone; 0: there is none. */
export function findLiteralEnd(start: i32): i32 {
  if (load8(start) != char.SQUARE_OPEN) return 0;
  const bound = start + 1 + ADDRESS_BYTES_MAX;
  let p = start + 1;
  while (p < bound && isAddressByte(load8(p))) p++;
  return load8(p) == char.SQUARE_CLOSE && isIpv6(start + 1, p) ? p + 1 : 0;
}

function isAddressByte(c: i32): bool {
  return c == char.COLON || c == char.DOT || (classOf(c) & CLASS_HEX) != 0;
}

/** Returns the `[` before the group that ends at `colon`, if an address in brackets may start at this `[`; else 0. */
export function findBracket(colon: i32): i32 {
  const p = skipGroupBack(colon) - 1;
  const isAfterWord = (classOf(load8(p - 1)) & CLASS_BEFORE_SCHEMELESS) != 0 && !isAfterSequence(p);
  return load8(p) == char.SQUARE_OPEN && !isAfterWord && !isInSequence(p) ? p : 0;
}

/** Returns the start of the hexadecimal digits before `end`, four at most. */
function skipGroupBack(end: i32): i32 {
  let p = end;
  while (p > end - GROUP_DIGITS_MAX && (classOf(load8(p - 1)) & CLASS_HEX) != 0) p--;
  return p;
}

/** Whether the IPv4 address at `start` is the tail of an IPv6 address: two colons are before it, with or without a group between. */
export function isIpv6Tail(start: i32): bool {
  return load8(start - 1) == char.COLON && load8(skipGroupBack(start - 1) - 1) == char.COLON;
}

/**
 * Whether a port, a path, a query or a fragment begins at `p`. A number after `/` or `#` is a prefix length, a netmask or a port instead.
 */
export function mayFollowAddress(p: i32): bool {
  const c = load8(p);
  const next = load8(p + 1);
  if (c == char.COLON) return isDigit(next);
  if (c == char.QUESTION) return isAlphanumeric(next);
  if (c == char.HASH) return isAlphanumeric(next) && !isNumber(p + 1);
  return c == char.SLASH && !isNumber(p + 1);
}

/** Whether a number of one to five digits is at `p` and is not part of a longer name. */
function isNumber(p: i32): bool {
  let end = p;
  while (end <= p + NUMBER_DIGITS_MAX && isDigit(load8(end))) end++;
  if (end == p || end > p + NUMBER_DIGITS_MAX) return false;
  const c = load8(end);
  const next = load8(end + 1);
  if (isAlpha(c) || c == char.UNDERSCORE) return false;
  if (c == char.SLASH) return !isAlphanumeric(next);
  return !isAlpha(next) || !joinsName(c);
}

/** Whether a name may continue after `c`: `.` `-` `?` `&` `=` `%`. */
function joinsName(c: i32): bool {
  return c == char.DOT || c == char.HYPHEN || c == char.QUESTION || c == char.AMPERSAND || c == char.EQUALS || c == char.PERCENT;
}
