// How cost grows: whole processes on list mail from 1 MiB to as much as is asked for, and speed by density of URLs in one process (Linux).
// Arguments: --record writes records/ and the chart; --size MIB of the largest file (1024; 16384 needs 18 GB of disk); --runs N (3; five
// times as many up to 64 MiB); --density-size MIB of each text in one process (32). Ends with 1 where a byte of the largest file costs
// more than 1.25 times one of 64 MiB, or a byte more than 1.25 times one between 64 and 256 MiB, or it takes 32 MiB more memory.
import { closeSync, fsyncSync, openSync, writeFileSync, writeSync } from "node:fs";
import { freemem, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { COMMAND, countFileLines, peakOf, timeCommand, withTemporaryFolder } from "./commands.ts";
import { type Corpus, loadCorpus } from "./corpora.ts";
import { DENSITIES, measureDensity } from "./density.ts";
import { FULL_EFFORT, medianOf } from "./measure.ts";
import { linesPlotOf } from "./plot-lines.ts";
import { machine, printTable, report, type Table, writeDrawing, writeRecord } from "./records.ts";

const MIB = 2 ** 20;
const TEXT_BYTES = 16 * MIB;
/** What larger files are compared with: most of what V8 takes to optimize the core falls to smaller ones. */
const BASE_BYTES = 64 * MIB;
const FIRST_STEP_BYTES = 4 * BASE_BYTES;
const COST_MAX = 1.25;
/** From where on memory may grow no more than GROWTH_MAX MiB: workers start at 640 MiB. */
const SETTLED_BYTES = 1024 * MIB;
const GROWTH_MAX = 16;
/** Times as many runs where a start takes longer than the work. */
const SMALL_RUNS = 5;

const WAYS: readonly (readonly [string, readonly string[]])[] = [
  ["urlmill -j 1", ["-j", "1", "--type", "text"]],
  ["urlmill -j 2", ["-j", "2", "--type", "text"]],
  ["urlmill -j 1, messages taken apart", ["-j", "1", "--type", "mbox"]],
];

/** What was seen of a way at one size. */
interface Point {
  /** In bytes. */
  readonly size: number;
  readonly lines: number;
  /** Medians in ms: of a run, and of one on an empty file. */
  readonly time: number;
  readonly start: number;
  /** ns per KiB beyond the start. */
  readonly cost: number;
  /** In MiB. */
  readonly peak: number;
}

/** Appends to a file of `from` bytes, which holds `text` again and again, until it has `to`, and waits until the disk has them. */
function growFile(path: string, text: Uint8Array, from: number, to: number): void {
  const file = openSync(path, "a");
  for (let at = from; at < to; ) {
    const start = at % text.length;
    at += writeSync(file, text, start, Math.min(text.length - start, to - at));
  }
  fsyncSync(file);
  closeSync(file);
}

/** All ways on one file, in turn with the same on an empty one. */
function measureSize(folder: string, path: string, size: number, runs: number): Point[] {
  const out = join(folder, "output");
  const empty = join(folder, "empty.txt");
  const commandOf = (index: number, file: string) => {
    const [name, options] = WAYS[index] as (typeof WAYS)[number];
    return { name, program: process.execPath, arguments: [COMMAND, ...options, file] };
  };
  const seen = WAYS.map(([name, options], index) => {
    const { kibibytes } = peakOf(name, [COMMAND, ...options, path], folder, out);
    const lines = countFileLines(out);
    timeCommand(commandOf(index, empty), out);
    return { lines, peak: kibibytes / 1024, times: [] as number[], starts: [] as number[] };
  });
  for (let run = 0; run < runs; run++) {
    seen.forEach(({ times, starts }, index) => {
      times.push(timeCommand(commandOf(index, path), out));
      starts.push(timeCommand(commandOf(index, empty), out));
    });
  }
  return seen.map(({ lines, peak, times, starts }) => {
    const beyond = medianOf(times.map((time, run) => time - (starts[run] as number)));
    return { size, lines, time: medianOf(times), start: medianOf(starts), cost: (beyond * 1e6) / (size / 1024), peak };
  });
}

/** Complaints about numbers of lines that do not grow as the bytes do: copies of `text` after the first give the same each. */
function wrongLines(name: string, points: readonly Point[], textSize: number): string[] {
  const [one, four] = [1, 4].map((copies) => points.find(({ size }) => size === copies * textSize));
  if (one === undefined || four === undefined) return [];
  return points.flatMap(({ size, lines }) => {
    const expected = one.lines + ((size / textSize - 1) * (four.lines - one.lines)) / 3;
    return size < textSize || lines === expected ? [] : [`${name}: ${lines} lines of ${size} bytes, not ${expected}`];
  });
}

/** ns that each KiB costs which one file has more than another. */
function costBetween(small: Point, large: Point): number {
  return ((large.time - small.time) * 1e6) / ((large.size - small.size) / 1024);
}

/** Complaints about cost and memory that grow. */
function wrongGrowth(name: string, points: readonly Point[]): string[] {
  const base = points.find(({ size }) => size === BASE_BYTES);
  const last = points.at(-1);
  if (base === undefined || last === undefined) return [];
  const of = `of ${last.size / MIB} MiB`;
  const ratio = last.cost / base.cost;
  const settled = points.find(({ size }) => size >= SETTLED_BYTES) ?? last;
  const growth = last.peak - settled.peak;
  const first = points.find(({ size }) => size === FIRST_STEP_BYTES);
  const before = points.at(-2);
  const step = first === undefined || before === undefined ? 0 : costBetween(before, last) / costBetween(base, first);
  return [
    ...(ratio > COST_MAX ? [`${name}: a byte ${of} costs ${ratio.toFixed(2)} times one of 64 MiB, at most ${COST_MAX}`] : []),
    ...(step > COST_MAX ? [`${name}: a byte more ${of} costs ${step.toFixed(2)} times one from 64 to 256 MiB, at most ${COST_MAX}`] : []),
    ...(growth > GROWTH_MAX
      ? [`${name}: a file ${of} takes ${growth.toFixed(0)} MiB more than one of ${settled.size / MIB}, at most ${GROWTH_MAX}`]
      : []),
  ];
}

function tableOf(name: string, notes: readonly string[], points: readonly Point[]): Table {
  const base = points.find(({ size }) => size === BASE_BYTES);
  return {
    title: `${name}: cost by size, whole processes`,
    notes,
    columns: ["MiB", "lines out", "ms", "ms of an empty file", "ns per KiB beyond", "x that of 64 MiB", "ns per KiB more", "peak MiB"],
    rows: points.map((point, index) => {
      const { size, lines, time, start, cost, peak } = point;
      const before = points[index - 1];
      return [
        Number((size / MIB).toFixed(2)),
        lines,
        time.toFixed(time < 1000 ? 1 : 0),
        start.toFixed(1),
        cost.toFixed(0),
        base === undefined ? "" : (cost / base.cost).toFixed(2),
        before === undefined ? "" : costBetween(before, point).toFixed(0),
        peak.toFixed(1),
      ];
    }),
  };
}

/** What a bench of sizes gives. */
interface Scaling {
  readonly tables: Table[];
  /** Complaints about lines, cost and memory. */
  readonly wrong: string[];
}

function memoryNote(sizes: readonly number[], free: number): string {
  const gibibytes = (bytes: number): string => (bytes / 2 ** 30).toFixed(1);
  const large = sizes.filter((size) => size > free).map((size) => `${size / MIB} MiB`);
  const read = large.length === 0 ? "every file fits the page cache" : `read from the disk, since it does not fit the page cache: ${large}`;
  return `${gibibytes(totalmem())} GiB of memory, ${gibibytes(free)} of them free before; ${read}`;
}

/** Measures all ways on files of `sizes` bytes, ascending: copies of a text, the last one cut. */
export async function measureScaling(
  corpus: Corpus,
  sizes: readonly number[],
  runs: number,
  smallRuns: number = runs * SMALL_RUNS,
): Promise<Scaling> {
  return withTemporaryFolder((folder) => {
    const free = freemem();
    const path = join(folder, "input.txt");
    writeFileSync(join(folder, "empty.txt"), "");
    const points = WAYS.map((): Point[] => []);
    let written = 0;
    for (const size of sizes) {
      growFile(path, corpus.bytes, written, size);
      written = size;
      const turns = size > BASE_BYTES ? runs : smallRuns;
      measureSize(folder, path, size, turns).forEach((point, index) => void points[index]?.push(point));
    }
    const notes = [
      `${corpus.origin}; ${(corpus.bytes.length / 1e6).toFixed(1)} MB of it, again and again`,
      `output to a file; medians of ${runs} runs, up to 64 MiB of ${smallRuns}, in turn with an empty file`,
      "beyond: less the time of an empty file; more: by the time and the bytes that the row has more than the one above it",
      memoryNote(sizes, free),
    ];
    const [one, two] = points as [Point[], Point[]];
    const differ = one.filter(({ lines }, index) => lines !== two[index]?.lines);
    const wrong = differ.map(({ size }) => `-j 1 and -j 2 give different numbers of lines of ${size} bytes`);
    WAYS.forEach(([name], index) => {
      const seen = points[index] as Point[];
      wrong.push(...wrongLines(name, seen, corpus.bytes.length), ...wrongGrowth(name, seen));
    });
    return { tables: WAYS.map(([name], index) => tableOf(name, notes, points[index] as Point[])), wrong };
  });
}

/** Blocks of list mail in no order, so that every size is a sample of the same. */
function loadMixed(): Corpus {
  const corpus = loadCorpus("list-mail", 2 * TEXT_BYTES);
  return { ...corpus, origin: `second half of ${corpus.origin}`, bytes: corpus.bytes.slice(TEXT_BYTES) };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      record: { type: "boolean" },
      size: { type: "string", default: "1024" },
      runs: { type: "string", default: "3" },
      "density-size": { type: "string", default: "32" },
    },
  });
  const sizes: number[] = [];
  for (let size = MIB; size <= Number(values.size) * MIB; size *= 4) sizes.push(size);
  const { tables, wrong } = await measureScaling(loadMixed(), sizes, Number(values.runs));
  tables.forEach(printTable);
  const density = await measureDensity(Number(values["density-size"]) * MIB, FULL_EFFORT);
  density.tables.forEach(printTable);
  if (values.record) {
    writeRecord("scaling", [...tables, ...density.tables]);
    const { processor, node, date } = machine();
    const caption = `MB/s by density of URLs, both axes logarithmic. ${processor}, Node ${node}, ${date}`;
    writeDrawing("density.svg", linesPlotOf(caption, "URLs per KiB", DENSITIES, density.lines));
  }
  report(wrong);
}

if (process.argv[1] === import.meta.filename) await main();
