// Keeps V8's optimizing compiler away from runs that are too short for it.
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { recognizeContainer } from "../input/containers/recognize.ts";
import type { Input } from "../input/paths.ts";

/**
 * Below this a scan ends before the optimizing compiler is done with the core, so the process would wait for it at its end: for a fifth of
 * the time that a file of 1 MiB takes.
 */
const LITTLE_BYTES = 16 << 20;
/** Below this the optimizing compiler does not start, and loading node:v8 would only cost time. */
const LEAST_BYTES = 64 << 10;
/** With more inputs than this their sizes are not read. */
const INPUTS_MOST = 8;
/** First bytes by which a container is detected: a tar has its name after 257. */
const START_BYTES = 512;

/** Switches the optimizing compiler off for small files. Call it before the core is compiled. */
export function chooseCompilers(inputs: readonly Input[]): void {
  if (inputs.length > INPUTS_MOST) return;
  let bytes = 0;
  for (const input of inputs) bytes += typeof input === "symbol" ? Number.POSITIVE_INFINITY : sizeOf(input);
  if (bytes < LEAST_BYTES || bytes >= LITTLE_BYTES) return;
  process.getBuiltinModule("node:v8").setFlagsFromString("--wasm-tiering-budget=1000000000");
}

/** Returns how many bytes of a file are scanned; infinite if that is not known. A file that cannot be read is named later. */
function sizeOf(path: string | Buffer): number {
  try {
    const stats = statSync(path);
    // A file of size 0 is not opened here: reading some files of the kernel blocks for ever.
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
