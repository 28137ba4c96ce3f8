// Raw deflate where there is no zlib: by pako, zlib in JavaScript. It says how many bytes it took, which DecompressionStream does not.
import { Z_DATA_ERROR, Z_NO_FLUSH, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from "pako";

/** A negative number means that no header is before the data. */
const WINDOW_BITS = -15;
const NOTHING = new Uint8Array(0);

/** Decodes one stream of deflate data, piece by piece. */
export class RawInflate {
  readonly #stream = new ZStream();
  /** The data has come to its end. */
  hasEnded = false;
  /** The data is invalid: what was decoded before is right. */
  isWrong = false;
  #isFull = false;

  constructor() {
    zlibInflateInit2(this.#stream, WINDOW_BITS);
  }

  /** Bytes of the input that were not taken. */
  get left(): number {
    return this.#stream.avail_in;
  }

  /** Whether there may be more text without more input. */
  get hasMore(): boolean {
    return !this.hasEnded && !this.isWrong && (this.#isFull || this.left > 0);
  }

  /** Sets the next bytes of the data. All bytes before them must have been taken. */
  feed(bytes: Uint8Array): void {
    const stream = this.#stream;
    stream.input = bytes;
    stream.next_in = 0;
    stream.avail_in = bytes.length;
  }

  /** Returns the next `most` bytes of the text; fewer if more input is needed, at the end, and before an error. */
  decode(most: number): Uint8Array {
    if (this.hasEnded || this.isWrong) return NOTHING;
    const stream = this.#stream;
    stream.output = new Uint8Array(most);
    stream.next_out = 0;
    stream.avail_out = most;
    const status = zlibInflate(stream, Z_NO_FLUSH);
    this.hasEnded = status === Z_STREAM_END;
    this.isWrong = status === Z_DATA_ERROR;
    this.#isFull = stream.avail_out === 0;
    return stream.output.subarray(0, stream.next_out);
  }
}
