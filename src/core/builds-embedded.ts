// Loads the builds of the core from modules: when src/ itself is run, and on platforms without files. Modules are there at once, so
// `extract` and `normalize` do not wait. See the imports of package.json.
import instantiate from "#core/instantiate.js";
import instantiateUrl from "#core/instantiate-url.js";
import simd from "#wasm/simd.js";
import urlSimd from "#wasm/url-simd.js";
import type { CoreBuild } from "./best.ts";

/** A function that makes an instance of the JavaScript build, with a memory of its own. */
type MakeJavaScript = typeof instantiate;

/** Returns the bytes of a WebAssembly build, or the module where the platform cannot compile bytes; undefined if the build is not there. */
export function readBinary(build?: CoreBuild): Uint8Array<ArrayBuffer> | WebAssembly.Module | undefined {
  return build === "scalar" ? undefined : bytesOf(simd);
}

/** As readBinary, for the core for single URLs. */
export function readUrlBinary(build: CoreBuild): Uint8Array<ArrayBuffer> | WebAssembly.Module | undefined {
  return build === "scalar" ? undefined : bytesOf(urlSimd);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

export function readJavaScript(): MakeJavaScript {
  return instantiate;
}

/** As readJavaScript, for the core for single URLs. */
export function readUrlJavaScript(): typeof instantiateUrl {
  return instantiateUrl;
}
