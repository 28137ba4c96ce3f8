// Requests that are made again: how often, and after how long.
import { setTimeout as sleep } from "node:timers/promises";
import { brokenConnection, lastingError, RefusedAnswer, unavailable } from "./failures.ts";

/** Milliseconds before the second try, at most; before each further one at most twice as many. */
const WAIT_FIRST = 250;
const WAIT_MOST = 30_000;
/** Tries in a row that may fail before anything is said. */
const SILENT_TRIES = 3;

/** How long, and how often, a server is waited for. */
export interface Patience {
  /** Further tries after one that failed without a byte. */
  readonly retries: number;
  /** Milliseconds without a byte after which a connection is given up. */
  readonly stallMs: number;
  /** Ends all waiting, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Returns a number from 0 to 1: many readers that failed together must not come back together. */
  readonly random: () => number;
  /** Called when several tries of one object in a row have failed: with its name, and what to say. */
  readonly onOutage?: ((object: string, message: string) => void) | undefined;
}

/** What is used where nothing else is said. */
export const PATIENCE: Patience = {
  retries: 8,
  stallMs: 30_000,
  wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => undefined),
  random: Math.random,
};

/** Counts failed tries on one thing, and waits after each. */
export class Tries {
  readonly #name: string;
  readonly #patience: Patience;
  #failed = 0;

  constructor(name: string, patience: Patience) {
    this.#name = name;
    this.#patience = patience;
  }

  /** Begins to count anew. */
  succeed(): void {
    this.#failed = 0;
  }

  /** Resolves when it is time for another try. Rejects if `error` would come again, or has come too often, and with the signal's reason. */
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

/** Does something until it succeeds or cannot. Each try gets a signal that fires when the try is over. */
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

/** Resolves as `promise` does, if it does before the connection counts as stalled. Rejects with the signal's reason. */
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
