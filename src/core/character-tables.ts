// The tables of two-byte characters (A8), made by the platform's TextDecoder when a text needs one. Platforms differ in rare characters:
// the tables have only the characters that all platforms decode alike.
import * as layout from "#core/layout/memory.js";

const LEAD_FIRST = 0x81;
const LEAD_LAST = 0xfe;
const TRAIL_FIRST = 0x40;
const TRAILS = 0xbf;
const LINE_BREAK = 0x0a;
/** Characters that are alike everywhere: ideographs, syllables, kana, Greek, Cyrillic, marks, wide forms. */
const ALIKE = /^[一-龥가-힣ぁ-ゔァ-ヾΑ-ωЁ-ё\u3000-〛‘-’“-”…！＃-＆（-，．-｝]$/;
const CHARSETS = ["gbk", "big5", "euc-kr", "shift_jis"];
/** Pairs that all platforms decode alike if the character is ALIKE, by TABLE_*: first and last lead, first and last trail. */
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

const indexOf = (lead: number, trail: number): number => (lead - LEAD_FIRST) * TRAILS + trail - TRAIL_FIRST;

/** Adds the syllables that Windows has in addition to KS X 1001: in the order of Unicode, at the pairs that KS X 1001 leaves free. */
function addSyllables(table: Uint16Array): void {
  const known = new Set(table);
  let syllable = 0xac00;
  for (let lead = LEAD_FIRST; lead <= 0xc6; lead++) {
    for (let trail = 0x41; trail <= (lead < 0xa1 ? 0xfe : 0xa0) && syllable <= 0xd7a3; trail++) {
      if ((trail > 0x5a && trail < 0x61) || (trail > 0x7a && trail < 0x81)) continue;
      while (known.has(syllable)) syllable++;
      if (syllable <= 0xd7a3) table[indexOf(lead, trail)] = syllable++;
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
  for (const [first, last, from, to] of PAIRS_ALIKE[table]) {
    for (let lead = first; lead <= last; lead++) {
      // Each pair is a line of its own, so that an invalid one cannot take a byte of the next one.
      const pairs = new Uint8Array(3 * (to - from + 1)).fill(LINE_BREAK);
      for (let index = 0; index <= to - from; index++) {
        pairs[3 * index] = lead;
        pairs[3 * index + 1] = from + index;
      }
      const lines = decoder.decode(pairs).split("\n");
      lines.forEach((line, index) => {
        if (ALIKE.test(line)) characters[indexOf(lead, from + index)] = line.charCodeAt(0);
      });
    }
  }
  if (table === layout.TABLE_KOREAN) addSyllables(characters);
  return characters;
}

const made: Uint8Array[] = [];

/** Writes the table TABLE_* to the memory of a core. */
export function loadCharacters(bytes: Uint8Array, table: number): void {
  made[table] ??= new Uint8Array(characterTable(table).buffer);
  bytes.set(made[table], layout.CHARACTER_TABLES + table * layout.CHARACTER_TABLE_BYTES);
}
