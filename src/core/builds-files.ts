// Loads the builds of the core in the bundle of tools/bundle.mjs for Node: from files beside the bundle, read when they are needed.
// Importing a module would start Node's module loader, which is slow.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CoreBuild } from "./best.ts";
import type * as library from "./builds-embedded.ts";

function readWasm(build: CoreBuild, name: string): Uint8Array<ArrayBuffer> | undefined {
  const file = join(import.meta.dirname, `../wasm/${name}.wasm`);
  return build === "simd" || existsSync(file) ? readFileSync(file) : undefined;
}

const load = (path: string) => process.getBuiltinModule("node:module").createRequire(import.meta.filename)(path);

export const readBinary: typeof library.readBinary = (build = "simd") => readWasm(build, build);

export const readUrlBinary: typeof library.readUrlBinary = (build) => readWasm(build, `url-${build}`);

export const hasJavaScript: typeof library.hasJavaScript = () => true;

export const readJavaScript: typeof library.readJavaScript = () => load("../node/javascript.cjs").default;

export const readUrlJavaScript: typeof library.readUrlJavaScript = () => load("../node/javascript-url.cjs").default;
