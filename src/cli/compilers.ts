// Which of V8's compilers a run is worth.
import { statSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import type { Input } from "../sources/paths.ts";

/**
 * Up to here what the baseline compiler makes of the core takes no longer than what the optimizing one makes of it, whose work is not
 * done before the scan is: the process would wait for it at its end, for a fifth of the time that a file of 1 MiB takes.
 */
const LITTLE_BYTES = 16 << 20;
/** Inputs whose sizes are asked for. */
const INPUTS_MOST = 64;

/** Has V8 leave the core as it is for files that are read before more would pay. To be called before the core is compiled. */
export function chooseCompilers(inputs: readonly Input[]): void {
  if (inputs.length <= INPUTS_MOST && inputs.every((input) => typeof input === "string") && areLittle(inputs)) {
    setFlagsFromString("--wasm-tiering-budget=1000000000");
  }
}

function areLittle(paths: readonly string[]): boolean {
  let bytes = 0;
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return false;
    bytes += stats.size;
  }
  return bytes < LITTLE_BYTES;
}
