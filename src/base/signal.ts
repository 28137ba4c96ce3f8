// A repeatable wait, which another part of the code ends.

/** Lets one caller wait until another wakes it. */
export class Signal {
  #wake: (() => void) | undefined;

  /** Whether somebody waits. */
  get isAwaited(): boolean {
    return this.#wake !== undefined;
  }

  /** Resolves at the next `wake`. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Wakes the caller that waits, if there is one. */
  wake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
