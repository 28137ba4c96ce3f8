// Whether Node's own modules are there. A browser and most workers of the web have none, and a bundler for them must not meet their names.

/** Whether `process.getBuiltinModule` gives Node's modules: under Node, Deno and Bun. */
export const HAS_NODE: boolean = typeof process !== "undefined" && typeof process.getBuiltinModule === "function";
