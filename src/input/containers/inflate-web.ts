// Decodes a stream of raw deflate data on this thread.
import type { ByteReader } from "./byte-reader.ts";
import { corrupt, truncated } from "./errors.ts";
import { RawInflate } from "./raw-inflate.ts";

/** Most bytes of text per step, and their ratio to the bytes of input. */
const CHUNK_BYTES = 1 << 18;
const RATIO = 8;
const INPUT_BYTES = 1 << 16;

/** Does the same as `inflateRaw` of inflate.ts. */
export async function* inflateHere(reader: ByteReader, source: string | undefined): AsyncGenerator<Uint8Array> {
  const decoder = new RawInflate();
  while (!decoder.hasEnded) {
    const bytes = await reader.next(INPUT_BYTES);
    if (bytes === undefined) throw truncated(source);
    decoder.feed(bytes);
    do {
      const text = decoder.decode(Math.min(CHUNK_BYTES, RATIO * bytes.length + 1));
      if (text.length > 0) yield text;
      if (decoder.isWrong) {
        // The last byte taken is part of the error, so it is given back too.
        reader.unread(bytes.subarray(Math.max(0, bytes.length - decoder.left - 1)));
        throw corrupt(source, "its deflate data is invalid");
      }
      await reader.pause();
    } while (decoder.hasMore);
    reader.unread(bytes.subarray(bytes.length - decoder.left));
  }
}
