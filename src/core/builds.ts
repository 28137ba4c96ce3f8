// Where the builds of the core come from in the library under Node. The best one comes from a module, so that a bundler takes it along; the
// others, which few processors and settings ask for, come from files. All are there at once: `extract` and `normalize` do not wait.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import simd from "#wasm/simd.js";

/** Makes an instance of the JavaScript build, with a memory of its own. */
export type MakeJavaScript = typeof import("#core/instantiate.js").default;

// The same for src/, which the tests run, and for build/.
const BUILD = join(import.meta.dirname, "../../build");

/** Returns the bytes of a WebAssembly build. */
export function readBinary(build: "simd" | "scalar"): Uint8Array<ArrayBuffer> {
  return build === "simd" ? Buffer.from(simd, "base64") : readFileSync(join(BUILD, "wasm/scalar.wasm"));
}

/** Returns the JavaScript build. */
export function readJavaScript(): MakeJavaScript {
  return createRequire(import.meta.url)(join(BUILD, "javascript/instantiate.cjs"));
}
