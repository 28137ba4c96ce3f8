// `npm run bench:guard` fails if a cost is higher than recorded, if a speed is far below its recorded multiple of the yardstick's, or if
// the matches in generated text differ. `--record` writes the new figures to records/guard.json. `--prove` shows that slow cores fall
// below each floor.
import { allocationsApart } from "./guard/allocations.ts";
import { observeCosts } from "./guard/costs.ts";
import { type GuardRecord, judge, type Limits, limitsFor, recordOf, rowsBeyond, type Seen } from "./guard/judge.ts";
import { loadSlowCore } from "./guard/slow.ts";
import { observeSpeed } from "./guard/speed.ts";
import { machine, printTable, readJson, report, writeJson } from "./records.ts";

const RECORD = "guard.json";
/** Most measurements of ratios and allocations. The best value counts, because the machine may be busy. */
const TRIES = 5;

/** Repeats a measurement until `isDone` returns true; returns the better value of each row. */
async function settled(
  first: Record<string, number>,
  again: () => Promise<Record<string, number>>,
  better: (a: number, b: number) => number,
  isDone: (rows: Record<string, number>) => boolean,
): Promise<Record<string, number>> {
  let best = first;
  for (let tries = 1; tries < TRIES && !isDone(best); tries++) {
    const rows = await again();
    best = Object.fromEntries(Object.entries(best).map(([row, value]) => [row, better(value, rows[row] ?? value)]));
  }
  return best;
}

/** Measures everything. Without limits all tries are made. */
async function observe(limits: Limits | undefined): Promise<Seen> {
  const speed = await observeSpeed();
  const isDone = (name: "ratios" | "allocations") => (rows: Record<string, number>) =>
    limits !== undefined && rowsBeyond(name, rows, limits).length === 0;
  return {
    ...speed,
    ratios: await settled(speed.ratios, async () => (await observeSpeed()).ratios, Math.max, isDone("ratios")),
    allocations: await settled(await allocationsApart(), allocationsApart, Math.min, isDone("allocations")),
    costs: await observeCosts(),
  };
}

function print(seen: Seen, limits: Limits): void {
  for (const name of ["ratios", "costs", "allocations"] as const) {
    const title = name === "ratios" ? "speed, times the yardstick" : name;
    const rows = Object.entries(seen[name]).map(([row, value]) => [row, value, limits[name][row] ?? "not recorded"]);
    printTable({ title, notes: [], columns: ["row", "seen", name === "ratios" ? "at least" : "at most"], rows });
  }
}

const recorded = readJson<GuardRecord | undefined>(RECORD, undefined);
if (process.argv.includes("--record")) {
  writeJson(RECORD, recordOf(await observe(undefined), machine(), recorded?.first));
  process.stdout.write(`recorded in records/${RECORD}\n`);
} else if (recorded === undefined) {
  report([`records/${RECORD} is missing: write it with --record`]);
} else if (process.argv.includes("--prove")) {
  const { ratios } = await observeSpeed(undefined, undefined, loadSlowCore);
  const limits = limitsFor(process.version, recorded);
  const unseen = Object.entries(ratios).filter(([row, ratio]) => rowsBeyond("ratios", { [row]: ratio }, limits).length === 0);
  report(unseen.map(([row, ratio]) => `${row}: ${ratio} times the yardstick is not below the floor, with a core four times as slow`));
} else {
  const limits = limitsFor(process.version, recorded);
  const seen = await observe(limits);
  print(seen, limits);
  report(judge(seen, recorded, limits));
}
