// Joins small chunks of text, because every chunk has a fixed cost.
import { concat } from "../../base/arrays.ts";
import type { ByteReader } from "./byte-reader.ts";

/** Chunks of this size or more are not joined. */
const LARGE_BYTES = 1 << 13;
/** Most bytes of a joined chunk. */
const JOINED_BYTES = 1 << 16;

/**
 * Yields the chunks of `decoded`, with small ones joined. Yields all joined text before `reader`, the input of the decoder, waits for its
 * source. Throws the errors of `decoded` after all text.
 */
export async function* gather(decoded: AsyncGenerator<Uint8Array>, reader: ByteReader): AsyncGenerator<Uint8Array> {
  let small: Uint8Array[] = [];
  let bytes = 0;
  const join = (): Uint8Array => {
    const joined = concat(small);
    small = [];
    bytes = 0;
    return joined;
  };
  let wake: (() => void) | undefined;
  reader.onWait = () => wake?.();
  try {
    for (;;) {
      const waits = bytes === 0 ? undefined : new Promise<void>((resolve) => (wake = resolve));
      const coming = decoded.next();
      if (waits !== undefined) {
        const hasCome = await Promise.race([waits.then(() => false), coming.then(() => true)]);
        if (!hasCome) {
          // The `await` below throws its error.
          coming.catch(() => undefined);
          yield join();
        }
      }
      const { done, value } = await coming;
      if (done === true) break;
      if (value.length >= LARGE_BYTES || bytes + value.length > JOINED_BYTES) {
        if (bytes > 0) yield join();
        yield value;
      } else {
        small.push(value);
        bytes += value.length;
      }
    }
  } catch (error) {
    if (bytes > 0) yield join();
    throw error;
  } finally {
    reader.onWait = undefined;
    await decoded.return(undefined);
  }
  if (bytes > 0) yield join();
}
