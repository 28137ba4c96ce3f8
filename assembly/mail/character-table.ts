// Characters of two bytes (A8), from tables that the host makes when a text needs them.

import { CHARACTER_TABLE_BYTES, CHARACTER_TABLES, TABLE_JAPANESE } from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { loadCharacters } from "../platform/callbacks.ts";
import { load8 } from "../platform/memory.ts";

/** The first half-width katakana. */
export const KATAKANA_FIRST: i32 = 0xff61;

/** Bits 1 << TABLE_* of the tables that the host has made. */
let loaded: i32 = 0;

/** Returns the character of TABLE_* for the bytes `lead`, 81 or more, and `trail`, 40 or more (both hexadecimal); 0: there is none. */
export function characterOf(table: i32, lead: i32, trail: i32): i32 {
  if ((loaded & (1 << table)) == 0) {
    loadCharacters(table);
    loaded |= 1 << table;
  }
  const entry = CHARACTER_TABLES + multiply(table, CHARACTER_TABLE_BYTES) + ((multiply(lead - 0x81, 0xbf) + trail - 0x40) << 1);
  return load8(entry) | (load8(entry + 1) << 8);
}

/** Returns the character of JIS X 0208 in `row` and `cell`, which count from 21 (hexadecimal) on; 0: there is none. */
export function japaneseCharacter(row: i32, cell: i32): i32 {
  const pair = (row - 0x21) >> 1;
  const isSecond = (row & 1) == 0;
  const trail = isSecond ? cell + 0x7e : cell + 0x1f + (cell > 0x5f ? 1 : 0);
  return characterOf(TABLE_JAPANESE, pair + (pair < 0x1f ? 0x81 : 0xc1), trail);
}
