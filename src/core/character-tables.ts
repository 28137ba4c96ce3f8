// The tables of two-byte characters (A8), made by the platform's TextDecoder when a text needs one. Platforms differ in rare characters:
// the tables have only the characters that all platforms decode alike.
import * as layout from "#core/layout/memory.js";

const LEAD_FIRST = 0x81;
const LEAD_LAST = 0xfe;
const TRAIL_FIRST = 0x40;
const TRAILS = 0xbf;
const LINE_BREAK = 0x0a;
/** Ranges of characters that are alike everywhere, first and last: ideographs, syllables, kana, Greek, Cyrillic, marks, wide forms. */
const RANGES_ALIKE =
  "\u4e00\u9fa5\uac00\ud7a3\u3041\u3094\u30a1\u30fe\u0391\u03c9\u0401\u0451\u3000\u301b\u2018\u2019\u201c\u201d\u2026\u2026" +
  "\uff01\uff01\uff03\uff06\uff08\uff0c\uff0e\uff5d";
const CHARSETS = ["gbk", "big5", "euc-kr", "shift_jis"];
/** Pairs that all platforms decode alike if the character is in RANGES_ALIKE, by TABLE_*: first and last lead, first and last trail. */
const PAIRS_ALIKE: readonly (readonly [first: number, last: number, from: number, to: number])[][] = [
  [
    [0x81, 0xa2, 0x40, 0xfe],
    [0xa3, 0xa3, 0x40, 0x9f],
    [0xa3, 0xa3, 0xa1, 0xfe],
    [0xa4, 0xfe, 0x40, 0xfe],
  ],
  // Big5 has additions of Hong Kong on some platforms.
  [
    [0xa1, 0xc5, 0x40, 0xfe],
    [0xc6, 0xc6, 0x40, 0x7e],
    [0xc9, 0xf8, 0x40, 0xfe],
    [0xf9, 0xf9, 0x40, 0xd5],
  ],
  [[0xa1, 0xfe, 0xa1, 0xfe]],
  [[0x81, 0xfe, 0x40, 0xfe]],
];

/** Adds the syllables that Windows has in addition to KS X 1001: in the order of Unicode, at the pairs that KS X 1001 leaves free. */
function addSyllables(table: Uint16Array): void {
  const known = new Set(table);
  let syllable = 0xac00;
  for (let lead = LEAD_FIRST; lead <= 0xc6; lead++) {
    for (let trail = 0x41; trail <= (lead < 0xa1 ? 0xfe : 0xa0) && syllable <= 0xd7a3; trail++) {
      if ((trail > 0x5a && trail < 0x61) || (trail > 0x7a && trail < 0x81)) continue;
      while (known.has(syllable)) syllable++;
      if (syllable <= 0xd7a3) table[(lead - LEAD_FIRST) * TRAILS + trail - TRAIL_FIRST] = syllable++;
    }
  }
}

/** Returns all pairs of bytes, each on its own line, so that an invalid pair cannot take a byte of the next pair. */
function allPairs(): Uint8Array {
  const pairs = new Uint8Array((LEAD_LAST - LEAD_FIRST + 1) * TRAILS * 3);
  let at = 0;
  for (let lead = LEAD_FIRST; lead <= LEAD_LAST; lead++) {
    for (let trail = TRAIL_FIRST; trail < TRAIL_FIRST + TRAILS; trail++) {
      pairs[at++] = lead;
      pairs[at++] = trail;
      pairs[at++] = LINE_BREAK;
    }
  }
  return pairs;
}

/** Returns an array by units of UTF-16: 1 for those in RANGES_ALIKE, else 0. */
function alike(): Uint8Array {
  const units = new Uint8Array(0x10000);
  for (let at = 0; at < RANGES_ALIKE.length; at += 2) units.fill(1, RANGES_ALIKE.charCodeAt(at), RANGES_ALIKE.charCodeAt(at + 1) + 1);
  return units;
}

function copyAlike(
  characters: Uint16Array,
  lines: readonly string[],
  unitsAlike: Uint8Array,
  first: number,
  last: number,
  from: number,
  to: number,
): void {
  for (let lead = first; lead <= last; lead++) {
    for (let trail = from; trail <= to; trail++) {
      const index = (lead - LEAD_FIRST) * TRAILS + trail - TRAIL_FIRST;
      const unit = lines[index].charCodeAt(0);
      if (lines[index].length === 1 && unitsAlike[unit] === 1) characters[index] = unit;
    }
  }
}

/** Returns the table TABLE_*. All its entries are 0 if the platform does not know the charset. */
export function characterTable(table: number): Uint16Array {
  const characters = new Uint16Array((LEAD_LAST - LEAD_FIRST + 1) * TRAILS);
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(CHARSETS[table]);
  } catch {
    return characters;
  }
  const lines = decoder.decode(allPairs()).split("\n");
  const unitsAlike = alike();
  for (const pairs of PAIRS_ALIKE[table]) copyAlike(characters, lines, unitsAlike, ...pairs);
  if (table === layout.TABLE_KOREAN) addSyllables(characters);
  return characters;
}

const made: Uint8Array[] = [];

/** Writes the table TABLE_* to the memory of a core. */
export function loadCharacters(bytes: Uint8Array, table: number): void {
  made[table] ??= new Uint8Array(characterTable(table).buffer);
  bytes.set(made[table], layout.CHARACTER_TABLES + table * layout.CHARACTER_TABLE_BYTES);
}
