// Decodes the codings of HTTP (A12) synchronously: the core waits for the text of a body. Attachments (C178) and the starts of
// compressed files are decoded here too.
import { inflate, unbrotli } from "#codings";
import { CODING_BITS, CODING_BROTLI, CODING_DEFLATE, CODING_GZIP, CODING_ZSTD } from "#core/layout/mail.js";
import type { DecodedBody } from "../../decoders/coded-bodies.ts";
import { gunzip } from "./gzip.ts";
import { decodeZstd } from "./zstd.ts";

const NOTHING = new Uint8Array(0);
const WHITE_SPACE = 0x20;
const START_BYTES = 1024; // First bytes that are searched for binary data
const WITH_MAGIC = [CODING_GZIP, CODING_ZSTD];
const [TAB, VERTICAL_TAB, SHIFT_OUT, ESC, TILDE] = [0x09, 0x0b, 0x0e, 0x1b, 0x7e];

type Decode = (body: Uint8Array, most: number) => DecodedBody;

const DECODERS: Readonly<Record<number, Decode>> = {
  [CODING_GZIP]: gunzip,
  [CODING_DEFLATE]: (body, most) => inflate(isZlib(body) ? body.subarray(2) : body, most),
  [CODING_BROTLI]: unbrotli,
  [CODING_ZSTD]: decodeZstd,
};

/** Decodes codings, the lowest CODING_BITS first, each to at most `most` bytes. A cut text ends with a whole word. Brotli needs zlib. */
export function decodeBody(body: Uint8Array, codings: number, most: number): DecodedBody {
  let [text, isWhole, cost] = [body, true, 0];
  for (let left = codings; left > 0 && text.length > 0; left >>= CODING_BITS) {
    const coding = left & ((1 << CODING_BITS) - 1);
    // The core has checked the bytes of the body itself.
    if (left !== codings && !mayBeCoded(text, coding)) continue;
    const decoded = DECODERS[coding]?.(text, most);
    text = decoded?.text ?? NOTHING;
    isWhole &&= decoded?.isWhole ?? false;
    cost += decoded?.cost ?? 0;
  }
  return { text: isWhole ? text : wholeWords(text), isWhole, cost };
}

/** Returns whether `bytes` may be coded: a wrong header may name a coding for plain text (A12). */
function mayBeCoded(bytes: Uint8Array, coding: number): boolean {
  const last = WITH_MAGIC.includes(coding) ? 0xff : TILDE;
  return bytes.subarray(0, START_BYTES).some((byte) => byte > last || isBinary(byte));
}

/** Returns whether a byte is a control other than white space and ESC. */
function isBinary(byte: number): boolean {
  return byte < WHITE_SPACE && (byte < TAB || byte === VERTICAL_TAB || (byte >= SHIFT_OUT && byte !== ESC));
}

/** Returns a text without its last word, which may be half a URL. */
export function wholeWords(text: Uint8Array): Uint8Array {
  let end = text.length;
  while (end > 0 && text[end - 1] > WHITE_SPACE) end--;
  return text.subarray(0, end);
}

/** Returns whether the bytes begin with a zlib header. Some servers send raw deflate data, which practically never begins so. */
function isZlib([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 15) === 8 && (flags & 0x20) === 0 && (method * 256 + flags) % 31 === 0;
}
