// Deflate by pako: the codings of HTTP without zlib, and streams. Unlike DecompressionStream, pako reports how many bytes it took.
import { Z_DATA_ERROR, Z_NO_FLUSH, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from "pako";
import { concat } from "../../base/arrays.ts";
import type { Steps } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";
import type * as zlib from "./codings-zlib.ts";
import { corrupt, truncated } from "./errors.ts";

const WINDOW_BITS = -15; // A negative number means raw data without a header
const PIECE_BYTES_MAX = 1 << 18; // Most bytes of text per step
const RATIO = 8; // Most bytes of text per step for each byte of the input
const PIECE_BYTES = 1 << 12; // Bytes in addition to them, of data in memory
const INPUT_BYTES = 1 << 16; // Most bytes of a stream that are fed at a time

export class RawInflate {
  readonly #stream = new ZStream();
  hasEnded = false;
  /** Whether the data is invalid. Text before the error is right. */
  isWrong = false;
  #isFull = false;

  constructor() {
    zlibInflateInit2(this.#stream, WINDOW_BITS);
  }

  /** Untaken bytes of the input. */
  get left(): number {
    return this.#stream.avail_in;
  }

  /** Whether there may be more text without more input. */
  get hasMore(): boolean {
    return !this.hasEnded && !this.isWrong && (this.#isFull || this.left > 0);
  }

  /** Sets the next bytes of the input. All earlier bytes must have been taken. */
  feed(bytes: Uint8Array): void {
    Object.assign(this.#stream, { input: bytes, next_in: 0, avail_in: bytes.length });
  }

  /** Returns the next bytes of text, at most `most`: fewer at the end, before an error, or if more input is needed. */
  decode(most: number): Uint8Array {
    if (this.hasEnded || this.isWrong) return new Uint8Array(0);
    const stream = this.#stream;
    const output = new Uint8Array(most);
    Object.assign(stream, { output, next_out: 0, avail_out: most });
    const status = zlibInflate(stream, Z_NO_FLUSH);
    this.hasEnded = status === Z_STREAM_END;
    this.isWrong = status === Z_DATA_ERROR;
    this.#isFull = stream.avail_out === 0;
    return output.subarray(0, stream.next_out);
  }
}

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

/** Decodes a stream on this thread, else like `inflateRaw` of inflate.ts. Yields the text from the offset `from` on. */
export function* inflateHere(reader: ByteReader, source: string | undefined, from: number): Steps<Uint8Array> {
  const decoder = new RawInflate();
  let before = from;
  while (!decoder.hasEnded) {
    const bytes = yield* reader.next(INPUT_BYTES);
    if (bytes === undefined) throw truncated(source);
    decoder.feed(bytes);
    do {
      const text = decoder.decode(Math.min(PIECE_BYTES_MAX, RATIO * bytes.length + 1));
      if (text.length > before) yield text.subarray(before);
      before = Math.max(0, before - text.length);
      if (decoder.isWrong) {
        // The last byte taken is part of the error, so it is given back too.
        reader.unread(bytes.subarray(Math.max(0, bytes.length - decoder.left - 1)));
        throw corrupt(source, "its deflate data is invalid");
      }
      yield* reader.pause();
    } while (decoder.hasMore);
    reader.unread(bytes.subarray(bytes.length - decoder.left));
  }
}
