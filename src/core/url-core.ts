// The core for single URLs. Its builds have only the functions for single URLs: a program that extracts nothing loads a tenth of the code.
import { readUrlBinary, readUrlJavaScript } from "#builds";
import type { CoreBuild } from "./best.ts";
import { aLabelsIn } from "./idn.ts";
import { compile, filledCore, makeBest, newMemory, withMemory } from "./instance.ts";
import type { CoreTables } from "./tables.ts";

/** The exported functions of assembly/url.ts. */
export interface UrlFunctions {
  indexScheme(row: number): void;
  normalize(start: number, end: number, profile: number): number;
  flagsOf(start: number, end: number): number;
  normalizeLines(start: number, end: number, profile: number): number;
  split(start: number, end: number): number;
  writeAsWritten(start: number, end: number, to: number): number;
}

/** A core for single URLs, which has only the known schemes. Scans use other cores. */
export interface UrlCore extends UrlFunctions, CoreTables {
  readonly build: CoreBuild;
}

/** Returns a new core of a named build. Throws OptionError if the build is not there or does not run here. */
export function loadUrlCore(build: CoreBuild): UrlCore {
  if (build === "javascript") {
    const { functions, heap, setCallbacks } = withMemory(readUrlJavaScript());
    setCallbacks({ toALabels: aLabelsIn(heap) });
    return filledCore(build, heap.buffer as ArrayBuffer, functions);
  }
  const module = compile(build, readUrlBinary(build));
  const memory = newMemory();
  const toALabels = aLabelsIn(new Uint8Array(memory.buffer));
  const { exports } = new WebAssembly.Instance(module, { env: { memory }, callbacks: { toALabels } });
  return filledCore(build, memory.buffer, exports as unknown as UrlFunctions);
}

let urlCore: UrlCore | undefined;

export function getUrlCore(): UrlCore {
  urlCore ??= makeBest(loadUrlCore, () => loadUrlCore("javascript"));
  return urlCore;
}
