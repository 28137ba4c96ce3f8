// The first table of `npm run bench`: what WebAssembly is worth. The core's three builds, the hand-written yardstick, and what a Node user
// would write, over the same texts: URLs are found and normalized, one a line; and a list of URLs is normalized.
import { loadCore } from "../src/core/core.ts";
import { type Corpus, checksum } from "./corpora.ts";
import { distinctLines, listOf, rawLines } from "./in-memory.ts";
import { type Effort, measure, type Row, type Timing } from "./measure.ts";
import { ALL_SCHEMES_PATTERN, countHrefs, countMatches } from "./peers.ts";
import type { Table } from "./records.ts";
import { linesRows, normalizeRows, type Outcome } from "./tables.ts";

/** The texts of the table. */
export const SUMMARY_CORPORA = ["list-mail", "html-spam", "log"];

const JAVASCRIPT = "JavaScript build";
const REGEX = "V8 regex, finds only";
const REGEX_AND_URL = "V8 regex and new URL()";
/** The builds, the yardstick and what a Node user would write, as the table names them. */
const LABELS: readonly (readonly [name: string, label: string])[] = [
  ["WASM SIMD", "WebAssembly with SIMD"],
  [JAVASCRIPT, "JavaScript build of the same core"],
  ["yardstick", "JavaScript by hand (yardstick)"],
  [REGEX_AND_URL, REGEX_AND_URL],
  [REGEX, REGEX],
  ["new URL().href", "new URL().href"],
];

function regexRows(bytes: Uint8Array<ArrayBuffer>): Row[] {
  const text = Buffer.from(bytes.buffer).toString("latin1");
  const pattern = (): RegExp => new RegExp(ALL_SCHEMES_PATTERN, "gi");
  return [
    { name: REGEX_AND_URL, run: () => countHrefs(text.match(pattern()) ?? []) },
    { name: REGEX, run: () => countMatches(text, pattern()) },
  ];
}

/** Throws where the builds, which are one core, do not find the same. */
function checkBuilds(text: string, timings: readonly Timing[]): void {
  const counts = ["WASM SIMD", JAVASCRIPT].map((name) => timings.find((timing) => timing.name === name)?.count);
  if (new Set(counts).size !== 1) throw new Error(`${text}: the builds find ${counts.join(", ")}`);
}

interface Column {
  readonly title: string;
  readonly timings: readonly Timing[];
  /** Bytes in MB by time, or URLs in millions. */
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

/** Measures the texts and the list of the URLs in them. */
export async function summarize(corpora: Iterable<Corpus>, effort: Effort): Promise<Outcome> {
  const counts: Record<string, number> = {};
  const keep = (text: string, section: string, timings: readonly Timing[]): void => {
    checkBuilds(text, timings);
    for (const { name, count } of timings) counts[`${text}, ${section}: ${name}`] = count;
  };
  const columns: Column[] = [];
  const notes: string[] = [];
  const found: Uint8Array[] = [];
  for (const { name, origin, bytes } of corpora) {
    const rows = (await linesRows(bytes)).filter((row) => LABELS.some(([known]) => known === row.name));
    const timings = measure([...rows, ...regexRows(bytes)], effort);
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
