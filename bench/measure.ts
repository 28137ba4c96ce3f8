// Times rows in one process: several short rounds, each over all rows, so that a busy moment does not hit a single row.
import { Bench } from "tinybench";

/** A function to time. */
export interface Row {
  readonly name: string;
  /** Does the work once and returns the number of matches. */
  readonly run: () => number;
}

/** The measured times of a row. */
export interface Timing {
  readonly name: string;
  readonly count: number;
  /** Median over the rounds of the median time of a round, in ms. */
  readonly median: number;
  /** Shortest time, in ms. */
  readonly best: number;
}

/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  /** Time for a row in a round, in ms. */
  readonly time: number;
  /** Least number of runs of a row in a round. */
  readonly iterations: number;
}

/** Efforts of the benches, of the table of `npm run bench`, and of a smoke run. */
export const FULL_EFFORT: Effort = { rounds: 5, time: 120, iterations: 3 };
export const SUMMARY_EFFORT: Effort = { rounds: 5, time: 120, iterations: 1 };
export const SMOKE_EFFORT: Effort = { rounds: 1, time: 1, iterations: 1 };

/** Returns the middle one of numbers. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Times each row. Throws if two runs of a row return different counts. */
export function measure(rows: readonly Row[], effort: Effort): Timing[] {
  const counts = rows.map((row) => row.run());
  const medians = rows.map((): number[] => []);
  const bests = rows.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < effort.rounds; round++) {
    const bench = new Bench({ time: effort.time, iterations: effort.iterations, warmup: false });
    rows.forEach((row, index) => {
      bench.add(row.name, () => {
        const count = row.run();
        if (count !== counts[index]) throw new Error(`${row.name}: ${count} matches, before ${counts[index]}`);
      });
    });
    bench.runSync();
    bench.tasks.forEach((task, index) => {
      const { result } = task;
      if (result.state !== "completed")
        throw new Error(`${task.name}: ${result.state === "errored" ? result.error.message : result.state}`);
      medians[index]?.push(result.latency.p50);
      bests[index] = Math.min(bests[index] as number, result.latency.min);
    });
  }
  return rows.map(({ name }, index) => ({
    name,
    count: counts[index] as number,
    median: medianOf(medians[index] as number[]),
    best: bests[index] as number,
  }));
}
