// The codings of HTTP where there is no zlib.
import { concat } from "../../base/arrays.ts";
import type * as zlib from "./codings-zlib.ts";
import { RawInflate } from "./raw-inflate.ts";

/** Room for a decoded piece of text: this many bytes, and RATIO bytes for each byte of the data. */
const PIECE_BYTES = 1 << 12;
const PIECE_BYTES_MAX = 1 << 18;
const RATIO = 8;

/** Decodes raw deflate data like `inflate` of codings-zlib.ts, but returns all text before an error. */
export const inflate: typeof zlib.inflate = (body, most) => {
  const decoder = new RawInflate();
  decoder.feed(body);
  const texts: Uint8Array[] = [];
  let left = most;
  do {
    const text = decoder.decode(Math.min(left, PIECE_BYTES_MAX, PIECE_BYTES + RATIO * body.length));
    texts.push(text);
    left -= text.length;
  } while (decoder.hasMore && left > 0);
  const isWhole = !decoder.isWrong && !decoder.hasMore;
  return { text: concat(texts), isWhole, cost: most - left, taken: body.length - decoder.left };
};

/** Decodes nothing: a brotli decoder needs a dictionary of 120 kB. */
export const unbrotli: typeof zlib.unbrotli = () => ({ text: new Uint8Array(0), isWhole: false, cost: 0 });
