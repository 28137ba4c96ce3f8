// The core against the yardstick and against what a Node user would write, in one process, step by step and by density of URLs.
import { type CoreBuild, loadCore } from "../src/core/core.ts";
import { type Corpus, checksum } from "./corpora.ts";
import { countLines, distinctLines, linesOf, listOf, normalizeList, rawLines, scanAlone, scanBytes } from "./in-memory.ts";
import { type Effort, measure, type Row, type Timing } from "./measure.ts";
import { ALL_SCHEMES_PATTERN, countHrefs, countMatches, HTTPS_PATTERN } from "./peers.ts";
import type { Table } from "./records.ts";
import { YARDSTICK_ROW_WORDS, yardstickExtract, yardstickLines } from "./yardstick.ts";

const BUILDS: readonly [string, CoreBuild][] = [
  ["WASM SIMD", "simd"],
  ["JavaScript build", "javascript"],
];

/** Matches by text (name, size, checksum), section and row. */
export type Counts = Record<string, number>;

/** What a run of the tables gives. */
export interface Outcome {
  readonly tables: Table[];
  readonly counts: Counts;
}

/** The lines of complaint about counts that are not the recorded ones. */
export function wrongCounts(seen: Counts, recorded: Counts): string[] {
  return Object.entries(seen).flatMap(([row, count]) => {
    return recorded[row] === count ? [] : [`${row}: ${count} matches, recorded are ${recorded[row] ?? "none"}`];
  });
}

async function extractRows({ bytes }: Corpus): Promise<Row[]> {
  const spans = new Int32Array(YARDSTICK_ROW_WORDS * (bytes.length >> 3));
  const text = Buffer.from(bytes.buffer).toString("latin1");
  const rows: Row[] = [
    { name: "yardstick", run: () => yardstickExtract(bytes, 0, bytes.length, spans) },
    { name: "yardstick without memchr", run: () => yardstickExtract(bytes, 0, bytes.length, spans, "words") },
  ];
  for (const [name, build] of BUILDS) {
    const core = scanAlone(await loadCore(build));
    rows.push({ name, run: () => scanBytes(core, bytes, "lines") });
  }
  rows.push({ name: "V8 regex https?", run: () => countMatches(text, new RegExp(HTTPS_PATTERN, "g")) });
  rows.push({ name: "V8 regex all schemes", run: () => countMatches(text, new RegExp(ALL_SCHEMES_PATTERN, "gi")) });
  return rows;
}

/** Rows that extract and normalize, one URL a line. */
export async function linesRows(bytes: Uint8Array<ArrayBuffer>): Promise<Row[]> {
  const out = new Uint8Array(bytes.length + (bytes.length >> 1) + 64);
  const expected = yardstickExtract(bytes, 0, bytes.length, new Int32Array(YARDSTICK_ROW_WORDS * (bytes.length >> 3)));
  const written = yardstickLines(bytes, 0, bytes.length, out);
  if (countLines(out.subarray(0, written)) !== expected) throw new Error("the yardstick writes another number of lines than it finds");
  const rows: Row[] = [{ name: "yardstick", run: () => (yardstickLines(bytes, 0, bytes.length, out) === written ? expected : -1) }];
  for (const [name, build] of BUILDS) {
    const core = await loadCore(build);
    rows.push({ name, run: () => linesOf(core, bytes) });
  }
  const core = await loadCore("simd");
  rows.push({ name: "WASM SIMD, packed matches", run: () => scanBytes(core, bytes, "matches") });
  return rows;
}

/** Rows that normalize URLs, one a line. */
export async function normalizeRows(urls: readonly string[]): Promise<Row[]> {
  const list = listOf(urls);
  const out = new Uint8Array(3 * list.length + 64);
  const expected = yardstickExtract(list, 0, list.length, new Int32Array(YARDSTICK_ROW_WORDS * list.length));
  const written = yardstickLines(list, 0, list.length, out);
  const rows: Row[] = [{ name: "yardstick", run: () => (yardstickLines(list, 0, list.length, out) === written ? expected : -1) }];
  for (const [name, build] of BUILDS) {
    const core = await loadCore(build);
    rows.push({ name, run: () => normalizeList(core, list, urls.length, out) });
  }
  rows.push({ name: "new URL().href", run: () => countHrefs(urls) });
  return rows;
}

/** `unit`: what is divided by the time: bytes in MB, or URLs in millions. */
function tableOf(title: string, notes: readonly string[], timings: readonly Timing[], unit: string, amount: number): Table {
  const yardstick = timings[0] as Timing;
  const digits = unit === "MB/s" ? 0 : 2;
  const median = (row: Timing): number => amount / row.median / 1000;
  const best = (row: Timing): number => amount / row.best / 1000;
  return {
    title,
    notes,
    columns: ["row", "count", unit, "best", "x yardstick", "best x best"],
    rows: timings.map((row) => [
      row.name,
      row.count,
      median(row).toFixed(digits),
      best(row).toFixed(digits),
      (median(row) / median(yardstick)).toFixed(2),
      (best(row) / best(yardstick)).toFixed(2),
    ]),
  };
}

/** Runs the tables of each corpus, and one over the URLs of all. */
export async function runTables(corpora: Iterable<Corpus>, effort: Effort): Promise<Outcome> {
  const outcome: Outcome = { tables: [], counts: {} };
  const keep = (corpus: string, section: string, timings: readonly Timing[]): void => {
    for (const { name, count } of timings) outcome.counts[`${corpus}, ${section}: ${name}`] = count;
  };
  const found: Uint8Array[] = [];
  const names: string[] = [];
  for (const corpus of corpora) {
    const size = corpus.bytes.length;
    const key = `${corpus.name} ${size} ${checksum(corpus.bytes)}`;
    const extract = measure(await extractRows(corpus), effort);
    keep(key, "extract", extract);
    const density = `${((extract[0] as Timing).count / (size / 1024)).toFixed(2)} URLs per KiB`;
    outcome.tables.push(tableOf(`${corpus.name}: extract`, [corpus.origin, density], extract, "MB/s", size));
    const lines = measure(await linesRows(corpus.bytes), effort);
    keep(key, "lines", lines);
    outcome.tables.push(tableOf(`${corpus.name}: extract and normalize`, [], lines, "MB/s", size));
    found.push(rawLines(await loadCore("simd"), corpus.bytes));
    names.push(corpus.name);
  }
  const urls = distinctLines(found);
  if (urls.length === 0) return outcome;
  const normalized = measure(await normalizeRows(urls), effort);
  keep(`distinct URLs ${urls.length} ${checksum(listOf(urls))}`, "normalize", normalized);
  const notes = [
    `the ${urls.length} distinct URLs of ${names.join(", ")}, one a line; for the yardstick extraction from the list included`,
  ];
  outcome.tables.push(tableOf("normalize a list", notes, normalized, "M URLs/s", urls.length));
  return outcome;
}
