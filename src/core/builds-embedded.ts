// Where the builds of the core, and the public suffixes, come from in the library where there are no files: all from modules. See the
// imports of package.json.
import * as tldts from "tldts";
import instantiate from "#core/instantiate.js";
import simd from "#wasm/simd.js";
import type * as library from "./builds.ts";

/** @see builds.ts */
export const readBinary: typeof library.readBinary = () => Uint8Array.from(atob(simd), (character) => character.charCodeAt(0));

/** @see builds.ts */
export const readJavaScript: typeof library.readJavaScript = () => instantiate;

/** @see builds.ts */
export const publicSuffixes: typeof library.publicSuffixes = () => tldts;
