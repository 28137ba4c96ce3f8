// Where the builds of the core, and the public suffixes, come from in src/ and where there are no files: all from modules. They load at
// once: `extract` and `normalize` do not wait. See the imports of package.json.
import * as tldts from "tldts";
import instantiate from "#core/instantiate.js";
import simd from "#wasm/simd.js";
import type { CoreBuild } from "./best.ts";

/** Makes an instance of the JavaScript build, with a memory of its own. */
export type MakeJavaScript = typeof instantiate;

/** The list of public suffixes. */
export type Tldts = typeof tldts;

/** Returns the list of public suffixes. */
export function publicSuffixes(): Tldts {
  return tldts;
}

/** Returns the bytes of a WebAssembly build; where those cannot be compiled, the module. Undefined: this build is not there. */
export function readBinary(build?: CoreBuild): Uint8Array<ArrayBuffer> | WebAssembly.Module | undefined {
  if (build === "scalar") return undefined;
  return Uint8Array.from(atob(simd), (character) => character.charCodeAt(0));
}

/** Returns the JavaScript build. */
export function readJavaScript(): MakeJavaScript {
  return instantiate;
}
