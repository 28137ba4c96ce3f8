// Files of results, value by value.
import { type ResultFile, readFrames } from "./frames.ts";
import type { Store } from "./store.ts";

/**
 * Hands each value of a file to `take`, and waits for it. Rejects with what `take` throws, with the signal's reason, and with ShardError if
 * the file is damaged: `take` may have thrown just because of that.
 */
export async function eachFrame<T>(
  store: Store,
  file: ResultFile,
  signal: AbortSignal | undefined,
  take: (frame: T) => Promise<void> | undefined,
): Promise<void> {
  try {
    for await (const frame of readFrames<T>(store, file)) {
      signal?.throwIfAborted();
      const pause = take(frame);
      if (pause !== undefined) await pause;
    }
  } catch (error) {
    signal?.throwIfAborted();
    // At the end the hash tells.
    for await (const _ of readFrames(store, file));
    throw error;
  }
}
