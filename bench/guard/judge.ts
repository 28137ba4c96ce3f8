// What records/guard.json holds and what is wrong with what was seen. Slack is given when something is recorded, once: the judge compares.
import { RATIO_MAX } from "../hostile.ts";
import type { Speed } from "./speed.ts";

/** How far a floor lies above the best that a core reaches that is slowed by a third: so much differs from one recording to the next. */
const SLOWED_SLACK = 0.05;
/** How far a ratio may fall on a processor that nothing was recorded on: ratios of unlike processors differ by a quarter. */
const STRANGER_SLACK = 0.3;
/** How far what is counted may grow: so little that a change is noticed, so much that another bug fix need not be recorded. */
const COST_SLACK = 0.01;
/** How far allocations may grow: the system's share of them is not the same in every process. */
const ALLOCATION_SLACK = 0.15;
/** The same on another major version of Node, whose objects and streams are not the same size. */
const OTHER_NODE_SLACK = 0.5;

/** Something recorded and the most, or the least, that it may become. */
export interface Limit {
  readonly seen: number;
  readonly limit: number;
}

/** By row. */
export type Limits = Record<string, Limit>;

/** Floors of one kind of machine. */
export interface Floors {
  readonly measured: Record<string, string>;
  readonly ratios: Limits;
}

/** What records/guard.json holds. */
export interface GuardRecord {
  readonly measured: Record<string, string>;
  /** Checksum of each generated text. */
  readonly texts: Record<string, string>;
  /** Matches by text and row. */
  readonly counts: Record<string, number>;
  readonly costs: Limits;
  readonly allocations: Limits;
  /** By kind of machine. */
  readonly floors: Record<string, Floors>;
}

/** What is recorded, before limits are derived from it. */
export interface Recorded extends Omit<Seen, "growth"> {
  /** Ratios of cores that are slowed by a third on purpose. */
  readonly slowed: Record<string, number>;
}

/** What one run of the guard sees. */
export interface Seen {
  readonly speed: Speed;
  readonly costs: Record<string, number>;
  readonly allocations: Record<string, number>;
  readonly growth: Record<string, number>;
}

function limitsOf(seen: Record<string, number>, factor: number, round: (limit: number) => number): Limits {
  return Object.fromEntries(Object.entries(seen).map(([row, value]) => [row, { seen: value, limit: round(value * factor) }]));
}

/** The floor of each row, above what it is when it is slowed by a third. Throws where the two cannot be told from each other. */
function floorsAbove(slowed: Record<string, number>, ratios: Record<string, number>): Limits {
  return Object.fromEntries(
    Object.entries(ratios).map(([row, seen]) => {
      const limit = Number(((slowed[row] as number) * (1 + SLOWED_SLACK)).toFixed(3));
      if (limit > seen * (1 - SLOWED_SLACK)) throw new Error(`${row}: ${seen}, and ${slowed[row]} slowed by a third: too noisy to record`);
      return [row, { seen, limit }];
    }),
  );
}

/** The record of what was seen on a kind of machine; the floors of other kinds in `before` are kept. */
export function recordOf(seen: Recorded, kind: string, measured: Record<string, string>, before: GuardRecord | undefined): GuardRecord {
  const { texts, counts, ratios } = seen.speed;
  return {
    measured,
    texts,
    counts,
    costs: limitsOf(seen.costs, 1 + COST_SLACK, Math.floor),
    allocations: limitsOf(seen.allocations, 1 + ALLOCATION_SLACK, Math.ceil),
    floors: { ...before?.floors, [kind]: { measured, ratios: floorsAbove(seen.slowed, ratios) } },
  };
}

/** What each row may be at least on a kind of machine; on an unknown one far less than what the slowest of the known ones had. */
export function floorsFor(kind: string, { floors }: GuardRecord): Record<string, number> {
  const known = floors[kind];
  if (known !== undefined) return Object.fromEntries(Object.entries(known.ratios).map(([row, { limit }]) => [row, limit]));
  const lowest: Record<string, number> = {};
  for (const { ratios } of Object.values(floors)) {
    for (const [row, { seen }] of Object.entries(ratios)) {
      lowest[row] = Math.min(lowest[row] ?? Number.POSITIVE_INFINITY, Number((seen * (1 - STRANGER_SLACK)).toFixed(3)));
    }
  }
  return lowest;
}

const majorOf = (version: string | undefined): string | undefined => version?.split(".")[0];

/** What may be allocated at most on a version of Node, as `v20.20.2`. */
export function allocationLimits(node: string, { measured, allocations }: GuardRecord): Limits {
  if (majorOf(measured.node) === majorOf(node)) return allocations;
  const wide = ({ seen }: Limit): Limit => ({ seen, limit: Math.ceil(seen * (1 + OTHER_NODE_SLACK)) });
  return Object.fromEntries(Object.entries(allocations).map(([row, limit]) => [row, wide(limit)]));
}

/** The rows of ratios below their floors. A row that is not recorded is wrong too. */
export function judgeRatios(ratios: Record<string, number>, floors: Record<string, number>): string[] {
  return Object.entries(ratios).flatMap(([row, ratio]) => {
    const floor = floors[row];
    if (floor === undefined) return [`${row}: not recorded`];
    return ratio < floor ? [`${row}: ${ratio} times the yardstick, at least ${floor}`] : [];
  });
}

/** The rows above their limits, or not recorded. */
export function judgeLimits(seen: Record<string, number>, limits: Limits): string[] {
  const wrong = Object.entries(seen).flatMap(([row, value]) => {
    const limit = limits[row];
    if (limit === undefined) return [`${row}: not recorded`];
    return value > limit.limit ? [`${row}: ${value}, at most ${limit.limit} (recorded ${limit.seen})`] : [];
  });
  return [...wrong, ...missing(seen, limits)];
}

/** Rows that are recorded and were not seen. */
function missing(seen: object, recorded: object): string[] {
  return Object.keys(recorded).flatMap((row) => (row in seen ? [] : [`${row}: recorded, and not measured any more`]));
}

/** What differs from the record and must not differ at all: the texts and what is found in them. */
export function judgeExact({ texts, counts }: Speed, recorded: GuardRecord): string[] {
  const wrong: string[] = [];
  for (const [kind, sum] of Object.entries(texts)) {
    if (recorded.texts[kind] !== sum)
      wrong.push(`text ${kind}: checksum ${sum}, recorded is ${recorded.texts[kind]}: the generator has changed`);
  }
  for (const [row, count] of Object.entries(counts)) {
    if (recorded.counts[row] !== count) wrong.push(`${row}: ${count} found, recorded is ${recorded.counts[row]}`);
  }
  return [...wrong, ...missing(texts, recorded.texts), ...missing(counts, recorded.counts)];
}

/** The hostile families whose time grows faster than their size. */
export function judgeGrowth(growth: Record<string, number>): string[] {
  return Object.entries(growth).flatMap(([name, ratio]) =>
    ratio < RATIO_MAX ? [] : [`hostile, ${name}: time(2n)/time(n) is ${ratio}, must be below ${RATIO_MAX}`],
  );
}

/** Rows of the better of two: the higher where `higher`. A row of one alone is kept. */
export function betterOf(a: Record<string, number>, b: Record<string, number>, higher: boolean): Record<string, number> {
  const choose = higher ? Math.max : Math.min;
  return { ...a, ...Object.fromEntries(Object.entries(b).map(([row, value]) => [row, choose(a[row] ?? value, value)])) };
}
