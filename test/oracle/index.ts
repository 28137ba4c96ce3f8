/**
 * The oracle: a third, independent statement of the rules, short, slow and obvious. It imports nothing of the project's other code.
 * It covers X1 to X14, P0, N to N8 (`none`, `rfc3986` and `rfc1738`) and W.
 */
export { type OracleMatch, type OracleResult, oracleExtract, type Rejected } from "./extract.ts";
export { oracleNormalize } from "./normalize.ts";
export type { OracleOptions, SchemelessKind } from "./rules.ts";
export type { AddedScheme } from "./schemes.ts";
export { type Components, oracleParse, type Reason } from "./split.ts";
