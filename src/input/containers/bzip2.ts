// bzip2: concatenated streams of blocks, which begin at any bit.

import { SourceError } from "../../base/errors.ts";
import { decodeLatin1 } from "../../core/text.ts";
import { Bits } from "./bits.ts";
import type { ByteReader } from "./byte-reader.ts";
import { Bzip2Decoder } from "./bzip2-block.ts";
import { corrupt, refuseTrailing, SHORT, truncated, WRONG, wrongSum } from "./errors.ts";
import { Spare } from "./spare.ts";

const spare = new Spare(() => new Bzip2Decoder());

/** Decodes all streams. Throws SourceError, also for bytes other than zero after the last one. */
export async function* readBzip2(reader: ByteReader): AsyncGenerator<Uint8Array> {
  const decoder = spare.take();
  const input = new BitSource(reader);
  try {
    do yield* readStream(input, decoder);
    while (await input.begins());
  } finally {
    spare.give(decoder);
  }
  await refuseTrailing(reader, "bzip2");
}

/** Reads the bits of a ByteReader. */
class BitSource {
  readonly bits = new Bits();
  readonly reader: ByteReader;
  #failure: { readonly error: unknown } | undefined;

  constructor(reader: ByteReader) {
    this.reader = reader;
  }

  /** Reads bytes until `bits` has enough. If it has enough already, may yield to the event loop. */
  async fill(): Promise<void> {
    if (!this.bits.isLow) return this.reader.pause();
    while (this.bits.isLow) {
      try {
        this.bits.feed(await this.reader.next());
      } catch (error) {
        // Thrown after all bytes before it are decoded.
        this.#failure = { error };
        this.bits.feed(undefined);
      }
    }
  }

  /** Gives unread bytes back to the reader; returns whether they begin another stream. */
  async begins(): Promise<boolean> {
    this.reader.unread(this.bits.release());
    return /^BZh[1-9]$/.test(decodeLatin1(await this.reader.peek(4)));
  }

  /** Converts WRONG and SHORT to the error for the caller; returns other errors unchanged. */
  errorOf(thrown: unknown): unknown {
    if (thrown === WRONG) return corrupt(this.reader.source, "a bzip2 block is invalid");
    if (thrown !== SHORT) return thrown;
    return this.#failure === undefined ? truncated(this.reader.source) : this.#failure.error;
  }
}

async function* readStream(input: BitSource, decoder: Bzip2Decoder): AsyncGenerator<Uint8Array> {
  const { bits, reader } = input;
  let sums = 0;
  await input.fill();
  bits.read(24);
  const size = 100_000 * (bits.read(8) & 15);
  try {
    for (;;) {
      await input.fill();
      for (const _ of decoder.readBlock(bits, size)) await input.fill();
      const { sum } = decoder;
      if (!decoder.hasText) {
        if (sum !== sums >>> 0) throw wrongSum(reader.source);
        return;
      }
      if ((yield* decoder.readText()) !== sum) throw wrongSum(reader.source, "a block's");
      sums = ((sums << 1) | (sums >>> 31)) ^ sum;
    }
  } catch (error) {
    throw error instanceof SourceError ? error : input.errorOf(error);
  }
}
