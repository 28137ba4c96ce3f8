// What a command writes whose run is divided: planned, run shard by shard, and brought together, without a process.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { merge } from "../../src/cluster/merge.ts";
import { plan } from "../../src/cluster/plan.ts";
import { PlanFile } from "../../src/cluster/plan-file.ts";
import { runShard } from "../../src/cluster/shard.ts";
import { FolderStore } from "../../src/cluster/store.ts";
import { verify } from "../../src/cluster/verify.ts";
import type { ReaderName } from "../../src/options/table.ts";
import { type CommandOptions, summaryLines, type Written } from "./command-run.ts";
import { scratchPath } from "./scratch.ts";
import { served } from "./served.ts";

/** How a run is divided. */
export interface HowToDivide {
  readonly shardBytes: number;
  /** Whether the files are read from a server. */
  readonly isServed: boolean;
}

/** A server is asked again at once. */
const PATIENCE = { random: () => 0 };

function plannedOptions(command: ReaderName, { unwrap, ...options }: CommandOptions): Readonly<Record<string, unknown>> {
  return command === "report" ? { ...options, json: true, noUnwrap: unwrap !== true } : { ...options, unwrap };
}

/** Runs a command over files of one folder, in shards, the last one first and twice. */
export async function writtenInShards(
  command: ReaderName,
  options: CommandOptions,
  paths: readonly string[],
  divided: HowToDivide,
): Promise<Written> {
  if (!divided.isServed) return await writtenBy(command, options, paths, divided);
  const folder = `${dirname(paths[0] as string)}/`;
  return await served(folder, async (url) => {
    const urls = paths.map((path) => path.replace(folder, url));
    const found = JSON.stringify(await writtenBy(command, options, urls, divided));
    return JSON.parse(found.replaceAll(url, folder)) as Written;
  });
}

async function writtenBy(
  command: ReaderName,
  options: CommandOptions,
  paths: readonly string[],
  { shardBytes }: HowToDivide,
): Promise<Written> {
  const lines: string[] = [];
  const how = {
    command,
    options: plannedOptions(command, options),
    shardBytes,
    patience: PATIENCE,
  };
  for await (const line of plan(paths, how)) lines.push(`${JSON.stringify(line)}\n`);
  const [file, folder] = [scratchPath("plan.jsonl"), scratchPath("results")];
  writeFileSync(file, lines.join(""));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const planned = await PlanFile.open(file);
  const store = new FolderStore(folder);
  const { shards } = await planned.end();
  for (const id of [shards - 1, ...Array.from({ length: shards }, (_, index) => shards - 1 - index)])
    if (id >= 0) await runShard(planned.header, await planned.shard(id), store, { patience: PATIENCE });
  for await (const { message } of verify(planned, store, { hash: true })) throw new Error(`verify of shards: ${message}`);
  const found: Written = { output: "", rejected: "", failed: [] };
  const totals = await merge(planned, store, {
    write(bytes) {
      found.output += Buffer.from(bytes).toString("latin1");
      return undefined;
    },
    writeRejected: (text) => {
      found.rejected += text;
    },
    onFailure: ({ message }) => void found.failed.push(message),
  });
  if (command === "report") found.output = summaryLines(Buffer.from(found.output, "latin1"));
  return { ...found, totals };
}
