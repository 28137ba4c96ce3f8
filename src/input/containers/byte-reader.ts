// Reads the bytes of a source by chunk, without copies, or by count. All decoders of streams take their bytes here, so this is
// where they yield to the event loop.
import { concat } from "../../base/arrays.ts";
import type { Pacer } from "../pacer.ts";
import type { Chunks, Steps, Wait } from "../steps.ts";

export interface Decoding {
  /** Most bytes of a window of xz or zstd. */
  readonly windowMax: number;
  /** Called before each block of gzip or zstd. */
  readonly atBlock?: () => void;
}

/** Decodes compressed data up to bytes that are none. */
export type Decoder = (reader: ByteReader, decoding: Decoding) => Steps<Uint8Array>;

const NOTHING = new Uint8Array(0);
const SEARCH_BYTES = 1 << 16;

/** Reads bytes from chunks. `take`, `next` and `skip` throw an error of the chunks when they need bytes after it. */
export class ByteReader {
  readonly #chunks: Iterator<Uint8Array | Wait>;
  readonly #pacer: Pacer | undefined;
  /** Chunks that are not taken yet, after some that are. */
  #queue: Uint8Array[] = [];
  /** Index of the first untaken chunk in `#queue`. */
  #first = 0;
  /** Bytes that have arrived but are not taken yet. */
  held = 0;
  isWaiting = false;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #isAborted = false;
  readonly source: string | undefined;
  /** Offset of the next byte. */
  position: number;

  /** Without a pacer the event loop gets no turns. After its signal has fired, held bytes are dropped. `position`: of the first byte. */
  constructor(chunks: Chunks, pacer?: Pacer, source?: string, position = 0) {
    this.#chunks = chunks[Symbol.iterator]();
    this.#pacer = pacer;
    this.source = source;
    this.position = position;
  }

  /** Returns the next `count` bytes, fewer at the end or before an error, without taking them. Never throws. */
  *peek(count: number): Steps<never, Uint8Array> {
    yield* this.#hold(count);
    const first = this.#queue[this.#first] ?? NOTHING;
    if (first.length >= count || first.length === this.held) return first.subarray(0, count);
    return this.#join(Math.min(count, this.held));
  }

