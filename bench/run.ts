// `npm run bench`: WebAssembly against JavaScript in one table (summary.ts), in half a minute; with --report FOLDER all of report.ts.
// `--help` names the arguments.
import { parseArgs } from "node:util";
import { installPeers } from "./contenders.ts";
import { loadCorpora, missingNote } from "./corpora.ts";
import { SUMMARY_EFFORT } from "./measure.ts";
import { printTable, readJson, report, writeJson, writeRecord } from "./records.ts";
import { writeReport } from "./report.ts";
import { type Counts, SUMMARY_CORPORA, summarize, wrongCounts } from "./summary.ts";

const COUNTS = "counts.json";

const textOf = (row: string): string => row.split(", ")[0] as string;

/** Returns a note about texts without recorded counts; empty if there are none. */
function unknownNote(seen: Counts, recorded: Counts): string {
  const known = new Set(Object.keys(recorded).map(textOf));
  const unknown = [...new Set(Object.keys(seen).map(textOf))].filter((text) => !known.has(text));
  return unknown.length === 0 ? "" : `nothing is recorded of ${unknown.join("; ")}: counts are not compared\n`;
}

const HELP = `npm run bench -- [options]

Without --report: WebAssembly against JavaScript in one table, in half a minute; exits with 1 if a count is not the recorded one.
  --only CORPUS   one text: ${SUMMARY_CORPORA.join(", ")}

--report FOLDER   the core as JavaScript, as scalar WebAssembly and with SIMD, beside TypeScript and packages, in three minutes: tables,
                  and report.json, report.csv and report.svg in FOLDER (docs/wasm-and-typescript.md)
  --corpus FOLDER   real texts (bench/README.md) instead of generated ones
  --rounds N        rounds over all rows (15)
  --platforms       all rows on Node 24 too, and Node 20, 22 and 26, Bun and Deno, from npm: eight minutes more
  --install         install linkify-it and linkifyjs first, to .peers/

--size MIB        of each text (8; with --report 4)
--record          write the tables to bench/records/
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", short: "h" },
      record: { type: "boolean", default: false },
      size: { type: "string" },
      only: { type: "string" },
      report: { type: "string" },
      corpus: { type: "string" },
      rounds: { type: "string", default: "15" },
      platforms: { type: "boolean", default: false },
      install: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  if (values.report !== undefined) {
    if (values.install) installPeers(["linkify-it", "linkifyjs"]);
    const { corpus, platforms } = values;
    const options = { size: Number(values.size ?? 4) << 20, rounds: Number(values.rounds), corpus, platforms };
    await writeReport(values.report, options, values.record);
    return;
  }
  const names = values.only === undefined ? SUMMARY_CORPORA : [values.only];
  const corpora = loadCorpora(names, Number(values.size ?? 8) << 20);
  process.stdout.write(missingNote(names));
  const { tables, counts } = await summarize(corpora, SUMMARY_EFFORT);
  for (const table of tables) printTable(table);
  const recorded = readJson<Counts>(COUNTS, {});
  if (values.record) {
    writeJson(COUNTS, { ...recorded, ...counts });
    await writeRecord("summary", tables);
    return;
  }
  process.stdout.write(unknownNote(counts, recorded));
  const texts = new Set(Object.keys(recorded).map(textOf));
  const compared = Object.entries(counts).filter(([row]) => texts.has(textOf(row)));
  report(wrongCounts(Object.fromEntries(compared), recorded));
}

await main();
