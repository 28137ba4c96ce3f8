// What the library allocates in the JavaScript heap: for a mebibyte of text to lines, and for a match as an object whose URL is read.
// Started in a process of its own by allocationsApart: with a young generation so large that nothing is collected while it is
// measured, what the heap has grown by is what was allocated; without the compilers, which allocate when they like.
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { extract } from "../../src/api/extract.ts";
import { ExtractStream } from "../../src/api/extract-stream.ts";
import type { Match } from "../../src/scanner/batch.ts";
import { type GeneratedKind, generate } from "../generator.ts";
import { resultOfChild } from "./processes.ts";
import { SEED } from "./speed.ts";

const KINDS: readonly GeneratedKind[] = ["mail", "html", "urls", "none"];
/** Of lines much text is read: what Node itself allocates for a stream differs by 80 KB from time to time. */
const LINES_BYTES = 8 << 20;
const MATCHES_BYTES = 1 << 20;
const PIECE_BYTES = 1 << 16;
/** MiB of the young generation. */
const YOUNG = 128;
/** The first of them fill the caches of names and code. */
const RUNS = 7;
/** What less matches allocate is not told from what the stream does. */
const MATCHES_LEAST = 1000;
const FLAGS = [
  "--expose-gc",
  `--min-semi-space-size=${YOUNG}`,
  `--max-semi-space-size=${YOUNG}`,
  "--predictable",
  "--no-opt",
  "--no-sparkplug",
];

/** Sends `bytes` through a stream and returns the characters of the URLs of matches, 0 for lines. */
async function send(bytes: Uint8Array, objectMode: boolean): Promise<number> {
  let at = 0;
  let read = 0;
  const source = new Readable({
    read() {
      this.push(at < bytes.length ? bytes.subarray(at, at + PIECE_BYTES) : null);
      at += PIECE_BYTES;
    },
  });
  const sink = new Writable({
    objectMode,
    write(found: unknown, _encoding, done) {
      if (objectMode) read += (found as Match).url?.length ?? 0;
      done();
    },
  });
  await pipeline(source, new ExtractStream({ type: "text", objectMode }), sink);
  return read;
}

/** The least of several runs: the system's own turns of the event loop allocate at times. */
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

/** Bytes of the JavaScript heap by text and work, from a new process. Rejects if it fails. */
export function allocationsApart(): Promise<Record<string, number>> {
  return resultOfChild(import.meta.filename, [], FLAGS);
}

if (process.argv[1] === import.meta.filename) process.send?.(await observeAllocations());
