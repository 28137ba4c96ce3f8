// Throughput of ExtractStream by highWaterMark, threads and form of output; the input is cut from memory, the output is dropped.
// Arguments: --record; --size MIB (256); --runs N (5).
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { ExtractStream, type ExtractStreamOptions } from "urlmill";
import { type Corpus, loadCorpus } from "./corpora.ts";
import { countLines } from "./in-memory.ts";
import { medianOf } from "./measure.ts";
import { printTable, type Table, writeRecord } from "./records.ts";

interface Form {
  readonly name: string;
  readonly highWaterMark: number;
  readonly options: ExtractStreamOptions;
}

const FORMS: readonly Form[] = [64 << 10, 1 << 20].flatMap((highWaterMark): Form[] => {
  const name = `highWaterMark ${highWaterMark >> 10} KiB`;
  const text = { highWaterMark, type: "text" } as const;
  return [
    { name: `${name}, lines`, highWaterMark, options: text },
    { name: `${name}, lines, threads: 2`, highWaterMark, options: { ...text, threads: 2 } },
    { name: `${name}, Match objects`, highWaterMark, options: { ...text, objectMode: true } },
    { name: `${name}, messages taken apart`, highWaterMark, options: { highWaterMark, type: "mbox" } },
  ];
});

/** Sends `copies` times `bytes` through a stream in pieces of its highWaterMark; returns the matches that came out. */
async function run({ highWaterMark, options }: Form, bytes: Uint8Array, copies: number): Promise<number> {
  let at = 0;
  let left = copies;
  const source = new Readable({
    highWaterMark,
    read() {
      if (at >= bytes.length) {
        at = 0;
        left--;
      }
      this.push(left === 0 ? null : bytes.subarray(at, at + highWaterMark));
      at += highWaterMark;
    },
  });
  let found = 0;
  const sink = new Writable({
    objectMode: options.objectMode ?? false,
    highWaterMark: options.objectMode ? 1024 : highWaterMark,
    write(chunk: unknown, _encoding, done) {
      found += chunk instanceof Uint8Array ? countLines(chunk) : 1;
      done();
    },
  });
  await pipeline(source, new ExtractStream(options), sink);
  return found;
}

/** Times every form, runs interleaved. Throws if two forms give different numbers of matches. */
export async function measureTransform(corpus: Corpus, copies: number, runs: number): Promise<Table> {
  const times = FORMS.map((): number[] => []);
  const counts = FORMS.map(() => 0);
  for (let turn = 0; turn <= runs; turn++) {
    for (const [index, form] of FORMS.entries()) {
      const start = performance.now();
      counts[index] = await run(form, corpus.bytes, copies);
      // The first turn warms up.
      if (turn > 0) times[index]?.push(performance.now() - start);
    }
  }
  const lines = counts.filter((_, index) => FORMS[index]?.options.objectMode !== true && FORMS[index]?.options.type === "text");
  if (new Set(lines).size > 1) throw new Error(`the forms give different numbers of lines: ${lines.join(", ")}`);
  const size = corpus.bytes.length * copies;
  return {
    title: `${corpus.name}: ExtractStream, ${(size / 1e6).toFixed(0)} MB`,
    notes: ["pieces of highWaterMark bytes from memory, read as text unless said; medians; threads: 2 includes the start of the workers"],
    columns: ["form", "matches", "GB/s"],
    rows: FORMS.map(({ name }, index) => [name, counts[index] as number, (size / medianOf(times[index] as number[]) / 1e6).toFixed(2)]),
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { record: { type: "boolean" }, size: { type: "string", default: "256" }, runs: { type: "string", default: "5" } },
  });
  const part = Math.min(Number(values.size), 64);
  const table = await measureTransform(loadCorpus("list-mail", part << 20), Math.ceil(Number(values.size) / part), Number(values.runs));
  printTable(table);
  if (values.record) writeRecord("transform", [table]);
}

if (process.argv[1] === import.meta.filename) await main();