  /** Yields to the event loop if a turn is due, during work that takes no bytes. Throws the reason of the pacer's signal. */
  *pause(): Steps<never> {
    const turn = this.#due();
    if (turn !== undefined) yield turn;
    if (this.#isAborted) throw this.#failure?.error;
  }

  /** Takes `count` bytes, fewer at the end. */
  *take(count: number): Steps<never, Uint8Array> {
    const bytes = yield* this.peek(count);
    if (bytes.length < count && this.#failure !== undefined) throw this.#failure.error;
    this.#drop(bytes.length);
    return bytes;
  }

  /** Takes and returns the rest of a chunk, at most `most` bytes, without a copy. Returns undefined at the end. */
  *next(most = Number.POSITIVE_INFINITY): Steps<never, Uint8Array | undefined> {
    yield* this.#hold(1);
    const first = this.#queue[this.#first];
    if (first === undefined) {
      if (this.#failure !== undefined) throw this.#failure.error;
      return undefined;
    }
    const bytes = first.length <= most ? first : first.subarray(0, most);
    this.#drop(bytes.length);
    return bytes;
  }

  /** Gives back the last bytes that were taken. */
  unread(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.#first > 0) this.#queue[--this.#first] = bytes;
    else this.#queue.unshift(bytes);
    this.held += bytes.length;
    this.position -= bytes.length;
  }

  /** Skips `count` bytes, or all that are left; returns how many. */
  *skip(count: number): Steps<never, number> {
    let left = count;
    while (left > 0) {
      const bytes = yield* this.next(left);
      if (bytes === undefined) break;
      left -= bytes.length;
    }
    return count - left;
  }

  *rest(most?: number): Steps<Uint8Array> {
    for (let chunk = yield* this.next(most); chunk !== undefined; chunk = yield* this.next(most)) yield chunk;
  }

  /** Takes and yields the bytes before the first place that `find` finds, else all up to `end`. `find` needs `overlap` bytes of a place. */
  *until(find: (bytes: Uint8Array) => number | undefined, overlap: number, end = Number.POSITIVE_INFINITY): Steps<Uint8Array> {
    while (this.position < end) {
      const wanted = Math.min(SEARCH_BYTES, end - this.position);
      const bytes = yield* this.peek(wanted + overlap);
      const found = find(bytes);
      const isLast = bytes.length < wanted + overlap;
      yield yield* this.take(Math.min(found ?? (isLast ? bytes.length : wanted), end - this.position));
      if (found !== undefined || isLast) return;
    }
  }

  /** Returns a reader of the text of a decoder that reads from this one. */
  inner(chunks: Chunks, source: string | undefined): ByteReader {
    return new ByteReader(chunks, this.#pacer, source);
  }

  /** Ends the reader, even while it waits, and closes the source of its chunks. */
  close(): void {
    this.#clear();
    if (this.#ended) return;
    this.#ended = true;
    this.#chunks.return?.();
  }

  /** Waits for `count` bytes or the end. Yields to the event loop first if a turn is due. */
  *#hold(count: number): Steps<never> {
    const turn = this.#due();
    if (turn !== undefined) yield turn;
    while (this.held < count && !this.#ended && this.#failure === undefined) {
      try {
        const { done, value } = this.#chunks.next();
        if (done === true) this.#ended = true;
        else if (value instanceof Promise) {
          this.isWaiting = true;
          yield value;
          this.isWaiting = false;
        } else {
          if (value.length > 0) this.#queue.push(value);
          this.held += value.length;
          if (this.held < count) yield* this.pause();
        }
      } catch (error) {
        this.#ended = true;
        this.#failure = { error };
      }
    }
  }

  #due(): Promise<void> | undefined {
    try {
      return this.#pacer?.pause()?.catch((error: unknown) => this.#abort(error));
    } catch (error) {
      this.#abort(error);
      return undefined;
    }
  }

  #abort(error: unknown): void {
    this.#clear();
    this.#isAborted = true;
    this.#failure = { error };
  }

  #clear(): void {
    this.#queue = [];
    this.#first = 0;
    this.held = 0;
  }

  #drop(count: number): void {
    this.held -= count;
    this.position += count;
    let left = count;
    for (let first = this.#queue[this.#first]; first !== undefined && left >= first.length; first = this.#queue[this.#first]) {
      left -= first.length;
      this.#first++;
    }
    const first = this.#queue[this.#first];
    if (left > 0 && first !== undefined) this.#queue[this.#first] = first.subarray(left);
    // Moving the chunks only when half are taken keeps the cost linear.
    if (2 * this.#first >= this.#queue.length) {
      this.#queue.splice(0, this.#first);
      this.#first = 0;
    }
  }

  #join(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    let length = 0;
    for (let index = this.#first; length < count; index++) {
      const part = (this.#queue[index] ?? NOTHING).subarray(0, count - length);
      bytes.set(part, length);
      length += part.length;
    }
    return bytes;
  }
}

const LARGE_BYTES = 1 << 13; // Chunks of this size or more are not joined
const JOINED_BYTES = 1 << 16;

/** Yields the text of a decoder. Joins small pieces, because every chunk has a fixed cost, until `reader`, the input, waits. */
export function* gather(decoded: Steps<Uint8Array>, reader: ByteReader): Steps<Uint8Array> {
  let small: Uint8Array[] = [];
  let bytes = 0;
  const join = function* (): Generator<Uint8Array> {
    if (bytes > 0) yield concat(small);
    small = [];
    bytes = 0;
  };
  try {
    for (const step of decoded) {
      if (step instanceof Promise) {
        if (reader.isWaiting) yield* join();
        yield step;
      } else if (step.length >= LARGE_BYTES || bytes + step.length > JOINED_BYTES) {
        yield* join();
        yield step;
      } else {
        small.push(step);
        bytes += step.length;
      }
    }
  } catch (error) {
    yield* join();
    throw error;
  }
  yield* join();
}
