// The module `urlmill/url`, for the parts of one URL: re-exports only.

export { InputError, OptionError, StrayPercentError } from "../errors.ts";
export { format } from "./format.ts";
export type { ParseFailure } from "./generic.ts";
export { type ParsedUrl, parse } from "./parse.ts";
export { percentDecode, percentEncode } from "./percent.ts";
export type { PercentEncodeSet } from "./percent-sets.ts";
export type { AfsUrl, WhoisUrl, Z3950Url } from "./schemes/catalog.ts";
export type { FileUrl } from "./schemes/file.ts";
export type { FtpUrl } from "./schemes/ftp.ts";
export type { GopherUrl } from "./schemes/gopher.ts";
export type { HttpUrl } from "./schemes/http.ts";
export type { LoginUrl } from "./schemes/login.ts";
export type { MailtoUrl } from "./schemes/mailto.ts";
export type { CidUrl, MailserverUrl, MidUrl } from "./schemes/message-id.ts";
export type { NewsUrl, NntpUrl } from "./schemes/news.ts";
export type { OtherUrl } from "./schemes/other.ts";
export type { UrlField, UrlParts } from "./schemes/parts.ts";
export type { ProsperoUrl } from "./schemes/prospero.ts";
export type { UrnUrl } from "./schemes/urn.ts";
export type { WaisUrl } from "./schemes/wais.ts";
