// Loads the builds of the core from modules, on platforms without files. Modules are there at once, so `extract` and `normalize` do not
// wait. See the imports of package.json.
import { inflate } from "#codings";
import type instantiate from "#core/instantiate.js";
import type instantiateUrl from "#core/instantiate-url.js";
import simd from "#wasm/simd.js";
import urlSimd from "#wasm/url-simd.js";
import { OptionError } from "../base/errors.ts";
import type { CoreBuild } from "./best.ts";

/** The functions that make an instance of the JavaScript build, with a memory of its own. */
interface JavaScriptBuild {
  readonly instantiate: typeof instantiate;
  /** As `instantiate`, for the core for single URLs. */
  readonly instantiateUrl: typeof instantiateUrl;
}

const BINARY_BYTES_MAX = 1 << 20; // More bytes than a build of WebAssembly has

/** Returns the bytes of a WebAssembly build, or the module where the platform cannot compile bytes; undefined if the build is not there. */
export function readBinary(build?: CoreBuild): Uint8Array<ArrayBuffer> | WebAssembly.Module | undefined {
  return build === "scalar" ? undefined : (inflate(bytesOf(simd), BINARY_BYTES_MAX).text as Uint8Array<ArrayBuffer>);
}

/** As readBinary, for the core for single URLs. Decoding deflate would take more code than it saves here. */
export function readUrlBinary(build: CoreBuild): Uint8Array<ArrayBuffer> | WebAssembly.Module | undefined {
  return build === "scalar" ? undefined : bytesOf(urlSimd);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

let javascript: JavaScriptBuild | undefined;

/** Sets the JavaScript build, which most pages do not load. */
export function setJavaScript(build: JavaScriptBuild): void {
  javascript = build;
}

export function hasJavaScript(): boolean {
  return javascript !== undefined;
}

function loadedJavaScript(): JavaScriptBuild {
  if (javascript !== undefined) return javascript;
  const need = "has no JavaScript build, which places without WebAssembly with SIMD need";
  throw new OptionError("ERR_URLMILL_BAD_OPTION", "core", `${need}: import "urlmill/javascript" first`);
}

/** Throws OptionError if the build is not loaded. */
export function readJavaScript(): typeof instantiate {
  return loadedJavaScript().instantiate;
}

/** As readJavaScript, for the core for single URLs. */
export function readUrlJavaScript(): typeof instantiateUrl {
  return loadedJavaScript().instantiateUrl;
}
