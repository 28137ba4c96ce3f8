// `npm run bench:guard`: fails when the core has become slower against the frozen yardstick, finds another number of matches in generated
// text, or has grown. Needs no corpus. Interleaved in one process, best times, and a slack for machines that differ and are busy.
// `--record` takes what is seen for the new records/guard.json.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Core, type CoreBuild, loadCore } from "../src/core/core.ts";
import { checksum } from "./corpora.ts";
import { type GeneratedKind, generate } from "./generator.ts";
import { countLines, normalizeList, rawLines, scanAlone, scanBytes } from "./in-memory.ts";
import { type Effort, measure, type Row, type Timing } from "./measure.ts";
import { machine, readJson, writeJson } from "./records.ts";
import { YARDSTICK_ROW_WORDS, yardstickExtract, yardstickLines } from "./yardstick.ts";

const RECORD = "guard.json";
const SEED = 1738;
const TEXT_BYTES = 8 << 20;
const KINDS: readonly GeneratedKind[] = ["mail", "html", "urls", "none"];
const EFFORT: Effort = { rounds: 6, time: 25, iterations: 3 };
/** How far a ratio may fall: another processor and a busy machine move it by about a quarter. */
const RATIO_SLACK = 0.3;
/** How far a .wasm may grow. */
const SIZE_SLACK = 0.03;
/** Checksum of the yardstick's files: it is not measured anew when it changes, it must not change. */
const YARDSTICK_FILES = ["yardstick.ts", "yardstick/extract.ts", "yardstick/lines.ts", "yardstick/scheme.ts", "yardstick/tables.ts"];
const YARDSTICK_CHECKSUM = "257539aa";
const WASM = resolve(import.meta.dirname, "../build/wasm");

/** What records/guard.json holds. */
export interface GuardRecord {
  readonly measured: Record<string, string>;
  /** Checksum of each generated text. */
  readonly texts: Record<string, string>;
  /** Matches by text and row. */
  readonly counts: Record<string, number>;
  /** Speed by text and row, in multiples of the yardstick's on the same text. */
  readonly ratios: Record<string, number>;
  /** Bytes of each .wasm. */
  readonly sizes: Record<string, number>;
}

interface Candidate {
  readonly name: string;
  readonly build: CoreBuild;
  readonly work: "extract" | "lines";
}

const CANDIDATES: readonly Candidate[] = [
  { name: "WASM SIMD extract", build: "simd", work: "extract" },
  { name: "WASM SIMD lines", build: "simd", work: "lines" },
  { name: "WASM scalar lines", build: "scalar", work: "lines" },
  { name: "twin lines", build: "twin", work: "lines" },
];

function rowsFor(bytes: Uint8Array, cores: Record<CoreBuild, Core>): Row[] {
  const spans = new Int32Array(YARDSTICK_ROW_WORDS * (bytes.length >> 3));
  const out = new Uint8Array(2 * bytes.length + 64);
  const extract = (): number => yardstickExtract(bytes, 0, bytes.length, spans);
  const lines = (): number => yardstickLines(bytes, 0, bytes.length, out);
  return [
    { name: "yardstick extract", run: extract },
    { name: "yardstick lines", run: lines },
    ...CANDIDATES.map(({ name, build, work }) => {
      const core = work === "extract" ? scanAlone(cores[build]) : cores[build];
      return { name, run: () => scanBytes(core, bytes, "lines") };
    }),
  ];
}

/** The kind whose URLs are also normalized as a list. */
const LIST_KIND: GeneratedKind = "urls";
const LIST_ROW = `${LIST_KIND}: WASM SIMD list`;

/** Adds normalization of a list to what was seen. */
function observeList(seen: GuardRecord, core: Core, size: number, effort: Effort): void {
  const list = rawLines(core, generate(LIST_KIND, SEED, size));
  const lines = countLines(list);
  const out = new Uint8Array(3 * list.length + 64);
  const [yardstick, ours] = measure(
    [
      { name: "yardstick", run: () => yardstickLines(list, 0, list.length, out) },
      { name: "list", run: () => normalizeList(core, list, lines, out) },
    ],
    effort,
  ) as [Timing, Timing];
  seen.counts[LIST_ROW] = ours.count;
  seen.ratios[LIST_ROW] = Number((yardstick.best / ours.best).toFixed(3));
}

