// Loads the builds of the core in workerd, which cannot compile WebAssembly at run time: importing the file gives
// a compiled module. See the imports of package.json.

// @ts-expect-error: bundlers for workerd turn this file, which the build makes, into a module.
import simd from "../wasm/simd.wasm";
// @ts-expect-error: as above.
import urlSimd from "../wasm/url-simd.wasm";
import type * as library from "./builds-embedded.ts";

export { hasJavaScript, readJavaScript, readUrlJavaScript } from "./builds-embedded.ts";

export const readBinary: typeof library.readBinary = (build) =>
  build === "scalar" ? undefined : (simd as ReturnType<typeof library.readBinary>);

export const readUrlBinary: typeof library.readUrlBinary = (build) =>
  build === "scalar" ? undefined : (urlSimd as ReturnType<typeof library.readUrlBinary>);
