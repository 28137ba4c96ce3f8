// Where the builds of the core come from in src/ and where there are no files: all from modules. They load at once: `extract` and
// `normalize` do not wait. See the imports of package.json.
import instantiate from "#core/instantiate.js";
import instantiateUrl from "#core/instantiate-url.js";
import simd from "#wasm/simd.js";
import urlSimd from "#wasm/url-simd.js";
import type { CoreBuild } from "./best.ts";

/** Makes an instance of the JavaScript build, with a memory of its own. */
export type MakeJavaScript = typeof instantiate;

/** Returns the bytes of a WebAssembly build; where those cannot be compiled, the module. Undefined: this build is not there. */
export function readBinary(build?: CoreBuild): Uint8Array<ArrayBuffer> | WebAssembly.Module | undefined {
  return build === "scalar" ? undefined : bytesOf(simd);
}

/** The same, of the core for single URLs. */
export function readUrlBinary(build: CoreBuild): Uint8Array<ArrayBuffer> | WebAssembly.Module | undefined {
  return build === "scalar" ? undefined : bytesOf(urlSimd);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Returns the JavaScript build. */
export function readJavaScript(): MakeJavaScript {
  return instantiate;
}

/** The same, of the core for single URLs. */
export function readUrlJavaScript(): typeof instantiateUrl {
  return instantiateUrl;
}
