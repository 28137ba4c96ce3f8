// `npm run bench:guard`: fails when the core has become slower against the frozen yardstick, costs more of what can be counted, takes more
// than linear time for a hostile text, or finds another number of matches in generated text. Needs no corpus.
// `--record` takes what is seen for the new records/guard.json; `--prove` shows that it fails when it should and only then.
import { allocationLimits, floorsFor, type GuardRecord, recordOf } from "./guard/judge.ts";
import { kindOfMachine } from "./guard/processes.ts";
import { prove } from "./guard/proof.ts";
import { observeToRecord, runGuard, type Verdict } from "./guard/run.ts";
import { machine, printTable, readJson, report, writeJson, writeRecord } from "./records.ts";

const RECORD = "guard.json";

function print({ ratios, processes, seen }: Verdict, recorded: GuardRecord): void {
  const kind = kindOfMachine();
  const floors = floorsFor(kind, recorded);
  const known = recorded.floors[kind] === undefined ? "of which nothing is recorded: its floors are wide" : "of which floors are recorded";
  printTable({
    title: "speed",
    notes: [`on ${kind}, ${known}; best of ${processes} processes`],
    columns: ["row", "x yardstick", "at least"],
    rows: Object.entries(ratios).map(([row, ratio]) => [row, ratio, floors[row] ?? "not recorded"]),
  });
  const limits = { costs: recorded.costs, allocations: allocationLimits(process.version, recorded) };
  for (const name of ["costs", "allocations"] as const) {
    printTable({
      title: name,
      notes: [],
      columns: ["row", "seen", "at most"],
      rows: Object.entries(seen[name]).map(([row, value]) => [row, value, limits[name][row]?.limit ?? "not recorded"]),
    });
  }
  printTable({ title: "hostile texts", notes: [], columns: ["family", "time(2n)/time(n)"], rows: Object.entries(seen.growth) });
}

async function main(): Promise<void> {
  const recorded = readJson<GuardRecord | undefined>(RECORD, undefined);
  if (process.argv.includes("--record") && !process.argv.includes("--prove")) {
    writeJson(RECORD, recordOf(await observeToRecord(), kindOfMachine(), machine(), recorded));
    process.stdout.write(`recorded in records/${RECORD}, with floors for ${kindOfMachine()}\n`);
    return;
  }
  if (recorded === undefined) throw new Error("records/guard.json is missing: write it with --record");
  if (process.argv.includes("--prove")) {
    const { tables, wrong } = await prove(recorded);
    for (const table of tables) printTable(table);
    if (process.argv.includes("--record")) writeRecord("guard-proof", tables);
    report(wrong);
    return;
  }
  const verdict = await runGuard(recorded);
  print(verdict, recorded);
  report(verdict.wrong);
}

if (process.argv[1] === import.meta.filename) await main();
