// Requests over the network that are made again: which failures may pass, how often, and after how long.
import { SourceError, systemCode } from "../../errors.ts";

/** Milliseconds before the second try, at most; before each further one at most twice as many. */
const WAIT_FIRST = 250;
const WAIT_MOST = 30_000;
/** Milliseconds that a server may ask to be left alone for. */
const RETRY_AFTER_MOST = 60_000;
/** Too many requests, conflicts of writers, and servers that are overloaded or being replaced. */
const PASSING_STATUS = new Set([408, 409, 429, 500, 502, 503, 504]);
/** Connections that were refused, cut or not made. Names that do not exist, and wrong certificates, have other codes. */
const PASSING_CODE = /^(?:E[A-Z]+|UND_ERR_\w+|ERR_STREAM_PREMATURE_CLOSE)$/;

/** How long, and how often, a server is waited for. */
export interface Patience {
  /** Further tries after one that failed without a byte. */
  readonly retries: number;
  /** Milliseconds without a byte after which a connection is given up. */
  readonly stallMs: number;
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Returns a number from 0 to 1: many readers that failed together must not come back together. */
  readonly random: () => number;
}

/** What is used where nothing else is said. */
export const PATIENCE: Patience = { retries: 8, stallMs: 30_000, wait, random: Math.random };

/** An answer without what was asked for. */
export class RefusedAnswer extends Error {
  readonly status: number;
  /** Milliseconds that the server asks to be left alone for. */
  readonly retryAfter: number;

  constructor(status: number, code = "", retryAfter = 0) {
    super(`the server answered ${status}${code === "" ? "" : ` (${code})`}`);
    this.status = status;
    this.retryAfter = Math.min(RETRY_AFTER_MOST, retryAfter);
  }
}

/** An input that is not what it was when the plan was made. Another try would not help. */
export class InputChangedError extends Error {
  override readonly name = "InputChangedError";
}

/** A server that did not answer, or not to the end, however often it was asked. It may later. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/** Returns the error for an input that is not what it was. */
export function changedInput(name: string): InputChangedError {
  return new InputChangedError(`${name}: has changed since the plan was made`);
}

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

  /** Resolves when it is time for another try. Rejects if `error` would come again, or has come too often. */
  async fail(error: unknown): Promise<void> {
    refuseLasting(this.#name, error);
    const { retries, wait, random } = this.#patience;
    // A name that is wrong is not waited for, but it may be that of a machine which starts.
    if (this.#failed === retries || isUndecided(error)) {
      const tries = this.#failed === 0 ? "" : ` (tried ${this.#failed + 1} times)`;
      throw new UnavailableError(`${this.#name}: ${messageOf(error)}${tries}`, { cause: error });
    }
    const most = Math.min(WAIT_MOST, WAIT_FIRST * 2 ** this.#failed++);
    await wait(Math.max(random() * most, error instanceof RefusedAnswer ? error.retryAfter : 0));
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

/** Resolves as `promise` does, if it does before the connection counts as stalled. */
export async function unstalled<T>(promise: Promise<T>, { stallMs, wait }: Patience): Promise<T> {
  const over = new AbortController();
  const stalled = wait(stallMs, over.signal).then(() => {
    if (over.signal.aborted) return promise;
    throw Object.assign(new Error(`no byte came for ${stallMs / 1000} seconds`), { code: "ETIMEDOUT" });
  });
  try {
    return await Promise.race([promise, stalled]);
  } finally {
    over.abort();
  }
}

/** Throws what `error` means for `name`, if the next try would end in the same way. */
function refuseLasting(name: string, error: unknown): void {
  if (error instanceof SourceError || error instanceof InputChangedError) throw error;
  if (error instanceof RefusedAnswer) {
    const { status, message } = error;
    if (status === 412) throw changedInput(name);
    if (status === 404 || status === 410) throw new SourceError("ERR_NOT_FOUND", name, message, error);
    if (status === 401 || status === 403) throw new SourceError("ERR_NO_PERMISSION", name, message, error);
    if (!PASSING_STATUS.has(status)) throw new SourceError("ERR_UNREADABLE", name, message, error);
  } else if (!PASSING_CODE.test(codeOf(error) ?? "") && !isUndecided(error)) {
    throw new SourceError("ERR_UNREADABLE", name, messageOf(error), error);
  }
}

/** Whether only somebody else can say if another try would help: names without address, missing credentials. */
function isUndecided(error: unknown): boolean {
  return codeOf(error) === "ENOTFOUND" || (error instanceof Error && error.name === "CredentialsProviderError");
}

/** Returns the code of an error, or of its cause: fetch wraps them. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error.name === "TimeoutError" ? "ETIMEDOUT" : (systemCode(error) ?? codeOf(error.cause));
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}
