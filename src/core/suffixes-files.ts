// Loads the public suffixes in the bundle of tools/bundle.mjs for Node.
import type * as library from "./suffixes-embedded.ts";

let list: library.Tldts | undefined;

/** @see suffixes-embedded.ts. Here the first call loads the module, because loading is slow. */
export const publicSuffixes: typeof library.publicSuffixes = () => {
  list ??= process.getBuiltinModule("node:module").createRequire(import.meta.filename)("tldts") as library.Tldts;
  return list;
};
