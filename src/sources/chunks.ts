// Chunks of bytes from whatever gives them one after the other: async iterables and web streams.
import { InputError, SourceError } from "../errors.ts";

/** Something that gives bytes over time. */
export type ByteSource = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** `chunk` if it holds bytes. Throws InputError. */
export function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new InputError(`chunks must be Uint8Array or Buffer, not ${chunk === null ? "null" : typeof chunk}`);
}

/**
 * The chunks of `source`, which is closed when the caller stops early. When `signal` fires, also while a chunk is awaited, its
 * reason is thrown. Throws InputError for chunks without bytes, and what the source throws.
 */
export async function* readChunks(source: ByteSource, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const reader = openReader(source);
  let stop: ((reason: unknown) => void) | undefined;
  const abort = (): void => stop?.(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    for (;;) {
      signal?.throwIfAborted();
      // Promise.race with a promise of the signal would keep every chunk for as long as the signal lives.
      const next = await new Promise<IteratorResult<unknown, unknown>>((resolve, reject) => {
        stop = reject;
        reader.next().then(resolve, reject);
      });
      if (next.done === true) return;
      yield bytesOf(next.value);
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    // Not awaited: a generator that waits for its next chunk would keep its caller waiting too.
    reader.close().catch(() => undefined);
  }
}

/** The chunks of a named stream of Node's. Throws SourceError, and the signal's reason. */
export async function* readNamed(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* readChunks(stream, signal);
  } catch (error) {
    throw signal?.aborted === true ? error : SourceError.from(name, error);
  }
}

interface ChunkReader {
  next(): Promise<IteratorResult<unknown, unknown>>;
  close(): Promise<unknown>;
}

// The reader comes before the iterator: it can be cancelled while a read is pending.
function openReader(source: ByteSource): ChunkReader {
  if (typeof source !== "object" || source === null) {
    throw new InputError("source must be an async iterable or a ReadableStream of bytes");
  }
  if ("getReader" in source) {
    const reader = source.getReader();
    return { next: async () => toIteratorResult(await reader.read()), close: () => reader.cancel() };
  }
  if (!(Symbol.asyncIterator in source)) {
    throw new InputError("source must be an async iterable or a ReadableStream of bytes");
  }
  const iterator = source[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    async close() {
      if ("destroy" in source && typeof source.destroy === "function") source.destroy();
      else await iterator.return?.();
    },
  };
}

function toIteratorResult({ done, value }: { done: boolean; value?: unknown }): IteratorResult<unknown, unknown> {
  return { done, value };
}
