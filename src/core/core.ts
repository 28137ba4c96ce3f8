// Loads cores: the best build that runs here, as many as there are scans at a time. The only place that knows which build.

import { readBinary, readJavaScript } from "#builds";
import { MEMORY_BYTES } from "#core/layout/memory.js";
import { OptionError } from "../base/errors.ts";
import { BEST_BUILD, type CoreBuild, checkBuild, namedBuild } from "./best.ts";
import { type Callbacks, importsOf, makeCallbacks } from "./callbacks.ts";
import { type CoreTables, copyTables, fillTables, type Tables, tablesOf } from "./tables.ts";
import type { Trace } from "./trace.ts";

export type { CoreBuild } from "./best.ts";

/** The exported functions of assembly/index.ts. */
interface CoreExports {
  indexScheme(row: number): void;
  indexReference(entry: number): void;
  configure(options: number, urlBytesMax: number, profile: number, separator: number, context: number): void;
  synchronize(from: number): void;
  scan(high: number, final: boolean, ownFrom: number, ownTo: number): number;
  moveDown(distance: number): void;
  emit(first: number): number;
  beginHtml(isXml: boolean): void;
  decodeHtml(source: number, sourceEnd: number, isLast: boolean, to: number, limit: number): number;
  beginMail(format: number, dialect: number, allParts: boolean, charset: number, fields: number, isRange: boolean, hasStart: boolean): void;
  decodeMail(source: number, sourceEnd: number, isLast: boolean, to: number, limit: number, from: number, before: number): number;
  refang(from: number, end: number, start: number, isLast: boolean): number;
  normalize(start: number, end: number, profile: number): number;
  flagsOf(start: number, end: number): number;
  normalizeLines(start: number, end: number, profile: number): number;
  split(start: number, end: number): number;
  writeAsWritten(start: number, end: number, to: number): number;
  writeRecords(first: number, end: number, high: number, low: number): number;
  renumber(end: number, count: number, base: number, high: number, low: number): number;
}

/** One core: its memory and its functions. A scan has a core of its own from its first byte to its last. */
export interface Core extends CoreExports, CoreTables {
  readonly build: CoreBuild;
  readonly callbacks: Callbacks;
  /** The core for scans of nested URLs: of the same build, and one for all scans of this thread, since such a scan runs no other code. */
  readonly inner: Core;
  /** Takes the notes of a core that notes which rules decide. */
  readonly trace?: Trace;
}

/** The memory and the functions of one instance of a build. */
interface Instance {
  readonly build: CoreBuild;
  readonly buffer: ArrayBuffer;
  readonly functions: CoreExports;
  readonly callbacks: Callbacks;
}

let tables: Tables | undefined;
let inUse = 0;
/** Counts the cores that are collected. workerd had no such registry before May 2025: there every core counts that was made. */
const collected = typeof FinalizationRegistry === "undefined" ? undefined : new FinalizationRegistry(() => inUse--);

/** Returns a function that makes a core when it is first called, and then returns the same one. */
function oneCore(make: () => Core): () => Core {
  let core: Core | undefined;
  return () => {
    core ??= make();
    return core;
  };
}

function coreOf({ build, buffer, functions, callbacks }: Instance, innerCore: () => Core): Core {
  const core: Core = {
    build,
    bytes: new Uint8Array(buffer),
    words: new Int32Array(buffer),
    schemeRows: new Map(),
    hasAddedSchemes: false,
    reportedSchemes: undefined,
    callbacks,
    ...functions,
    get inner() {
      return innerCore();
    },
  };
  if (tables === undefined) {
    fillTables(core);
    tables = tablesOf(core);
  } else copyTables(tables, core);
  inUse++;
  collected?.register(core, undefined);
  return core;
}

/** Returns a build of WebAssembly, compiled. Throws OptionError where it is not there. */
function compile(build: CoreBuild, binary = readBinary(build)): WebAssembly.Module {
  if (build === "simd" && BEST_BUILD !== "simd") {
    throw new OptionError("ERR_URLMILL_BAD_OPTION", "core", "simd does not run here: this platform has no WebAssembly with SIMD");
  }
  if (binary === undefined) {
    const made = "run `node tools/build.mjs scalar` in a clone, which makes build/wasm/scalar.wasm, and use the clone's command or library";
    throw new OptionError("ERR_URLMILL_BAD_OPTION", "core", `${build} is not in the package: ${made}`);
  }
  return binary instanceof Uint8Array ? new WebAssembly.Module(binary) : binary;
}

