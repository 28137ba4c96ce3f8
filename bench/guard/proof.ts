// The proof of the guard: it passes in ten runs in which nothing has changed while the other cores are busy, and it fails when the core is
// slowed on purpose by a third, as a whole or in one of its builds or uses, and when a hostile text takes more than linear time.
import { loadCore } from "../../src/core/core.ts";
import type { Table } from "../records.ts";
import { growthOf, HOSTILE, type Hostile } from "./growth.ts";
import { floorsFor, type GuardRecord, judgeGrowth, judgeRatios } from "./judge.ts";
import { kindOfMachine, withOthersBusy } from "./processes.ts";
import { observeRatios, runGuard } from "./run.ts";
import { quadraticCore, type Slowed } from "./slow.ts";

const RUNS = 10;
/** What the scan of each mebibyte takes longer than that of the one before, in ms. */
const QUADRATIC_MS = 1;
const QUADRATIC_SIZES = [4 << 20, 8 << 20, 16 << 20];

/** What is slowed, and the rows that have to fall below their floors. */
const SLOW_RUNS: readonly { slowed: Slowed; busy: boolean; falls: RegExp }[] = [
  { slowed: "all", busy: false, falls: /./ },
  { slowed: "all", busy: true, falls: /./ },
  { slowed: "scan", busy: true, falls: /WASM SIMD extract/ },
  { slowed: "list", busy: true, falls: /WASM SIMD list/ },
  { slowed: "javascript", busy: true, falls: /javascript/ },
];

/** What a proof found: tables to print, and what is wrong with the guard. */
export interface Proof {
  readonly tables: readonly Table[];
  readonly wrong: readonly string[];
}

/** The smallest of the ratios by their floors, as text. */
function nearest(ratios: Record<string, number>, floors: Record<string, number>, rows: readonly string[], worst: boolean): string {
  const margins = rows.map((row) => (ratios[row] as number) / (floors[row] as number));
  const margin = worst ? Math.min(...margins) : Math.max(...margins);
  return `${margin.toFixed(3)} (${rows[margins.indexOf(margin)]})`;
}

async function proveSteady(recorded: GuardRecord, floors: Record<string, number>): Promise<Proof> {
  const rows: (string | number)[][] = [];
  const wrong: string[] = [];
  for (let run = 1; run <= RUNS; run++) {
    const begin = performance.now();
    const verdict = await withOthersBusy(() => runGuard(recorded));
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    process.stderr.write(`nothing has changed, run ${run} of ${RUNS}: ${verdict.wrong.length} complaints, ${seconds} s\n`);
    rows.push([run, verdict.wrong.length, verdict.processes, nearest(verdict.ratios, floors, Object.keys(verdict.ratios), true), seconds]);
    wrong.push(...verdict.wrong.map((complaint) => `nothing has changed, run ${run}: ${complaint}`));
  }
  const columns = ["run", "complaints", "processes", "nearest to its floor", "s"];
  const notes = ["whole runs of the guard; every run has to pass; 1 is the floor itself"];
  return { tables: [{ title: "nothing has changed, the other cores are busy", notes, columns, rows }], wrong };
}

async function proveSlowed(floors: Record<string, number>): Promise<Proof> {
  const rows: (string | number)[][] = [];
  const wrong: string[] = [];
  for (const { slowed, busy, falls } of SLOW_RUNS) {
    const observe = () => observeRatios(floors, slowed);
    const { speed, processes } = await (busy ? withOthersBusy(observe) : observe());
    const expected = Object.keys(speed.ratios).filter((row) => falls.test(row));
    const complaints = judgeRatios(speed.ratios, floors);
    const missed = expected.filter((row) => !complaints.some((complaint) => complaint.startsWith(`${row}:`)));
    const name = `${slowed}, others ${busy ? "busy" : "idle"}`;
    const seen = `${expected.length - missed.length} of ${expected.length}`;
    process.stderr.write(`slowed: ${name}: ${seen} rows seen\n`);
    rows.push([name, seen, complaints.length, processes, nearest(speed.ratios, floors, expected, false)]);
    wrong.push(
      ...missed.map((row) => `slowed by a third, ${name}: ${row} was not seen: ${speed.ratios[row]}, its floor is ${floors[row]}`),
    );
  }
  const columns = ["slowed", "slowed rows seen", "complaints", "processes", "nearest to its floor"];
  const notes = ["each call of the core's functions is followed by a wait of a third of its time; every slowed row has to be seen"];
  return { tables: [{ title: "slowed by a third", notes, columns, rows }], wrong };
}

async function proveGrowth(): Promise<Proof> {
  const core = await loadCore("simd");
  // A text that the scan is called for once a mebibyte.
  const hostile = HOSTILE.find(({ name }) => name.startsWith("brackets")) as Hostile;
  const growth = { [hostile.name]: growthOf(hostile, () => quadraticCore(core, QUADRATIC_MS), QUADRATIC_SIZES) };
  const wrong = judgeGrowth(growth).length > 0 ? [] : [`a scan that takes quadratic time was not seen: ${JSON.stringify(growth)}`];
  const notes = [`the scan of each mebibyte takes ${QUADRATIC_MS} ms longer than that of the one before; has to be seen`];
  const rows = Object.entries(growth).map(([name, ratio]) => [name, ratio, judgeGrowth(growth).length]);
  return { tables: [{ title: "quadratic time", notes, columns: ["family", "time(2n)/time(n)", "complaints"], rows }], wrong };
}

/** Runs the proof: several minutes. */
export async function prove(recorded: GuardRecord): Promise<Proof> {
  const floors = floorsFor(kindOfMachine(), recorded);
  const parts = [await proveGrowth(), await proveSlowed(floors), await proveSteady(recorded, floors)];
  return { tables: parts.flatMap(({ tables }) => tables), wrong: parts.flatMap(({ wrong }) => wrong) };
}
