// gzip where there is no zlib: by the platform's DecompressionStream, which compares the checksums itself.
import { SourceError } from "../../errors.ts";
import type { ByteReader } from "./byte-reader.ts";

/** Bytes given to the stream at a time. */
const CHUNK_BYTES = 1 << 16;

/**
 * Decodes a gzip member. Throws SourceError (`ERR_CORRUPT`) for data that is wrong or cut off: the platform does not say which, nor where.
 * Most browsers refuse a second member too.
 */
export async function* readGzipStream(reader: ByteReader, source: string | undefined): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream("gzip");
  const texts = readable.getReader();
  let failure: { readonly error: unknown } | undefined;
  const feeding = feed(reader, writable.getWriter(), (error) => (failure = { error }));
  try {
    for (;;) {
      const { done, value } = await texts.read();
      if (done) break;
      yield value;
    }
  } catch (cause) {
    if (failure !== undefined) throw failure.error;
    const reason = "is corrupt, cut off, or of several members: the platform's gzip decoder refused it; some of its text was not read";
    throw new SourceError("ERR_CORRUPT", source, reason, cause);
  } finally {
    // Ends the feeding too, where the caller has stopped.
    await texts.cancel().catch(() => undefined);
    await feeding;
  }
}

/** Writes all bytes of the reader. Calls `fail` with what the reader throws; the decoder's errors are those of its text. */
async function feed(reader: ByteReader, writer: WritableStreamDefaultWriter<BufferSource>, fail: (error: unknown) => void): Promise<void> {
  const aborted = (error: unknown): Promise<void> => {
    fail(error);
    return writer.abort(error).catch(() => undefined);
  };
  for (;;) {
    let bytes: Uint8Array | undefined;
    try {
      bytes = await reader.next(CHUNK_BYTES);
    } catch (error) {
      return aborted(error);
    }
    try {
      if (bytes === undefined) return await writer.close();
      // A copy: what the platform takes may not be shared memory.
      await writer.write(bytes.slice());
    } catch {
      return;
    }
  }
}
