// Where the builds come from in the command and the pool's worker: from files beside them, read when they are needed.
// tools/bundle.mjs puts this in the place of builds.ts. To import a module would start Node's loader of modules: 10 ms.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BEST_BUILD } from "./best.ts";
import type * as library from "./builds.ts";

type Twin = ReturnType<typeof library.bestTwin>;

const binaryOf = (build: string): Buffer<ArrayBuffer> => readFileSync(join(import.meta.dirname, `../wasm/${build}.wasm`));

const requireTwin = (): Twin => process.getBuiltinModule("node:module").createRequire(import.meta.filename)("./twin.cjs");

/** @see builds.ts */
export const readBinary: typeof library.readBinary = async (build) => binaryOf(build);

/** @see builds.ts */
export const readTwin: typeof library.readTwin = async () => requireTwin();

/** @see builds.ts */
export const bestBinary: typeof library.bestBinary = () => binaryOf(BEST_BUILD);

/** @see builds.ts */
export const bestTwin: typeof library.bestTwin = requireTwin;
