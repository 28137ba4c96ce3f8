// Time(2n)/time(n) of hostile texts, a few that stand for the kinds of them; the tests look at all. Processor time, best of several runs.
import type { Core } from "../../src/core/core.ts";
import { textTypeOf } from "../../src/input/text-type.ts";
import { checkOptions, type ExtractOptions } from "../../src/options.ts";
import { scanOptionsOf } from "../../src/output/formatted.ts";
import { Scanner } from "../../src/scanner/scanner.ts";
import { FAMILIES, pageOf, RATIO_MAX, repeated, shapeOf, worstRatio } from "../hostile.ts";

/** Small, so that even the largest scan has a chance not to be disturbed. */
const SIZES = [1 << 20, 2 << 20, 4 << 20];
const ROUNDS = 3;
/** More rounds, up to so many, while the times look bad, or nearly so. */
const ROUNDS_MOST = 40;
const RATIO_NEAR = 0.92 * RATIO_MAX;
const REPEATED = [
  "wrappers that never close",
  "closers behind matches",
  "mailto:a@(",
  "commas before two schemes",
  "marks behind matches",
  "open references",
  "openers and mailto:",
  "stretches of ports without digits",
];

/** A text of any size and what is looked for in it. */
export interface Hostile {
  readonly name: string;
  readonly make: (size: number) => Uint8Array;
  readonly options: ExtractOptions;
}

const LINE = `${"http://a/".padEnd(76, "b")}\n`;

/** The families that the guard looks at. */
export const HOSTILE: readonly Hostile[] = [
  ...FAMILIES.filter(([name]) => REPEATED.includes(name)).map(
    ([name, unit, tail]): Hostile => ({ name, make: (size) => repeated(unit, size, tail), options: {} }),
  ),
  { name: "brackets opened, then closed", make: (size) => shapeOf("(", ")", size), options: {} },
  { name: "HTML, start tags that never end", make: (size) => pageOf("", "<a ", size), options: { type: "html" } },
  { name: "guess, lines that begin a new URL", make: (size) => repeated(LINE, size), options: { guess: true } },
  { name: "bare, paths and brackets", make: (size) => repeated("a.b/(", size), options: { bare: ["www", "email", "domain"] } },
];

if (HOSTILE.length !== REPEATED.length + 4) throw new Error("a family that the guard looks at has another name now");

/** Processor time of one scan, in ms. */
function timeOf(core: Core, bytes: Uint8Array, options: ExtractOptions): number {
  const { settings } = checkOptions("extract", { type: "text", ...options });
  const begin = process.cpuUsage();
  const scanner = new Scanner(core, scanOptionsOf(settings, textTypeOf(settings.type, bytes)), { write: () => undefined });
  scanner.write(bytes);
  scanner.end();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1e3;
}

/** The worst time(2n)/time(n) of a family over two doublings; `coreFor` gives the core of each scan. */
export function growthOf({ make, options }: Hostile, coreFor: () => Core, sizes: readonly number[] = SIZES): number {
  const texts = sizes.map(make);
  const best = texts.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS || (round < ROUNDS_MOST && worstRatio(best) >= RATIO_NEAR); round++) {
    texts.forEach((bytes, index) => {
      best[index] = Math.min(best[index] as number, timeOf(coreFor(), bytes, options));
    });
  }
  // Cut, not rounded: what is below the limit stays below it.
  return Math.floor(worstRatio(best) * 100) / 100;
}

/** The growth of every family, by its name. */
export function observeGrowth(core: Core): Record<string, number> {
  return Object.fromEntries(HOSTILE.map((hostile) => [hostile.name, growthOf(hostile, () => core)]));
}
