// Shared by cores for scans and the core for single URLs: compiles builds, makes memory, fills the tables in it.
import { CLASS_TABLE, MEMORY_BYTES, NAMED_ROWS_END } from "#core/layout/memory.js";
import { isBytes } from "../base/arrays.ts";
import { OptionError } from "../base/errors.ts";
import { BEST_BUILD, type CoreBuild } from "./best.ts";
import { type CoreTables, fillTables } from "./tables.ts";

/** A copy of the tables of this thread's first core: copying is much faster than filling. */
let filled: { readonly bytes: Uint8Array; readonly schemeRows: ReadonlyMap<string, number> } | undefined;

export function fillMemory(core: CoreTables): void {
  if (filled === undefined) {
    fillTables(core);
    filled = { bytes: core.bytes.slice(CLASS_TABLE, NAMED_ROWS_END), schemeRows: new Map(core.schemeRows) };
    return;
  }
  core.bytes.set(filled.bytes, CLASS_TABLE);
  for (const [name, row] of filled.schemeRows) core.schemeRows.set(name, row);
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
 * Returns whether WebAssembly failed because the platform does not let it run. V8 reserves 10 GiB of addresses for each memory, more than
 * a limit may allow (RangeError). A page's policy may forbid compiling (CompileError).
 */
export function isForbidden(error: unknown): boolean {
  return error instanceof RangeError || (typeof WebAssembly !== "undefined" && error instanceof WebAssembly.CompileError);
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
