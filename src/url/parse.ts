// The parts of one URL: the generic components, and what its scheme makes of them.
import { type Core, getCore } from "../core/core.ts";
import { type ParseFailure, splitWith } from "./generic.ts";
import { flagsWith } from "./normalize.ts";
import * as catalog from "./schemes/catalog.ts";
import { type FileUrl, readFile } from "./schemes/file.ts";
import { type FtpUrl, readFtp } from "./schemes/ftp.ts";
import { type GopherUrl, readGopher } from "./schemes/gopher.ts";
import { type HttpUrl, readHttp } from "./schemes/http.ts";
import { type LoginUrl, readSession } from "./schemes/login.ts";
import { type MailtoUrl, readMailto } from "./schemes/mailto.ts";
import * as identifier from "./schemes/message-id.ts";
import { type NewsUrl, type NntpUrl, readNews, readNntp } from "./schemes/news.ts";
import { type OtherUrl, readOther } from "./schemes/other.ts";
import type { UrlParts } from "./schemes/parts.ts";
import { type ProsperoUrl, readProspero } from "./schemes/prospero.ts";
import { readUrn, type UrnUrl } from "./schemes/urn.ts";
import { readWais, type WaisUrl } from "./schemes/wais.ts";

/** A URL and its parts, told apart by `scheme`. @see docs/rules.md P */
export type ParsedUrl =
  | HttpUrl
  | FtpUrl
  | GopherUrl
  | MailtoUrl
  | NewsUrl
  | NntpUrl
  | LoginUrl
  | WaisUrl
  | FileUrl
  | ProsperoUrl
  | identifier.MidUrl
  | identifier.CidUrl
  | identifier.MailserverUrl
  | catalog.AfsUrl
  | catalog.Z3950Url
  | catalog.WhoisUrl
  | UrnUrl
  | OtherUrl;

/** The generic components and what the scheme makes of them. @see docs/rules.md P */
export function readScheme(url: UrlParts): ParsedUrl {
  const { scheme } = url;
  switch (scheme) {
    case "http":
    case "https":
    case "ws":
    case "wss":
      return readHttp(url, scheme);
    case "ftp":
      return readFtp(url);
    case "gopher":
      return readGopher(url);
    case "mailto":
      return readMailto(url);
    case "news":
    case "snews":
      return readNews(url, scheme);
    case "nntp":
      return readNntp(url);
    case "telnet":
    case "rlogin":
    case "tn3270":
      return readSession(url, scheme);
    case "wais":
      return readWais(url);
    case "file":
      return readFile(url);
    case "prospero":
      return readProspero(url);
    case "mid":
      return identifier.readMid(url);
    case "cid":
      return identifier.readCid(url);
    case "mailserver":
      return identifier.readMailserver(url);
    case "afs":
      return catalog.readAfs(url);
    case "z39.50r":
    case "z39.50s":
      return catalog.readZ3950(url, scheme);
    case "whois++":
      return catalog.readWhois(url);
    case "urn":
      return readUrn(url);
    default:
      return readOther(url);
  }
}

/** Parses one URL with a given core. @see docs/rules.md P */
export function parseWith(core: Core, url: string): ParsedUrl | ParseFailure {
  const generic = splitWith(core, url);
  return generic.ok ? readScheme({ ...generic, flags: flagsWith(core, url) }) : generic;
}

/**
 * Parses one URL; a text that is none gives a result with a code and the byte offset. The generic components are as written, the
 * parts of the scheme are decoded, with U+FFFD where bytes are no UTF-8. Throws InputError for what is no string.
 * @see docs/rules.md P
 */
export function parse(url: string): ParsedUrl | ParseFailure {
  return parseWith(getCore(), url);
}
