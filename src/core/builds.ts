// Where the builds of the core, and the public suffixes, come from in the library under Node. WebAssembly comes from a module, so that a
// bundler takes it along; the JavaScript build, which few processors and settings need, comes from a file. Both load at once: `extract` and
// `normalize` do not wait.
import { createRequire } from "node:module";
import { join } from "node:path";
import * as tldts from "tldts";
import simd from "#wasm/simd.js";

/** Makes an instance of the JavaScript build, with a memory of its own. */
export type MakeJavaScript = typeof import("#core/instantiate.js").default;

/** The list of public suffixes. */
export type Tldts = typeof tldts;

/** Returns the list of public suffixes. */
export function publicSuffixes(): Tldts {
  return tldts;
}

/** Returns the bytes of the WebAssembly build; where those cannot be compiled, the module. */
export function readBinary(): Uint8Array<ArrayBuffer> | WebAssembly.Module {
  return Buffer.from(simd, "base64");
}

/** Returns the JavaScript build. A bundle in the form of CommonJS has no `import.meta`, so nothing else asks for it. */
export function readJavaScript(): MakeJavaScript {
  // The same for src/, which the tests run, and for build/.
  return createRequire(import.meta.url)(join(import.meta.dirname, "../../build/javascript/instantiate.cjs"));
}
