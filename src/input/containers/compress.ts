// compress (`.Z`): a header of three bytes, then codes up to the end of the input.
import { SourceError } from "../../base/errors.ts";
import type { ByteReader } from "./byte-reader.ts";
import { corrupt, takeAll, WRONG } from "./errors.ts";
import { CODE_BITS_LEAST, CODE_BITS_MAX, LzwDecoder } from "./lzw.ts";

const HEADER_BYTES = 3;
/** Fields of the third byte: most bits of a code, reserved bits, and whether a code clears the table. */
const BITS = 0x1f;
const RESERVED = 0x60;
const HAS_CLEAR = 0x80;

/** Decodes an input. The format has no end mark, so a truncated input is not noticed. Throws SourceError. */
export async function* readCompress(reader: ByteReader, source: string | undefined): AsyncGenerator<Uint8Array> {
  const [, , flags = 0] = await takeAll(reader, HEADER_BYTES, source);
  const bits = flags & BITS;
  if ((flags & RESERVED) !== 0 || bits < CODE_BITS_LEAST || bits > CODE_BITS_MAX) {
    throw new SourceError("ERR_URLMILL_METHOD", source, "is compressed in a way of compress that urlmill does not read");
  }
  const decoder = new LzwDecoder(bits, (flags & HAS_CLEAR) !== 0);
  try {
    for (let input = await reader.next(); input !== undefined; input = await reader.next()) {
      for (const text of decoder.decode(input, false)) {
        yield text;
        await reader.pause();
      }
    }
    yield* decoder.decode(new Uint8Array(0), true);
  } catch (error) {
    throw error === WRONG ? corrupt(source, "a code of its LZW data is invalid") : error;
  }
}
