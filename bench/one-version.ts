// Run by node-versions.ts with each version of Node: times the works on the texts of a folder, writes what it has seen to standard output.
// Arguments: the folder, which holds NAME.txt for each text and the distinct URLs of all as LIST_FILE; "smoke" for a run without measure.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Effort, measure, type Row, SMOKE_EFFORT, type Timing } from "./measure.ts";
import { ALL_SCHEMES_PATTERN, countMatches } from "./peers.ts";
import { linesRows, normalizeRows } from "./tables.ts";

/** The list of URLs to normalize, one a line. */
export const LIST_FILE = "urls.list";
/** Longer than the rounds of other benches: a process has but one. */
const EFFORT: Effort = { rounds: 1, time: 200, iterations: 5 };

/** What was seen in one process: rows of a text are named `TEXT: ROW`. */
export interface Seen {
  readonly texts: readonly Timing[];
  readonly list: readonly Timing[];
}

async function rowsOf(bytes: Uint8Array<ArrayBuffer>): Promise<Row[]> {
  const text = Buffer.from(bytes.buffer).toString("latin1");
  const regex: Row = { name: "V8 regex all schemes", run: () => countMatches(text, new RegExp(ALL_SCHEMES_PATTERN, "gi")) };
  return [...(await linesRows(bytes)), regex];
}

async function observe(folder: string, effort: Effort): Promise<Seen> {
  const texts: Timing[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".txt"))) {
    const rows = await rowsOf(new Uint8Array(readFileSync(join(folder, file))));
    texts.push(...measure(rows, effort).map((timing) => ({ ...timing, name: `${file.slice(0, -4)}: ${timing.name}` })));
  }
  const urls = readFileSync(join(folder, LIST_FILE), "utf8").split("\n").slice(0, -1);
  return { texts, list: measure(await normalizeRows(urls), effort) };
}

if (process.argv[1] === import.meta.filename) {
  const [folder, kind] = process.argv.slice(2);
  process.stdout.write(JSON.stringify(await observe(folder as string, kind === "smoke" ? SMOKE_EFFORT : EFFORT)));
}
