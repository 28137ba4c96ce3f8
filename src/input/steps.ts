// Reading in steps: a generator yields values, and promises to wait for. So one decoder reads both streams and bytes in memory.
import { wrongInput } from "../base/errors.ts";
import { orAborted } from "../base/signal.ts";

/** Never rejects. A generator that continues too early waits again. */
export type Wait = Promise<unknown>;

/** Yields values of type `T`, and waits. A generator over bytes in memory never waits. */
export type Steps<T, R = void> = Generator<T | Wait, R, undefined>;

export type Chunks = Iterable<Uint8Array | Wait>;

/** Waits for `promise`; returns its value or throws its error. */
export function* resultOf<T>(promise: Promise<T>): Steps<never, T> {
  let result: PromiseSettledResult<T> | undefined;
  const wait = Promise.allSettled([promise]).then(([settled]) => {
    result = settled;
  });
  while (result === undefined) yield wait;
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

interface Source<T> {
  next(): Promise<IteratorResult<T, unknown>>;
  return?(): Promise<unknown>;
}

export function fromAsync<T>(source: AsyncIterable<T>): Steps<T> {
  return fromIterator(source[Symbol.asyncIterator]());
}

/** Yields the values of `iterator`. Closing does not wait for its next value. Throws the reason of `signal` when the signal fires. */
export function* fromIterator<T>(iterator: Source<T>, signal?: AbortSignal): Steps<T> {
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = yield* resultOf(orAborted(iterator.next(), signal));
      if (done === true) return;
      // It would be taken for a wait.
      if (value instanceof Promise) throw wrongInput("chunks", "Uint8Array or Buffer", value);
      yield value;
    }
  } finally {
    iterator.return?.().catch(() => undefined);
  }
}

/** Yields all of `steps`, and calls `use` with each value first. */
export function* tapped<T>(steps: Iterable<T | Wait>, use: (value: T) => void): Steps<T> {
  for (const step of steps) {
    if (!(step instanceof Promise)) use(step);
    yield step;
  }
}

/** Goes through `steps`; yields their waits, and drops their values. */
export function* waitsOf(steps: Iterable<unknown>): Steps<never> {
  for (const step of steps) if (step instanceof Promise) yield step;
}

/** Yields the values of `steps`, after each wait. */
export async function* toAsync<T>(steps: Iterable<T | Wait>): AsyncGenerator<T, undefined> {
  for (const step of steps) {
    if (step instanceof Promise) await step;
    else yield step;
  }
}

/** Goes through all waits of `steps`; resolves to what they return. */
export async function waited<T>(steps: Steps<never, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await value;
  }
}
