// Compares the figures of a run of the guard with the limits that follow from records/guard.json.

/** Costs may grow a little, so that not every bug fix needs a new record. */
const COST_FACTOR = 1.01;
/** All growth since the first record together: many records, each a little above the one before it, would let a cost grow without end. */
const FIRST_FACTOR = 1.05;
/** Node's own share of the allocations differs between processes; on another major version its objects have other sizes. */
const ALLOCATION_FACTOR = 1.15;
const ALLOCATION_FACTOR_OTHER_NODE = 1.5;
/**
 * Ratios differ between processors: those of the SIMD build by a quarter, those of the JavaScript build by half. So times reveal only gross
 * faults; costs reveal the others.
 */
const RATIO_FACTOR = 0.6;
const RATIO_FACTOR_JAVASCRIPT = 0.4;

/** The figures of a run of the guard, by row. */
export interface Seen {
  /** Checksum of each generated text. */
  readonly texts: Record<string, string>;
  /** Numbers of matches; for the lines of the yardstick the number of bytes. */
  readonly counts: Record<string, number>;
  /** Multiples of the yardstick's speed on the same text. */
  readonly ratios: Record<string, number>;
  readonly costs: Record<string, number>;
  /** Bytes of the JavaScript heap. */
  readonly allocations: Record<string, number>;
}

/** The contents of records/guard.json. */
export interface GuardRecord extends Seen {
  /** The machine, and the version of Node as `v20.20.2`. */
  readonly measured: Record<string, string>;
  /** The first recorded value of each cost. */
  readonly first: Record<string, number>;
}

/** The largest value of each row, or for ratios the least. */
export type Limits = Record<"ratios" | "costs" | "allocations", Record<string, number>>;

/** Returns the record of a run on a machine. `first` are the first costs of the record before it. */
export function recordOf(
  { texts, counts, ratios, costs, allocations }: Seen,
  measured: Record<string, string>,
  first: Record<string, number> = {},
): GuardRecord {
  const firstCosts = Object.entries(costs).map(([row, value]) => [row, first[row] ?? value]);
  return { measured, texts, counts, ratios, costs, first: Object.fromEntries(firstCosts), allocations };
}

const majorOf = (version: string | undefined): string | undefined => version?.split(".")[0];

/** Returns the limits on a version of Node. */
export function limitsFor(node: string, { measured, ratios, costs, allocations }: GuardRecord): Limits {
  const scaled = (rows: Record<string, number>, limitOf: (value: number, row: string) => number): Record<string, number> =>
    Object.fromEntries(Object.entries(rows).map(([row, value]) => [row, limitOf(value, row)]));
  const allocationFactor = majorOf(measured.node) === majorOf(node) ? ALLOCATION_FACTOR : ALLOCATION_FACTOR_OTHER_NODE;
  return {
    ratios: scaled(ratios, (value, row) =>
      Number((value * (row.includes("JavaScript") ? RATIO_FACTOR_JAVASCRIPT : RATIO_FACTOR)).toFixed(3)),
    ),
    costs: scaled(costs, (value) => Math.floor(value * COST_FACTOR)),
    allocations: scaled(allocations, (value) => Math.ceil(value * allocationFactor)),
  };
}

/** Returns a complaint for each row that only one of the two has. */
function unmatched(seen: object, recorded: object): string[] {
  const added = Object.keys(seen).filter((row) => !(row in recorded));
  const missing = Object.keys(recorded).filter((row) => !(row in seen));
  return [...added.map((row) => `${row}: not recorded`), ...missing.map((row) => `${row}: recorded, and not measured any more`)];
}

/** Returns a complaint for each row of a group that is beyond its limit. */
export function rowsBeyond(name: keyof Limits, seen: Record<string, number>, limits: Limits): string[] {
  return Object.entries(seen).flatMap(([row, value]) => {
    const limit = limits[name][row];
    if (limit === undefined || (name === "ratios" ? value >= limit : value <= limit)) return [];
    return [name === "ratios" ? `${row}: ${value} times the yardstick, at least ${limit}` : `${row}: ${value}, at most ${limit}`];
  });
}

/** Returns a complaint for each row that is beyond its limit, or that differs from an exact one. */
export function judge(seen: Seen, recorded: GuardRecord, limits: Limits): string[] {
  const grown = Object.entries(seen.costs).flatMap(([row, value]) => {
    const first = recorded.first[row] ?? value;
    return value > first * FIRST_FACTOR ? [`${row}: ${value}, more than 5 % above the first record, ${first}`] : [];
  });
  const exact = (["texts", "counts"] as const).flatMap((name) =>
    Object.entries(seen[name]).flatMap(([row, value]) => {
      const wanted = recorded[name][row];
      return wanted === undefined || wanted === value ? [] : [`${name}, ${row}: ${value}, recorded is ${wanted}`];
    }),
  );
  const rows = (["texts", "counts", "ratios", "costs", "allocations"] as const).flatMap((name) => unmatched(seen[name], recorded[name]));
  const beyond = (["ratios", "costs", "allocations"] as const).flatMap((name) => rowsBeyond(name, seen[name], limits));
  return [...exact, ...rows, ...beyond, ...grown];
}
