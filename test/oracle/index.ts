/**
 * The oracle: a third, independent statement of the rules, short, slow and obvious. It imports nothing of the project's other code.
 * It covers X1 to X8 and X11 to X14 (plain text, built-in schemes, no nested URLs), P0, N to N7 (`none` and `rfc3986`) and W.
 */
export { type OracleMatch, oracleExtract, type Rejected } from "./extract.ts";
export { oracleNormalize } from "./normalize.ts";
export { type Components, oracleParse, type Reason } from "./split.ts";
