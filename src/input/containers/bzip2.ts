// bzip2: concatenated streams of blocks, which begin at any bit.

import { decodeLatin1 } from "../../core/text.ts";
import type { Steps } from "../steps.ts";
import { Bits } from "./bits.ts";
import type { ByteReader } from "./byte-reader.ts";
import { Bzip2Decoder } from "./bzip2-block.ts";
import { corrupt, SHORT, takeAll, WRONG, wrongSum } from "./errors.ts";
import { reused } from "./spare.ts";

const withDecoder = reused(() => new Bzip2Decoder());

/** Decodes all streams. Throws SourceError. */
export function readBzip2(reader: ByteReader): Steps<Uint8Array> {
  return withDecoder(function* (decoder) {
    const bits = new Bits(reader);
    do {
      yield* readStream(reader, bits, decoder);
      bits.release();
    } while (/^BZh[1-9]$/.test(decodeLatin1(yield* reader.peek(4))));
  });
}

function* readStream(reader: ByteReader, bits: Bits, decoder: Bzip2Decoder): Steps<Uint8Array> {
  const { source } = reader;
  let sums = 0;
  yield* bits.fill();
  bits.read(24);
  const size = 100_000 * (bits.read(8) & 15);
  try {
    for (;;) {
      yield* bits.fill();
      for (const _ of decoder.readBlock(bits, size)) yield* bits.fill();
      const { sum } = decoder;
      if (!decoder.hasText) {
        if (sum !== sums >>> 0) throw wrongSum(source);
        return;
      }
      if ((yield* decoder.readText()) !== sum) throw wrongSum(source, "a block's");
      sums = ((sums << 1) | (sums >>> 31)) ^ sum;
    }
  } catch (error) {
    if (error === WRONG) throw corrupt(source, "a bzip2 block is invalid");
    if (error !== SHORT) throw error;
    // Throws: no byte is left.
    yield* takeAll(reader, 1);
  }
}
