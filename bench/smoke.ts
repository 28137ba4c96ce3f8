// `npm run bench:smoke`: runs every bench on little generated text and checks its counts, so that no bench breaks unnoticed. The tests run
// it too. `--record` writes the counts to records/smoke.json.
import { measureArchives } from "./archives.ts";
import { checksum, generatedCorpus } from "./corpora.ts";
import { compareFiles } from "./files.ts";
import { GENERATED_KINDS, generate } from "./generator.ts";
import { observeSpeed } from "./guard/speed.ts";
import { SMOKE_EFFORT } from "./measure.ts";
import { measureMemory } from "./memory.ts";
import { plotOf } from "./plot.ts";
import { readJson, type Table, writeJson } from "./records.ts";
import { compareTexts } from "./report.ts";
import { comparePeers } from "./side-by-side.ts";
import { measureSmall } from "./small.ts";
import { type Counts, summarize, wrongCounts } from "./summary.ts";

const RECORD = "smoke.json";
const BYTES = 100_000;
/** Kinds of texts for the tables. They make the list of URLs themselves. */
const TEXT_KINDS = GENERATED_KINDS.filter((kind) => kind !== "urls");

/** Returns the numbers of a column by the first cells of their rows. */
function countsOf(table: Table, section: string, column: number): Counts {
  return Object.fromEntries(table.rows.map((row) => [`${section}: ${row[0]}`, Number(row[column])]));
}

/** Returns a table with only the rows of urlmill. */
function oursOf(table: Table): Table {
  return { ...table, rows: table.rows.filter(([name]) => `${name}`.startsWith("urlmill")) };
}

async function seenCounts(): Promise<Counts> {
  const counts: Counts = {};
  for (const kind of GENERATED_KINDS) counts[`checksum of ${kind}`] = Number.parseInt(checksum(generate(kind, 1, BYTES)), 16);
  const corpora = TEXT_KINDS.map((kind) => generatedCorpus(kind, BYTES));
  Object.assign(counts, (await summarize(corpora, SMOKE_EFFORT)).counts);
  const guard = await observeSpeed(SMOKE_EFFORT, BYTES);
  for (const [row, count] of Object.entries(guard.counts)) counts[`guard, ${row}`] = count;
  const mail = generatedCorpus("mail", BYTES);
  const sideBySide = await comparePeers(mail, 2 * BYTES, BYTES, 1);
  const bars = sideBySide.panels.flatMap((panel) => panel.bars);
  if (plotOf("smoke", sideBySide.panels).split("<rect").length !== bars.length + 1) throw new Error("the plot has not a bar for each row");
  for (const one of sideBySide.tables) Object.assign(counts, countsOf(oursOf(one), "peers", 1));
  const { texts } = await compareTexts({ size: BYTES, rounds: 1, corpus: undefined });
  for (const { text, rows } of texts) {
    for (const { row, side, found } of rows) if (side === "urlmill") counts[`report, ${text}: ${row}`] = Number(found);
  }
  const { table, wrong } = await compareFiles(mail, 3, 1);
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  Object.assign(counts, countsOf(oursOf(table), "files", 1));
  for (const one of await measureSmall(SMOKE_EFFORT)) Object.assign(counts, countsOf(oursOf(one), one.title, 1));
  // The text of an archive depends on the present corpora.
  for (const { table: one } of await measureArchives(BYTES, 20, 1)) {
    if (one.rows.some((row) => row[1] === 0)) throw new Error(`${one.title}: nothing found`);
  }
  const memory = await measureMemory(mail.bytes, 3);
  return Object.assign(counts, countsOf(memory.table, "memory", 1));
}

/** Runs every bench on little text. Throws if a count is not the recorded one. */
export async function smoke(): Promise<void> {
  const wrong = wrongCounts(await seenCounts(), readJson<Counts>(RECORD, {}));
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
}

async function main(): Promise<void> {
  if (process.argv.includes("--record")) {
    writeJson(RECORD, await seenCounts());
    return;
  }
  await smoke();
  process.stdout.write("every bench ran on little text and found what is recorded\n");
}

if (process.argv[1] === import.meta.filename) await main();
