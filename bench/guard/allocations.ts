// Measures the allocations of the library in the JavaScript heap: for lines from a mebibyte of text, and for each match as an object whose
// URL is read. allocationsApart runs this file in a process of its own. Its young generation is so large that nothing is collected, so the
// heap grows by each allocation. The process has no optimizing compilers, because they allocate at any time.
import { fork } from "node:child_process";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { extract } from "../../src/api/extract.ts";
import { ExtractStream } from "../../src/api/extract-stream.ts";
import type { Match } from "../../src/matches/match.ts";
import { type GeneratedKind, generate } from "../generator.ts";
import { inPieces, SEED } from "./speed.ts";

const KINDS: readonly GeneratedKind[] = ["mail", "html", "urls", "none"];
/** Large, because Node allocates up to 80 KB more or less for a stream. */
const LINES_BYTES = 8 << 20;
const MATCHES_BYTES = 1 << 20;
/** MiB of the young generation. */
const YOUNG = 128;
/** The first runs fill the caches of names and code. */
const RUNS = 7;
/** Fewer matches are not measured: the stream allocates more than they do. */
const MATCHES_LEAST = 1000;
const FLAGS = [
  "--expose-gc",
  `--min-semi-space-size=${YOUNG}`,
  `--max-semi-space-size=${YOUNG}`,
  "--predictable",
  "--no-opt",
  "--no-sparkplug",
];

/** Sends `bytes` through a stream. Returns the number of characters in the URLs of matches, or 0 for lines. */
async function send(bytes: Uint8Array, objectMode: boolean): Promise<number> {
  let read = 0;
  const sink = new Writable({
    objectMode,
    write(found: unknown, _encoding, done) {
      if (objectMode) read += (found as Match).url?.length ?? 0;
      done();
    },
  });
  await pipeline(inPieces(bytes), new ExtractStream({ type: "text", objectMode }), sink);
  return read;
}

/** Returns the heap bytes that `work` allocates: the least of several runs, because Node sometimes allocates for itself. */
async function allocatedBy(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    await work();
    least = Math.min(least, process.memoryUsage().heapUsed - before);
  }
  return least;
}

async function observeAllocations(): Promise<Record<string, number>> {
  const allocations: Record<string, number> = {};
  for (const kind of KINDS) {
    const text = generate(kind, SEED, LINES_BYTES);
    const mebibytes = LINES_BYTES >> 20;
    allocations[`${kind}: heap bytes, lines`] = Math.round((await allocatedBy(() => send(text, false))) / mebibytes);
    const bytes = text.subarray(0, MATCHES_BYTES);
    const matches = extract(bytes, { type: "text" }).length;
    if (matches < MATCHES_LEAST) continue;
    const lines = await allocatedBy(() => send(bytes, false));
    const objects = await allocatedBy(() => send(bytes, true));
    allocations[`${kind}: heap bytes a Match`] = Math.round((objects - lines) / matches);
  }
  return allocations;
}

/** Returns the bytes of the JavaScript heap by text and work, from a new process. Rejects if that fails. */
export function allocationsApart(): Promise<Record<string, number>> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [], { execArgv: [...process.execArgv, ...FLAGS] });
    child.on("message", (result) => resolve(result as Record<string, number>));
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`${import.meta.filename} ended with ${code} and no result`)));
  });
}

if (process.argv[1] === import.meta.filename) process.send?.(await observeAllocations());
