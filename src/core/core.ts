// Loads the core: WebAssembly where its SIMD runs, else the JavaScript build. The only place that knows which.

import { readBinary, readJavaScript } from "#builds";
import { MEMORY_BYTES } from "#core/layout/memory.js";
import { BEST_BUILD, type CoreBuild } from "./best.ts";
import { fillTables, isExtended, setSchemes } from "./tables.ts";

export type { CoreBuild } from "./best.ts";

/** The exported functions of assembly/index.ts. */
interface CoreExports {
  indexScheme(row: number): void;
  indexReference(entry: number): void;
  decode(): number;
  decodeMail(): number;
  carryContext(address: number): void;
  scan(): number;
  synchronize(from: number): void;
  emit(): number;
  normalize(start: number, end: number): number;
  normalizeLines(): number;
  split(start: number, end: number): number;
  writeText(start: number, end: number): void;
}

/** Whoever keeps bytes in the window between calls; asked to save them before another takes the core. */
export interface CoreUser {
  suspend(): void;
}

/** One core: its memory and its functions. One a thread is enough: its users take turns. */
export interface Core extends CoreExports {
  readonly build: CoreBuild;
  /** The whole memory as bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The whole memory as words. */
  readonly words: Int32Array<ArrayBuffer>;
  /** Row number of each scheme in the core's table, by name. */
  readonly schemeRows: Map<string, number>;
  /** Whether its table holds schemes of a user. */
  hasAddedSchemes: boolean;
  /** Whose bytes stand in the window. */
  user: CoreUser | undefined;
}

function finish(build: CoreBuild, buffer: ArrayBuffer, functions: CoreExports): Core {
  const bytes = new Uint8Array(buffer);
  const words = new Int32Array(buffer);
  const core: Core = { build, bytes, words, schemeRows: new Map(), hasAddedSchemes: false, user: undefined, ...functions };
  fillTables(core);
  return core;
}

/**
 * A compiled core (`WebAssembly.Module`, a type that few programs of Node know) as it is handed to worker threads; null: they shall use the
 * JavaScript build.
 */
export type CompiledCore = object | null;

/** The memory and the functions of one WebAssembly build. */
interface Instance {
  readonly buffer: ArrayBuffer;
  readonly functions: CoreExports;
}

function instantiate(module: WebAssembly.Module): Instance {
  const pages = MEMORY_BYTES >> 16;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  return { buffer: memory.buffer as ArrayBuffer, functions: instance.exports as unknown as CoreExports };
}

let javascript: Core | undefined;

// Its memory is that of its module.
function makeJavaScript(): Core {
  if (javascript !== undefined) return javascript;
  try {
    const { functions, heap } = readJavaScript();
    javascript = finish("javascript", heap.buffer as ArrayBuffer, functions);
    return javascript;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new Error(`too little memory: the core needs ${Math.ceil(MEMORY_BYTES / (1 << 20))} MiB (${cause.message})`, { cause });
  }
}

let bestModule: WebAssembly.Module | undefined;
let threadCore: Core | undefined;

function makeBest(module: CompiledCore | undefined): Core {
  if (module === null || BEST_BUILD === "javascript") return makeJavaScript();
  let made: Instance;
  try {
    bestModule = (module as WebAssembly.Module | undefined) ?? new WebAssembly.Module(readBinary());
    made = instantiate(bestModule);
  } catch (error) {
    // V8 reserves 10 GiB of addresses for each memory, which a limit may not leave (RangeError); a page's policy may forbid to compile
    // (CompileError).
    if (!(error instanceof RangeError || error instanceof WebAssembly.CompileError)) throw error;
    return makeJavaScript();
  }
  return finish(BEST_BUILD, made.buffer, made.functions);
}

/**
 * This thread's core: the best build that runs here and that there is memory for. A worker thread passes what it was handed; undefined:
 * the core is read and compiled.
 */
export function getCore(module?: CompiledCore): Core {
  threadCore ??= makeBest(module);
  return threadCore;
}

/** This thread's core in the form in which worker threads take it. */
export function compiledCore(): CompiledCore {
  return getCore().build === "javascript" ? null : (bestModule ?? null);
}

/** This thread's core with the known schemes alone: what is not part of a scan must not depend on the options of one. */
export function getPlainCore(): Core {
  const core = getCore();
  if (isExtended(core)) {
    core.user?.suspend();
    core.user = undefined;
    setSchemes(core, undefined, []);
  }
  return core;
}

/** A core of a named build. Each call makes a new one, but there is one JavaScript build a thread. */
export async function loadCore(build: CoreBuild): Promise<Core> {
  if (build === "javascript") return makeJavaScript();
  const { buffer, functions } = instantiate(new WebAssembly.Module(readBinary()));
  return finish(build, buffer, functions);
}
