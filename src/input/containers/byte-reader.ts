// Reads the bytes of a source by chunk, without copies, or by count. All decoders of streams take their bytes here, so this is
// where they yield to the event loop.
import { concat } from "../../base/arrays.ts";
import { Signal } from "../../base/signal.ts";
import type { Pacer } from "../pacer.ts";

const NOTHING = new Uint8Array(0);

/** Reads bytes from chunks. `take`, `next` and `skip` throw an error of the chunks when they need bytes after it. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #pacer: Pacer;
  /** Called before the reader waits for its next chunk. */
  onWait: (() => void) | undefined;
  /** Chunks that are not taken yet, after some that are. */
  #queue: Uint8Array[] = [];
  /** Index of the first untaken chunk in `#queue`. */
  #first = 0;
  /** Bytes that have arrived but are not taken yet. */
  held = 0;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #isAborted = false;
  /** Name of the source in error messages. */
  readonly source: string | undefined;
  /** Offset of the next byte. */
  position: number;
  #stop: (() => void) | undefined;

  /** After the signal of the pacer has fired, the next call drops all held bytes. `position`: the offset of the first byte. */
  constructor(chunks: AsyncIterable<Uint8Array>, pacer: Pacer, source?: string, position = 0) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#pacer = pacer;
    this.source = source;
    this.position = position;
  }

  /** Returns the next `count` bytes, fewer at the end or before an error, without taking them. Never rejects. */
  async peek(count: number): Promise<Uint8Array> {
    const waiting = this.#hold(count);
    if (waiting !== undefined) await waiting;
    const first = this.#queue[this.#first] ?? NOTHING;
    if (first.length >= count || first.length === this.held) return first.subarray(0, count);
    return this.#join(Math.min(count, this.held));
  }

  /** Yields to the event loop if a turn is due, during work that takes no bytes. Rejects with the reason of the pacer's signal. */
  async pause(): Promise<void> {
    const turn = this.#due();
    if (turn !== undefined) await turn;
    if (this.#isAborted) throw this.#failure?.error;
  }

  /** Takes `count` bytes, fewer at the end. */
  async take(count: number): Promise<Uint8Array> {
    const bytes = await this.peek(count);
    if (bytes.length < count && this.#failure !== undefined) throw this.#failure.error;
    this.#drop(bytes.length);
    return bytes;
  }

  /** Takes and returns the rest of a chunk, at most `most` bytes, without a copy. Returns undefined at the end. */
  async next(most = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
    const waiting = this.#hold(1);
    if (waiting !== undefined) await waiting;
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
  async skip(count: number): Promise<number> {
    let left = count;
    while (left > 0) {
      const bytes = await this.next(left);
      if (bytes === undefined) break;
      left -= bytes.length;
    }
    return count - left;
  }

  /**
   * Ends the reader, even while it waits, and closes the source of its chunks. Settles when the source is closed, which may be
   * only after its next chunk.
   */
  async close(): Promise<void> {
    this.#clear();
    if (this.#ended) return;
    this.#ended = true;
    this.#stop?.();
    await this.#chunks.return?.();
  }

  /** Waits for `count` bytes or the end; returns undefined if no wait is needed. Yields to the event loop first if a turn is due. */
  #hold(count: number): Promise<void> | undefined {
    const turn = this.#due();
    if (turn !== undefined) return turn.then(() => this.#fetch(count));
    return this.held < count ? this.#fetch(count) : undefined;
  }

  async #fetch(count: number): Promise<void> {
    while (this.held < count && !this.#ended && this.#failure === undefined) {
      try {
        const next = await this.#nextChunk();
        if (next === undefined || this.#ended) this.#ended = true;
        else if (next.length > 0) {
          this.#queue.push(next);
          this.held += next.length;
        } else await this.#due();
      } catch (error) {
        this.#ended = true;
        this.#failure = { error };
      }
    }
  }

  #due(): Promise<void> | undefined {
    try {
      return this.#pacer.pause()?.catch((error: unknown) => this.#abort(error));
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

  async #nextChunk(): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      this.#stop = () => resolve(undefined);
      this.onWait?.();
      this.#chunks.next().then(({ done, value }) => resolve(done === true ? undefined : value), reject);
    });
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

/** Chunks of this size or more are not joined. */
const LARGE_BYTES = 1 << 13;
/** Most bytes of a joined chunk. */
const JOINED_BYTES = 1 << 16;

/**
 * Yields the chunks of `decoded`. Joins small ones, because every chunk has a fixed cost. Yields all joined text when `reader`, the input
 * of the decoder, begins to wait for its source. Throws the errors of `decoded` after all text.
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
  const waiting = new Signal();
  reader.onWait = () => waiting.wake();
  try {
    for (;;) {
      const waits = bytes === 0 ? undefined : waiting.wait();
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
