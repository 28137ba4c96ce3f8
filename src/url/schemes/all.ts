// The schemes that have parts of their own: one table to read and to write them, and the types of their URLs.
import { InputError } from "../../base/errors.ts";
import type { GenericScheme } from "../../core/names.ts";
import {
  type ProsperoUrl,
  prospero,
  type UrnUrl,
  urn,
  type WaisUrl,
  type WhoisUrl,
  wais,
  whois,
  type Z3950Url,
  z3950,
} from "./directories.ts";
import { type AfsUrl, afs, type FileUrl, type FtpUrl, file, ftp } from "./files.ts";
import { type GopherUrl, gopher } from "./gopher.ts";
import { type CidUrl, cid, type MailserverUrl, type MailtoUrl, type MidUrl, mailserver, mailto, mid } from "./mail.ts";
import { type NewsUrl, type NntpUrl, news, nntp } from "./news.ts";
import { LOGIN, TEXT_OR_NULL } from "./part-types.ts";
import { readLogin, type SchemeParts, type UrlParts, writeLogin } from "./parts.ts";

// http, https, ws, wss (P2).

/** A URL of the web. User and password are as written; RFC 1738 allows none here, so they are flagged. (P2) */
export interface HttpUrl extends UrlParts {
  readonly scheme: "http" | "https" | "ws" | "wss";
  /** The query, as written. */
  readonly searchpart: string | null;
}

const web: SchemeParts<HttpUrl> = {
  types: { searchpart: TEXT_OR_NULL },
  // `searchpart` is the query as written, and the components are compared anyway.
  comparedParts: () => [],
  read: (url) => ({ searchpart: url.query }),
  write: (url) => {
    // It is unknown which of the two was changed.
    if (url.query !== url.searchpart)
      throw new InputError(`query and searchpart of a URL of the scheme ${url.scheme} are the same part: change both`);
    return url;
  },
};

// telnet, rlogin, tn3270: interactive sessions (P6).

/** A URL of an interactive session. User and password are decoded. (P6) */
export interface LoginUrl extends UrlParts {
  readonly scheme: "telnet" | "rlogin" | "tn3270";
}

const session: SchemeParts<LoginUrl> = {
  types: LOGIN,
  hasDecodedLogin: true,
  read: readLogin,
  write: (url) => ({ ...url, userinfo: writeLogin(url) }),
};

// Any other scheme (P9).

/** An unknown scheme. It is a string, but its type is no literal, so that a literal selects a known scheme. */
declare enum UnknownScheme {
  Name = "",
}

/** A URL of any other scheme: its generic components, as written. (P9) */
export interface OtherUrl extends UrlParts {
  readonly scheme: GenericScheme | `x-${string}` | UnknownScheme;
}

/** A URL and its parts; `scheme` selects the type. (P) */
export type ParsedUrl =
  | (HttpUrl | FtpUrl | GopherUrl | MailtoUrl | NewsUrl | NntpUrl | LoginUrl | WaisUrl | FileUrl | ProsperoUrl | MidUrl | CidUrl)
  | (MailserverUrl | AfsUrl | Z3950Url | WhoisUrl | UrnUrl | OtherUrl);
export type { UrlField, UrlParts } from "./parts.ts";
export type {
  AfsUrl,
  CidUrl,
  FileUrl,
  FtpUrl,
  GopherUrl,
  MailserverUrl,
  MailtoUrl,
  MidUrl,
  NewsUrl,
  NntpUrl,
  ProsperoUrl,
  UrnUrl,
  WaisUrl,
  WhoisUrl,
  Z3950Url,
};

const OTHER: SchemeParts<OtherUrl> = {
  types: {},
  read: () => ({}),
  write: (url) => url,
};

const PARTS: Readonly<Record<string, SchemeParts<ParsedUrl>>> = {
  http: web,
  https: web,
  ws: web,
  wss: web,
  ftp,
  gopher,
  mailto,
  news,
  snews: news,
  nntp,
  telnet: session,
  rlogin: session,
  tn3270: session,
  wais,
  file,
  prospero,
  mid,
  cid,
  mailserver,
  afs,
  "z39.50r": z3950,
  "z39.50s": z3950,
  "whois++": whois,
  urn,
};
const BY_SCHEME = new Map(Object.entries(PARTS));

/** Adds the parts of its scheme to a URL, and returns it. (P) */
export function withParts(url: UrlParts): ParsedUrl {
  // Not a spread: that takes more time than all the rest.
  return Object.assign(url, schemeParts(url.scheme).read(url)) as ParsedUrl;
}

/** Returns the reader and writer of a scheme, which is in lower case. */
export function schemeParts(scheme: string): SchemeParts<ParsedUrl> {
  return BY_SCHEME.get(scheme) ?? OTHER;
}
