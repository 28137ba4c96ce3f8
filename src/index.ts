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
  BodyParts,
  ExtractFilesOptions,
  ExtractFromOptions,
  ExtractOptions,
  ExtractStreamOptions,
  MboxDialect,
  NormalizeOptions,
  NormalizeProfile,
  OutputFormat,
  Profile,
  RecordField,
  Rejected,
  SourceType,
  UserinfoForm,
} from "./options.ts";
export { type LocationJson, Match, type MatchJson } from "./scanner/batch.ts";
export { format } from "./url/format.ts";
export type { ParseFailure } from "./url/generic.ts";
export { normalizeLines } from "./url/lines.ts";
export { normalize } from "./url/normalize.ts";
export { type ParsedUrl, parse } from "./url/parse.ts";
export { percentDecode, percentEncode } from "./url/percent.ts";
export type { PercentEncodeSet } from "./url/percent-sets.ts";
export { resolve } from "./url/resolve.ts";
export type { AfsUrl, WhoisUrl, Z3950Url } from "./url/schemes/catalog.ts";
export type { FileUrl } from "./url/schemes/file.ts";
export type { FtpUrl } from "./url/schemes/ftp.ts";
export type { GopherUrl } from "./url/schemes/gopher.ts";
export type { HttpUrl } from "./url/schemes/http.ts";
export type { LoginUrl } from "./url/schemes/login.ts";
export type { MailtoUrl } from "./url/schemes/mailto.ts";
export type { CidUrl, MailserverUrl, MidUrl } from "./url/schemes/message-id.ts";
export type { NewsUrl, NntpUrl } from "./url/schemes/news.ts";
export type { OtherUrl } from "./url/schemes/other.ts";
export type { Field, UrlParts } from "./url/schemes/parts.ts";
export type { ProsperoUrl } from "./url/schemes/prospero.ts";
export type { UrnUrl } from "./url/schemes/urn.ts";
export type { WaisUrl } from "./url/schemes/wais.ts";
