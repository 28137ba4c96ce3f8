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

/** Takes numbers of bytes that have been read. */
export type AddRead = (bytes: number) => void;

export function addingTo(counter: ReadCounter | undefined): AddRead | undefined {
  return counter && ((bytes) => void Atomics.add(counter, 0, BigInt(bytes)));
}

/** Counts the bytes `[from, to)` of a source, each once. A scan of a range also reads bytes around it: they count for other ranges. */
export class ReadMeter {
  readonly #add: AddRead | undefined;
  readonly #to: number;
  #at: number;

  /** `add`: absent if nothing needs the count. */
  constructor(add: AddRead | undefined, from = 0, to = Number.POSITIVE_INFINITY) {
    this.#add = add;
    this.#at = from;
    this.#to = to;
  }

  /** Counts the bytes before `position` that have not been counted. */
  reach(position: number): void {
    const at = Math.min(position, this.#to);
    if (at <= this.#at) return;
    this.#add?.(at - this.#at);
    this.#at = at;
  }

  /** Returns the chunks of a source, from `position` on, and counts each when it is taken. */
  count(chunks: Chunks, position = this.#at): Steps<Uint8Array> {
    return tapped(chunks, (chunk) => {
      position += chunk.length;
      this.reach(position);
    });
  }
}
