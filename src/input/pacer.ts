// Lets the event loop turn while a source is read. Without turns an abort signal would not be noticed.
import { HAS_NODE } from "../base/has-node.ts";

const TURN_MILLISECONDS = 10; // Milliseconds of work between two turns. A turn is late by up to one step of a decoder

/** Decides when work has to let the event loop turn. All readers of a source share one pacer; the sources of a run may share it too. */
export class Pacer {
  readonly #signal: AbortSignal | undefined;
  readonly #now: () => number;
  readonly #every: number;
  #last: number;

  /** `now` returns the time in milliseconds; `every`: milliseconds between two turns. */
  constructor(signal?: AbortSignal | undefined, now: () => number = milliseconds, every = TURN_MILLISECONDS) {
    this.#signal = signal;
    this.#every = every;
    this.#now = now;
    this.#last = now();
  }

  /** Returns a promise for the next turn of the event loop if one is due. Throws, or rejects with, the reason of the signal. */
  pause(): Promise<void> | undefined {
    if (this.#signal?.aborted === true) throw this.#signal.reason;
    return this.#now() - this.#last < this.#every ? undefined : this.#turn();
  }

  /** Runs `work` to its end, and lets the event loop turn if `work` yields when a turn is due. Resolves to the result of `work`. */
  async finish<T>(work: Generator<undefined, T>): Promise<T> {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      await this.pause();
    }
  }

  async #turn(): Promise<void> {
    await turn();
    this.#last = this.#now();
    this.#signal?.throwIfAborted();
  }
}

export function turn(): Promise<void> {
  return new Promise((resolve) => void (typeof setImmediate === "function" ? setImmediate(resolve) : nextTurn(resolve)));
}

export const TURN_BYTES = 1 << 18; // Bytes of text that are scanned in a few milliseconds: then the event loop turns

export function finishAtOnce<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

let channel: MessageChannel | undefined;

/** Calls `resume` in a later turn of the event loop. Uses a message if it can, because browsers delay timers by 4 ms. */
function nextTurn(resume: () => void): void {
  if (typeof MessageChannel === "undefined") {
    setTimeout(resume);
    return;
  }
  channel ??= new MessageChannel();
  const { port1, port2 } = channel;
  port1.addEventListener("message", () => resume(), { once: true });
  port1.start();
  port2.postMessage(null);
}

/** Returns the time of a monotonic clock in milliseconds. In Node, `performance` would load a module. */
export function milliseconds(): number {
  if (!HAS_NODE) return performance.now();
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
