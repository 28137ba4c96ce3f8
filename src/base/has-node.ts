// Detects Node's own modules. Browsers and most web workers have none, and their bundlers must not find the modules' names in the code.

/** Whether `process.getBuiltinModule` loads Node's modules: true under Node, Deno and Bun. */
export const HAS_NODE: boolean = typeof process !== "undefined" && typeof process.getBuiltinModule === "function";
