// Where the public suffixes come from in what tools/bundle.mjs bundles for Node.
import type * as library from "./suffixes-embedded.ts";

let list: library.Tldts | undefined;

/** @see suffixes-embedded.ts: loaded when it is asked for first. That takes 25 ms, which nobody else is to wait for. */
export const publicSuffixes: typeof library.publicSuffixes = () => {
  list ??= process.getBuiltinModule("node:module").createRequire(import.meta.filename)("tldts") as library.Tldts;
  return list;
};
