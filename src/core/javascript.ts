// The JavaScript build: what core.ts needs of it, as one module.

export * as functions from "#core/index.js";
export { heap } from "#core/platform/memory.js";
