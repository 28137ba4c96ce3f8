// Counts costs, which unlike times are the same on every machine: bytes of the .wasm, steps of the WebAssembly core, candidates of the
// scan, bytes that TypeScript copies. The steps and candidates are counted by copies of the builds.
import { closeSync, cpSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import type instantiate from "#core/instantiate.js";
import { ExtractStream } from "../../src/api/extract-stream.ts";
import { makeCallbacks } from "../../src/core/callbacks.ts";
import { type Core, compiledCore } from "../../src/core/core.ts";
import { checkOptions } from "../../src/options/options.ts";
import { Output } from "../../src/output/output.ts";
import type { Sink } from "../../src/output/sink.ts";
import { scanFiles } from "../../src/threads/scan-files.ts";
import { BUILD, type CoreFunctions, coreAround, makeCountingCore } from "../../test/counted/core.ts";
import { withTemporaryFolder } from "../commands.ts";
import { type GeneratedKind, generate } from "../generator.ts";
import { countLines, normalizeList, rawLines, scanBytes } from "../in-memory.ts";
import { functionSizes, modulesOf } from "./built.ts";
import { inPieces, SEED } from "./speed.ts";

const KINDS: readonly GeneratedKind[] = ["mail", "html", "log", "urls", "none"];
const TEXT_BYTES = 1 << 20;

/** A core, and a function that returns what it has counted since the last call. */
interface Counting {
  readonly core: Core;
  readonly take: () => number;
}

/** Returns a copy of the WebAssembly build that counts starts and ends of functions and turns of loops. */
export function countSteps(): Counting {
  const { core, takeWork } = makeCountingCore();
  return { core, take: () => takeWork().steps };
}

const COUNTING_TRIGGER = `
export * from "./uncounted.js";
import { findTrigger as find } from "./uncounted.js";
let candidates = 0;
export function findTrigger(start, end) {
  const at = find(start, end);
  if (at < end) candidates++;
  return at;
}
export function takeCandidates() {
  const taken = candidates;
  candidates = 0;
  return taken;
}
`;

/** Returns a copy of the JavaScript build, made in `folder`, whose search for triggers counts how often it finds one. */
async function countCandidates(folder: string): Promise<Counting> {
  cpSync(join(BUILD, "javascript"), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  cpSync(join(folder, "platform/trigger.js"), join(folder, "platform/uncounted.js"));
  writeFileSync(join(folder, "platform/trigger.js"), COUNTING_TRIGGER);
  const load = async <T>(name: string): Promise<T> => (await import(pathToFileURL(join(folder, name)).href)) as T;
  const functions = await load<CoreFunctions>("index.js");
  const { heap } = await load<{ heap: ReturnType<typeof instantiate>["heap"] }>("platform/memory.js");
  const { setCallbacks } = await load<{ setCallbacks: ReturnType<typeof instantiate>["setCallbacks"] }>("platform/callbacks.js");
  const callbacks = makeCallbacks(heap);
  setCallbacks(callbacks);
  const { takeCandidates } = await load<{ takeCandidates: () => number }>("platform/trigger.js");
  const makeInner = (): Core => {
    throw new Error("nothing is scanned for nested URLs here");
  };
  return { core: coreAround("javascript", heap.buffer as ArrayBuffer, functions, callbacks, makeInner), take: takeCandidates };
}

/** Runs `work` and returns the bytes that typed arrays and buffers copy meanwhile at JavaScript's request. */
export async function copiedBytes(work: () => Promise<void>): Promise<number> {
  let copied = 0;
  const typed = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const { set, copyWithin, slice } = typed;
  const { from, concat } = Buffer;
  typed.set = function (this: Uint8Array, source, offset) {
    copied += source.length * this.BYTES_PER_ELEMENT;
    set.call(this, source, offset);
  };
  typed.copyWithin = function (this: Uint8Array, to, start, end = this.length) {
    copied += Math.max(0, Math.min(end - start, this.length - to)) * this.BYTES_PER_ELEMENT;
    return copyWithin.call(this, to, start, end) as typeof this;
  };
  typed.slice = function (this: Uint8Array, start, end) {
    const part = slice.call(this, start, end);
    copied += part.byteLength;
    return part;
  };
  Buffer.from = ((source: Uint8Array, ...rest: unknown[]) => {
    const buffer = (from as (...parts: unknown[]) => Buffer)(source, ...rest);
    // A Buffer of an ArrayBuffer is a view of it.
    if (!(source instanceof ArrayBuffer)) copied += buffer.length;
    return buffer;
  }) as typeof Buffer.from;
  Buffer.concat = (parts, length) => {
    const buffer = concat(parts, length);
    copied += buffer.length;
    return buffer;
  };
  try {
    await work();
  } finally {
    Object.assign(typed, { set, copyWithin, slice });
    Object.assign(Buffer, { from, concat });
  }
  return copied;
}

/** Sends `bytes` through the stream in pieces. */
async function sendThroughStream(bytes: Uint8Array): Promise<void> {
  await pipeline(inPieces(bytes), new ExtractStream({ type: "text" }), new Writable({ write: (_chunk, _encoding, done) => done() }));
}

/** Extracts from a file to a file, as the command does. */
async function sendFile(path: string): Promise<void> {
  const { settings } = checkOptions("ExtractStream", { type: "text" });
  const fd = openSync(devNull, "w");
  const output = new Output(fd);
  const sink: Sink = {
    write: (result) => {
      if (result.kind === "bytes") output.write(result.bytes);
      if (result.kind === "failed") throw result.error;
    },
    wait: () => output.wait(),
    end: () => output.flush(),
  };
  await scanFiles([path], { settings, threads: 1, scansHere: true }, sink);
  closeSync(fd);
}

/** Counts everything, on a mebibyte of each kind of text. */
export async function observeCosts(): Promise<Record<string, number>> {
  // Loads the build now, so that its bytes are not counted as copied.
  compiledCore();
  const simd = countSteps();
  const wasm = readFileSync(join(BUILD, "wasm/simd.wasm"));
  const modules = modulesOf(join(BUILD, "node/index.cjs"));
  const costs: Record<string, number> = {
    "simd.wasm: bytes": wasm.length,
    "simd.wasm: bytes of the largest function": Math.max(...functionSizes(wasm)),
    "library: modules loaded at import": modules.length,
    "library: bytes loaded at import": modules.reduce((bytes, file) => bytes + readFileSync(file).length, 0),
  };
  await withTemporaryFolder(async (folder) => {
    const candidates = await countCandidates(join(folder, "javascript"));
    for (const kind of KINDS) {
      const bytes = generate(kind, SEED, TEXT_BYTES);
      const count = (name: string, { core, take }: Counting): void => {
        scanBytes(core, bytes);
        costs[`${kind}: ${name}`] = take();
      };
      count("steps, WASM SIMD lines", simd);
      count("candidates", candidates);
      costs[`${kind}: bytes copied, stream`] = await copiedBytes(() => sendThroughStream(bytes));
      const path = join(folder, kind);
      writeFileSync(path, bytes);
      costs[`${kind}: bytes copied, file`] = await copiedBytes(() => sendFile(path));
    }
  });
  const list = rawLines(simd.core, generate("urls", SEED, TEXT_BYTES));
  simd.take();
  normalizeList(simd.core, list, countLines(list), new Uint8Array(3 * list.length + 64));
  costs["urls: steps, WASM SIMD list"] = simd.take();
  return costs;
}
