// Scans of files in parts, on one thread and on many.
import { Counter } from "../../src/count/counter.ts";
import { spillSettings } from "../../src/count/spill.ts";
import { listSources } from "../../src/input/paths.ts";
import { checkOptions, EVERYTHING, type ScanSettings } from "../../src/options/options.ts";
import { rejectedLines } from "../../src/output/rejected.ts";
import { planSteps, type Step } from "../../src/threads/plan.ts";
import { type ScanFilesOptions, scanFiles } from "../../src/threads/scan-files.ts";
import { sinkOf } from "../output/sinks.ts";

/** How the tests scan: records, and what was rejected. */
export const SETTINGS: ScanSettings = { ...checkOptions("ExtractStream", { format: "ndjson" }).settings, urlBytesMax: 256, rejected: true };
/** The same of text. */
export const AS_TEXT: ScanSettings = { ...SETTINGS, type: "text" };

/** What a scan gave. */
export interface Scanned {
  text: string;
  rejected: string;
  failed: string[];
  totals?: unknown;
}

/** Scans files. */
export async function scan(paths: string | string[], options: Partial<ScanFilesOptions> = {}): Promise<Scanned> {
  const scanned: Scanned = { text: "", rejected: "", failed: [] };
  const sink = sinkOf({
    bytes: ({ bytes }) => {
      scanned.text += Buffer.from(bytes).toString();
    },
    rejected: (batch) => {
      scanned.rejected += rejectedLines(batch);
    },
    failed: ({ error }) => scanned.failed.push(error.message),
  });
  scanned.totals = await scanFiles([paths].flat(), { settings: SETTINGS, threads: 1, workMillisecondsLeast: 0, ...options }, sink);
  return scanned;
}

/** Matches and messages by URL, as `urlmill count` counts them. */
export async function count(paths: string[], options: Partial<ScanFilesOptions>, as = AS_TEXT): Promise<unknown[]> {
  const spill = spillSettings();
  const counter = new Counter({ by: ["url"] }, spill);
  const sink = sinkOf({ groups: (groups) => counter.merge(groups), matches: (batch) => counter.add(batch) });
  const settings: ScanSettings = { ...as, format: "groups", by: ["url"] };
  await scanFiles(paths, { settings, threads: 1, workMillisecondsLeast: 0, ...options }, sink);
  const groups = [...counter.groups()];
  spill.file.close();
  return groups;
}

/** The parts into which a file is cut. */
export function partsOf(path: string, rangeBytes: number, settings: ScanSettings): Step[] {
  const steps = planSteps(listSources([path]), { range: EVERYTHING, rangeBytes, threads: 2, settings, open: new Set() });
  return [...steps].filter(({ kind }) => kind === "parts");
}
