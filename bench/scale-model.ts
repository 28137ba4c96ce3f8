// A model of runs that are larger than the machine at hand: shards of measured cost on many cores, with spread, slow cores, failures, and
// the limits of an engine and a storage. Prints the tables of docs/scale.md and draws its curve. The same seed gives the same tables.
import { linesPlotOf } from "./plot-lines.ts";
import { printTable, type Table, writeDrawing } from "./records.ts";

const MB = 1e6;
const GB = 1e9;
const TB = 1e12;

/** What the model takes for given. Seconds are of one core. */
export interface World {
  /** Seconds that a process takes before its first byte. */
  readonly start: number;
  /** Seconds for a megabyte of a shard. */
  readonly perMegabyte: number;
  /** Standard deviation of the logarithm of that, from shard to shard. */
  readonly spread: number;
  /** Seconds for a megabyte of input in the merge, which is one process. */
  readonly mergePerMegabyte: number;
  /** Share of the shards that meet a slow core, and how many times as long they take. */
  readonly stragglers: number;
  readonly slowness: number;
  /** Failures in an hour of a core: a shard then begins again. */
  readonly failures: number;
  /** Processes that the engine starts in a second, at most. */
  readonly starts: number;
  /** Bytes in a second that one core gets from the storage, and all together. */
  readonly bytesOfCore: number;
  readonly bytesOfAll: number;
}

/** Measured: records/2026-11-23-scale-shards.md, mail. Assumed: all that this machine has not. */
export const WORLD: World = {
  start: 0.4,
  perMegabyte: 0.0057,
  spread: 0.14,
  mergePerMegabyte: 0.001,
  stragglers: 0.01,
  slowness: 3,
  failures: 0.02,
  starts: 100,
  bytesOfCore: 150 * MB,
  bytesOfAll: 100 * GB,
};
const DOLLARS_OF_HOUR = 0.04;
const DOLLARS_OF_GIGABYTE_OUT = 0.09;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Replaces the least value of a heap. */
function replaceLeast(heap: Float64Array, value: number): void {
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
    if ((heap[child] as number) >= value) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = value;
}

/** How a run ends, in seconds. */
export interface Run {
  /** From the first start to the end of the last shard. */
  readonly map: number;
  readonly merge: number;
  /** Seconds of all cores: those that work. */
  readonly work: number;
  readonly shards: number;
}

/** Shards for each core that are simulated one by one; what comes before them only fills the cores. */
const SIMULATED = 20;

/** Runs `bytes` in shards of `shardBytes` on some cores: a core that is free takes the next shard. */
export function simulate(bytes: number, cores: number, shardBytes: number, world: World, seed: number): Run {
  const random = randomOf(seed);
  const shards = Math.ceil(bytes / shardBytes);
  const megabyte = Math.max(world.perMegabyte, MB / world.bytesOfCore, (Math.min(cores, shards) * MB) / world.bytesOfAll);
  const secondsOf = (size: number): number => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const slow = random() < world.stragglers ? world.slowness : 1;
    const once = (world.start + (size / MB) * megabyte * Math.exp(world.spread * normal)) * slow;
    let seconds = once;
    // Where a failure comes before the end, that time is lost.
    for (let tries = 0; world.failures > 0 && tries < 100; tries++) {
      const failure = (-Math.log(1 - random()) / world.failures) * 3600;
      if (failure >= once) break;
      seconds += failure;
    }
    return seconds;
  };
  const skipped = Math.max(0, shards - SIMULATED * cores);
  let work = 0;
  if (skipped > 0) {
    let sum = 0;
    for (let n = 0; n < 1000; n++) sum += secondsOf(shardBytes);
    work = (skipped * sum) / 1000;
  }
  const free = new Float64Array(Math.min(cores, shards)).fill(Math.max(work / cores, skipped / world.starts));
  let last = free[0] as number;
  for (let index = skipped; index < shards; index++) {
    const seconds = secondsOf(Math.min(shardBytes, bytes - index * shardBytes));
    work += seconds;
    const end = Math.max(free[0] as number, index / world.starts) + seconds;
    last = Math.max(last, end);
    replaceLeast(free, end);
  }
  return { map: last, merge: (bytes / MB) * world.mergePerMegabyte, work, shards };
}

