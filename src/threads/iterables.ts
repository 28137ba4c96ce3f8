// Takes the head of an iterable, and puts it back.

/** Takes and returns the items up to and including the first one for which `isEnough` is true, or all items. */
export function takeUntil<T>(items: Iterator<T>, isEnough: (item: T) => boolean): T[] {
  const taken: T[] = [];
  for (let next = items.next(); next.done !== true; next = items.next()) {
    taken.push(next.value);
    if (isEnough(next.value)) break;
  }
  return taken;
}

/** Yields the items of `first`, then those of `second`. */
export function* chain<T>(first: Iterable<T>, second: Iterable<T>): Generator<T> {
  yield* first;
  yield* second;
}
