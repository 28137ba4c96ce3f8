// Plans for tests: made, run shard by shard, and brought together, in this process.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Marker } from "../../src/cluster/marker.ts";
import { merge, openMerge } from "../../src/cluster/merge.ts";
import { type PlanOptions, plan } from "../../src/cluster/plan.ts";
import { PlanFile } from "../../src/cluster/plan-file.ts";
import { runShard } from "../../src/cluster/shard.ts";
import { FolderStore, type Store } from "../../src/cluster/store.ts";
import type { ScanSettings } from "../../src/options/options.ts";
import { checkValues } from "../../src/options/table.ts";
import { rejectedLines } from "../../src/output/rejected.ts";
import type { Sink } from "../../src/output/sink.ts";
import { commandSettings } from "../../src/run/command-settings.ts";
import type { Totals } from "../../src/run/totals.ts";
import { scanFiles } from "../../src/threads/scan-files.ts";
import { sinkOf } from "../output/sinks.ts";
import { pathOf } from "../threads/folder.ts";

/** A plan in a file, and where its results go. */
export interface Planned {
  readonly file: string;
  readonly plan: PlanFile;
  readonly folder: string;
  readonly store: Store;
}

/** Writes a plan to a file of a new folder. */
export async function makePlan(paths: readonly string[], options: PlanOptions): Promise<Planned> {
  const place = mkdtempSync(pathOf("plan-"));
  const lines: string[] = [];
  for await (const line of plan(paths, options)) lines.push(`${JSON.stringify(line)}\n`);
  const [file, folder] = [join(place, "plan.jsonl"), join(place, "results")];
  writeFileSync(file, lines.join(""));
  mkdirSync(folder);
  return { file, plan: await PlanFile.open(file), folder, store: new FolderStore(folder) };
}

/** Runs all shards, the last one first. */
export async function runAll({ plan, store }: Planned): Promise<Marker[]> {
  const markers: Marker[] = [];
  const { shards } = await plan.end();
  for (let id = shards - 1; id >= 0; id--) markers.unshift(await runShard(plan.header, await plan.shard(id), store));
  return markers;
}

/** What a scan gives. */
export interface Scanned {
  text: string;
  rejected: string;
  failed: string[];
  totals?: Totals;
}

async function scanned(produce: (sink: Sink) => Promise<Totals>): Promise<Scanned> {
  const found: Scanned = { text: "", rejected: "", failed: [] };
  const sink = sinkOf({
    bytes: ({ bytes }) => {
      found.text += Buffer.from(bytes).toString("latin1");
    },
    rejected: (batch) => {
      found.rejected += rejectedLines(batch);
    },
    omitted: (result) => {
      found.rejected += rejectedLines(result);
    },
    failed: ({ error }) => found.failed.push(error.message),
  });
  found.totals = await produce(sink);
  return found;
}

/** Returns what the shards of a plan give together. */
export function merged({ plan, store }: Planned): Promise<Scanned> {
  return scanned(async (sink) => (await openMerge(plan, store))({}, sink));
}

/** Returns the output of the command whose run was planned. */
export async function mergedText({ plan, store }: Planned): Promise<string> {
  let text = "";
  const write = (bytes: Uint8Array): undefined => {
    text += Buffer.from(bytes).toString("latin1");
  };
  await merge(plan, store, { write });
  return text;
}

/** Returns what one scan gives. */
export function scannedOnce(paths: readonly string[], options: Readonly<Record<string, unknown>>): Promise<Scanned> {
  const settings: ScanSettings = commandSettings("extract", checkValues("urlmill extract", options));
  return scanned((sink) => scanFiles(paths, { settings, threads: 1 }, sink));
}
