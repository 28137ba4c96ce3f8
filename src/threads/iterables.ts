// A head that is taken off an iterable, and put before it again.

/** Takes and returns items up to the first one that is enough, or all. */
export function takeUntil<T>(items: Iterator<T>, isEnough: (item: T) => boolean): T[] {
  const taken: T[] = [];
  for (let next = items.next(); next.done !== true; next = items.next()) {
    taken.push(next.value);
    if (isEnough(next.value)) break;
  }
  return taken;
}

/** Returns the items of both, one after the other. */
export function* chain<T>(first: Iterable<T>, second: Iterable<T>): Generator<T> {
  yield* first;
  yield* second;
}
