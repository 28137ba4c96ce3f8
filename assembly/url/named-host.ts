// The flags of hosts in a table: short links (C213), namespaces (C215). src/core/tables.ts fills the table.

import { DOT, HASH, QUESTION } from "../bytes/characters.ts";
import { isSameText } from "../bytes/keyword.ts";
import { FLAG_NAMESPACE, FLAG_SHORTENER } from "../layout/codes.ts";
import * as layout from "../layout/memory.ts";
import { load8, loadBytes } from "../platform/memory.ts";
import { NAMED_BYTES_LEAST, namedSlot } from "./named-host-hash.ts";

/** Returns FLAG_* of the host [start, end), in normal form, with the path at `path`, which is not empty, of a URL that ends at `urlEnd`. */
export function namedFlags(start: i32, end: i32, path: i32, urlEnd: i32): i32 {
  const last = end - NAMED_BYTES_LEAST;
  if (last < start) return 0;
  let flags = 0;
  let slot = namedSlot(loadBytes(last), last > start ? load8(last - 1) : 0);
  while (true) {
    const at = layout.NAMED_SLOTS + (slot << 1);
    const number = load8(at) | (load8(at + 1) << 8);
    if (number == 0) return flags;
    const row = layout.NAMED_ROWS + ((number - 1) << 3);
    if (hasHost(row, start, end) && hasPath(row, path, pathEnd(path, urlEnd)))
      flags |= load8(row + layout.NAMED_KIND) == layout.NAMED_SHORT ? FLAG_SHORTENER : FLAG_NAMESPACE;
    slot = (slot + 1) & (layout.NAMED_SLOTS_COUNT - 1);
  }
}

/** Whether the host [start, end) is the host of the row, or is below it if the name in the row begins with a dot. */
function hasHost(row: i32, start: i32, end: i32): bool {
  const name = row + layout.NAMED_HOST;
  const length = load8(row);
  if (end - start < length || (end - start > length && load8(name) != DOT)) return false;
  return isSameText(name, name + length, end - length, end);
}

function pathEnd(path: i32, urlEnd: i32): i32 {
  let p = path;
  while (p < urlEnd && load8(p) != QUESTION && load8(p) != HASH) p++;
  return p;
}

/** Whether the path [start, end) is one that the row allows. */
function hasPath(row: i32, start: i32, end: i32): bool {
  const kind = load8(row + layout.NAMED_KIND);
  if (kind == layout.NAMED_SHORT) return end - start > 1;
  const first = row + layout.NAMED_HOST + load8(row);
  const length = load8(row + layout.NAMED_PATH_LENGTH);
  if (end - start < length || !isSameText(first, first + length, start, start + length)) return false;
  if (kind == layout.NAMED_WHOLE) return end - start == length;
  if (kind == layout.NAMED_BEGIN) return true;
  const suffix = first + length;
  const suffixLength = load8(row + layout.NAMED_SUFFIX_LENGTH);
  return end - start >= length + suffixLength && isSameText(suffix, suffix + suffixLength, end - suffixLength, end);
}