function instantiate(module: WebAssembly.Module, build: CoreBuild): Instance {
  const pages = MEMORY_BYTES >> 16;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const buffer = memory.buffer;
  const callbacks = makeCallbacks(new Uint8Array(buffer));
  const { exports } = new WebAssembly.Instance(module, importsOf(memory, callbacks));
  return { build, buffer, functions: exports as unknown as CoreExports, callbacks };
}

/** Returns a new core of the JavaScript build, which tells `trace` which rules decide. Throws an error if there is too little memory. */
export function makeJavaScript(trace?: Trace): Core {
  try {
    const { functions, heap, setCallbacks, setListener } = readJavaScript()();
    if (trace !== undefined) setListener(trace.listen);
    const callbacks = makeCallbacks(heap);
    setCallbacks(callbacks);
    const core = coreOf({ build: "javascript", buffer: heap.buffer as ArrayBuffer, functions, callbacks }, innerJavaScript);
    return trace === undefined ? core : Object.assign(core, { trace });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new Error(`too little memory: the core needs ${Math.ceil(MEMORY_BYTES / (1 << 20))} MiB (${cause.message})`, { cause });
  }
}

const innerJavaScript = oneCore(() => makeJavaScript());

/**
 * A compiled core (`WebAssembly.Module`, a type that few programs of Node know) as it is handed to worker threads; null: they shall use the
 * JavaScript build.
 */
export type CompiledCore = object | null;

/** What this thread's cores are made of; undefined: none has been made. */
let compiled: CompiledCore | undefined;
/** Cores that no scan has. */
const free: Core[] = [];
/** Cores that are kept for later scans. A new one takes 2 ms, most of them for garbage collection: V8 counts 23 MiB for each. */
const FREE_MAX = 16;

function makeCore(): Core {
  const named = namedBuild();
  const build = named ?? BEST_BUILD;
  if (compiled === null || build === "javascript") {
    compiled = null;
    return makeJavaScript();
  }
  try {
    compiled ??= compile(build);
    return coreOf(instantiate(compiled as WebAssembly.Module, build), innerBest);
  } catch (error) {
    // V8 reserves 10 GiB of addresses for each memory, which a limit may not leave (RangeError); a page's policy may forbid to compile
    // (CompileError). A build that somebody has named is compared with others: none takes its place.
    if (named !== undefined || !(error instanceof RangeError || error instanceof WebAssembly.CompileError)) throw error;
    if (inUse === 0) compiled = null;
    return makeJavaScript();
  }
}

const innerBest = oneCore(makeCore);

/** Has the cores of this worker thread made of what `compiledCore` gave on the main thread. */
export function useCompiledCore(core: CompiledCore): void {
  compiled = core;
}

/** Returns what this thread's cores are made of, in the form in which worker threads take it. */
export function compiledCore(): CompiledCore {
  if (compiled === undefined) releaseCore(takeCore());
  return compiled as CompiledCore;
}

/** Returns a core that nobody else uses: the best build that runs here and that there is memory for. */
export function takeCore(): Core {
  return free.pop() ?? makeCore();
}

/** Takes back the core of a scan that is over. */
export function releaseCore(core: Core): void {
  if (free.length < FREE_MAX) free.push(core);
}

/** Where a scan takes its core from, and gives it back. */
export interface Cores {
  take(): Core;
  release(core: Core): void;
}

/** The cores of all scans that name no build. */
export const SHARED_CORES: Cores = { take: takeCore, release: releaseCore };

/** Returns the number of cores that hold memory on this thread. */
export function coresInUse(): number {
  return inUse;
}

let urlCore: Core | undefined;

/** Returns this thread's core for single URLs. It knows the known schemes alone, and no scan has it. */
export function getCore(): Core {
  urlCore ??= makeCore();
  return urlCore;
}

/** Returns cores of a named build for scans of one's own. The first is made at once, so that errors come early. Throws OptionError. */
export function coresOf(build: CoreBuild): Cores {
  const make = coreMaker(build);
  const free = [make()];
  return { take: () => free.pop() ?? make(), release: (core) => void free.push(core) };
}

/** Returns a function that makes cores of a named build; `binary` has its bytes where the package has not. Throws OptionError. */
function coreMaker(name: CoreBuild, binary?: Uint8Array<ArrayBuffer>): () => Core {
  const build = checkBuild(name, "core");
  if (build === "javascript") return () => makeJavaScript();
  const module = compile(build, binary);
  const make = (): Core => coreOf(instantiate(module, build), inner);
  const inner = oneCore(make);
  return make;
}

/** Returns a new core of a named build. */
export async function loadCore(build: CoreBuild, binary?: Uint8Array<ArrayBuffer>): Promise<Core> {
  return coreMaker(build, binary)();
}
