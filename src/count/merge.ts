// Merges sorted runs.

interface Cursor {
  /** Goes to the next row; returns false after the last one. */
  next(): boolean;
}

/** Yields, for each row in the merged order, the run that is at this row. */
export function* mergeRuns<Run extends Cursor>(runs: readonly Run[], isBefore: (one: Run, other: Run) => boolean): Generator<Run> {
  const heap = runs.filter((run) => run.next());
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) siftDown(heap, at, isBefore);
  for (let first = heap[0]; first !== undefined; first = heap[0]) {
    yield first;
    if (!first.next()) {
      const last = heap.pop() as Run;
      if (last === first) return;
      heap[0] = last;
    }
    siftDown(heap, 0, isBefore);
  }
}

/** Moves the run at `at` down a binary heap until no child is before it. */
function siftDown<Run>(heap: Run[], at: number, isBefore: (one: Run, other: Run) => boolean): void {
  const run = heap[at];
  let free = at;
  for (let child = 2 * free + 1; child < heap.length; child = 2 * free + 1) {
    if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
    if (!isBefore(heap[child], run)) break;
    heap[free] = heap[child];
    free = child;
  }
  heap[free] = run;
}
