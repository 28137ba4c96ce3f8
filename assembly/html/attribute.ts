// The attributes whose values are URLs or lists of URLs (C100): those in the index of attributes of HTML, and those of older HTML. The
// `content` of `meta` is one of them, because it may be a refresh value (C104).

import { isAlpha } from "../bytes/ascii.ts";
import { LOWER_A, UPPER_A, ZERO } from "../bytes/characters.ts";
import { VALUE_REFRESH } from "../layout/memory.ts";
import { characterAt, load8 } from "../platform/memory.ts";

/** Numbers of attributes with rules of their own. */
export const ATTRIBUTE_HREF: i32 = 1;
export const ATTRIBUTE_OF_OBJECT: i32 = 4; // The attribute `data`: a relative URL in it is a link only in an `object` (C106)
export const ATTRIBUTE_SRCSET: i32 = 6;
export const ATTRIBUTE_ITEMTYPE: i32 = 14;
export const ATTRIBUTE_IMAGESRCSET: i32 = 20;
export const NO_URL: i32 = -2; // findForm returns this if the value of the attribute is text

/** Length in bytes of the longest name that findForm knows. */
export const NAME_BYTES_MAX: i32 = 11;
const LENGTHS: i32 = 0xdd8; // Bits 1 << n of the lengths n of the names that findForm knows
const FIRST_LETTERS: i32 = 0x499af; // The first letters of these names, a in the lowest bit: a b c d f h i l m p s

/** Index in ATTRIBUTES of src/core/names.ts of the attribute whose name findForm found last, even if the result was NO_URL (C106). */
export let attribute: i32 = 0;

/**
 * Returns how the value of the attribute with the name [name, end), at most NAME_BYTES_MAX bytes, is read: 0 for one URL, VALUE_TOKEN,
 * VALUE_REFRESH, or NO_URL. `inMeta`: the element is `meta`. Sets `attribute` if the name is known.
 */
export function findForm(name: i32, end: i32, inMeta: bool): i32 {
  const length = end - name;
  if (!isAlpha(load8(name))) return NO_URL;
  if (((LENGTHS >> length) & (FIRST_LETTERS >> ((load8(name) | 0x20) - LOWER_A)) & 1) == 0) return NO_URL;
  const form = findIn(namesOf(length), name, length);
  return form == VALUE_REFRESH && !inMeta ? NO_URL : form;
}

/** Returns the names of a length. After each name are the digit that findForm returns, and the letter of the attribute's number. */
function namesOf(length: i32): string {
  if (length == 3) return "src0A";
  if (length == 4) return "href0Bping1Ccite0Ddata0E";
  if (length == 6) return "action0Fsrcset1Gposter0Hitemid0Ilowsrc0Jdynsrc0K";
  if (length == 7) return "content2Lprofile1Marchive1N";
  if (length == 8) return "itemtype1Omanifest0Plongdesc0Qcodebase0R";
  if (length == 10) return "background0Sformaction0T";
  return length == 11 ? "imagesrcset1U" : "";
}

/** Returns 0 or VALUE_* for the name [name, name + length), in any case, and sets `attribute`; NO_URL: the name is not in `names`. */
function findIn(names: string, name: i32, length: i32): i32 {
  for (let entry = 0; entry < names.length; entry += length + 2) {
    let i = 0;
    while (i < length && (load8(name + i) | 0x20) == characterAt(names, entry + i)) i++;
    if (i < length) continue;
    attribute = characterAt(names, entry + length + 1) - UPPER_A;
    return characterAt(names, entry + length) - ZERO;
  }
  return NO_URL;
}
