// Copies of the WebAssembly build that count their own work: steps are starts and ends of functions and turns of loops. One instruction
// may copy or fill any number of bytes, so these are counted too.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import binaryen from "binaryen";
import type * as core from "#core/index.js";
import { MEMORY_BYTES } from "#core/layout/memory.js";
import { type Callbacks, importsOf, makeCallbacks } from "../../src/core/callbacks.ts";
import type { Core, CoreBuild } from "../../src/core/core.ts";
import { fillTables } from "../../src/core/tables.ts";

/** Folder of what is built. */
export const BUILD = resolve(import.meta.dirname, "../../build");

/** The exported functions of the core. */
export type CoreFunctions = typeof core;

/** What a core has done. */
export interface CoreWork {
  readonly steps: number;
  /** Bytes of memory.copy and memory.fill. */
  readonly bytes: number;
}

/** A core that counts. */
export interface CountingCore {
  readonly core: Core;
  /** Another one, for the writer of records: its work counts too. */
  readonly writer: Core;
  /** Returns what the core has done since the last call. */
  readonly takeWork: () => CoreWork;
}

// Binaryen's pass `log-execution` calls an import at each step; this function takes the place of the import.
const COUNTERS = `
 (global $counted_steps (export "counted_steps") (mut i64) (i64.const 0))
 (global $counted_bytes (export "counted_bytes") (mut i64) (i64.const 0))
 (func $log_execution (param i32)
  (global.set $counted_steps (i64.add (global.get $counted_steps) (i64.const 1))))
 (func $add_bytes (param i32)
  (global.set $counted_bytes (i64.add (global.get $counted_bytes) (i64.extend_i32_u (local.get 0)))))
 (func $counted_copy (param i32 i32 i32)
  (call $add_bytes (local.get 2))
  (memory.copy (local.get 0) (local.get 1) (local.get 2)))
 (func $counted_fill (param i32 i32 i32)
  (call $add_bytes (local.get 2))
  (memory.fill (local.get 0) (local.get 1) (local.get 2)))
`;
const IMPORT = /\(import "\w+" "log_execution" \(func \$log_execution \(param i32\)\)\)/;

function countingBinary(): Uint8Array<ArrayBuffer> {
  const module = binaryen.readBinary(readFileSync(join(BUILD, "wasm/simd.wasm")));
  module.runPasses(["log-execution"]);
  const text = module.emitText();
  module.dispose();
  if (!IMPORT.test(text)) throw new Error("binaryen's log-execution has another form");
  const counted = text
    .replace(IMPORT, "")
    .replaceAll(/\(memory\.(copy|fill)/g, "(call $counted_$1")
    .replace(/\)\s*$/, `${COUNTERS})`);
  const counting = binaryen.parseText(counted);
  counting.setFeatures(binaryen.Features.All);
  const binary = Uint8Array.from(counting.emitBinary());
  counting.dispose();
  return binary;
}

let compiled: WebAssembly.Module | undefined;

/** Making the copy takes a second. */
function countingModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(countingBinary());
  return compiled;
}

/**
 * Returns a core of `functions`, with its tables filled by `fill`. `makeInner` makes the core that scans what is inside its matches.
 */
export function coreAround(
  build: CoreBuild,
  buffer: ArrayBuffer,
  functions: CoreFunctions,
  callbacks: Callbacks,
  makeInner: () => Core,
  fill: typeof fillTables = fillTables,
): Core {
  let inner: Core | undefined;
  const core = {
    build,
    bytes: new Uint8Array(buffer),
    words: new Int32Array(buffer),
    schemeRows: new Map(),
    hasAddedSchemes: false,
    reportedSchemes: undefined,
    callbacks,
    ...functions,
    get inner(): Core {
      inner ??= makeInner();
      return inner;
    },
  };
  fill(core);
  return core;
}

/** Returns the WebAssembly build, with counters in it. `callbacksOf` makes the functions that the core calls. */
export function makeCountingCore(callbacksOf: typeof makeCallbacks = makeCallbacks): CountingCore {
  const module = countingModule();
  const pages = MEMORY_BYTES >> 16;
  const counters: { value: bigint }[][] = [];
  const makeCore = (): Core => {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const buffer = memory.buffer as ArrayBuffer;
    const callbacks = callbacksOf(new Uint8Array(buffer));
    const { exports } = new WebAssembly.Instance(module, importsOf(memory, callbacks));
    const { counted_steps, counted_bytes, ...functions } = exports;
    counters.push([counted_steps, counted_bytes] as unknown as { value: bigint }[]);
    return coreAround("simd", buffer, functions as unknown as CoreFunctions, callbacks, makeCore);
  };
  const take = (which: number): number => {
    let sum = 0;
    for (const ofCore of counters) {
      const counter = ofCore[which] as { value: bigint };
      sum += Number(counter.value);
      counter.value = 0n;
    }
    return sum;
  };
  const takeWork = (): CoreWork => ({ steps: take(0), bytes: take(1) });
  const [core, writer] = [makeCore(), makeCore()];
  takeWork();
  return { core, writer, takeWork };
}
