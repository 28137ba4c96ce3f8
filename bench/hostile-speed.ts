// Times every hostile text (X14), on a machine that does nothing else. Exits with 1 if a speed is not above its floor. The tests count the
// work of these scans and check that it is linear. Arguments: --size MIB of each text; --only NAME, a part of a text's name.
import { parseArgs } from "node:util";
import { loadCore } from "../src/core/core.ts";
import { checkOptions } from "../src/options/options.ts";
import { formatted } from "../src/output/formatted.ts";
import { scanOptionsOf } from "../src/run/open-scanner.ts";
import { Scanner } from "../src/scan/scanner.ts";
import { ARCHIVE_TEXTS, type HostileText, scanHostile, TEXTS } from "../test/hostile/texts.ts";
import { printTable, report } from "./records.ts";

const LIBRARY = { checkOptions, scanOptionsOf, formatted, Scanner };
/** Scans of a text; the best time counts. While the speed is not above the floor, up to ROUNDS_MOST are made. */
const ROUNDS = 3;
const ROUNDS_MOST = 12;

const core = await loadCore("simd");

/** Returns the processor time of one scan, in ms. */
function timeOf(bytes: Uint8Array, text: HostileText): number {
  const begin = process.cpuUsage();
  scanHostile(LIBRARY, core, bytes, text);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1e3;
}

/** Returns the speed on a text in MB/s. */
function speedOf(text: HostileText, size: number): number {
  const bytes = text.make(size);
  let best = Number.POSITIVE_INFINITY;
  const rate = (): number => size / 1e3 / best;
  for (let round = 0; round < ROUNDS || (round < ROUNDS_MOST && rate() <= text.floor); round++) best = Math.min(best, timeOf(bytes, text));
  return rate();
}

const { values } = parseArgs({ options: { size: { type: "string", default: "4" }, only: { type: "string", default: "" } } });
const wrong: string[] = [];
const rows: (string | number)[][] = [];
for (const text of [...TEXTS, ...ARCHIVE_TEXTS].filter(({ name }) => name.includes(values.only))) {
  const rate = speedOf(text, Number(values.size) << 20);
  rows.push([text.name, rate.toFixed(0), text.floor]);
  if (rate <= text.floor) wrong.push(`${text.name}: ${rate.toFixed(1)} MB/s, at least ${text.floor}`);
}
printTable({ title: "hostile texts", notes: ["processor time, best of several scans"], columns: ["text", "MB/s", "at least"], rows });
report(wrong);
