// The URLs that `parse` returns: for each scheme its parts. (P)
import type { GenericScheme } from "../../core/names.ts";
import type { UrlParts } from "../core-url.ts";

export type { UrlParts };

/** A name and its value, decoded. */
export type UrlField = readonly [name: string, value: string];

/** A URL of the web. User and password are as written; RFC 1738 allows none here, so they are flagged. (P2) */
export interface HttpUrl extends UrlParts {
  readonly scheme: "http" | "https" | "ws" | "wss";
  /** The query, as written. */
  readonly searchpart: string | null;
}

/** An ftp URL. (P1) */
export interface FtpUrl extends UrlParts {
  readonly scheme: "ftp";
  /** Decoded; `anonymous` if the URL has no userinfo. */
  readonly user: string;
  /** Decoded; `anonymous` if the URL has no userinfo, null if it has a user without a password. */
  readonly password: string | null;
  /** The segments before the last, decoded: one CWD each. */
  readonly cwd: readonly string[];
  /** The last segment, decoded, without its type; empty if the path ends in `/`. */
  readonly name: string;
  /** The type code in lower case. */
  readonly type: "a" | "i" | "d" | null;
  /** Command lines without CR LF; null if a part contains CR or LF, which would begin another command. */
  readonly commands: readonly string[] | null;
}

/** A gopher URL. Its `path` includes a `?` and the text after it; `query` is null except in `gopher://host?x`. (P3) */
export interface GopherUrl extends UrlParts {
  readonly scheme: "gopher";
  /** The type of the item, one character; `1` if the URL has none. */
  readonly type: string;
  /** Decoded. It may contain any bytes, so use `selectorBytes` for requests. */
  readonly selector: string;
  readonly selectorBytes: Uint8Array;
  /** The search string, decoded. Null if the URL has none; empty if only the `%09` before it is there. */
  readonly search: string | null;
  /** The Gopher+ string, decoded; null if the URL has none. */
  readonly plus: string | null;
  /** The alternate view after `+`; null if there is none. */
  readonly view: string | null;
  /** The language after the view; null if there is none. */
  readonly language: string | null;
  /** The names of attributes after `!` (of the item) or `$` (of a directory), empty for all; null for other strings. */
  readonly attributes: readonly string[] | null;
  /** The answers to an ASK form after `+`; null for other strings. */
  readonly ask: readonly string[] | null;
  /** The bytes that a client sends; null if a CR or LF outside an ASK form would begin another request. */
  readonly request: Uint8Array | null;
}

/** A mailto URL. (P4) */
export interface MailtoUrl extends UrlParts {
  readonly scheme: "mailto";
  /** The addresses, decoded. Those of `to` fields come last. */
  readonly addresses: readonly string[];
  /** Header fields except `to`, decoded. */
  readonly fields: readonly UrlField[];
}

/** A news or snews URL. At most one of `all`, `group` and `messageId` is not null. (P5) */
export interface NewsUrl extends UrlParts {
  readonly scheme: "news" | "snews";
  /** True for `*`, which stands for every group. */
  readonly all: true | null;
  readonly group: string | null;
  /** The message-id, decoded, without angle brackets. */
  readonly messageId: string | null;
}

/** An nntp URL. (P5) */
export interface NntpUrl extends UrlParts {
  readonly scheme: "nntp";
  readonly group: string;
  /** The number of the article; null if the URL has none, or if it is not a whole number up to 2^53-1. */
  readonly article: number | null;
}

/** A URL of an interactive session. User and password are decoded. (P6) */
export interface LoginUrl extends UrlParts {
  readonly scheme: "telnet" | "rlogin" | "tn3270";
}

/** A wais URL. (P7) */
export interface WaisUrl extends UrlParts {
  readonly scheme: "wais";
  readonly database: string;
  /** The text after the `?`, decoded. */
  readonly search: string | null;
  readonly wtype: string | null;
  /** The text after the wtype, decoded. It is opaque. */
  readonly wpath: string | null;
  /** The numbered fields of a wpath that has the form of the drafts; null for any other. */
  readonly fields: readonly UrlField[] | null;
}

/** A file URL. Its `host` is empty both for `file://localhost/x` and for `file:///x`, and null for `file:/x`. (P8, C37) */
export interface FileUrl extends UrlParts {
  readonly scheme: "file";
  /** The segments of the path, decoded. If the path ends in `/`, the last one is empty. */
  readonly segments: readonly string[];
}

/** A prospero URL. (P8) */
export interface ProsperoUrl extends UrlParts {
  readonly scheme: "prospero";
  /** The host-specific object name, decoded. */
  readonly hsoname: string;
  /** The fields, each written as `;name=value`, decoded. */
  readonly fields: readonly UrlField[];
  /** The version after the first `%00`, as the drafts have it; may be empty. */
  readonly version: string | null;
  /** The attributes of the drafts, each after a further `%00`. */
  readonly attributes: readonly string[];
}

/** A mid URL: a message, or a part of its body. (P9) */
export interface MidUrl extends UrlParts {
  readonly scheme: "mid";
  readonly messageId: string;
  readonly contentId: string | null;
}

/** A cid URL: a body part. (P9) */
export interface CidUrl extends UrlParts {
  readonly scheme: "cid";
  readonly contentId: string;
}

/** A mailserver URL. (P9) */
export interface MailserverUrl extends UrlParts {
  readonly scheme: "mailserver";
  readonly address: string;
  /** The text after the first `/`, decoded. No document says how to read it. */
  readonly rest: string | null;
}

/** An afs URL. (P9) */
export interface AfsUrl extends UrlParts {
  readonly scheme: "afs";
  /** The host, decoded. */
  readonly cell: string;
}

/** A Z39.50 URL: `z39.50r` retrieves, `z39.50s` opens a session. (P9) */
export interface Z3950Url extends UrlParts {
  readonly scheme: "z39.50r" | "z39.50s";
  readonly databases: readonly string[];
  readonly docid: string | null;
}

/** A whois++ URL. (P9) */
export interface WhoisUrl extends UrlParts {
  readonly scheme: "whois++";
  /** A handle or a query, decoded. No document says how to distinguish them. */
  readonly lookup: string;
}

/** A urn. (P9) */
export interface UrnUrl extends UrlParts {
  readonly scheme: "urn";
  /** The namespace, in lower case. */
  readonly nid: string;
  /** The name in the namespace, decoded. */
  readonly nss: string;
  /** The text after `?+`, for the resolver. */
  readonly r: string | null;
  /** The text after `?=`, for the resource. */
  readonly q: string | null;
  /** The fragment, decoded. */
  readonly f: string | null;
}

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
