// Loads the core: SIMD WASM where it runs, else scalar WASM, else the twin. The only place that knows which.
import { MEMORY_BYTES } from "#core/tables/areas.js";
import { fillTables } from "./tables.ts";

/** A build of the core. */
export type CoreBuild = "simd" | "scalar" | "twin";

/** The exported functions of assembly/index.ts. */
interface CoreExports {
  indexScheme(row: number): void;
  scan(): number;
  synchronize(from: number): void;
  emit(): number;
  normalize(start: number, end: number): number;
  split(start: number, end: number): number;
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
  /** Whose bytes stand in the window. */
  user: CoreUser | undefined;
}

// A function with one SIMD instruction: v128.const 0, any_true.
const SIMD_PROBE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 253, 83, 11);

function bestBuild(): CoreBuild {
  if (typeof WebAssembly === "undefined") return "twin";
  return WebAssembly.validate(SIMD_PROBE) ? "simd" : "scalar";
}

async function readBinary(build: "simd" | "scalar"): Promise<Uint8Array<ArrayBuffer>> {
  const { default: text } = build === "simd" ? await import("#wasm/simd.js") : await import("#wasm/scalar.js");
  if (typeof Buffer === "undefined") return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return Buffer.from(text, "base64");
}

function finish(build: CoreBuild, buffer: ArrayBuffer, functions: CoreExports): Core {
  const bytes = new Uint8Array(buffer);
  const words = new Int32Array(buffer);
  const { indexScheme, scan, synchronize, emit, normalize, split } = functions;
  const core = { build, bytes, words, schemeRows: new Map(), user: undefined, indexScheme, scan, synchronize, emit, normalize, split };
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

async function loadTwin(): Promise<Core> {
  if (twin === undefined) {
    const [functions, { heap }] = await Promise.all([import("#core/index.js"), import("#core/seam/memory.js")]);
    twin = finish("twin", heap.buffer as ArrayBuffer, functions);
  }
  return twin;
}

const best = bestBuild();
const bestBinary = best === "twin" ? undefined : await readBinary(best);
let bestModule: WebAssembly.Module | undefined;
let threadCore: Core | undefined = best === "twin" ? await loadTwin() : undefined;

/** The compiled core, to be handed to worker threads; undefined where there is no WebAssembly. */
export function compiledCore(): WebAssembly.Module | undefined {
  if (bestBinary !== undefined) bestModule ??= new WebAssembly.Module(bestBinary);
  return bestModule;
}

/** This thread's core; a worker thread passes the module that it was handed. */
export function getCore(module?: WebAssembly.Module): Core {
  threadCore ??= instantiate(best, module ?? (compiledCore() as WebAssembly.Module));
  return threadCore;
}

/** A core of a named build. Each call makes a new one, but there is one twin a thread. */
export async function loadCore(build: CoreBuild): Promise<Core> {
  return build === "twin" ? loadTwin() : instantiate(build, new WebAssembly.Module(await readBinary(build)));
}
