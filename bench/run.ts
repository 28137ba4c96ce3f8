// `npm run bench`: WebAssembly against JavaScript in one table (summary.ts), in half a minute. Arguments: --record writes records/;
// --size MIB (8); --only CORPUS. Fails when a count is not the recorded one.
import { parseArgs } from "node:util";
import { loadCorpora, missingNote } from "./corpora.ts";
import { SUMMARY_EFFORT } from "./measure.ts";
import { printTable, readJson, report, writeJson, writeRecord } from "./records.ts";
import { type Counts, SUMMARY_CORPORA, summarize, wrongCounts } from "./summary.ts";

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
    options: { record: { type: "boolean" }, size: { type: "string", default: "8" }, only: { type: "string" } },
  });
  const names = values.only === undefined ? SUMMARY_CORPORA : [values.only];
  const corpora = loadCorpora(names, Number(values.size) << 20);
  process.stdout.write(missingNote(names));
  const { tables, counts } = await summarize(corpora, SUMMARY_EFFORT);
  for (const table of tables) printTable(table);
  const recorded = readJson<Counts>(COUNTS, {});
  if (values.record) {
    writeJson(COUNTS, { ...recorded, ...counts });
    writeRecord("summary", tables);
    return;
  }
  process.stdout.write(unknownNote(counts, recorded));
  const texts = new Set(Object.keys(recorded).map(textOf));
  const compared = Object.entries(counts).filter(([row]) => texts.has(textOf(row)));
  report(wrongCounts(Object.fromEntries(compared), recorded));
}

await main();
