// The module `urlmill/url`, for the parts of one URL: re-exports only.

export { InputError, OptionError, StrayPercentError } from "../base/errors.ts";
export type { ParseFailure } from "./core-url.ts";
export { parse } from "./parse.ts";
export { type PercentEncodeSet, percentDecode, percentEncode } from "./percent.ts";
export type * from "./schemes/urls.ts";
export { format } from "./write-url.ts";
