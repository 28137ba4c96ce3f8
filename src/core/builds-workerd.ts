// Where the builds of the core, and the public suffixes, come from in workerd, which compiles no WebAssembly while it runs: from a module
// that was compiled before, by the import of its file. See the imports of package.json.

// @ts-expect-error: bundlers for workerd make a module of the file that is there after the build.
import simd from "../wasm/simd.wasm";
import type * as library from "./builds-embedded.ts";

export { publicSuffixes, readJavaScript } from "./builds-embedded.ts";

/** @see builds-embedded.ts */
export const readBinary: typeof library.readBinary = (build) =>
  build === "scalar" ? undefined : (simd as ReturnType<typeof library.readBinary>);
