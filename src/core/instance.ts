// Shared by cores for scans and the core for single URLs: selects and compiles builds, makes memory, fills the tables in it.
import { hasJavaScript } from "#builds";
import { CLASS_TABLE, MEMORY_BYTES, NAMED_ROWS_END } from "#core/layout/memory.js";
import { isBytes } from "../base/arrays.ts";
import { OptionError } from "../base/errors.ts";
import { shownValue } from "../base/shown.ts";
import { type CoreTables, fillTables } from "./tables.ts";

const BUILDS = ["javascript", "scalar", "simd"] as const;

/** A build of the core; `scalar` is WebAssembly without SIMD: it is for comparisons, and not in the package. */
export type CoreBuild = (typeof BUILDS)[number];

/** Returns `name` if it is the name of a build. Else throws OptionError, which names `option`. */
export function checkBuild(name: unknown, option: string): CoreBuild {
  const build = BUILDS.find((known) => known === name);
  if (build !== undefined) return build;
  throw new OptionError("ERR_URLMILL_BAD_OPTION", option, `must be ${BUILDS.join(", ")}, not ${shownValue(name)}`);
}

/** Returns the build that the variable URLMILL_CORE names; undefined if it is empty or not set, and in Deno. Throws OptionError. */
export function namedBuild(): CoreBuild | undefined {
  // Deno asks its user before a program may read a variable.
  const name = typeof process === "undefined" || "Deno" in globalThis ? undefined : process.env?.URLMILL_CORE;
  return name === undefined || name === "" ? undefined : checkBuild(name, "URLMILL_CORE");
}

// A module with one function, in hexadecimal: i32.const 0, i8x16.splat, v128.any_true.
const SIMD_PROBE = "0061736d010000000105016000017f030201000a0a0108004100fd0ffd530b";

function findBest(): CoreBuild {
  if (typeof WebAssembly === "undefined") return "javascript";
  const probe = Uint8Array.from(SIMD_PROBE.match(/../g) as string[], (byte) => Number.parseInt(byte, 16));
  return WebAssembly.validate(probe) ? "simd" : "javascript";
}

/** WebAssembly with SIMD where it runs, else the JavaScript build. */
export const BEST_BUILD: CoreBuild = findBest();

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
