// Compares whole processes on a file in the page cache, in turn: the command, ripgrep, V8's regular expressions, `wc -l`, `cat`.
// Arguments: --record; --size MIB (256); --runs N (7); --only CORPUS. Exits with 1 if a ratio is below its floor.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadCore } from "../src/core/core.ts";
import {
  type Command,
  countFileLines,
  finder,
  isInstalled,
  mediansInTurn,
  ours,
  ripgrep,
  versionOf,
  withTemporaryFolder,
  writeCopies,
} from "./commands.ts";
import { type Corpus, loadCorpus } from "./corpora.ts";
import { linesOf } from "./in-memory.ts";
import { ALL_SCHEMES_PATTERN, HTTPS_PATTERN } from "./peers.ts";
import { printTable, report, type Table, writeRecord } from "./records.ts";

const OURS = "urlmill -j 1";
const MBOX = "messages taken apart, -j 1";
const RG_ALL = "rg, all schemes";
const RG_HTTPS = "rg, https?://";
const V8_ALL = "V8 regex, all schemes";

/** Bytes of text before it repeats. A process with much more memory takes tens of milliseconds longer to start another. */
const PIECE_BYTES = 64 << 20;

/** Least ratio of the speeds of the command and a peer, by corpus. */
const FLOORS: Record<string, Record<string, number>> = {
  "list-mail": { [RG_ALL]: 3, [V8_ALL]: 10 },
  "html-spam": { [RG_ALL]: 3 },
};

function commandsFor(path: string): Command[] {
  const ripgreps = [ripgrep(RG_ALL, "-j1", "-i", ALL_SCHEMES_PATTERN, path), ripgrep(RG_HTTPS, "-j1", HTTPS_PATTERN, path)];
  return [
    // The other programs read plain bytes, so urlmill is measured as text too. In its last row it decodes messages.
    ours(OURS, "-j", "1", "--type", "text", path),
    ours("urlmill -j 2", "-j", "2", "--type", "text", path),
    ours(MBOX, "-j", "1", "--type", "mbox", path),
    ...(isInstalled("rg") ? ripgreps : []),
    finder(V8_ALL, "regex", path, "--pattern", ALL_SCHEMES_PATTERN),
    { name: "wc -l", program: "wc", arguments: ["-l", path] },
    { name: "cat", program: "cat", arguments: [path] },
    { name: "node, nothing else", program: process.execPath, arguments: ["-e", ""] },
  ];
}

/** The result of a comparison. */
export interface Comparison {
  readonly table: Table;
  /** Complaints about speeds below a floor. */
  readonly slow: string[];
  /** Complaints about numbers of lines. */
  readonly wrong: string[];
}

/** Times all commands on a file with `copies` copies of `corpus`. */
export async function compareFiles(corpus: Corpus, copies: number, runs: number): Promise<Comparison> {
  const core = await loadCore("simd");
  // A URL may cross the border of two copies, so two copies are counted together.
  const joined = new Uint8Array(corpus.bytes.length * Math.min(copies, 2));
  for (let at = 0; at < joined.length; at += corpus.bytes.length) joined.set(corpus.bytes, at);
  const two = linesOf(core, joined);
  const expected = copies > 2 ? two + (copies - 2) * (two - linesOf(core, corpus.bytes)) : two;
  return withTemporaryFolder((folder) => {
    const path = join(folder, "input.txt");
    const out = join(folder, "output");
    writeCopies(path, corpus.bytes, copies);
    const commands = commandsFor(path);
    const found: number[] = [];
    const medians = mediansInTurn(commands, out, runs, ({ program }) => {
      found.push(program === "cat" || program === "wc" ? 0 : countFileLines(out));
    });
    return judge(corpus, copies, commands, medians, found, expected);
  });
}

function judge(
  corpus: Corpus,
  copies: number,
  commands: readonly Command[],
  medians: readonly number[],
  found: readonly number[],
  expected: number,
): Comparison {
  const megabytes = (corpus.bytes.length * copies) / 1e6;
  const slow: string[] = [];
  const wrong: string[] = [];
  const ours = medians[0] as number;
  const rows = commands.map(({ name }, index) => {
    const median = medians[index] as number;
    const ratio = median / ours;
    const floor = FLOORS[corpus.name]?.[name];
    if (floor !== undefined && ratio < floor) slow.push(`${corpus.name}: ${ratio.toFixed(2)} times ${name}, the floor is ${floor}`);
    if (name.startsWith("urlmill") && found[index] !== expected) wrong.push(`${name}: ${found[index]} lines, not ${expected}`);
    const speed = name.startsWith("node") ? "" : (megabytes / median) * 1000;
    return [name, found[index] || "", median.toFixed(0), speed === "" ? "" : speed.toFixed(0), ratio.toFixed(2), floor ?? ""];
  });
  const rg = isInstalled("rg") ? versionOf("rg") : "ripgrep is not installed: its rows are missing";
  const times = copies > 1 ? `, ${copies} times in a row` : "";
  return {
    table: {
      title: `${corpus.name}: whole processes, ${megabytes.toFixed(0)} MB`,
      notes: [`${corpus.origin}${times}`, `${rg}; output to a file, medians, page cache warm`],
      columns: ["command", "lines out", "ms", "MB/s", "urlmill is faster x", "floor"],
      rows,
    },
    slow,
    wrong,
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      record: { type: "boolean" },
      size: { type: "string", default: "256" },
      runs: { type: "string", default: "7" },
      only: { type: "string" },
    },
  });
  const comparisons: Comparison[] = [];
  for (const name of values.only === undefined ? ["list-mail", "html-spam"] : [values.only]) {
    const comparison = await compareFiles(
      loadCorpus(name, PIECE_BYTES),
      Math.ceil((Number(values.size) * 2 ** 20) / PIECE_BYTES),
      Number(values.runs),
    );
    printTable(comparison.table);
    comparisons.push(comparison);
  }
  const tables = comparisons.map(({ table }) => table);
  if (values.record) await writeRecord(["files", values.only, values.size].filter(Boolean).join("-"), tables);
  const wrong = comparisons.flatMap((comparison) => [...comparison.wrong, ...comparison.slow]);
  report(wrong);
}

if (process.argv[1] === import.meta.filename) await main();
