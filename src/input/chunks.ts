// Reads chunks of bytes from every form of a source: strings, bytes, blobs, bodies, streams and iterables.
import { InputError, SourceError, wrongInput } from "../base/errors.ts";

declare global {
  // Merges with the type of the DOM library or of @types/node, if the program has one of them.
  interface ReadableStream<R> {}
}

/** A Blob or File, without the types of the DOM. */
export interface BlobSource {
  readonly size: number;
  /** Resolves to all bytes. */
  arrayBuffer(): Promise<ArrayBuffer>;
  /** Returns a ReadableStream of the bytes. */
  stream(): unknown;
}

/** A Response or Request of `fetch`, without the types of the DOM. */
export interface BodySource {
  readonly body: unknown;
  readonly bodyUsed: boolean;
  /** Resolves to all bytes. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A chunk: bytes, or text, which is encoded in UTF-8. */
type Chunk = Uint8Array | string;

/** A source of chunks over time. Chunks of text are joined, but a line feed is added to each line of `node:readline`. */
export type ChunkSource = AsyncIterable<Chunk> | Iterable<Chunk> | ReadableStream<Chunk>;

/** A source for `extractFrom`. A string is read as UTF-8. */
export type ByteSource = string | Uint8Array | ArrayBuffer | BlobSource | BodySource | ChunkSource;

/** Most bytes of a chunk of a source that is in memory. Several chunks let the first matches come before the end is reached. */
const PIECE_BYTES = 1 << 18;

/** Returns `chunk` if it is a Uint8Array. Throws InputError if it is not. */
export function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw wrongInput("chunks", "Uint8Array or Buffer", chunk);
}

/**
 * Yields the chunks of `source`, and closes it when the caller stops early. Throws the reason of `signal` when the signal fires, even while
 * a chunk is awaited. Throws InputError for another value than a ByteSource and for a chunk that is neither bytes nor text, and the errors
 * of the source. `forms`: further forms of a source, for the error message.
 */
export async function* readChunks(
  source: ByteSource,
  signal: AbortSignal | undefined,
  forms: readonly string[] = [],
): AsyncGenerator<Uint8Array> {
  const reader = openReader(source, forms);
  const texts = new ChunkEncoder(isReadline(source) ? "\n" : "");
  let stop: ((reason: unknown) => void) | undefined;
  const abort = (): void => stop?.(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    for (;;) {
      signal?.throwIfAborted();
      // Promise.race with a promise of the signal would keep every chunk alive as long as the signal.
      const next = await new Promise<IteratorResult<unknown, unknown>>((resolve, reject) => {
        stop = reject;
        reader.next().then(resolve, reject);
      });
      if (next.done === true) break;
      if (typeof next.value === "string") {
        yield texts.bytesOf(next.value);
        continue;
      }
      const rest = texts.end();
      if (rest.length > 0) yield rest;
      yield bytesOf(next.value);
    }
    const rest = texts.end();
    if (rest.length > 0) yield rest;
  } finally {
    signal?.removeEventListener("abort", abort);
    // Not awaited, because a generator that waits for its next chunk would block the caller.
    reader.close().catch(() => undefined);
  }
}

/** Encodes the chunks of a text. A chunk may end inside a surrogate pair. */
class ChunkEncoder {
  readonly #encoder = new TextEncoder();
  readonly #lineEnd: string;
  #half = "";

  /** `lineEnd` follows each chunk. */
  constructor(lineEnd: string) {
    this.#lineEnd = lineEnd;
  }

  /** Returns the bytes of the next chunk; the first half of a pair waits for the second. */
  bytesOf(chunk: string): Uint8Array {
    const text = this.#half + chunk + this.#lineEnd;
    const isHalf = /[\ud800-\udbff]$/.test(text);
    this.#half = isHalf ? text.slice(-1) : "";
    return this.#encoder.encode(isHalf ? text.slice(0, -1) : text);
  }

  /** Ends the text: returns the bytes of half a pair at its end (U+FFFD); none if the text is complete. */
  end(): Uint8Array {
    const half = this.#half;
    this.#half = "";
    return this.#encoder.encode(half);
  }
}

/** Returns whether a source is an interface of `node:readline`, which removes line ends. */
function isReadline(source: ByteSource): boolean {
  return typeof source === "object" && "terminal" in source && "line" in source && "prompt" in source;
}

/**
 * Yields the chunks of an opened source. Throws SourceError with `name` for a failed system call, and the signal's reason. Other errors are
 * thrown unchanged.
 */
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

function openReader(source: ByteSource, forms: readonly string[]): ChunkReader {
  if (typeof source === "string") return iteratorReader(piecesOf(new TextEncoder().encode(source)));
  if (source instanceof Uint8Array) return iteratorReader(piecesOf(source));
  if (typeof source !== "object" || source === null) throw wrongSource(source, forms);
  if (isArrayBuffer(source)) return iteratorReader(piecesOf(new Uint8Array(source)));
  if ("body" in source && "bodyUsed" in source) {
    if (source.bodyUsed) throw new InputError("the body of source was read before");
    return source.body === null ? iteratorReader(piecesOf(new Uint8Array(0))) : openReader(source.body as ByteSource, forms);
  }
  if ("size" in source && "stream" in source && typeof source.stream === "function")
    return openReader(source.stream() as ByteSource, forms);
  // A reader is better than the iterator: it can be cancelled while a read is pending.
  if ("getReader" in source) {
    if (source.locked) throw new InputError("source is a stream that is locked by another reader");
    const reader = source.getReader();
    return { next: async () => (await reader.read()) as IteratorResult<unknown, unknown>, close: () => reader.cancel() };
  }
  if (Symbol.asyncIterator in source) {
    const iterator = source[Symbol.asyncIterator]();
    const { destroy } = source as { destroy?: unknown };
    // Chunks of a Node stream need no copy: the stream does not reuse their memory.
    if (typeof destroy === "function") return { next: () => iterator.next(), close: async () => void destroy.call(source) };
    return { next: async () => copied(await iterator.next()), close: async () => iterator.return?.() };
  }
  if (Symbol.iterator in source && !ArrayBuffer.isView(source)) {
    const iterator = source[Symbol.iterator]();
    return { next: async () => copied(iterator.next()), close: async () => iterator.return?.() };
  }
  throw wrongSource(source, forms);
}

function iteratorReader(iterator: Iterator<unknown>): ChunkReader {
  return { next: async () => iterator.next(), close: async () => iterator.return?.() };
}

/** Returns the result with a copy of its bytes: the caller may keep a chunk while a generator reads the next one into the same buffer. */
function copied(result: IteratorResult<unknown, unknown>): IteratorResult<unknown, unknown> {
  return result.done !== true && result.value instanceof Uint8Array ? { done: false, value: new Uint8Array(result.value) } : result;
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}

/** Returns whether an object is an ArrayBuffer, even of another realm. */
function isArrayBuffer(source: object): source is ArrayBuffer {
  return Object.prototype.toString.call(source) === "[object ArrayBuffer]";
}

const FORMS = [
  "a string",
  "bytes (Uint8Array, ArrayBuffer, Blob)",
  "a Response",
  "a ReadableStream",
  "an iterable of Uint8Array or strings",
];

function wrongSource(source: unknown, more: readonly string[]): InputError {
  const forms = [...FORMS, ...more];
  const expected = `${forms.slice(0, -1).join(", ")}, or ${forms.at(-1)}`;
  const isPromise = typeof source === "object" && source !== null && "then" in source;
  return isPromise ? new InputError(`source must be ${expected}, not a promise: await it`) : wrongInput("source", expected, source);
}
