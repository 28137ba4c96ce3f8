// V8's flags for a run: what it is worth of the compilers, and when objects are collected.
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { recognizeContainer, TAR_BLOCK } from "../input/containers/recognize.ts";
import type { Input } from "../input/paths.ts";

/**
 * Up to here what the baseline compiler makes of the core takes no longer than what the optimizing one makes of it, whose work is not
 * done before the scan is: the process would wait for it at its end. An mbox of 1 MiB takes 0.123 s instead of 0.133, one of 15 MiB
 * takes 0.155 s of processor time instead of 0.194; one of 64 MiB would take 0.26 s instead of 0.22.
 */
const LITTLE_BYTES = 16 << 20;
/** With less the optimizing compiler does not even begin; the module that sets flags of V8 takes time to load. */
const LEAST_BYTES = 64 << 10;
/** Inputs that are looked at. */
const INPUTS_MOST = 8;

/**
 * Bytecodes that V8 takes into one function in all when it optimizes that; its own limit is 920. It compiles beside the scan for up to a
 * quarter of the processor time of half a gigabyte of mail, and again where a function meets other objects than before. With less to
 * compile such a run takes less, and a long run no more.
 */
const INLINED_BYTECODES = 300;

/**
 * V8 considers optimizing a function each time it has run so many bytes of bytecode: four times its own number. So fewer functions are
 * compiled beside the scan: half a gigabyte of mail takes a tenth less processor time, 15 MiB as ndjson a fifth less, a report a twentieth.
 */
const BUDGET = 264_000;

/**
 * How many times larger the space of new objects becomes when many of them outlive it; V8 doubles it, and copies them more often. A report
 * takes 3 % less processor time, and a few MiB more.
 */
const GROWTH = 4;

/**
 * How much the memory of old objects may grow before they are collected. Where it may grow by less than new objects can take, V8 marks them
 * again and again: seven times in a report over mail of 60 MB that was compressed.
 */
const OLD_GROWTH_PERCENT = 220;

/** The flags of all runs that are large enough for any. */
const FLAGS = `--interrupt-budget=${BUDGET} --semi-space-growth-factor=${GROWTH} --heap-growing-percent=${OLD_GROWTH_PERCENT}`;

/** Has V8 compile no more than what a run is worth, and collect less often. To be called before the core is compiled. */
export function chooseCompilers(inputs: readonly Input[]): void {
  const sizes = inputs.length > INPUTS_MOST ? [Number.POSITIVE_INFINITY] : inputs.map(knownSizeOf);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes < LEAST_BYTES) return;
  // A file that says it is empty is not read: a read of some of the kernel's never returns.
  const isLittle = bytes < LITTLE_BYTES && !inputs.some((input, index) => sizes[index] !== 0 && isContainer(input));
  const flag = isLittle ? "--wasm-tiering-budget=1000000000" : `--max-inlined-bytecode-size-cumulative=${INLINED_BYTECODES}`;
  process.getBuiltinModule("node:v8").setFlagsFromString(`${flag} ${FLAGS}`);
}

function knownSizeOf(input: Input): number {
  return typeof input === "symbol" ? Number.POSITIVE_INFINITY : sizeOf(input);
}

/** Returns the bytes of a file, or infinity for what is none. What cannot be read is named when its turn comes. */
function sizeOf(path: string | Buffer): number {
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats.size : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Returns whether a file decodes to an unknown number of bytes, or cannot be read. */
function isContainer(input: Input): boolean {
  const start = new Uint8Array(TAR_BLOCK);
  let file: number | undefined;
  try {
    file = openSync(input as string, "r");
    return recognizeContainer(start.subarray(0, readSync(file, start))) !== undefined;
  } catch {
    return true;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
