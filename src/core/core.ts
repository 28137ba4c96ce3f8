// Loads the core: SIMD WASM where it runs, else scalar WASM, else the twin. The only place that knows which.
import { MEMORY_BYTES } from "#core/tables/areas.js";
import { BEST_BUILD, type CoreBuild } from "./best.ts";
import { bestBinary, bestTwin, readBinary, readTwin } from "./builds.ts";
import { fillTables, isExtended, setSchemes } from "./tables.ts";

export type { CoreBuild } from "./best.ts";

/** The exported functions of assembly/index.ts. */
interface CoreExports {
  indexScheme(row: number): void;
  indexReference(entry: number): void;
  decode(): number;
  decodeMail(): number;
  carryRegion(address: number): void;
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
  const {
    indexScheme,
    indexReference,
    writeText,
    decode,
    decodeMail,
    carryRegion,
    scan,
    synchronize,
    emit,
    normalize,
    normalizeLines,
    split,
  } = functions;
  const core = {
    build,
    bytes,
    words,
    schemeRows: new Map(),
    hasAddedSchemes: false,
    user: undefined,
    indexScheme,
    indexReference,
    decode,
    decodeMail,
    carryRegion,
    scan,
    synchronize,
    emit,
    normalize,
    normalizeLines,
    split,
    writeText,
  };
  fillTables(core);
  return core;
}

function instantiate(build: CoreBuild, module: WebAssembly.Module): Core {
  const pages = MEMORY_BYTES >> 16;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  return finish(build, memory.buffer as ArrayBuffer, instance.exports as unknown as CoreExports);
}

let twin: Core | undefined;

// Its memory is that of its module.
function makeTwin({ functions, heap }: Awaited<ReturnType<typeof readTwin>>): Core {
  twin ??= finish("twin", heap.buffer as ArrayBuffer, functions);
  return twin;
}

let bestModule: WebAssembly.Module | undefined;
let threadCore: Core | undefined;

/** The compiled core, to be handed to worker threads; undefined where there is no WebAssembly. */
export function compiledCore(): WebAssembly.Module | undefined {
  if (BEST_BUILD !== "twin") bestModule ??= new WebAssembly.Module(bestBinary());
  return bestModule;
}

function makeBest(module: WebAssembly.Module | undefined): Core {
  return module === undefined ? makeTwin(bestTwin()) : instantiate(BEST_BUILD, module);
}

/** This thread's core; a worker thread passes the module that it was handed. */
export function getCore(module?: WebAssembly.Module): Core {
  threadCore ??= makeBest(module ?? compiledCore());
  return threadCore;
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

/** A core of a named build. Each call makes a new one, but there is one twin a thread. */
export async function loadCore(build: CoreBuild): Promise<Core> {
  return build === "twin" ? makeTwin(await readTwin()) : instantiate(build, new WebAssembly.Module(await readBinary(build)));
}
