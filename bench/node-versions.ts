// The same works on Node 20, 22, 24 and 26, in turn: in one process each, and as whole processes. `x` is how many times faster than the
// first.
// Arguments: --install installs the versions to .peers/; --record; --size MIB of each text in one process (16); --file-size MIB of the
// file (512, from which on -j 2 has workers); --runs N (5). Ends with 1 where versions find different numbers.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadCore } from "../src/core/core.ts";
import { COMMAND, countFileLines, isInstalled, timeCommand, versionOf, withTemporaryFolder, writeCopies } from "./commands.ts";
import { installPackage } from "./contenders.ts";
import type { Corpus } from "./corpora.ts";
import { PEERS_FOLDER } from "./finders.cjs";
import { distinctLines, listOf, rawLines } from "./in-memory.ts";
import { medianOf } from "./measure.ts";
import { LIST_FILE, type Seen } from "./one-version.ts";
import { printTable, report, type Table, writeRecord } from "./records.ts";
import { loadText, TEXTS } from "./side-by-side.ts";

const MAJORS = [20, 22, 24, 26];
const ROOT = join(import.meta.dirname, "..");
const CHILD = join(import.meta.dirname, "one-version.ts");
/** Each version has its own: what it accepts may differ. */
const PLATFORM_ROW = "new URL().href";

/** A Node to run. */
export interface NodeVersion {
  readonly name: string;
  readonly program: string;
}

/** What is run on all versions. */
export interface Works {
  readonly corpora: readonly Corpus[];
  /** How often the first of them stands in the file for whole processes. */
  readonly copies: number;
  readonly runs: number;
  /** "smoke": without measuring. */
  readonly kind: "full" | "smoke";
}

/** What was seen of one work. */
interface Series {
  readonly counts: Set<number>;
  /** In ms, by version. */
  readonly times: readonly number[][];
}

/** By name of the work. */
type Results = Map<string, Series>;

function folderOf(major: number): string {
  return join(PEERS_FOLDER, `node-${major}`);
}

function findVersions(): { versions: NodeVersion[]; missing: string[] } {
  const versions: NodeVersion[] = [];
  const missing: string[] = [];
  for (const major of MAJORS) {
    const program = join(folderOf(major), "node_modules/node/bin/node");
    if (isInstalled(program)) versions.push({ name: versionOf(program), program });
    else missing.push(`Node ${major} is not installed: its columns are missing (npx tsx bench/node-versions.ts --install)`);
  }
  return { versions, missing };
}

function add(results: Results, versions: readonly NodeVersion[], index: number, name: string, count: number, time: number): void {
  const series = results.get(name) ?? { counts: new Set(), times: versions.map((): number[] => []) };
  series.counts.add(count);
  series.times[index]?.push(time);
  results.set(name, series);
}

