// Waits that another part of the code ends.

/** Lets one caller wait until another wakes it. */
export class Signal {
  #wake: (() => void) | undefined;

  get isAwaited(): boolean {
    return this.#wake !== undefined;
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

/**
 * Settles as `promise` does, or rejects with the reason of `signal` if that has fired or fires first. It listens to the signal only while
 * it waits, because a signal may outlive the waiting: `Promise.race` with a promise of the signal would keep every result alive as long as
 * the signal.
 */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let abort: (() => void) | undefined;
  try {
    return await new Promise((resolve, reject) => {
      abort = () => reject(signal.reason);
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort);
      promise.then(resolve, reject);
    });
  } finally {
    if (abort !== undefined) signal.removeEventListener("abort", abort);
  }
}
