// The attributes whose values are URLs (X9): those of HTML's index of attributes, and those of older HTML.

import { isAlpha, lower } from "../bytes/ascii.ts";
import { EQUALS, LOWER_A, ZERO } from "../bytes/characters.ts";
import { VALUE_REFRESH } from "../layout/memory.ts";
import { characterAt, load8 } from "../platform/memory.ts";
import { isLast, sourceEnd } from "./decoded.ts";
import { NEED_SOURCE } from "./reference.ts";
import { endsName } from "./space.ts";

/** The value is text. */
export const NO_URL: i32 = -2;

/** Longest name of these attributes. */
const NAME_BYTES_MAX: i32 = 11;
/** The letters with which their names begin, a in the lowest bit: a b c d f h i l m p s x. */
const FIRST_LETTERS: i32 = 0x8499af;

/** Returns VALUE_* or NO_URL for the attribute whose name is at `p`, or NEED_SOURCE; `inMeta`: of a `meta` element. */
export function findForm(p: i32, inMeta: bool): i32 {
  const first = load8(p);
  if (!isAlpha(first) || ((FIRST_LETTERS >> (lower(first) - LOWER_A)) & 1) == 0) return NO_URL;
  const bound = p + NAME_BYTES_MAX + 1 < sourceEnd ? p + NAME_BYTES_MAX + 1 : sourceEnd;
  let end = p + 1;
  while (end < bound && load8(end) != EQUALS && !endsName(load8(end))) end++;
  if (end == sourceEnd && !isLast && end - p <= NAME_BYTES_MAX) return NEED_SOURCE;
  return formOf(p, end, inMeta);
}

function formOf(name: i32, end: i32, inMeta: bool): i32 {
  const length = end - name;
  const form = findIn(namesOf(length), name, length);
  return form == VALUE_REFRESH && !inMeta ? NO_URL : form;
}

/** Returns the names of a length, each with its VALUE_* after it. */
function namesOf(length: i32): string {
  if (length == 3) return "src0";
  if (length == 4) return "href0ping1cite0data0";
  if (length == 6) return "action0srcset1poster0itemid0lowsrc0dynsrc0";
  if (length == 7) return "content2profile1archive1";
  if (length == 8) return "itemtype1manifest0longdesc0codebase0";
  if (length == 10) return "background0formaction0xlink:href0";
  return length == 11 ? "imagesrcset1" : "";
}

/** Returns what is after the name [name, name + length), in any case, in `names`, or NO_URL. */
function findIn(names: string, name: i32, length: i32): i32 {
  for (let entry = 0; entry < names.length; entry += length + 1) {
    let i = 0;
    while (i < length && lower(load8(name + i)) == characterAt(names, entry + i)) i++;
    if (i == length) return characterAt(names, entry + length) - ZERO;
  }
  return NO_URL;
}
