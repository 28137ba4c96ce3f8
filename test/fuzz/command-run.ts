// What a command that reads archives writes, without a process: its output, its list of rejected candidates, its errors and its totals.
import { isDeepStrictEqual } from "node:util";
import { countResults } from "../../src/api/count-results.ts";
import { extractResults, type Results } from "../../src/api/results.ts";
import type { KeyField } from "../../src/options/fields.ts";
import { type ExtractStreamOptions, type RecordField, settingsOf } from "../../src/options/options.ts";
import { checkValues, type OptionValues, type ReaderName } from "../../src/options/table.ts";
import { rejectedLines } from "../../src/output/rejected.ts";
import type { Result } from "../../src/output/sink.ts";
import { reportResults } from "../../src/report/report-results.ts";
import { choiceOf } from "../../src/run/command-settings.ts";
import type { Totals } from "../../src/run/totals.ts";
import type { Summary } from "../../src/summary/summary.ts";
import { type ScanFilesOptions, scanFiles } from "../../src/threads/scan-files.ts";
import type { ScanState } from "../../src/threads/scan-state.ts";
import { sinkOf } from "../output/sinks.ts";

/** Options of a command, as the library names them. */
export interface CommandOptions extends Omit<ExtractStreamOptions, "threads"> {
  readonly unique?: boolean;
  readonly uniqueBy?: readonly RecordField[];
  readonly by?: readonly KeyField[];
  /** `urlmill count` sorts by messages. */
  readonly messages?: boolean;
  /** Rows of each table of a report. */
  readonly top?: number;
  readonly memory?: number;
  /** Any name: rejected candidates are listed. */
  readonly rejected?: string;
}

/** What a command writes. */
export interface Written {
  /** Bytes as Latin-1. */
  output: string;
  rejected: string;
  readonly failed: string[];
  totals?: Totals;
}

/** A state of a run, and how much was written when it was reached. */
export interface ReachedState {
  readonly state: ScanState;
  readonly output: number;
  readonly rejected: number;
  readonly failed: number;
}

/** How a command reads its inputs, and what is called with each state. */
export type HowToRead = Partial<ScanFilesOptions> & {
  readonly onState?: ((reached: ReachedState) => void) | undefined;
  /** The state from which it goes on. */
  readonly resumed?: ReachedState;
};

async function resultsOf(command: ReaderName, options: OptionValues, paths: readonly string[], hasBegun: boolean): Promise<Results> {
  if (command === "count") return await countResults(options);
  if (command === "report") return reportResults({ ...options, json: true, noUnwrap: !options.unwrap }, [], paths);
  return await extractResults(settingsOf(options), choiceOf(options), hasBegun);
}

/** Returns the lines of a summary without what says how it came to be. */
export function summaryLines(json: Uint8Array): string {
  const { run: _, ...summary } = JSON.parse(Buffer.from(json).toString()) as Summary;
  return JSON.stringify(summary, null, 1);
}

/** Runs a command over files. */
export async function written(command: ReaderName, given: CommandOptions, paths: readonly string[], how: HowToRead = {}): Promise<Written> {
  const options = checkValues(`urlmill ${command}`, given, "urlmill extract");
  const { onState, resumed, ...others } = how;
  const results = await resultsOf(command, options, paths, (resumed?.output ?? 0) > 0);
  const found: Written = { output: "", rejected: "", failed: [] };
  const list = (result: Result): void => {
    found.rejected += rejectedLines(result);
  };
  const sink = sinkOf({
    bytes: ({ bytes }) => {
      found.output += Buffer.from(bytes).toString("latin1");
    },
    rejected: list,
    omitted: list,
    failed: ({ error }) => void found.failed.push(error.message),
  });
  const keeper = {
    resumed: resumed?.state,
    reached(state: () => ScanState): undefined {
      const { output, rejected, failed } = found;
      // As a file holds it.
      const kept = JSON.parse(JSON.stringify(state())) as ScanState;
      onState?.({ state: kept, output: output.length, rejected: rejected.length, failed: failed.length });
    },
  };
  const isKept = onState !== undefined || resumed !== undefined;
  const scan: ScanFilesOptions = {
    settings: results.settings,
    threads: 1,
    workMillisecondsLeast: 0,
    ...others,
    keeper: isKept ? keeper : undefined,
  };
  const { signal } = new AbortController();
  const totals = await scanFiles(paths, scan, results.open(sink, signal));
  if (results.finish !== undefined) found.output += summaryLines(await results.finish(totals, 0, signal));
  return { ...found, totals };
}

/** Characters of a difference that are shown. */
const SHOWN = 300;

function textsDiffer(kind: string, one: string, other: string): string | null {
  if (one === other) return null;
  const [lines, wanted] = [one.split("\n"), other.split("\n")];
  const index = lines.findIndex((line, at) => line !== wanted[at]);
  const line = index < 0 ? lines.length : index;
  const [found = "none", expected = "none"] = [lines[line], wanted[line]];
  let at = 0;
  while (found[at] === expected[at]) at++;
  const from = Math.max(0, at - SHOWN / 2);
  const show = (text: string): string => text.slice(from, from + SHOWN);
  return `${kind}: line ${line} from character ${from} is ${show(found)} instead of ${show(expected)}`;
}

/** Copies whose objects have the usual prototype: those with keys from an input have none. */
const plain = <T>(one: T, other: T): [T, T] => [structuredClone(one), structuredClone(other)];

/** Returns how what was written differs from what was wanted, or null; `kind` names the failure. */
export function differenceOf(kind: string, found: Written, wanted: Written): string | null {
  const shown = ({ totals }: Written): string => JSON.stringify(totals);
  return (
    textsDiffer(kind, found.output, wanted.output) ??
    textsDiffer(`rejected of ${kind}`, found.rejected, wanted.rejected) ??
    textsDiffer(`errors of ${kind}`, found.failed.join("\n"), wanted.failed.join("\n")) ??
    (isDeepStrictEqual(...plain(found.totals, wanted.totals)) ? null : `totals of ${kind}: ${shown(found)} instead of ${shown(wanted)}`)
  );
}
