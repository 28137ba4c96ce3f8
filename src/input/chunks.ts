// Reads chunks of bytes from every form of a source: strings, bytes, blobs, bodies, streams and iterables.
import { isBytes } from "../base/arrays.ts";
import { InputError, SourceError, wrongInput } from "../base/errors.ts";
import { classOf } from "../base/shown.ts";
import { fromIterator, type Steps } from "./steps.ts";

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
  if (isBytes(chunk)) return chunk;
  throw wrongInput("chunks", "Uint8Array or Buffer", chunk);
}

/**
 * Yields the chunks of `source`. Throws its errors, InputError, and the signal's reason, even while a chunk is awaited. Closes the source
 * when the caller stops early. `forms`: further forms of a source, for the error message.
 */
export function* readChunks(source: ByteSource, signal: AbortSignal | undefined, forms: readonly string[] = []): Steps<Uint8Array> {
  const lineEnd = isReadline(source) ? "\n" : "";
  const encoder = new TextEncoder();
  // The first half of a surrogate pair at the end of a chunk waits for the second. Without that it becomes U+FFFD.
  let half = "";
  for (const step of openSource(source, signal, forms)) {
    if (step instanceof Promise) yield step;
    else if (typeof step === "string") {
      const text = half + step + lineEnd;
      half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
      yield encoder.encode(text.slice(0, text.length - half.length));
    } else {
      if (half !== "") yield encoder.encode(half);
      half = "";
      yield bytesOf(step);
    }
  }
  if (half !== "") yield encoder.encode(half);
}

/** Returns whether a source is an interface of `node:readline`, which removes line ends. */
function isReadline(source: ByteSource): boolean {
  return typeof source === "object" && source !== null && "terminal" in source && "line" in source && "prompt" in source;
}

/** Yields the chunks of an opened source. Throws SourceError with `name` for a failed system call; other errors are thrown unchanged. */
export function* readNamed(stream: AsyncIterable<Uint8Array>, name: string, signal: AbortSignal | undefined): Steps<Uint8Array> {
  try {
    yield* readChunks(stream, signal);
  } catch (error) {
    throw signal?.aborted === true ? error : SourceError.from(name, error);
  }
}

function* openSource(source: ByteSource, signal: AbortSignal | undefined, forms: readonly string[]): Steps<unknown> {
  if (typeof source === "string") return yield* piecesOf(new TextEncoder().encode(source), signal);
  if (isBytes(source)) return yield* piecesOf(source, signal);
  if (typeof source !== "object" || source === null) throw wrongSource(source, forms);
  if (classOf(source) === "ArrayBuffer") return yield* piecesOf(new Uint8Array(source as ArrayBuffer), signal);
  if ("body" in source && "bodyUsed" in source) {
    if (source.bodyUsed) throw new InputError("the body of source was read before");
    if (source.body !== null) yield* openSource(source.body as ByteSource, signal, forms);
  } else if ("size" in source && "stream" in source && typeof source.stream === "function") {
    yield* openSource(source.stream() as ByteSource, signal, forms);
  } else if ("getReader" in source) {
    // A reader is better than the iterator: it can be cancelled while a read is pending.
    if (source.locked) throw new InputError("source is a stream that is locked by another reader");
    const reader = source.getReader();
    yield* fromIterator({ next: async () => (await reader.read()) as IteratorResult<unknown>, return: () => reader.cancel() }, signal);
  } else if (isNodeStream(source)) {
    // Its chunks need no copy: the stream does not reuse their memory.
    const iterator = source[Symbol.asyncIterator]();
    yield* fromIterator({ next: () => iterator.next(), return: async () => void source.destroy() }, signal);
  } else if (Symbol.asyncIterator in source || (Symbol.iterator in source && !ArrayBuffer.isView(source))) {
    const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    yield* fromIterator({ next: async () => copied(await iterator.next()), return: async () => iterator.return?.() }, signal);
  } else throw wrongSource(source, forms);
}

function isNodeStream(source: object): source is AsyncIterable<unknown> & { destroy(): void } {
  return Symbol.asyncIterator in source && "destroy" in source && typeof source.destroy === "function";
}

/** Returns the result with a copy of its bytes: the caller may keep a chunk while a generator reads the next one into the same buffer. */
function copied(result: IteratorResult<unknown, unknown>): IteratorResult<unknown, unknown> {
  return result.done !== true && isBytes(result.value) ? { done: false, value: new Uint8Array(result.value) } : result;
}

function* piecesOf(bytes: Uint8Array, signal: AbortSignal | undefined): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    signal?.throwIfAborted();
    yield bytes.subarray(from, from + PIECE_BYTES);
  }
  signal?.throwIfAborted();
}

const FORMS = ["a string", "bytes (Uint8Array, ArrayBuffer, Blob)", "a Response", "a ReadableStream"];

function wrongSource(source: unknown, more: readonly string[]): InputError {
  const forms = [...FORMS, "an iterable of Uint8Array or strings", ...more];
  const expected = `${forms.slice(0, -1).join(", ")}, or ${forms.at(-1)}`;
  const isPromise = typeof source === "object" && source !== null && "then" in source;
  return isPromise ? new InputError(`source must be ${expected}, not a promise: await it`) : wrongInput("source", expected, source);
}
