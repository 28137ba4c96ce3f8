// The module `urlmill/explain`: re-exports only. Neither it nor its imports name a module of Node.

export { type Explanation, type ExplanationStep, explain } from "./api/explain.ts";
