// Multiparts of Eudora: it keeps the header, and one text instead of the parts, in a tag that names its kind (A4, C314).

import { startsWithAnyCase } from "../bytes/keyword.ts";
import { load8 } from "../platform/memory.ts";
import { end } from "./source.ts";
import { isWhiteSpace } from "./value.ts";

/** Bytes at the start of a body in which the tag is. */
export const PAGE_START_BYTES: i32 = 64;

/** Whether the body at `p` begins with `<x-html>`, or `isPlain`: with `<x-rich>` or `<x-flowed>`, perhaps after white space. */
export function startsPage(p: i32, isPlain: bool): bool {
  const bound = end - p < PAGE_START_BYTES ? end : p + PAGE_START_BYTES;
  let at = p;
  while (at < bound && isWhiteSpace(load8(at))) at++;
  if (!isPlain) return at + 8 <= bound && startsWithAnyCase(at, "<x-html>");
  return (at + 8 <= bound && startsWithAnyCase(at, "<x-rich>")) || (at + 10 <= bound && startsWithAnyCase(at, "<x-flowed>"));
}
