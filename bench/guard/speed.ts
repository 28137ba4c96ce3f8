// Speeds as multiples of the frozen yardstick's, on generated text. A run of the guard starts this in a process of its own each time: what
// one process is unlucky with, the places of its memory or what was compiled when, another is not.
import { type Core, type CoreBuild, loadCore } from "../../src/core/core.ts";
import { checksum } from "../corpora.ts";
import { type GeneratedKind, generate } from "../generator.ts";
import { countLines, normalizeList, rawLines, scanAlone, scanBytes } from "../in-memory.ts";
import type { Row } from "../measure.ts";
import { YARDSTICK_ROW_WORDS, yardstickExtract, yardstickLines } from "../yardstick.ts";
import { type BestTime, bestTimes, type Patience } from "./interleave.ts";
import { resultOfChild } from "./processes.ts";
import { type Slowed, slowCore } from "./slow.ts";

/** Seed of every text of the guard. */
export const SEED = 1738;
/** Bytes of each text: so few that a run mostly ends before the system gives the processor to somebody else. */
export const TEXTS: Readonly<Partial<Record<GeneratedKind, number>>> = { mail: 1 << 20, html: 1 << 19, urls: 1 << 18, none: 1 << 20 };
const PATIENCE: Patience = { turns: 60, time: 2500 };

/** What is seen of speed: all by text and row. */
export interface Speed {
  /** Checksum of each generated text. */
  readonly texts: Record<string, string>;
  /** Matches, and of the yardstick's lines their bytes. */
  readonly counts: Record<string, number>;
  /** Multiples of the yardstick's speed on the same text. */
  readonly ratios: Record<string, number>;
}

interface Candidate {
  readonly name: string;
  readonly build: CoreBuild;
  readonly work: "extract" | "lines";
}

const CANDIDATES: readonly Candidate[] = [
  { name: "WASM SIMD extract", build: "simd", work: "extract" },
  { name: "WASM SIMD lines", build: "simd", work: "lines" },
  { name: "JavaScript build lines", build: "javascript", work: "lines" },
];
/** The kind whose URLs are also normalized as a list. */
const LIST_KIND: GeneratedKind = "urls";

type Cores = Record<CoreBuild, Core>;

function rowsFor(bytes: Uint8Array, cores: Cores): Row[] {
  const spans = new Int32Array(YARDSTICK_ROW_WORDS * (bytes.length >> 3));
  const out = new Uint8Array(2 * bytes.length + 64);
  return [
    { name: "yardstick extract", run: () => yardstickExtract(bytes, 0, bytes.length, spans) },
    { name: "yardstick lines", run: () => yardstickLines(bytes, 0, bytes.length, out) },
    ...CANDIDATES.map(({ name, build, work }) => {
      const core = work === "extract" ? scanAlone(cores[build]) : cores[build];
      return { name, run: () => scanBytes(core, bytes, "lines") };
    }),
  ];
}

const ratioOf = (yardstick: BestTime, ours: BestTime): number => Number((yardstick.best / ours.best).toFixed(3));

function observeList(speed: Speed, core: Core, size: number, patience: Patience): void {
  const list = rawLines(core, generate(LIST_KIND, SEED, size));
  const lines = countLines(list);
  const out = new Uint8Array(3 * list.length + 64);
  const rows = [
    { name: "yardstick", run: () => yardstickLines(list, 0, list.length, out) },
    { name: "list", run: () => normalizeList(core, list, lines, out) },
  ];
  const [yardstick, ours] = bestTimes(rows, patience) as [BestTime, BestTime];
  speed.counts[`${LIST_KIND}: WASM SIMD list`] = ours.count;
  speed.ratios[`${LIST_KIND}: WASM SIMD list`] = ratioOf(yardstick, ours);
}

/** Measures every row in this process; `size`: bytes of each text, if not those of TEXTS. */
export async function observeSpeed(patience: Patience, slowed?: Slowed, size?: number): Promise<Speed> {
  const coreFor = async (build: CoreBuild): Promise<Core> => slowCore(await loadCore(build), slowed);
  const cores: Cores = { simd: await coreFor("simd"), javascript: await coreFor("javascript") };
  const speed: Speed = { texts: {}, counts: {}, ratios: {} };
  for (const [kind, bytesWanted] of Object.entries(TEXTS) as [GeneratedKind, number][]) {
    const bytes = generate(kind, SEED, size ?? bytesWanted);
    speed.texts[kind] = checksum(bytes);
    const rows = rowsFor(bytes, cores);
    const times = bestTimes(rows, patience);
    rows.forEach(({ name }, index) => {
      speed.counts[`${kind}: ${name}`] = (times[index] as BestTime).count;
    });
    CANDIDATES.forEach(({ name, work }, index) => {
      speed.ratios[`${kind}: ${name}`] = ratioOf(times[work === "extract" ? 0 : 1] as BestTime, times[index + 2] as BestTime);
    });
  }
  observeList(speed, cores.simd, size ?? (TEXTS[LIST_KIND] as number), patience);
  return speed;
}

/** Measures every row in a new process. Rejects if it fails. */
export function speedApart(slowed?: Slowed): Promise<Speed> {
  return resultOfChild<Speed>(import.meta.filename, slowed === undefined ? [] : [slowed]);
}

if (process.argv[1] === import.meta.filename) process.send?.(await observeSpeed(PATIENCE, process.argv[2] as Slowed | undefined));
