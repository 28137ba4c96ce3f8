// Where the builds of the core, and the public suffixes, come from in what tools/bundle.mjs bundles for Node: from files beside it, read
// when they are needed. To import a module would start Node's loader of modules: 10 ms.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type * as library from "./builds-embedded.ts";

/** @see builds-embedded.ts */
export const readBinary: typeof library.readBinary = (build = "simd") => {
  const file = join(import.meta.dirname, `../wasm/${build}.wasm`);
  return build === "simd" || existsSync(file) ? readFileSync(file) : undefined;
};

/** @see builds-embedded.ts */
export const readJavaScript: typeof library.readJavaScript = () =>
  process.getBuiltinModule("node:module").createRequire(import.meta.filename)("../node/javascript.cjs").default;

let list: library.Tldts | undefined;

/** @see builds-embedded.ts: loaded when it is asked for first. That takes 25 ms, which nobody else is to wait for. */
export const publicSuffixes: typeof library.publicSuffixes = () => {
  list ??= process.getBuiltinModule("node:module").createRequire(import.meta.filename)("tldts") as library.Tldts;
  return list;
};
