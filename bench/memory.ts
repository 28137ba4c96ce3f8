// Measures peak resident memory on a large input: 2 GiB through the command and through ExtractStream (Linux).
// Arguments: --record; --size MIB (2048). Exits with 1 above 100 MiB plus 32 MiB for each thread.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { COMMAND, countFileLines, LIBRARY, peakOf, withTemporaryFolder, writeCopies } from "./commands.ts";
import { loadCorpus } from "./corpora.ts";
import { printTable, report, type Table, writeRecord } from "./records.ts";

const PART_BYTES = 64 << 20;

// Reads the file argv[2] through an ExtractStream with argv[3] threads, and writes the lines to standard output.
const STREAM_SCRIPT = `
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { ExtractStream } from ${JSON.stringify(LIBRARY)};
const [path, threads, type] = process.argv.slice(2);
const source = createReadStream(path, { highWaterMark: 1 << 20 });
await pipeline(source, new ExtractStream({ threads: Number(threads), type }), createWriteStream("", { fd: 1 }));
`;

/** Measures the peak memory of each way to read `copies` copies of `bytes`. */
export async function measureMemory(bytes: Uint8Array, copies: number): Promise<{ table: Table; wrong: string[] }> {
  return withTemporaryFolder((folder) => {
    const path = join(folder, "input.txt");
    const out = join(folder, "output");
    const script = join(folder, "stream.mjs");
    writeCopies(path, bytes, copies);
    writeFileSync(script, STREAM_SCRIPT);
    const ways: [string, number, string[]][] = [1, 2].flatMap((threads): [string, number, string[]][] => [
      [`urlmill -j ${threads}`, threads, [COMMAND, "-j", `${threads}`, "--type", "text", path]],
      [`ExtractStream, threads: ${threads}`, threads, [script, path, `${threads}`, "text"]],
    ]);
    const apart: [string, number, string[]][] = [1, 2].map((threads) => [
      `urlmill -j ${threads}, messages taken apart`,
      threads,
      [COMMAND, "-j", `${threads}`, "--type", "mbox", path],
    ]);
    const wrong: string[] = [];
    const counts = new Set<number>();
    const rows = [...ways, ...apart].map(([name, threads, argv]) => {
      const { kibibytes, time } = peakOf(name, argv, folder, out);
      const limit = 100 + 32 * threads;
      const peak = kibibytes / 1024;
      const lines = countFileLines(out);
      if (!name.endsWith("apart")) counts.add(lines);
      if (peak > limit) wrong.push(`${name}: ${peak.toFixed(0)} MiB at its peak, the limit is ${limit}`);
      return [name, lines, (time / 1000).toFixed(2), peak.toFixed(1), limit];
    });
    const empty = peakOf("node", ["-e", ""], folder, out).kibibytes / 1024;
    if (counts.size > 1) wrong.push(`the ways give different numbers of lines: ${[...counts].join(", ")}`);
    const mebibytes = (bytes.length * copies) / 2 ** 20;
    const table = {
      title: `peak resident memory, ${mebibytes.toFixed(0)} MiB of list mail`,
      notes: [`VmHWM of the process; an empty Node process: ${empty.toFixed(1)} MiB`],
      columns: ["way", "lines out", "s", "peak MiB", "limit MiB"],
      rows,
    };
    return { table, wrong };
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { record: { type: "boolean" }, size: { type: "string", default: "2048" } } });
  const { bytes } = loadCorpus("list-mail", PART_BYTES);
  const { table, wrong } = await measureMemory(bytes, Math.ceil((Number(values.size) * 2 ** 20) / PART_BYTES));
  printTable(table);
  if (values.record) await writeRecord("memory", [table]);
  report(wrong);
}

if (process.argv[1] === import.meta.filename) await main();
