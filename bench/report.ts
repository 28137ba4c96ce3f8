// `npm run bench -- --report FOLDER`: the gain by WebAssembly, by its SIMD and by the algorithm. Compares the core as JavaScript, as scalar
// WebAssembly and with SIMD, beside TypeScript of three kinds and two packages, on texts of five kinds; also sizes, starts and stages.
// `report.ts SIZE ROUNDS [CORPUS]` prints the figures of the texts as JSON, so that another version of Node can measure them.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { createExtractor, extract } from "urlmill";
import { type Core, type CoreBuild, loadCore } from "../src/core/core.ts";
import { programOf } from "../tools/program-of.mjs";
import { type Contender, finderContenders, timed } from "./contenders.ts";
import { type Corpus, generatedCorpus } from "./corpora.ts";
import { makeFinder } from "./finders.cjs";
import type { GeneratedKind } from "./generator.ts";
import { linesOf, rawLines, scanAs } from "./in-memory.ts";
import { ALL_SCHEMES_PATTERN, countHrefs } from "./peers.ts";
import { comparePlatforms } from "./platforms.ts";
import { type Panel, plotOf } from "./plot.ts";
import { machine, printTable, refuseIfBusy, type Table, writeRecord } from "./records.ts";
import { loadText, type Measured, measureInTurn } from "./side-by-side.ts";
import { countUrls } from "./small.ts";
import { measureStages, type Stages, stagesTable } from "./stages.ts";
import { yardstickRow } from "./summary.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** The builds of the core, as the tables name them, and their files. */
const BUILDS: readonly (readonly [name: string, build: CoreBuild, file: string])[] = [
  ["core, JavaScript", "javascript", "build/node/javascript.cjs"],
  ["core, scalar WebAssembly", "scalar", "build/wasm/scalar.wasm"],
  ["core, WebAssembly with SIMD", "simd", "build/wasm/simd.wasm"],
];
/** Share of a text for the packages: linkifyjs takes a second for two megabytes. */
const PACKAGES_SHARE = 1 / 8;
const IDIOMATIC = "TypeScript: RegExp and new URL()";

/** Titles of the texts, the names of the real ones, and the kinds of the generated ones. */
const TEXTS: readonly (readonly [title: string, corpus: string, kind: GeneratedKind])[] = [
  ["list mail", "list-mail", "mail"],
  ["HTML", "html-spam", "html"],
  ["log", "log", "log"],
  ["list of URLs", "url-list", "urls"],
  ["no URLs", "none", "none"],
];

/** Median and quartiles. */
interface Spread {
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}

/** The figures of a row on a text. */
interface Seen {
  readonly row: string;
  readonly side: Contender["side"];
  readonly bytes: number;
  readonly found: number | null;
  /** Wall time. */
  readonly milliseconds: Spread;
  /** For a second of processor time, that of the garbage collector included; null where no text is read. */
  readonly megabytesPerSecond: Spread | null;
}

/** The figures of a text. */
interface SeenText {
  readonly text: string;
  readonly origin: string;
  readonly rows: readonly Seen[];
}

function spreadOf(numbers: readonly number[]): Spread {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] as number;
  return { median: at(0.5), lower: at(0.25), upper: at(0.75) };
}

function seenOf({ contender, count, times, processor }: Measured, bytes: number): Seen {
  return {
    row: contender.name,
    side: contender.side,
    bytes,
    found: count ?? null,
    milliseconds: spreadOf(times),
    megabytesPerSecond: bytes === 0 ? null : spreadOf(processor.map((time) => bytes / 1000 / time)),
  };
}

type Builds = readonly (readonly [name: string, core: Core])[];

/** Loads the builds of the core. Compiles the scalar one first, because no other command needs it. */
async function loadBuilds(): Promise<Builds> {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, "tools/build.mjs"), "scalar"], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const scalar = new Uint8Array(readFileSync(join(ROOT, "build/wasm/scalar.wasm")));
  const load = async (build: CoreBuild): Promise<Core> => await loadCore(build, build === "scalar" ? scalar : undefined);
  return await Promise.all(BUILDS.map(async ([name, build]) => [name, await load(build)] as const));
}

/** Throws if the builds write different bytes for a text. */
function checkBuilds(text: string, builds: Builds, bytes: Uint8Array): void {
  for (const profile of ["none", "rfc3986"] as const) {
    const [first, ...others] = builds.map(([, core]) => Buffer.from(rawLines(core, bytes, profile)));
    if (others.some((other) => first?.compare(other) !== 0)) throw new Error(`${text}: the builds of the core write different URLs`);
  }
}

