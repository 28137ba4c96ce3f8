// Speed by the density of URLs, in one process, on generated text: what a KiB costs, and what a URL costs beyond that.
import { type Core, loadCore } from "../src/core/core.ts";
import { generateDensity } from "./generator.ts";
import { countLines, linesOf, scanAlone, scanBytes } from "./in-memory.ts";
import { type Effort, measure, type Row, type Timing } from "./measure.ts";
import type { Line } from "./plot-lines.ts";
import type { Table } from "./records.ts";
import { yardstickLines } from "./yardstick.ts";

/** URLs per KiB, ascending. */
export const DENSITIES: readonly number[] = [0, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20];

/** If URLs take less than this share of the time, the cost of one is not reported. */
const SHARE_MIN = 0.05;

/** What is measured on each text. */
interface Way {
  readonly name: string;
  /** Does the work once and returns the number of matches. */
  readonly run: (bytes: Uint8Array) => number;
  readonly dashed?: true;
}

function yardstickCount(bytes: Uint8Array, out: Uint8Array): number {
  return countLines(out.subarray(0, yardstickLines(bytes, 0, bytes.length, out)));
}

async function makeWays(size: number): Promise<Way[]> {
  const lines = (name: string, core: Core): Way => ({ name, run: (bytes) => linesOf(core, bytes) });
  const alone = scanAlone(await loadCore("simd"));
  const out = new Uint8Array(size + (size >> 1) + 64);
  return [
    lines("WASM SIMD", await loadCore("simd")),
    { name: "WASM SIMD, scan alone", run: (bytes) => scanBytes(alone, bytes, "lines"), dashed: true },
    lines("JavaScript build", await loadCore("javascript")),
    { name: "yardstick", run: (bytes) => yardstickCount(bytes, out) },
  ];
}

/** What a bench of densities gives. */
export interface DensityOutcome {
  readonly tables: readonly [Table, Table];
  /** MB/s of each way by density. */
  readonly lines: Line[];
}

/** The timings of one way, a density each. */
type Series = readonly Timing[];

function speedsOf(series: readonly Series[], ways: readonly Way[], size: number): Table {
  const counts = series[0] as Series;
  return {
    title: `speed by density of URLs: ${(size / 1e6).toFixed(1)} MB of generated text each, in one process`,
    notes: ["extract and normalize to lines, but for `scan alone`; MB/s, medians; `found` is that of the first column"],
    columns: ["URLs per KiB", "found", ...ways.map(({ name }) => name)],
    rows: DENSITIES.map((density, at) => [
      density,
      (counts[at] as Timing).count,
      ...series.map((timings) => (size / (timings[at] as Timing).median / 1000).toFixed(0)),
    ]),
  };
}

/** ns for each match beyond the time that text without any takes; empty where that is lost in the noise. */
function costOf(timing: Timing, without: Timing): string {
  const beyond = timing.best - without.best;
  return beyond < SHARE_MIN * without.best ? "" : ((beyond * 1e6) / timing.count).toFixed(0);
}

function costsOf(series: readonly Series[], ways: readonly Way[]): Table {
  return {
    title: "ns per URL beyond the time of text without any",
    notes: [`the same runs, shortest times; empty where the URLs take less than ${SHARE_MIN * 100} % of the text's own time`],
    columns: ["URLs per KiB", ...ways.map(({ name }) => name)],
    rows: DENSITIES.flatMap((density, at) => {
      if (density === 0) return [];
      return [[density, ...series.map((timings) => costOf(timings[at] as Timing, timings[0] as Timing))]];
    }),
  };
}

/** Measures all ways on `size` bytes of text of each density, all in turn. */
export async function measureDensity(size: number, effort: Effort): Promise<DensityOutcome> {
  const ways = await makeWays(size);
  const texts = DENSITIES.map((density) => generateDensity(density, 1, size));
  const rows = ways.flatMap(({ name, run }) => {
    return texts.map((bytes, at): Row => ({ name: `${name}, ${DENSITIES[at]}`, run: () => run(bytes) }));
  });
  const timings = measure(rows, effort);
  const series = ways.map((_, index) => timings.slice(index * texts.length, (index + 1) * texts.length));
  const lines = ways.map(({ name, dashed }, index): Line => {
    const values = (series[index] as Series).map(({ median }) => size / median / 1000);
    return { name, values, ...(dashed ? { dashed } : {}) };
  });
  return { tables: [speedsOf(series, ways, size), costsOf(series, ways)], lines };
}
