// Joins small chunks of text: a chunk costs the same on its way to the scan, however few bytes it has.
import type { ByteReader } from "./byte-reader.ts";

/** Chunks of so many bytes or more are not joined. */
const LARGE_BYTES = 1 << 13;
/** Most bytes that are joined. */
const JOINED_BYTES = 1 << 16;

/**
 * Gives the chunks of `decoded`, with small ones joined. Text never waits for bytes that have not come: before `reader`, the input of the
 * decoder, waits for its source, all joined text is given. Throws what `decoded` throws, after all text.
 */
export async function* gather(decoded: AsyncGenerator<Uint8Array>, reader: ByteReader): AsyncGenerator<Uint8Array> {
  const joined = new Joined();
  let wake: (() => void) | undefined;
  reader.onWait = () => wake?.();
  try {
    for (;;) {
      const waits = joined.length === 0 ? undefined : new Promise<void>((resolve) => (wake = resolve));
      const coming = decoded.next();
      if (waits !== undefined) {
        const hasCome = await Promise.race([waits.then(() => false), coming.then(() => true)]);
        if (!hasCome) {
          // What it throws is thrown below.
          coming.catch(() => undefined);
          yield joined.take();
        }
      }
      const { done, value } = await coming;
      if (done === true) break;
      if (value.length >= LARGE_BYTES || joined.length + value.length > JOINED_BYTES) {
        if (joined.length > 0) yield joined.take();
        yield value;
      } else joined.add(value);
    }
  } catch (error) {
    if (joined.length > 0) yield joined.take();
    throw error;
  } finally {
    reader.onWait = undefined;
    await decoded.return(undefined);
  }
  if (joined.length > 0) yield joined.take();
}

/** Bytes that grow. */
class Joined {
  #bytes = new Uint8Array(0);
  length = 0;

  add(bytes: Uint8Array): void {
    const wanted = this.length + bytes.length;
    if (wanted > this.#bytes.length) {
      const grown = new Uint8Array(Math.min(JOINED_BYTES, Math.max(wanted, 2 * this.#bytes.length)));
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.length);
    this.length = wanted;
  }

  /** Returns all bytes, which then belong to the caller. */
  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.length);
    this.#bytes = new Uint8Array(0);
    this.length = 0;
    return bytes;
  }
}
