// Cores for scans, of the best build that runs here or of a named one: one for each scan in progress.
import { readBinary, readJavaScript } from "#builds";
import { type CoreBuild, checkBuild } from "./best.ts";
import { type Callbacks, importsOf, makeCallbacks } from "./callbacks.ts";
import { compile, filledCore, makeBest, newMemory, withMemory } from "./instance.ts";
import type { CoreTables } from "./tables.ts";
import type { Trace } from "./trace.ts";
import type { UrlFunctions } from "./url-core.ts";

export type { CoreBuild } from "./best.ts";

/** The exported functions of assembly/index.ts. */
interface CoreExports extends UrlFunctions {
  configure(options: number, urlBytesMax: number, profile: number, separator: number, context: number): void;
  synchronize(from: number): void;
  scan(high: number, final: boolean, ownFrom: number, ownTo: number): number;
  moveDown(distance: number): void;
  emit(first: number): number;
  beginHtml(isXml: boolean, followsQuotes: boolean): void;
  decodeHtml(source: number, sourceEnd: number, isLast: boolean, to: number, limit: number): number;
  beginMail(
    format: number,
    dialect: number,
    allParts: boolean,
    charset: number,
    fields: number,
    isRange: boolean,
    hasStart: boolean,
    quotes: boolean,
  ): void;
  decodeMail(source: number, sourceEnd: number, isLast: boolean, to: number, limit: number, from: number, before: number): number;
  refang(from: number, end: number, start: number, isLast: boolean): number;
  writeRecords(first: number, end: number, high: number, low: number): number;
  renumber(end: number, count: number, base: number, high: number, low: number): number;
}

/** One core: its memory and its functions. A scan has a core of its own from its first byte to its last. */
export interface Core extends CoreExports, CoreTables {
  readonly build: CoreBuild;
  readonly callbacks: Callbacks;
  /** The core for scans of nested URLs. Cores with one maker share it, because during a nested scan nothing else runs on the thread. */
  readonly inner: Core;
  /** Takes the core's notes of the rules that decide; absent: nothing takes notes. */
  readonly trace?: Trace;
}

let inUse = 0;
/** Decrements `inUse` for each garbage-collected core. Before May 2025 workerd had no registry: there, every core made counts. */
const collected = typeof FinalizationRegistry === "undefined" ? undefined : new FinalizationRegistry(() => inUse--);

/** Returns a function that makes a core at its first call, and returns the same core at later calls. */
function oneCore(make: () => Core): () => Core {
  let core: Core | undefined;
  return () => {
    core ??= make();
    return core;
  };
}

function coreOf(build: CoreBuild, buffer: ArrayBuffer, functions: CoreExports, callbacks: Callbacks, innerCore: () => Core): Core {
  const core: Core = {
    ...filledCore(build, buffer, functions),
    callbacks,
    get inner() {
      return innerCore();
    },
  };
  inUse++;
  collected?.register(core, undefined);
  return core;
}

function instantiate(module: WebAssembly.Module, build: CoreBuild, innerCore: () => Core): Core {
  const memory = newMemory();
  const callbacks = makeCallbacks(new Uint8Array(memory.buffer));
  const { exports } = new WebAssembly.Instance(module, importsOf(memory, callbacks));
  return coreOf(build, memory.buffer, exports as unknown as CoreExports, callbacks, innerCore);
}

/** Returns a new core of the JavaScript build. Its notes go to `trace`. Throws an error if there is too little memory. */
export function makeJavaScript(trace?: Trace): Core {
  const { functions, heap, setCallbacks, setListener } = withMemory(readJavaScript());
  if (trace !== undefined) setListener(trace.listen);
  const callbacks = makeCallbacks(heap);
  setCallbacks(callbacks);
  const core = coreOf("javascript", heap.buffer as ArrayBuffer, functions, callbacks, innerJavaScript);
  return trace === undefined ? core : Object.assign(core, { trace });
}

const innerJavaScript = oneCore(() => makeJavaScript());

/**
 * A compiled core (`WebAssembly.Module`, a type that few programs of Node know) as it is handed to worker threads; null if they use the
 * JavaScript build.
 */
export type CompiledCore = object | null;

/** The compiled core of this thread; undefined before `useCompiledCore` is called or the first core is made. */
let compiled: CompiledCore | undefined;

function makeCore(): Core {
  if (compiled === null) return makeJavaScript();
  return makeBest(makeOfBuild, () => {
    // The memory of other cores may be free later.
    if (inUse === 0) compiled = null;
    return makeJavaScript();
  });
}

function makeOfBuild(build: CoreBuild): Core {
  if (build === "javascript") {
    compiled = null;
    return makeJavaScript();
  }
  compiled ??= compile(build, readBinary(build));
  return instantiate(compiled as WebAssembly.Module, build, innerBest);
}

const innerBest = oneCore(makeCore);

/** Sets the compiled core of this worker thread: the result of `compiledCore` on the main thread. */
export function useCompiledCore(core: CompiledCore): void {
  compiled = core;
}

export function compiledCore(): CompiledCore {
  if (compiled === undefined) releaseCore(takeCore());
  return compiled as CompiledCore;
}

export interface Cores {
  /** Returns a core that no other scan uses. */
  take(): Core;
  /** Takes back the core of a finished scan. */
  release(core: Core): void;
}

/** Most cores kept for later scans. A new one costs mainly garbage collection, because V8 counts its whole memory. */
const FREE_MAX = 16;

function poolOf(make: () => Core): Cores {
  const free: Core[] = [];
  return {
    take: () => free.pop() ?? make(),
    release: (core) => {
      if (free.length < FREE_MAX) free.push(core);
    },
  };
}

/** The cores of all scans that name no build: of the one that URLMILL_CORE names, else of the best that runs here and fits into memory. */
export const SHARED_CORES: Cores = poolOf(makeCore);
export const { take: takeCore, release: releaseCore } = SHARED_CORES;

/** Returns the number of cores that hold memory on this thread. */
export function coresInUse(): number {
  return inUse;
}

/** Returns cores of a named build for the caller's scans only. Makes the first at once, so that errors come early. Throws OptionError. */
export function coresOf(build: CoreBuild): Cores {
  const cores = poolOf(coreMaker(build));
  cores.release(cores.take());
  return cores;
}

/** Returns a function that makes cores of a named build; `binary`: its bytes, instead of those in the package. Throws OptionError. */
function coreMaker(name: CoreBuild, binary?: Uint8Array<ArrayBuffer>): () => Core {
  const build = checkBuild(name, "core");
  if (build === "javascript") return () => makeJavaScript();
  const module = compile(build, binary ?? readBinary(build));
  const make = (): Core => instantiate(module, build, inner);
  const inner = oneCore(make);
  return make;
}

/** Returns a new core of a named build; `binary`: as for coreMaker. Rejects with OptionError. */
export async function loadCore(build: CoreBuild, binary?: Uint8Array<ArrayBuffer>): Promise<Core> {
  return coreMaker(build, binary)();
}
