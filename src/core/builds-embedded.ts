// Where the builds of the core come from in the library where there are no files: all from modules. See the imports of package.json.
import instantiate from "#core/instantiate.js";
import scalar from "#wasm/scalar.js";
import simd from "#wasm/simd.js";
import type * as library from "./builds.ts";

/** @see builds.ts */
export const readBinary: typeof library.readBinary = (build) =>
  Uint8Array.from(atob(build === "simd" ? simd : scalar), (character) => character.charCodeAt(0));

/** @see builds.ts */
export const readJavaScript: typeof library.readJavaScript = () => instantiate;
