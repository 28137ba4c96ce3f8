// Repeats requests, with limits and pauses.
import { setTimeout as sleep } from "node:timers/promises";
import { brokenConnection, lastingError, RefusedAnswer, unavailable } from "./failures.ts";

/** Most milliseconds before the second try; doubled for each further try. */
const WAIT_FIRST = 250;
/** Most milliseconds before any try, unless the server asks for more. */
const WAIT_MOST = 30_000;
/** Consecutive failed tries before the one that is reported as an outage. */
const SILENT_TRIES = 3;

/** Timeouts and retries of a server. */
export interface Patience {
  /** Most consecutive further tries that end without a byte. */
  readonly retries: number;
  /** Milliseconds without a byte after which a connection counts as broken. */
  readonly stallMs: number;
  /** Ends all waiting, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Resolves after a time in milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Returns a random number in [0, 1) for pauses, so that readers that failed together do not try again together. */
  readonly random: () => number;
  /** Called with the name of an object and a message when SILENT_TRIES + 1 consecutive tries of it have failed. */
  readonly onOutage?: ((object: string, message: string) => void) | undefined;
}

export const PATIENCE: Patience = {
  retries: 8,
  stallMs: 30_000,
  wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => undefined),
  random: Math.random,
};

export class Tries {
  readonly #name: string;
  readonly #patience: Patience;
  #failed = 0;

  constructor(name: string, patience: Patience) {
    this.#name = name;
    this.#patience = patience;
  }

  succeed(): void {
    this.#failed = 0;
  }

  /** Resolves when it is time for another try. Rejects if `error` is final, if too many tries have failed, or with the signal's reason. */
  async fail(error: unknown): Promise<void> {
    const { retries, wait, random, signal, onOutage } = this.#patience;
    signal?.throwIfAborted();
    const lasting = lastingError(this.#name, error);
    if (lasting !== undefined) throw lasting;
    if (this.#failed === retries) throw unavailable(this.#name, error, retries + 1);
    if (this.#failed === SILENT_TRIES)
      onOutage?.(this.#name, `${unavailable(this.#name, error).message}; trying again, ${retries - this.#failed} times at most`);
    const most = Math.min(WAIT_MOST, WAIT_FIRST * 2 ** this.#failed++);
    await wait(Math.max(random() * most, error instanceof RefusedAnswer ? error.retryAfter : 0), signal);
    signal?.throwIfAborted();
  }
}

/** Repeats `act` until it succeeds; rejects as `Tries.fail` does. Each try gets a signal that fires when the try is over. */
export async function tried<T>(name: string, patience: Patience, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const tries = new Tries(name, patience);
  for (;;) {
    const over = new AbortController();
    try {
      return await act(over.signal);
    } catch (error) {
      await tries.fail(error);
    } finally {
      over.abort();
    }
  }
}

/** Settles like `promise`. Rejects if it has not settled after `stallMs`, or with the signal's reason. */
export async function unstalled<T>(promise: Promise<T>, { stallMs, wait, signal }: Patience): Promise<T> {
  const over = new AbortController();
  const end = (): void => over.abort();
  signal?.addEventListener("abort", end);
  if (signal?.aborted === true) end();
  const stalled = wait(stallMs, over.signal).then(() => {
    signal?.throwIfAborted();
    if (over.signal.aborted) return promise;
    throw brokenConnection(`no byte came for ${stallMs / 1000} seconds`);
  });
  try {
    return await Promise.race([promise, stalled]);
  } finally {
    signal?.removeEventListener("abort", end);
    end();
  }
}
