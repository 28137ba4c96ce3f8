// Where the builds of the core come from in workerd, which compiles no WebAssembly while it runs: from a module
// that was compiled before, by the import of its file. See the imports of package.json.

// @ts-expect-error: bundlers for workerd make a module of the file that is there after the build.
import simd from "../wasm/simd.wasm";
// @ts-expect-error: as above.
import urlSimd from "../wasm/url-simd.wasm";
import type * as library from "./builds-embedded.ts";

export { readJavaScript, readUrlJavaScript } from "./builds-embedded.ts";

/** @see builds-embedded.ts */
export const readBinary: typeof library.readBinary = (build) =>
  build === "scalar" ? undefined : (simd as ReturnType<typeof library.readBinary>);

/** @see builds-embedded.ts */
export const readUrlBinary: typeof library.readUrlBinary = (build) =>
  build === "scalar" ? undefined : (urlSimd as ReturnType<typeof library.readUrlBinary>);
