// `npm run bench:peers`: urlmill beside other extractors of URLs, as whole processes and in one process, on texts of several kinds.
// Arguments: --size MIB of each text (256); --memory-size MIB of each text in one process (1); --runs N (5); --only TEXT;
// --record writes records/ and the plot; --install installs the packages.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadCore } from "../src/core/core.ts";
import { withTemporaryFolder, writeCopies } from "./commands.ts";
import { type Contender, commandContenders, functionContenders, installPeers, programVersions } from "./contenders.ts";
import { type Corpus, loadCorpus } from "./corpora.ts";
import { distinctLines, listOf, rawLines } from "./in-memory.ts";
import { medianOf } from "./measure.ts";
import { type Bar, type Panel, plotOf } from "./plot.ts";
import { machine, printTable, type Table, writeRecord } from "./records.ts";

/** Bytes of a text before it repeats. */
const PIECE_BYTES = 64 << 20;
const URL_LIST = "url-list";
/** Names of the texts. */
export const TEXTS = ["list-mail", "html-spam", "log", URL_LIST, "none"];

/** The figures of a contender. */
export interface Measured {
  readonly contender: Contender;
  readonly count: number | undefined;
  /** In ms, one for each run. */
  readonly times: readonly number[];
  /** The processor time of each run in ms, without that of other processes. */
  readonly processor: readonly number[];
}

/** Runs each contender once to warm up, then all of them in turn. Throws if two runs find different numbers. */
export function measureInTurn(contenders: readonly Contender[], runs: number): Measured[] {
  const measured = contenders.map((contender) => {
    contender.run();
    return { contender, count: contender.count(), times: [] as number[], processor: [] as number[] };
  });
  for (let turn = 0; turn < runs; turn++) {
    for (const { contender, count, times, processor } of measured) {
      const [start, before] = [performance.now(), process.cpuUsage()];
      const time = contender.run();
      const { user, system } = process.cpuUsage(before);
      times.push(time);
      processor.push((time * (user + system)) / 1000 / (performance.now() - start));
      if (contender.count() !== count) throw new Error(`${contender.name}: ${contender.count()} URLs, before ${count}`);
    }
  }
  return measured;
}

function tableOf(title: string, notes: readonly string[], megabytes: number, measured: readonly Measured[]): Table {
  const ours = medianOf(measured[0]?.times ?? []);
  return {
    title,
    notes,
    columns: ["row", "found", "ms", "spread %", "MB/s", "urlmill is faster x"],
    rows: measured.map(({ contender, count, times }) => {
      const median = medianOf(times);
      const spread = ((Math.max(...times) - Math.min(...times)) / median) * 100;
      const speed = contender.name.startsWith("node -e") ? "" : (megabytes / median) * 1000;
      return [
        contender.name,
        count ?? "",
        median.toFixed(median < 100 ? 1 : 0),
        spread.toFixed(0),
        speed === "" ? "" : speed.toFixed(speed < 10 ? 1 : 0),
        (median / ours).toFixed(2),
      ];
    }),
  };
}

function panelOf(title: string, megabytes: number, measured: readonly Measured[]): Panel {
  const bars = measured
    .filter(({ contender }) => contender.side !== "limit")
    .map(({ contender, times }): Bar => ({ name: contender.name, value: (megabytes / medianOf(times)) * 1000, side: contender.side }));
  return { title, bars };
}

/** Returns `size` bytes of a text: a corpus, or the distinct URLs of two corpora, one a line, repeated. */
export async function loadText(name: string, size: number): Promise<Corpus> {
  if (name !== URL_LIST) return loadCorpus(name, size);
  const core = await loadCore("simd");
  const sources = ["list-mail", "html-spam"].map((source) => loadCorpus(source, 16 << 20));
  const urls = listOf(distinctLines(sources.map(({ bytes }) => rawLines(core, bytes))));
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += urls.length) bytes.set(urls.subarray(0, size - at), at);
  const from = sources.map((source) => source.name).join(" and ");
  return { name, origin: `the distinct URLs of ${from} (${(urls.length / 1e6).toFixed(1)} MB), again and again`, bytes };
}

/** The results on a text. */
interface Comparison {
  readonly tables: Table[];
  readonly panels: Panel[];
}

/** Compares whole processes on two files, each with half of the text, so that two threads can share the work. */
async function compareProcesses(corpus: Corpus, size: number, runs: number): Promise<Comparison> {
  return await withTemporaryFolder((folder) => {
    const copies = Math.max(1, Math.round(size / 2 / corpus.bytes.length));
    const paths = ["1.txt", "2.txt"].map((name) => join(folder, name));
    for (const path of paths) writeCopies(path, corpus.bytes, copies);
    const megabytes = (2 * copies * corpus.bytes.length) / 1e6;
    const measured = measureInTurn(commandContenders(paths, join(folder, "output")), runs);
    const title = `${corpus.name}: whole processes, ${megabytes.toFixed(0)} MB`;
    const notes = [
      `${corpus.origin}; two files of ${copies} times ${(corpus.bytes.length / 1e6).toFixed(1)} MB`,
      `${programVersions().join("; ")}; output to a file, page cache warm, medians of ${runs} runs in turn`,
    ];
    return { tables: [tableOf(title, notes, megabytes, measured)], panels: [panelOf(title, megabytes, measured)] };
  });
}

async function compareFunctions({ name, bytes }: Corpus, size: number, runs: number): Promise<Comparison> {
  const part = bytes.slice(0, size);
  const megabytes = part.length / 1e6;
  const { contenders, missing } = await functionContenders(part);
  const measured = measureInTurn(contenders, runs);
  for (const message of missing) process.stderr.write(`${message}\n`);
  const title = `${name}: in one process, ${megabytes.toFixed(1)} MB`;
  const notes = [`medians of ${runs} runs in turn`, ...missing];
  return { tables: [tableOf(title, notes, megabytes, measured)], panels: [panelOf(title, megabytes, measured)] };
}

/** Compares whole processes on `size` bytes of a text, and functions in this process on `memorySize` bytes. */
export async function comparePeers(corpus: Corpus, size: number, memorySize: number, runs: number): Promise<Comparison> {
  const whole = await compareProcesses(corpus, size, runs);
  const functions = await compareFunctions(corpus, memorySize, runs);
  return { tables: [...whole.tables, ...functions.tables], panels: [...whole.panels, ...functions.panels] };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      size: { type: "string", default: "256" },
      "memory-size": { type: "string", default: "1" },
      runs: { type: "string", default: "5" },
      only: { type: "string" },
      record: { type: "boolean" },
      install: { type: "boolean" },
    },
  });
  if (values.install) installPeers();
  const tables: Table[] = [];
  const panels: Panel[] = [];
  for (const name of values.only === undefined ? TEXTS : [values.only]) {
    const size = Number(values.size) * 2 ** 20;
    const corpus = await loadText(name, Math.min(PIECE_BYTES, Math.ceil(size / 2)));
    const comparison = await comparePeers(corpus, size, Number(values["memory-size"]) * 2 ** 20, Number(values.runs));
    comparison.tables.forEach(printTable);
    tables.push(...comparison.tables);
    panels.push(...comparison.panels);
  }
  if (!values.record) return;
  await writeRecord("peers", tables);
  const { processor, node, date } = machine();
  // The plot is in docs/, because README.md shows it and the npm package has no bench/.
  writeFileSync(
    join(import.meta.dirname, "../docs/peers.svg"),
    plotOf(`MB/s, longer is better. ${processor}, Node ${node}, ${date}`, panels),
  );
}

if (process.argv[1] === import.meta.filename) await main();
