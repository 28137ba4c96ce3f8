// The frozen opponent: a fast URL extractor and normalizer in hand-written JavaScript, as a careful Node programmer without WASM
// would write it: Buffer's indexOf (a memchr, native code) from colon to colon, one class table and byte loops from there on, no
// strings, no objects. It imports nothing but its own files in yardstick/, which must not be changed: ratios of different releases
// can be compared only as long as they stay the same. A second search, in JavaScript alone (four 32-bit words a turn), shows what the
// memchr is worth; the opponent is the one with the memchr, because it is the faster one.
//
// It follows the rules for all known schemes (X1), userinfo, host and port (X2), the end of a match with bracket balance (X3),
// trailing punctuation and emphasis marks (X5), the shapes of opaque schemes (X6), `<URL:...>` and `<scheme:...>` on one line
// without white space inside (X7), and N1 to N6 for ASCII hosts. It leaves out: wrappers that span lines or hold spaces, unknown
// schemes in a wrapper, a scheme followed by white space in one; the Unicode tables of X4 (well-formed sequences are kept, but for
// U+0080-00BF, U+2000-206F, U+3000-303F and U+FEC0-FF7F, and there is no trailing non-ASCII punctuation); numeric character
// references; the check of IP literals beyond their characters and N7; percent-encoded and non-ASCII hosts (copied, no A-labels);
// urlBytesMax, flags, kinds, spans in HTML, and the count of rejected candidates. It reads no byte before `from` or behind `to`.

import { resumeAt, scan } from "./yardstick/extract.ts";
import { writeUrl } from "./yardstick/lines.ts";
import { YARDSTICK_ROW_WORDS } from "./yardstick/tables.ts";

export { YARDSTICK_ROW_WORDS };

/** How the yardstick finds colons: Buffer's memchr, or words in JavaScript alone. */
export type YardstickSearch = "memchr" | "words";

function wordsOf(bytes: Uint8Array, search: YardstickSearch): Int32Array | undefined {
  return search === "words" ? new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >> 2) : undefined;
}

/**
 * Writes one row per match in `bytes[from, to)` into `spans` ({@link YARDSTICK_ROW_WORDS} words) and returns the number of matches.
 * Stops when `spans` is full.
 */
export function yardstickExtract(
  bytes: Uint8Array,
  from: number,
  to: number,
  spans: Int32Array,
  search: YardstickSearch = "memchr",
): number {
  return scan(bytes, from, from, to, spans, wordsOf(bytes, search)) / YARDSTICK_ROW_WORDS;
}

const rows = new Int32Array(2048 * YARDSTICK_ROW_WORDS);

/**
 * Writes the normalized URLs of `bytes[from, to)`, one a line, into `out` and returns the number of bytes written.
 * `out` needs three bytes for each of `bytes`, and 64.
 */
export function yardstickLines(bytes: Uint8Array, from: number, to: number, out: Uint8Array, search: YardstickSearch = "memchr"): number {
  const words = wordsOf(bytes, search);
  let o = 0;
  let p = from;
  while (p < to) {
    const n = scan(bytes, from, p, to, rows, words);
    p = resumeAt;
    for (let i = 0; i < n; i += YARDSTICK_ROW_WORDS) {
      o = writeUrl(bytes, rows[i], rows[i + 1], rows[i + 2], out, o);
      out[o++] = 10;
    }
  }
  return o;
}
