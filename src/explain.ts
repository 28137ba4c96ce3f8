// The module `urlmill/explain`: re-exports only. Nothing that it needs names a module of Node.

export { type Explanation, type ExplanationStep, explain } from "./api/explain.ts";
