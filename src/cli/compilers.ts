// Which of V8's compilers a run is worth.
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { recognizeContainer } from "../input/containers/recognize.ts";
import type { Input } from "../input/paths.ts";

/**
 * Up to here what the baseline compiler makes of the core takes no longer than what the optimizing one makes of it, whose work is not
 * done before the scan is: the process would wait for it at its end, for a fifth of the time that a file of 1 MiB takes.
 */
const LITTLE_BYTES = 16 << 20;
/** With less the optimizing compiler does not even begin; the module that tells V8 of it takes time to load. */
const LEAST_BYTES = 64 << 10;
/** Inputs that are looked at. */
const INPUTS_MOST = 8;
/** First bytes that tell a container: a tar has its name behind 257. */
const START_BYTES = 512;

/** Has V8 leave the core as it is for files that are read before more would pay. To be called before the core is compiled. */
export function chooseCompilers(inputs: readonly Input[]): void {
  if (inputs.length > INPUTS_MOST) return;
  let bytes = 0;
  for (const input of inputs) bytes += typeof input === "symbol" ? Number.POSITIVE_INFINITY : sizeOf(input);
  if (bytes < LEAST_BYTES || bytes >= LITTLE_BYTES) return;
  process.getBuiltinModule("node:v8").setFlagsFromString("--wasm-tiering-budget=1000000000");
}

/** Bytes that are scanned of a file; infinite where that is not known. What cannot be read is named when its turn comes. */
function sizeOf(path: string | Buffer): number {
  try {
    const stats = statSync(path);
    // Of a file that says it is empty nothing is read: some of the kernel's have the reader wait for ever.
    if (stats.isFile() && stats.size === 0) return 0;
    return stats.isFile() && !isContainer(path) ? stats.size : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function isContainer(path: string | Buffer): boolean {
  const start = new Uint8Array(START_BYTES);
  const file = openSync(path, "r");
  try {
    return recognizeContainer(start.subarray(0, readSync(file, start))) !== undefined;
  } finally {
    closeSync(file);
  }
}
