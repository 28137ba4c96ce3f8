// `npm run bench`: WebAssembly against JavaScript in one table (summary.ts), in half a minute. `--all`: more tables (tables.ts), in some
// minutes. Other arguments: --record writes records/; --size MIB; --only CORPUS. Fails when a count is not the recorded one.
import { parseArgs } from "node:util";
import { CORPUS_NAMES, loadCorpora, missingNote } from "./corpora.ts";
import { FULL_EFFORT, SUMMARY_EFFORT } from "./measure.ts";
import { printTable, readJson, report, writeJson, writeRecord } from "./records.ts";
import { SUMMARY_CORPORA, summarize } from "./summary.ts";
import { type Counts, runTables, wrongCounts } from "./tables.ts";

const COUNTS = "counts.json";

const textOf = (row: string): string => row.split(", ")[0] as string;

/** Says which texts have no recorded counts; empty where all have. */
function unknownNote(seen: Counts, recorded: Counts): string {
  const known = new Set(Object.keys(recorded).map(textOf));
  const unknown = [...new Set(Object.keys(seen).map(textOf))].filter((text) => !known.has(text));
  return unknown.length === 0 ? "" : `nothing is recorded of ${unknown.join("; ")}: counts are not compared\n`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { record: { type: "boolean" }, all: { type: "boolean" }, size: { type: "string" }, only: { type: "string" } },
  });
  const names = values.only === undefined ? (values.all ? CORPUS_NAMES : SUMMARY_CORPORA) : [values.only];
  const corpora = loadCorpora(names, Number(values.size ?? (values.all ? 32 : 8)) << 20);
  process.stdout.write(missingNote(names));
  const { tables, counts } = values.all ? await runTables(corpora, FULL_EFFORT) : await summarize(corpora, SUMMARY_EFFORT);
  for (const table of tables) printTable(table);
  const recorded = readJson<Counts>(COUNTS, {});
  if (values.record) {
    writeJson(COUNTS, { ...recorded, ...counts });
    writeRecord(values.all ? "in-memory" : "summary", tables);
    return;
  }
  process.stdout.write(unknownNote(counts, recorded));
  const texts = new Set(Object.keys(recorded).map(textOf));
  const compared = Object.entries(counts).filter(([row]) => texts.has(textOf(row)));
  report(wrongCounts(Object.fromEntries(compared), recorded));
}

await main();
