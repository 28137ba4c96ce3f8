// Best times of rows that are run in turn, for machines that do more at the same time: each turn runs every row once, in another order,
// so that nothing that comes and goes in a beat hits one row alone; and it goes on until the best times have been seen again.
import { Random } from "../generator.ts";
import type { Row } from "../measure.ts";

/** How long to look for the best times. */
export interface Patience {
  /** Turns at least: the compilers are done by then. */
  readonly turns: number;
  /** Time from which on it is given up, in ms. */
  readonly time: number;
}

/** What was seen of a row. */
export interface BestTime {
  readonly count: number;
  /** Shortest time, in ms. */
  readonly best: number;
}

/** A best time counts once this many runs came within AGAIN of it. */
const RUNS_AGAIN = 3;
const AGAIN = 1.02;

function shuffle(order: number[], random: Random): void {
  for (let index = order.length - 1; index > 0; index--) {
    const other = random.below(index + 1);
    [order[index], order[other]] = [order[other] as number, order[index] as number];
  }
}

function isSeenAgain(fastest: readonly number[]): boolean {
  return (fastest[RUNS_AGAIN - 1] ?? Number.POSITIVE_INFINITY) <= (fastest[0] as number) * AGAIN;
}

/** Runs the rows until their best times stand. Throws if a row gives another count than before. */
export function bestTimes(rows: readonly Row[], { turns, time }: Patience): BestTime[] {
  const counts = rows.map((row) => row.run());
  const fastest = rows.map((): number[] => []);
  const order = rows.map((_, index) => index);
  const random = new Random(rows.length);
  const end = performance.now() + time;
  for (let turn = 0; turn < turns || (performance.now() < end && !fastest.every(isSeenAgain)); turn++) {
    shuffle(order, random);
    for (const index of order) {
      const { name, run } = rows[index] as Row;
      const begin = performance.now();
      const count = run();
      const taken = performance.now() - begin;
      if (count !== counts[index]) throw new Error(`${name}: ${count} matches, before ${counts[index]}`);
      fastest[index] = [...(fastest[index] as number[]), taken].sort((a, b) => a - b).slice(0, RUNS_AGAIN);
    }
  }
  return rows.map((_, index) => ({ count: counts[index] as number, best: fastest[index]?.[0] as number }));
}
