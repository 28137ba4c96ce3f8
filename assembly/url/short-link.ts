// Whether a host is one of short links (C213), by the table that src/core/tables.ts fills.

import { DOT } from "../bytes/characters.ts";
import { isSameText } from "../bytes/keyword.ts";
import { SHORT_LINK_ROWS, SHORT_LINK_SLOTS, SHORT_LINK_SLOTS_COUNT } from "../layout/memory.ts";
import { load8, loadBytes } from "../platform/memory.ts";
import { SHORT_LINK_BYTES_LEAST, shortLinkSlot } from "./short-link-hash.ts";

/** Whether the host [start, end), in normal form, is one of short links. */
export function isShortLinkHost(start: i32, end: i32): bool {
  const last = end - SHORT_LINK_BYTES_LEAST;
  if (last < start) return false;
  let slot = shortLinkSlot(loadBytes(last), last > start ? load8(last - 1) : 0);
  while (true) {
    const number = load8(SHORT_LINK_SLOTS + slot);
    if (number == 0) return false;
    if (isOfRow(SHORT_LINK_ROWS + ((number - 1) << 3), start, end)) return true;
    slot = (slot + 1) & (SHORT_LINK_SLOTS_COUNT - 1);
  }
}

/** Whether a host is the one of a row, or below it if the name of the row begins with a dot. */
function isOfRow(row: i32, start: i32, end: i32): bool {
  const name = row + 1;
  const length = load8(row);
  if (end - start < length || (end - start > length && load8(name) != DOT)) return false;
  return isSameText(name, name + length, end - length, end);
}
