// The names of tags and attributes in the source.

import { lower } from "../bytes/ascii.ts";
import { EQUALS, LOWER_A } from "../bytes/characters.ts";
import { SET_NOT_SCHEME } from "../bytes/classes.ts";
import { NAME_BYTES_MAX } from "../layout/scheme-rows.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { isLast, sourceEnd } from "./decoded.ts";
import { endsName } from "./space.ts";

/** Whether a tag is an `a` (C218). The scheme characters at the start of its name are [name, end). */
export function isAnchor(name: i32, end: i32): bool {
  return end - name == 1 && lower(load8(name)) == LOWER_A && (end == sourceEnd || endsName(load8(end)));
}

/** Returns the end of the scheme characters at `p`, at most NAME_BYTES_MAX + 1 of them. */
export function findTagNameEnd(p: i32): i32 {
  const bound = p + NAME_BYTES_MAX + 1;
  return findInSet(p, bound < sourceEnd ? bound : sourceEnd, SET_NOT_SCHEME);
}

/** Whether the name [name, end) may continue after the source bytes. */
export function isNameOpen(name: i32, end: i32): bool {
  return end == sourceEnd && !isLast && end - name <= NAME_BYTES_MAX;
}

/** Whether the name of an attribute ends with the scheme characters before `end`. */
export function isNameWhole(end: i32): bool {
  return end == sourceEnd || load8(end) == EQUALS || endsName(load8(end));
}

/** Returns `end` if the name of a tag ends there, else `name`. The scheme characters at the start of the name are [name, end). */
export function tagNameEnd(name: i32, end: i32): i32 {
  return end == sourceEnd || endsName(load8(end)) ? end : name;
}
