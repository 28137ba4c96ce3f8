// The frozen opponent: a fast URL extractor and normalizer in hand-written JavaScript, as a Node programmer who wants speed would write it
// without WASM: Buffer's indexOf (a memchr, native code) from colon to colon; the usual web address read, checked and written in one loop,
// four bytes a turn through a DataView and tables; byte loops and one class table for all else; no strings, no objects. It imports nothing
// but its own files in yardstick/, which must not be changed: ratios of different releases can be compared only as long as they stay the
// same.
//
// It follows the rules for all known schemes (X1), userinfo, host and port (X2), the end of a match with bracket balance (X3),
// trailing punctuation and emphasis marks (X5), the shapes of opaque schemes (X6), `<URL:...>` and `<scheme:...>` on one line
// without white space inside (X7), and N1 to N6 for ASCII hosts. It leaves out: wrappers that span lines or hold spaces, unknown
// schemes in a wrapper, a scheme followed by white space in one; the Unicode tables of X4 (well-formed sequences are kept, but for
// U+0080-00BF, U+2000-206F, U+3000-303F and U+FEC0-FF7F, and there is no trailing non-ASCII punctuation); numeric character
// references; the check of IP literals beyond their characters and N7; percent-encoded and non-ASCII hosts (copied, no A-labels);
// urlBytesMax, flags, kinds, spans in HTML, and the count of rejected candidates. It reads no byte before `from` or behind `to`.

import { writeLines } from "./yardstick/extract.ts";

/**
 * Writes the normalized URLs of `bytes[from, to)`, one a line, into `out` and returns the number of bytes written.
 * `out` needs three bytes for each of `bytes`, and 64.
 */
export function yardstickLines(bytes: Uint8Array, from: number, to: number, out: Uint8Array): number {
  return writeLines(bytes, from, to, out);
}
