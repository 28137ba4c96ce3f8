// Detects Node's own modules. Browsers and most workers of the web have none, and their bundlers must not meet the modules' names.

/** Whether `process.getBuiltinModule` gives Node's modules: under Node, Deno and Bun. */
export const HAS_NODE: boolean = typeof process !== "undefined" && typeof process.getBuiltinModule === "function";
