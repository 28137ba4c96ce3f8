// Progress of a run. Written by the run, read by the progress line.

/** Bytes of the inputs that have been read; compressed bytes of compressed files. Every thread adds its own. */
export type ReadCounter = BigUint64Array<SharedArrayBuffer>;

/** Progress of a run. */
export interface RunPosition {
  readonly read: ReadCounter;
  /** Name of the source whose results are being taken; undefined before the first source. */
  source: string | undefined;
}

/** Returns the position of a run that has not begun. */
export function newPosition(): RunPosition {
  return { read: new BigUint64Array(new SharedArrayBuffer(BigUint64Array.BYTES_PER_ELEMENT)), source: undefined };
}

/** Counts the bytes `[from, to)` of a source, each once. A scan of a range also reads bytes around it: they count for other ranges. */
export class ReadMeter {
  readonly #counter: ReadCounter | undefined;
  readonly #to: number;
  #at: number;

  /** `counter`: absent if nothing reads the count. */
  constructor(counter: ReadCounter | undefined, from = 0, to = Number.POSITIVE_INFINITY) {
    this.#counter = counter;
    this.#at = from;
    this.#to = to;
  }

  /** Counts the bytes before `position` that have not been counted. */
  reach(position: number): void {
    const at = Math.min(position, this.#to);
    if (this.#counter === undefined || at <= this.#at) return;
    Atomics.add(this.#counter, 0, BigInt(at - this.#at));
    this.#at = at;
  }

  /** Returns the chunks of a source, from `from` on, and counts each when it is taken. */
  count(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    return this.#counter === undefined ? chunks : this.#counted(chunks);
  }

  async *#counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let position = this.#at;
    for await (const chunk of chunks) {
      position += chunk.length;
      this.reach(position);
      yield chunk;
    }
  }
}
