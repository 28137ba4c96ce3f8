// The attribute whose value is read, by its number: the order of ATTRIBUTES in src/core/names.ts (C106).

/** Numbers of attributes with rules of their own: href, data (of object), srcset, itemtype, imagesrcset. */
export const ATTRIBUTE_HREF: i32 = 1;
export const ATTRIBUTE_OF_OBJECT: i32 = 4;
export const ATTRIBUTE_SRCSET: i32 = 6;
export const ATTRIBUTE_ITEMTYPE: i32 = 14;
export const ATTRIBUTE_IMAGESRCSET: i32 = 20;

/** Number of the attribute with a URL whose name was read last. */
export let attribute: i32 = 0;

/** Sets the number of the attribute. */
export function setAttribute(number: i32): void {
  attribute = number;
}
