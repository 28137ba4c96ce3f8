// The public API: re-exports only.
export { FLAGS, type Flag, KINDS, type Kind, REASONS, type Reason, RULES_VERSION, UNICODE_VERSION } from "./core/names.ts";
export { InputError, OptionError, SourceError, type SourceErrorCode, StrayPercentError, WorkerError } from "./errors.ts";
export type {
  ExtractFilesOptions,
  ExtractFromOptions,
  ExtractOptions,
  ExtractStreamOptions,
  Format,
  NormalizeOptions,
  NormalizeProfile,
  Profile,
  Rejected,
  SourceType,
  UserinfoForm,
} from "./options.ts";
export type { ByteSource } from "./sources/chunks.ts";
export { extract } from "./stream/extract.ts";
export { extractFiles } from "./stream/extract-files.ts";
export { extractFrom } from "./stream/extract-from.ts";
export { ExtractStream } from "./stream/extract-stream.ts";
export { extractWebStream } from "./stream/web-stream.ts";
export type { ParseFailure } from "./url/generic.ts";
export { normalize } from "./url/normalize.ts";
export { type ParsedUrl, parse } from "./url/parse.ts";
export { percentDecode, percentEncode } from "./url/percent.ts";
export type { PercentEncodeSet } from "./url/percent-sets.ts";
export { resolve } from "./url/resolve.ts";
export { Match, type MatchJson } from "./window/batch.ts";
