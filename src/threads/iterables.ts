// Takes the head of an iterable, and puts it back.

/** Takes and returns items up to the first one for which `isEnough` is true, or all. */
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