async function compareOn(
  title: string,
  { origin, bytes }: Corpus,
  builds: Builds,
  rounds: number,
): Promise<{ seen: SeenText; missing: string[] }> {
  checkBuilds(title, builds, bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const pattern = new RegExp(ALL_SCHEMES_PATTERN, "gi");
  const part = Math.ceil(bytes.length * PACKAGES_SHARE);
  const { contenders, missing } = await finderContenders(text.slice(0, part), [
    ["linkify-it", "linkify-it"],
    ["linkifyjs", "linkifyjs"],
  ]);
  const walk = await makeFinder("indexOf");
  const find = createExtractor({ type: "text" });
  const simd = builds.at(-1)?.[1] as Core;
  const rows = [
    timed("peer", IDIOMATIC, () => countHrefs(text.match(pattern) ?? [])),
    timed("peer", "TypeScript: indexOf walk and new URL()", () => countHrefs(walk(text))),
    timed("peer", "TypeScript: careful (yardstick)", yardstickRow("yardstick", bytes).run),
    ...builds.map(([name, core]) => timed("urlmill", name, () => linesOf(core, bytes))),
    timed("urlmill", 'records, format: "ndjson"', () => scanAs(simd, bytes, "text", "ndjson")),
    timed("urlmill", "createExtractor()(bytes)", () => countUrls(find(bytes))),
    timed("urlmill", "extract(string)", () => countUrls(extract(text))),
    ...contenders,
  ];
  const seen = measureInTurn(rows, rounds).map((one) => seenOf(one, contenders.includes(one.contender) ? part : bytes.length));
  return { seen: { text: title, origin, rows: seen }, missing };
}

const FIRST = "see http://www.example.org/a%7eb for more";

/** Measures whole processes from their start to the first URL of a short text. */
function measureStarts(rounds: number): Seen[] {
  const regex = `${JSON.stringify(FIRST)}.match(new RegExp(${JSON.stringify(ALL_SCHEMES_PATTERN)}, "gi")).map((url) => new URL(url).href)`;
  const library = JSON.stringify(join(ROOT, "build/node/index.cjs"));
  const ours = (build: CoreBuild): string =>
    `require(${library}).createExtractor({ core: "${build}" })(${JSON.stringify(FIRST)}).map(({ url }) => url)`;
  const contender = (name: string, code: string): Contender => ({
    name,
    side: name.startsWith("core") ? "urlmill" : "peer",
    run: () => {
      const start = performance.now();
      const { status, stderr } = spawnSync(process.execPath, ["-e", `if ((${code}).length !== 1) process.exit(1)`], { encoding: "utf8" });
      if (status !== 0) throw new Error(`${name}: ${stderr}`);
      return performance.now() - start;
    },
    count: () => undefined,
  });
  const rows = [
    contender("node alone", '"x"'),
    contender(IDIOMATIC, regex),
    ...BUILDS.map(([name, build]) => contender(name, ours(build))),
  ];
  return measureInTurn(rows, rounds).map((one) => seenOf(one, 0));
}

/** Bytes of a build, plain and compressed. */
interface Size {
  readonly row: string;
  readonly bytes: number;
  readonly gzip: number;
  readonly brotli: number;
}

function sizeOf([row, , file]: (typeof BUILDS)[number]): Size {
  const code = readFileSync(join(ROOT, file));
  return { row, bytes: code.length, gzip: gzipSync(code, { level: 9 }).length, brotli: brotliCompressSync(code).length };
}

/** Returns a number with one digit after the point, without it from 10 on. */
const short = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const shortSpread = ({ median, lower, upper }: Spread): string => `${short(median)} (${short(lower)} to ${short(upper)})`;

/** Returns a table with a column for each text. */
function tableOf(title: string, notes: readonly string[], texts: readonly SeenText[], cellOf: (seen: Seen) => string): Table {
  const names = texts[0]?.rows.map(({ row }) => row) ?? [];
  return {
    title,
    notes,
    columns: ["row", ...texts.map(({ text }) => text)],
    rows: names.map((name, index) => [name, ...texts.map(({ rows }) => cellOf(rows[index] as Seen))]),
  };
}

function buildsTable(sizes: readonly Size[], starts: readonly Seen[]): Table {
  return {
    title: "Size in bytes, and ms from the start of a process to its first URL",
    notes: ["median of whole processes, and quartiles; Node's own start is part of each"],
    columns: ["row", "bytes", "gzip", "brotli", "start, ms"],
    rows: starts.map(({ row, milliseconds }) => {
      const size = sizes.find((one) => one.row === row);
      return [row, size?.bytes ?? "", size?.gzip ?? "", size?.brotli ?? "", shortSpread(milliseconds)];
    }),
  };
}

function csvOf(texts: readonly SeenText[]): string {
  const head = "text,row,bytes,found,ms_median,ms_lower_quartile,ms_upper_quartile,mb_per_processor_s\n";
  const lines = texts.flatMap(({ text, rows }) =>
    rows.map(({ row, bytes, found, milliseconds: { median, lower, upper }, megabytesPerSecond }) => {
      const cells = [found, median, lower, upper, megabytesPerSecond?.median].map((value) => String(Number(value?.toFixed(3))));
      return `${text},${JSON.stringify(row).replaceAll('\\"', '""')},${bytes},${cells.join(",")}\n`;
    }),
  );
  return head + lines.join("");
}

function plotOfTexts(texts: readonly SeenText[]): string {
  const { processor, node } = machine();
  const panels = texts.map(({ text, rows }): Panel => {
    const bars = rows.map(({ row, side, megabytesPerSecond }) => ({ name: row, value: megabytesPerSecond?.median ?? 0, side }));
    return {
      title: text,
      bars: bars.map((bar) => ({ ...bar, name: bar.name.replace("TypeScript: ", "").replace("WebAssembly", "WASM") })),
    };
  });
  return plotOf(`MB for a second of processor time, longer is better. ${processor}, Node ${node}`, panels);
}

/** Options of a report. */
export interface ReportOptions {
  /** Bytes of each text. */
  readonly size: number;
  readonly rounds: number;
  /** Folder of real texts; undefined: generated ones. */
  readonly corpus: string | undefined;
  /** Whether other versions of Node, Bun and Deno are measured too. */
  readonly platforms: boolean;
}

/** The figures of all texts. */
interface Compared {
  readonly corpora: readonly Corpus[];
  readonly texts: readonly SeenText[];
  readonly stages: readonly Stages[];
  readonly missing: readonly string[];
}

/** Measures all texts. Throws if the builds of the core differ. */
export async function compareTexts({ size, rounds, corpus }: Omit<ReportOptions, "platforms">): Promise<Compared> {
  if (corpus !== undefined) process.env.URLMILL_CORPUS = resolve(corpus);
  const builds = await loadBuilds();
  const corpora: Corpus[] = [];
  const texts: SeenText[] = [];
  const stages: Stages[] = [];
  let missing: string[] = [];
  for (const [title, name, kind] of TEXTS) {
    const text = corpus === undefined ? generatedCorpus(kind, size) : await loadText(name, size);
    const compared = await compareOn(title, text, builds, rounds);
    corpora.push({ ...text, name: title });
    texts.push(compared.seen);
    stages.push(measureStages(title, builds.at(-1)?.[1] as Core, text.bytes, rounds));
    missing = compared.missing;
  }
  return { corpora, texts, stages, missing };
}

/** Returns the table of speeds on another version of Node, where every row is measured again. */
function tableOnNode(version: string, { size, rounds, corpus }: ReportOptions): Table {
  const program = programOf("node", version);
  if (program === undefined) throw new Error(`node ${version} could not be installed`);
  const script = ["--import", "tsx", import.meta.filename, `${size}`, `${rounds}`, ...(corpus === undefined ? [] : [corpus])];
  const { status, stdout, stderr } = spawnSync(program, script, { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const texts = JSON.parse(stdout) as readonly SeenText[];
  return speedTable(`Node ${version}, MB for a second of processor time`, [], texts);
}

function speedTable(title: string, notes: readonly string[], texts: readonly SeenText[]): Table {
  return tableOf(title, notes, texts, ({ megabytesPerSecond }) => (megabytesPerSecond === null ? "" : shortSpread(megabytesPerSecond)));
}

/** Measures, writes report.json, report.csv and report.svg to `folder`, and prints the tables. */
export async function writeReport(folder: string, options: ReportOptions, record: boolean): Promise<void> {
  if (record) await refuseIfBusy();
  const { corpora, texts, stages, missing } = await compareTexts(options);
  const starts = measureStarts(options.rounds);
  const sizes = BUILDS.map(sizeOf);
  const notes = [
    ...texts.map(
      ({ text, origin, rows }) => `${text}: ${origin}; ${rows[0]?.bytes} bytes; found ${rows.map(({ found }) => found).join(", ")}`,
    ),
    `medians of ${options.rounds} rounds over all rows in turn; the packages get the first eighth of each text`,
    ...missing,
  ];
  const tables = [
    speedTable("MB for a second of processor time, with quartiles", notes, texts),
    tableOf("MB for a second of wall time", [], texts, ({ bytes, milliseconds: { median } }) => short(bytes / 1000 / median)),
    ...(options.platforms ? [tableOnNode("24", options)] : []),
    buildsTable(sizes, starts),
    stagesTable(stages),
    ...(options.platforms ? [await comparePlatforms(corpora, ["javascript", "scalar", "simd"], options.rounds)] : []),
  ];
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  write("report.json", `${JSON.stringify({ machine: machine(), rounds: options.rounds, texts, stages, sizes, starts }, null, 2)}\n`);
  write("report.csv", csvOf(texts));
  write("report.svg", plotOfTexts(texts));
  tables.forEach(printTable);
  process.stdout.write(`${Object.values(machine()).join("; ")}\nreport.json, report.csv and report.svg are in ${folder}\n`);
  if (!record) return;
  await writeRecord(options.corpus === undefined ? "wasm-and-typescript" : "wasm-and-typescript-real", tables);
  if (options.corpus === undefined) writeFileSync(join(ROOT, "docs/wasm-and-typescript.svg"), plotOfTexts(texts));
}

async function main([size, rounds, corpus]: readonly string[]): Promise<void> {
  const { texts } = await compareTexts({ size: Number(size), rounds: Number(rounds), corpus });
  process.stdout.write(JSON.stringify(texts));
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
