// The module `urlmill/summary`: re-exports only. No module that it reaches imports one of Node.

export { type NamedSource, type SummarizeOptions, summarize } from "./api/summarize.ts";
export type { ByteSource } from "./input/chunks.ts";
export {
  type Cells,
  type Combinations,
  type Example,
  type MessageExample,
  type Row,
  type Summary,
  type SummaryRun,
  type SummaryTable,
  type SummaryTotals,
  TABLES,
  type TableName,
} from "./summary/summary.ts";
