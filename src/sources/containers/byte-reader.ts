// Bytes of a source, taken as its decoder needs them: by chunk, without copies, or by count.

const NOTHING = new Uint8Array(0);

/** Reads chunks that come one after the other. What the chunks throw is thrown once all bytes before it are taken, and again after that. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #position = 0;
  #stop: (() => void) | undefined;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Bytes taken up to now. */
  get position(): number {
    return this.#position;
  }

  /** Bytes that have come and are not taken. */
  get held(): number {
    return this.#heldBytes;
  }

  /** The next `count` bytes, fewer at the end, which are not taken. Never rejects. */
  async peek(count: number): Promise<Uint8Array> {
    await this.#hold(count);
    const first = this.#held[0] ?? NOTHING;
    if (first.length >= count || this.#held.length <= 1) return first.subarray(0, count);
    return join(this.#held, Math.min(count, this.#heldBytes));
  }

  /** Takes `count` bytes, fewer at the end. */
  async take(count: number): Promise<Uint8Array> {
    const bytes = await this.peek(count);
    if (bytes.length < count && this.#failure !== undefined) throw this.#failure.error;
    this.#drop(bytes.length);
    return bytes;
  }

  /** Takes what is there without a copy, `most` bytes at most; undefined at the end. */
  async next(most = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
    await this.#hold(1);
    const first = this.#held[0];
    if (first === undefined) {
      if (this.#failure !== undefined) throw this.#failure.error;
      return undefined;
    }
    const bytes = first.length <= most ? first : first.subarray(0, most);
    this.#drop(bytes.length);
    return bytes;
  }

  /** Gives back bytes that were taken last. */
  unread(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#held.unshift(bytes);
    this.#heldBytes += bytes.length;
    this.#position -= bytes.length;
  }

  /** Takes `count` bytes, or all that are left; the number of those that there were. */
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
   * Ends the reader, also one that waits, and closes the source of its chunks; settled when that is closed, which a source that waits for
   * its next chunk is only then.
   */
  async close(): Promise<void> {
    this.#held = [];
    this.#heldBytes = 0;
    if (this.#ended) return;
    this.#ended = true;
    this.#stop?.();
    await this.#chunks.return?.();
  }

  async #hold(count: number): Promise<void> {
    while (this.#heldBytes < count && !this.#ended) {
      try {
        const next = await this.#nextChunk();
        if (next === undefined || this.#ended) this.#ended = true;
        else if (next.length > 0) {
          this.#held.push(next);
          this.#heldBytes += next.length;
        }
      } catch (error) {
        this.#ended = true;
        this.#failure = { error };
      }
    }
  }

  async #nextChunk(): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      this.#stop = () => resolve(undefined);
      this.#chunks.next().then(({ done, value }) => resolve(done === true ? undefined : value), reject);
    });
  }

  #drop(count: number): void {
    this.#heldBytes -= count;
    this.#position += count;
    let left = count;
    let whole = 0;
    for (let first = this.#held[0]; first !== undefined && left >= first.length; first = this.#held[whole]) {
      left -= first.length;
      whole++;
    }
    if (whole > 0) this.#held.splice(0, whole);
    const first = this.#held[0];
    if (left > 0 && first !== undefined) this.#held[0] = first.subarray(left);
  }
}

function join(chunks: readonly Uint8Array[], count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  let length = 0;
  for (const chunk of chunks) {
    if (length === count) break;
    const part = chunk.subarray(0, count - length);
    bytes.set(part, length);
    length += part.length;
  }
  return bytes;
}
