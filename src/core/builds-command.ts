// Where the builds of the core come from in the command and the pool's worker: from files beside them, read when they are needed.
// tools/bundle.mjs puts this in the place of builds.ts. To import a module would start Node's loader of modules: 10 ms.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as library from "./builds.ts";

/** @see builds.ts */
export const readBinary: typeof library.readBinary = () => readFileSync(join(import.meta.dirname, "../wasm/simd.wasm"));

/** @see builds.ts */
export const readJavaScript: typeof library.readJavaScript = () =>
  process.getBuiltinModule("node:module").createRequire(import.meta.filename)("../javascript/instantiate.cjs");
