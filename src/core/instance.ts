// Shared by cores for scans and the core for single URLs: compiles builds, makes memory, fills the tables in it.
import { hasJavaScript } from "#builds";
import { CLASS_TABLE, MEMORY_BYTES, NAMED_ROWS_END } from "#core/layout/memory.js";
import { isBytes } from "../base/arrays.ts";
import { OptionError } from "../base/errors.ts";
import { BEST_BUILD, type CoreBuild, namedBuild } from "./best.ts";
import { type CoreTables, fillTables } from "./tables.ts";

/** A copy of the tables of this thread's first core: copying is much faster than filling. */
let filled: { readonly bytes: Uint8Array; readonly schemeRows: ReadonlyMap<string, number> } | undefined;

/** Returns a core that has these functions and this memory, with its tables filled. */
export function filledCore<Functions extends Pick<CoreTables, "indexScheme">>(build: CoreBuild, buffer: ArrayBuffer, functions: Functions) {
  const schemeRows = new Map(filled?.schemeRows);
  const [bytes, words] = [new Uint8Array(buffer), new Int32Array(buffer)];
  const core = { build, bytes, words, schemeRows, hasAddedSchemes: false, reportedSchemes: undefined, ...functions };
  if (filled === undefined) {
    fillTables(core);
    filled = { bytes: bytes.slice(CLASS_TABLE, NAMED_ROWS_END), schemeRows: new Map(schemeRows) };
  } else bytes.set(filled.bytes, CLASS_TABLE);
  return core;
}

/** Returns a compiled build of WebAssembly. Throws OptionError if it is not there or does not run here. */
export function compile(build: CoreBuild, binary: Uint8Array<ArrayBuffer> | WebAssembly.Module | undefined): WebAssembly.Module {
  if (build === "simd" && BEST_BUILD !== "simd") {
    throw new OptionError("ERR_URLMILL_BAD_OPTION", "core", "simd does not run here: this platform has no WebAssembly with SIMD");
  }
  if (binary === undefined) {
    const made = "run `node tools/build.mjs scalar` in a clone, which makes build/wasm/scalar.wasm, and use the clone's command or library";
    throw new OptionError("ERR_URLMILL_BAD_OPTION", "core", `${build} is not in the package: ${made}`);
  }
  return isBytes(binary) ? new WebAssembly.Module(binary as Uint8Array<ArrayBuffer>) : binary;
}

/** Returns a memory for an instance of WebAssembly. Throws RangeError if the platform has too little memory or address space. */
export function newMemory(): WebAssembly.Memory {
  const pages = MEMORY_BYTES >> 16;
  return new WebAssembly.Memory({ initial: pages, maximum: pages });
}

/**
 * Makes a core of the build that the environment names, else of the best one; of the JavaScript build if the platform lets no other run.
 * V8 reserves 10 GiB of addresses for each memory, more than a limit may allow (RangeError). A page's policy may forbid compiling.
 */
export function makeBest<Made>(make: (build: CoreBuild) => Made, makeJavaScript: () => Made): Made {
  const named = namedBuild();
  try {
    return make(named ?? BEST_BUILD);
  } catch (error) {
    const isForbidden = typeof WebAssembly !== "undefined" && error instanceof WebAssembly.CompileError;
    const isReplaceable = isForbidden || (error instanceof RangeError && hasJavaScript());
    // A named build is compared with others: do not replace it.
    if (named !== undefined || !isReplaceable) throw error;
    return makeJavaScript();
  }
}

/** Returns the instance of a JavaScript build that `make` makes. Throws an error that says so if there is too little memory. */
export function withMemory<Instance>(make: () => Instance): Instance {
  try {
    return make();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new Error(`too little memory: the core needs ${Math.ceil(MEMORY_BYTES / (1 << 20))} MiB (${cause.message})`, { cause });
  }
}
