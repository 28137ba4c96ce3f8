// The module `urlmill/explain`: re-exports only. No module that it reaches imports one of Node.

export { type Explanation, type ExplanationStep, explain } from "./api/explain.ts";
