// The module `urlmill/web`, for browsers, workers and the edge: re-exports only. No module that it reaches imports one of Node.

export { createExtractor, type Extractor, type ExtractorOptions, extract } from "./api/extract.ts";
export { extractFrom } from "./api/extract-from.ts";
export { extractWebStream } from "./api/web-stream.ts";
export { InputError, OptionError, SourceError, type SourceErrorCode } from "./base/errors.ts";
export { FLAGS, type Flag, KINDS, type Kind, REASONS, type Reason, RULES_VERSION, type SchemeName, UNICODE_VERSION } from "./core/names.ts";
export type { AddedScheme } from "./core/tables.ts";
export type { BlobSource, BodySource, ByteSource, ChunkSource } from "./input/chunks.ts";
export type { Match, MatchJson } from "./matches/match.ts";
export type { Pattern } from "./options/filter-values.ts";
export type {
  BodyParts,
  ContainerOptions,
  ExtractFromOptions,
  ExtractOptions,
  ExtractWebStreamOptions,
  MboxDialect,
  NormalizeOptions,
  NormalizeProfile,
  RecordField,
  Rejected,
  SourceType,
  UserinfoForm,
} from "./options/options.ts";
export type { ParseFailure } from "./url/core-url.ts";
export { type NormalizeResult, normalize, tryNormalize } from "./url/normalize.ts";
export { normalizeLines } from "./url/normalize-lines.ts";
export { parse } from "./url/parse.ts";
export { resolve } from "./url/resolve.ts";
export type { ParsedUrl } from "./url/schemes/urls.ts";