/** What one-version.ts sees, run by one version. */
function observeIn({ name, program }: NodeVersion, folder: string, kind: Works["kind"]): Seen {
  const ended = spawnSync(program, ["--import", import.meta.resolve("tsx"), CHILD, folder, kind], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (ended.status !== 0) throw ended.error ?? new Error(`${name} ended with ${ended.status ?? ended.signal}`);
  return JSON.parse(ended.stdout) as Seen;
}

/** Arguments of Node by name of the work; writes the files that they need to `folder`. */
function commandsIn(folder: string, { corpora, copies }: Works): Record<string, string[]> {
  const input = join(folder, "input");
  const line = join(folder, "line");
  writeCopies(input, (corpora[0] as Corpus).bytes, copies);
  writeFileSync(line, "see http://example.com/\n");
  for (const part of ["build/command", "build/wasm", "package.json"]) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  rmSync(join(folder, "build/command/command.cache"));
  return {
    "urlmill -j 1": [COMMAND, "-j", "1", "--type", "text", input],
    "urlmill -j 2": [COMMAND, "-j", "2", "--type", "text", input],
    "urlmill, one line": [COMMAND, line],
    "urlmill, one line, without command.cache": [join(folder, "build/command/main.cjs"), line],
    "urlmill --version": [COMMAND, "--version"],
    "node -e 0": ["-e", "0"],
  };
}

/** `amount` by ms, in thousands a second; 0: the time itself. */
function tableOf(title: string, notes: readonly string[], versions: readonly NodeVersion[], results: Results, amount: number): Table {
  const columns = versions.flatMap(({ name }, index) => (index === 0 ? [name] : [name, `${name} x`]));
  const rows = [...results].map(([name, { counts, times }]) => {
    const medians = times.map(medianOf);
    const spreads = times.map((each, index) => (Math.max(...each) - Math.min(...each)) / (medians[index] as number));
    const cells = medians.flatMap((median, index) => {
      const speed = amount / median / 1000;
      const shown = amount === 0 ? median.toFixed(median < 1000 ? 1 : 0) : speed.toFixed(speed < 10 ? 2 : 0);
      return index === 0 ? [shown] : [shown, ((medians[0] as number) / median).toFixed(2)];
    });
    return [name, [...counts].join(" or "), ...cells, (Math.max(...spreads) * 100).toFixed(0)];
  });
  return { title, notes, columns: ["work", "count", ...columns, "spread %"], rows };
}

function differences(results: readonly Results[]): string[] {
  return results
    .flatMap((works) => [...works])
    .flatMap(([name, { counts }]) => {
      return counts.size === 1 || name === PLATFORM_ROW ? [] : [`${name}: versions find ${[...counts].join(" or ")}`];
    });
}

/** Another is the first in each run: what runs before leaves caches and dirty pages behind. */
function orderOf(count: number, run: number): number[] {
  return Array.from({ length: count }, (_, index) => (index + run) % count);
}

/** Runs all works with each version in turn; the first is what others are compared with. */
export async function compareVersions(versions: readonly NodeVersion[], works: Works): Promise<{ tables: Table[]; wrong: string[] }> {
  const core = await loadCore("simd");
  const urls = distinctLines(works.corpora.map(({ bytes }) => rawLines(core, bytes)));
  return withTemporaryFolder((folder) => {
    for (const { name, bytes } of works.corpora) writeFileSync(join(folder, `${name}.txt`), bytes);
    writeFileSync(join(folder, LIST_FILE), listOf(urls));
    const commands = Object.entries(commandsIn(folder, works));
    const out = join(folder, "output");
    const [texts, list, processes]: [Results, Results, Results] = [new Map(), new Map(), new Map()];
    for (let run = 0; run < works.runs; run++) {
      for (const index of orderOf(versions.length, run)) {
        const seen = observeIn(versions[index] as NodeVersion, folder, works.kind);
        for (const { name, count, median } of seen.texts) add(texts, versions, index, name, count, median);
        for (const { name, count, median } of seen.list) add(list, versions, index, name, count, median);
      }
      for (const [name, args] of commands) {
        for (const index of orderOf(versions.length, run)) {
          const { program } = versions[index] as NodeVersion;
          const time = timeCommand({ name, program, arguments: args }, out);
          add(processes, versions, index, name, countFileLines(out), time);
        }
      }
    }
    const size = works.corpora[0]?.bytes.length ?? 0;
    const spread = "spread: the longest less the shortest by the median, of the version where it is largest";
    const how = `medians of ${works.runs} runs in turn; x: times as fast as ${versions[0]?.name}; ${spread}`;
    const origins = works.corpora.map(({ name, origin }) => `${name}: ${origin}`);
    const megabytes = (size * works.copies) / 1e6;
    const cached = `command.cache is what V8 has compiled at the build, by Node ${process.version}; other versions of V8 refuse it`;
    const tables = [
      tableOf(`in one process: MB/s, ${(size / 1e6).toFixed(1)} MB of each text`, [...origins, how], versions, texts, size),
      tableOf(`normalize a list of ${urls.length} URLs: M URLs/s`, ["the distinct URLs of all texts"], versions, list, urls.length),
      tableOf(`whole processes: ms, ${megabytes.toFixed(1)} MB of ${works.corpora[0]?.name}`, [how, cached], versions, processes, 0),
    ];
    return { tables, wrong: differences([texts, list, processes]) };
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      install: { type: "boolean" },
      record: { type: "boolean" },
      size: { type: "string", default: "16" },
      "file-size": { type: "string", default: "512" },
      runs: { type: "string", default: "5" },
    },
  });
  if (values.install) for (const major of MAJORS) installPackage(folderOf(major), `node@${major}`);
  const { versions, missing } = findVersions();
  for (const message of missing) process.stderr.write(`${message}\n`);
  if (versions.length === 0) {
    process.exitCode = 1;
    return;
  }
  const corpora: Corpus[] = [];
  for (const name of TEXTS) corpora.push(await loadText(name, Number(values.size) * 2 ** 20));
  const copies = Math.ceil(Number(values["file-size"]) / Number(values.size));
  const { tables, wrong } = await compareVersions(versions, { corpora, copies, runs: Number(values.runs), kind: "full" });
  for (const table of tables) printTable(table);
  if (values.record) writeRecord("node-versions", tables);
  report(wrong);
}

if (process.argv[1] === import.meta.filename) await main();
