// The public API: re-exports only.

export { extract } from "./api/extract.ts";
export { extractFiles } from "./api/extract-files.ts";
export { extractFrom } from "./api/extract-from.ts";
export { ExtractStream } from "./api/extract-stream.ts";
export { extractWebStream } from "./api/web-stream.ts";
export { FLAGS, type Flag, KINDS, type Kind, REASONS, type Reason, RULES_VERSION, UNICODE_VERSION } from "./core/names.ts";
export { InputError, OptionError, SourceError, type SourceErrorCode, StrayPercentError, WorkerError } from "./errors.ts";
export type { BlobSource, BodySource, ByteSource, ChunkSource } from "./input/chunks.ts";
export type {
  ExtractFilesOptions,
  ExtractFromOptions,
  ExtractOptions,
  ExtractStreamOptions,
  FieldName,
  Format,
  MboxDialect,
  NormalizeOptions,
  NormalizeProfile,
  Parts,
  Profile,
  Rejected,
  SourceType,
  UserinfoForm,
} from "./options.ts";
export { type LocationJson, Match, type MatchJson } from "./scanner/batch.ts";
export type { ParseFailure } from "./url/core-url.ts";
export { format } from "./url/format.ts";
export { normalize } from "./url/normalize.ts";
export { normalizeLines } from "./url/normalize-lines.ts";
export { parse } from "./url/parse.ts";
export { percentDecode, percentEncode } from "./url/percent.ts";
export type { PercentEncodeSet } from "./url/percent-sets.ts";
export { resolve } from "./url/resolve.ts";
export type * from "./url/schemes/all.ts";
