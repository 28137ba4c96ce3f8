// Progress of a run. Written by the run, read by the progress line.
import { type Chunks, type Steps, tapped } from "../input/steps.ts";

/** Bytes of the inputs that have been read; compressed bytes of compressed files. Every thread adds its own. */
export type ReadCounter = BigUint64Array<SharedArrayBuffer>;

export interface RunPosition {
  readonly read: ReadCounter;
  /** Bytes that an earlier run has read, which this one continues. */
  readBefore: number;
  /** Name of the source whose results are being taken; undefined before the first source. */
  source: string | undefined;
}

export function newPosition(): RunPosition {
  return { read: new BigUint64Array(new SharedArrayBuffer(BigUint64Array.BYTES_PER_ELEMENT)), readBefore: 0, source: undefined };
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
  count(chunks: Chunks): Steps<Uint8Array> {
    let position = this.#at;
    return tapped(chunks, (chunk) => {
      position += chunk.length;
      this.reach(position);
    });
  }
}