const MEBI = 2 ** 20;
const SHARDS = Array.from({ length: 13 }, (_, index) => 4 * MEBI * 2 ** index);
const CORES = [1, 100, 10_000];
const BYTES: readonly (readonly [string, number])[] = [
  ["1 TB", TB],
  ["100 TB", 100 * TB],
  ["1 PB", 1000 * TB],
];
const SEED = 1;

/** Seconds of the cores, divided by all of them: no run is shorter. */
const idealOf = (bytes: number, cores: number): number => ((bytes / MB) * WORLD.perMegabyte) / cores;

function mapOf(bytes: number, cores: number, shardBytes: number): number {
  return simulate(bytes, cores, shardBytes, WORLD, SEED).map;
}

function durationText(seconds: number): string {
  if (seconds < 100) return `${seconds.toFixed(0)} s`;
  if (seconds < 6000) return `${(seconds / 60).toFixed(0)} min`;
  return seconds < 48 * 3600 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} days`;
}

const sizeText = (bytes: number): string => (bytes < 1024 * MEBI ? `${bytes / MEBI} MiB` : `${bytes / 1024 / MEBI} GiB`);

/** Returns the sizes of shards that take at most a twentieth longer than the best one. */
export function goodSizes(bytes: number, cores: number): number[] {
  const times = SHARDS.map((size) => mapOf(bytes, cores, size));
  const least = Math.min(...times);
  return SHARDS.filter((_, index) => (times[index] as number) <= 1.05 * least);
}

export function runsTable(): Table {
  const rows = BYTES.flatMap(([name, bytes]) =>
    CORES.map((cores) => {
      const sizes = goodSizes(bytes, cores);
      const [least, most] = [sizes[0] as number, sizes.at(-1) as number];
      const { map, merge, work, shards } = simulate(bytes, cores, most, WORLD, SEED);
      const dollars = (work / 3600) * DOLLARS_OF_HOUR;
      const cells = [durationText(idealOf(bytes, cores)), durationText(map), durationText(merge), `$${dollars.toFixed(0)}`];
      return [
        `${name} on ${cores.toLocaleString("en")}`,
        least === most ? sizeText(most) : `${sizeText(least)} to ${sizeText(most)}`,
        shards,
        ...cells,
      ];
    }),
  );
  const notes = ["good shards take at most a twentieth longer than the best; the other columns are of the largest good ones"];
  const columns = ["bytes on cores", "good shards", "shards", "ideal", "map", "merge, one process", "cores"];
  return { title: "Runs", notes, columns, rows };
}

export function limitsTable(): Table {
  const petabyte = 1000 * TB;
  const alone = [10, 100, 1000].map((size) => [
    `one .gz of ${size} GB, 3 times that as text`,
    durationText(((3 * size * GB) / MB) * WORLD.perMegabyte),
    "on one core, however many there are",
  ]);
  const listed = [10e3, 1e6].map((size) => [
    `listing 1 PB in files of ${size / 1000} kB`,
    durationText((petabyte / size / 1000) * 0.1),
    `${(petabyte / size).toExponential(0)} names, 1000 in 0.1 s`,
  ]);
  const rate = durationText(petabyte / WORLD.bytesOfAll);
  return {
    title: "Limits",
    notes: [],
    columns: ["what", "at least", "because"],
    rows: [
      ...alone,
      ...listed,
      ["reading 1 PB", rate, `${WORLD.bytesOfAll / GB} GB/s of the storage`],
      [
        "1 PB out of the region of its storage",
        `$${((petabyte / GB) * DOLLARS_OF_GIGABYTE_OUT).toLocaleString("en")}`,
        `$${DOLLARS_OF_GIGABYTE_OUT} a GB`,
      ],
    ],
  };
}

if (process.argv[1] === import.meta.filename) {
  for (const table of [runsTable(), limitsTable()]) printTable(table);
  const runs = [
    [TB, 1],
    [TB, 100],
    [TB, 10_000],
    [1000 * TB, 10_000],
  ] as const;
  const lines = runs.map(([bytes, cores]) => ({
    name: `${bytes / TB} TB on ${cores.toLocaleString("en")}`,
    values: SHARDS.map((size) => mapOf(bytes, cores, size) / idealOf(bytes, cores)),
  }));
  const caption = "Time of a run without the merge, times that of an ideal one, by the size of shards; model of bench/scale-model.ts";
  writeDrawing(
    "scale.svg",
    linesPlotOf(
      caption,
      "MiB of a shard",
      SHARDS.map((size) => size / MEBI),
      lines,
    ),
  );
}