/** Measures everything that the guard looks at, on `size` bytes of each kind of text. */
export async function observe(size: number, effort: Effort): Promise<GuardRecord> {
  const cores = { simd: await loadCore("simd"), scalar: await loadCore("scalar"), twin: await loadCore("twin") };
  const seen: GuardRecord = { measured: machine(), texts: {}, counts: {}, ratios: {}, sizes: {} };
  for (const kind of KINDS) {
    const bytes = generate(kind, SEED, size);
    seen.texts[kind] = checksum(bytes);
    const timings = measure(rowsFor(bytes, cores), effort);
    for (const { name, count } of timings) seen.counts[`${kind}: ${name}`] = count;
    CANDIDATES.forEach(({ name, work }, index) => {
      const yardstick = timings[work === "extract" ? 0 : 1] as Timing;
      const ratio = yardstick.best / (timings[index + 2] as Timing).best;
      seen.ratios[`${kind}: ${name}`] = Number(ratio.toFixed(3));
    });
  }
  observeList(seen, cores.simd, size, effort);
  for (const name of ["simd.wasm", "scalar.wasm"]) seen.sizes[name] = readFileSync(join(WASM, name)).length;
  return seen;
}

/** The lines of complaint about what cannot depend on the machine: texts, counts, sizes. */
export function judgeExact(seen: GuardRecord, recorded: GuardRecord): string[] {
  const wrong: string[] = [];
  const yardstick = YARDSTICK_FILES.map((name) => readFileSync(join(import.meta.dirname, name), "utf8")).join("");
  if (checksum(Buffer.from(yardstick)) !== YARDSTICK_CHECKSUM) wrong.push("the yardstick has been changed: its files are frozen");
  for (const [kind, sum] of Object.entries(seen.texts)) {
    if (recorded.texts[kind] !== sum)
      wrong.push(`text ${kind}: checksum ${sum}, recorded is ${recorded.texts[kind]}: the generator has changed`);
  }
  for (const [row, count] of Object.entries(seen.counts)) {
    if (recorded.counts[row] !== count) wrong.push(`${row}: ${count}, recorded is ${recorded.counts[row]}`);
  }
  for (const [name, size] of Object.entries(seen.sizes)) {
    const most = Math.floor((recorded.sizes[name] ?? 0) * (1 + SIZE_SLACK));
    if (size > most) wrong.push(`${name}: ${size} bytes, at most ${most} (recorded ${recorded.sizes[name]} and ${100 * SIZE_SLACK} %)`);
  }
  return wrong;
}

/** The rows that are slower than recorded by more than the slack. */
export function judgeRatios(seen: GuardRecord, recorded: GuardRecord): string[] {
  return Object.entries(seen.ratios).flatMap(([row, ratio]) => {
    const before = recorded.ratios[row] ?? Number.POSITIVE_INFINITY;
    const least = before * (1 - RATIO_SLACK);
    return ratio < least ? [`${row}: ${ratio.toFixed(2)} times the yardstick, at least ${least.toFixed(2)} (recorded ${before})`] : [];
  });
}

function print(seen: GuardRecord, recorded: GuardRecord | undefined): void {
  for (const [row, ratio] of Object.entries(seen.ratios)) {
    const before = recorded?.ratios[row];
    process.stdout.write(
      `  ${row.padEnd(28)} ${ratio.toFixed(2).padStart(6)} x yardstick${before === undefined ? "" : `, recorded ${before}`}\n`,
    );
  }
  for (const [name, size] of Object.entries(seen.sizes)) process.stdout.write(`  ${name.padEnd(28)} ${size} bytes\n`);
}

async function main(): Promise<void> {
  let seen = await observe(TEXT_BYTES, EFFORT);
  const recorded = readJson<GuardRecord | undefined>(RECORD, undefined);
  if (process.argv.includes("--record")) {
    writeJson(RECORD, seen);
    print(seen, recorded);
    return;
  }
  if (recorded === undefined) throw new Error("records/guard.json is missing: write it with --record");
  let slow = judgeRatios(seen, recorded);
  if (slow.length > 0) {
    // A row counts as slow only if it is so twice.
    const again = await observe(TEXT_BYTES, { ...EFFORT, rounds: 2 * EFFORT.rounds });
    for (const [row, ratio] of Object.entries(seen.ratios)) again.ratios[row] = Math.max(ratio, again.ratios[row] ?? 0);
    seen = again;
    slow = judgeRatios(seen, recorded);
  }
  print(seen, recorded);
  const wrong = [...judgeExact(seen, recorded), ...slow];
  if (wrong.length > 0) {
    process.stderr.write(`${wrong.join("\n")}\n`);
    process.exitCode = 1;
  }
}

if (process.argv[1] === import.meta.filename) await main();
