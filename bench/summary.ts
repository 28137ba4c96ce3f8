// The table of `npm run bench`: WebAssembly against JavaScript. Both builds of the core, the hand-written yardstick and a Node user's code
// find and normalize the URLs of the same texts, one a line, and normalize a list of URLs.
import { type CoreBuild, loadCore } from "../src/core/core.ts";
import { type Corpus, checksum } from "./corpora.ts";
import { countLines, distinctLines, linesOf, listOf, normalizeList, rawLines } from "./in-memory.ts";
import { type Effort, measure, type Row, type Timing } from "./measure.ts";
import { ALL_SCHEMES_PATTERN, countHrefs, countMatches } from "./peers.ts";
import type { Table } from "./records.ts";
import { yardstickLines } from "./yardstick.ts";

/** Matches by text (name, size, checksum), section and row. */
export type Counts = Record<string, number>;

/** Returns a complaint for each count that differs from the recorded one. */
export function wrongCounts(seen: Counts, recorded: Counts): string[] {
  return Object.entries(seen).flatMap(([row, count]) => {
    return recorded[row] === count ? [] : [`${row}: ${count} matches, recorded are ${recorded[row] ?? "none"}`];
  });
}

/** The texts of the table. */
export const SUMMARY_CORPORA = ["list-mail", "html-spam", "log"];

const JAVASCRIPT = "JavaScript build";
const BUILDS: readonly (readonly [name: string, build: CoreBuild])[] = [
  ["WASM SIMD", "simd"],
  [JAVASCRIPT, "javascript"],
];
const REGEX = "V8 regex, finds only";
const REGEX_AND_URL = "V8 regex and new URL()";
/** Names in the table for the builds, the yardstick and a Node user's code. */
const LABELS: readonly (readonly [name: string, label: string])[] = [
  ["WASM SIMD", "WebAssembly with SIMD"],
  [JAVASCRIPT, "JavaScript build of the same core"],
  ["yardstick", "JavaScript by hand (yardstick)"],
  [REGEX_AND_URL, REGEX_AND_URL],
  [REGEX, REGEX],
  ["new URL().href", "new URL().href"],
];

/** Returns a row that writes lines by the yardstick. */
export function yardstickRow(name: string, bytes: Uint8Array): Row {
  const out = new Uint8Array(3 * bytes.length + 64);
  const written = yardstickLines(bytes, 0, bytes.length, out);
  const lines = countLines(out.subarray(0, written));
  return { name, run: () => (yardstickLines(bytes, 0, bytes.length, out) === written ? lines : -1) };
}

/** Returns rows that find URLs and normalize them, one a line. */
async function linesRows(bytes: Uint8Array<ArrayBuffer>): Promise<Row[]> {
  const rows = [yardstickRow("yardstick", bytes)];
  for (const [name, build] of BUILDS) {
    const core = await loadCore(build);
    rows.push({ name, run: () => linesOf(core, bytes) });
  }
  return rows;
}

/** Returns rows that normalize URLs, one a line. */
async function normalizeRows(urls: readonly string[]): Promise<Row[]> {
  const list = listOf(urls);
  const out = new Uint8Array(3 * list.length + 64);
  const rows = [yardstickRow("yardstick", list)];
  for (const [name, build] of BUILDS) {
    const core = await loadCore(build);
    rows.push({ name, run: () => normalizeList(core, list, urls.length, out) });
  }
  rows.push({ name: "new URL().href", run: () => countHrefs(urls) });
  return rows;
}

function regexRows(bytes: Uint8Array<ArrayBuffer>): Row[] {
  const text = Buffer.from(bytes.buffer).toString("latin1");
  const pattern = (): RegExp => new RegExp(ALL_SCHEMES_PATTERN, "gi");
  return [
    { name: REGEX_AND_URL, run: () => countHrefs(text.match(pattern()) ?? []) },
    { name: REGEX, run: () => countMatches(text, pattern()) },
  ];
}

/** Throws if the two builds find different numbers of matches. */
function checkBuilds(text: string, timings: readonly Timing[]): void {
  const counts = BUILDS.map(([name]) => timings.find((timing) => timing.name === name)?.count);
  if (new Set(counts).size !== 1) throw new Error(`${text}: the builds find ${counts.join(", ")}`);
}

interface Column {
  readonly title: string;
  readonly timings: readonly Timing[];
  /** Bytes of the text, or number of URLs. */
  readonly amount: number;
  readonly digits: number;
}

function cellOf({ timings, amount, digits }: Column, name: string): string {
  const javaScript = timings.find((timing) => timing.name === JAVASCRIPT) as Timing;
  const timing = timings.find((one) => one.name === name);
  if (timing === undefined) return "";
  return `${(amount / timing.median / 1000).toFixed(digits)} (${(javaScript.median / timing.median).toFixed(2)})`;
}

function tableOf(columns: readonly Column[], notes: readonly string[]): Table {
  return {
    title: "WebAssembly against JavaScript: URLs found and normalized, in one process on one thread",
    notes: [...notes, "speed, and in brackets how many times that of the JavaScript build it is"],
    columns: ["", ...columns.map(({ title }) => title)],
    rows: LABELS.map(([name, label]) => [label, ...columns.map((column) => cellOf(column, name))]),
  };
}

/** Measures the texts, and the list of their URLs. */
export async function summarize(corpora: Iterable<Corpus>, effort: Effort): Promise<{ tables: Table[]; counts: Counts }> {
  const counts: Counts = {};
  const keep = (text: string, section: string, timings: readonly Timing[]): void => {
    checkBuilds(text, timings);
    for (const { name, count } of timings) counts[`${text}, ${section}: ${name}`] = count;
  };
  const columns: Column[] = [];
  const notes: string[] = [];
  const found: Uint8Array[] = [];
  for (const { name, origin, bytes } of corpora) {
    const timings = measure([...(await linesRows(bytes)), ...regexRows(bytes)], effort);
    keep(`${name} ${bytes.length} ${checksum(bytes)}`, "lines", timings);
    columns.push({ title: `${name}, MB/s`, timings, amount: bytes.length, digits: 0 });
    const density = ((timings[0] as Timing).count / (bytes.length / 1024)).toFixed(1);
    notes.push(`${name}: ${origin}; ${(bytes.length / 1e6).toFixed(1)} MB, ${density} URLs per KiB`);
    found.push(rawLines(await loadCore("simd"), bytes));
  }
  const urls = distinctLines(found);
  if (urls.length > 0) {
    const timings = measure(await normalizeRows(urls), effort);
    keep(`distinct URLs ${urls.length} ${checksum(listOf(urls))}`, "normalize", timings);
    columns.push({ title: "list, M URLs/s", timings, amount: urls.length, digits: 2 });
    notes.push(`list: their ${urls.length} distinct URLs, one a line, normalized`);
  }
  return { tables: [tableOf(columns, notes)], counts };
}
