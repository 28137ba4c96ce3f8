// Speeds as multiples of the frozen yardstick's on the same generated text, best of rounds in turn: they show gross faults that no count
// shows, such as code that V8 no longer optimizes.
import { type Core, type CoreBuild, loadCore } from "../../src/core/core.ts";
import { checksum } from "../corpora.ts";
import { type GeneratedKind, generate } from "../generator.ts";
import { countLines, normalizeList, rawLines, scanBytes } from "../in-memory.ts";
import { type Effort, measure, type Row } from "../measure.ts";
import { yardstickLines } from "../yardstick.ts";
import type { Seen } from "./judge.ts";

/** Seed of every text of the guard. */
export const SEED = 1738;
/** Bytes of each text: so few that most runs end before the system gives the processor to another process. */
const TEXTS: Readonly<Partial<Record<GeneratedKind, number>>> = { mail: 1 << 20, html: 1 << 19, urls: 1 << 18, none: 1 << 20 };
const EFFORT: Effort = { rounds: 10, time: 20, iterations: 3 };

/** Measures every row on texts of `size` bytes, else of those of TEXTS; `load` returns the core of a build. */
export async function observeSpeed(
  effort: Effort = EFFORT,
  size?: number,
  load: (build: CoreBuild) => Promise<Core> = loadCore,
): Promise<Pick<Seen, "texts" | "counts" | "ratios">> {
  const [simd, javascript] = [await load("simd"), await load("javascript")];
  const speed: Pick<Seen, "texts" | "counts" | "ratios"> = { texts: {}, counts: {}, ratios: {} };
  const compare = (kind: string, yardstick: Row, rows: readonly Row[]): void => {
    const [base, ...timings] = measure([yardstick, ...rows], effort);
    speed.counts[`${kind}: ${yardstick.name}`] = base?.count ?? 0;
    for (const { name, count, best } of timings) {
      speed.counts[`${kind}: ${name}`] = count;
      speed.ratios[`${kind}: ${name}`] = Number(((base?.best ?? 0) / best).toFixed(3));
    }
  };
  for (const [kind, bytesWanted] of Object.entries(TEXTS) as [GeneratedKind, number][]) {
    const bytes = generate(kind, SEED, size ?? bytesWanted);
    const out = new Uint8Array(2 * bytes.length + 64);
    speed.texts[kind] = checksum(bytes);
    compare(kind, { name: "yardstick lines", run: () => yardstickLines(bytes, 0, bytes.length, out) }, [
      { name: "WASM SIMD lines", run: () => scanBytes(simd, bytes, "lines") },
      { name: "JavaScript build lines", run: () => scanBytes(javascript, bytes, "lines") },
    ]);
  }
  const list = rawLines(simd, generate("urls", SEED, size ?? (TEXTS.urls as number)));
  const lines = countLines(list);
  const out = new Uint8Array(3 * list.length + 64);
  compare("urls", { name: "yardstick list", run: () => yardstickLines(list, 0, list.length, out) }, [
    { name: "WASM SIMD list", run: () => normalizeList(simd, list, lines, out) },
  ]);
  return speed;
}
