// The names of the core's numbers.
import { UNICODE_VERSION as unicodeVersion } from "#core/tables/unicode.js";

/** Version of the package, as package.json has it. */
export const PACKAGE_VERSION = "0.1.0";
/** Version of docs/rules.md that this code follows. */
export const RULES_VERSION = "4";
/** Version of the Unicode Character Database that this code has tables of. */
export const UNICODE_VERSION: string = unicodeVersion;

/** Known schemes that have only the generic components. (P9) */
export type GenericScheme =
  | ("nfs" | "ftps" | "sftp" | "tftp" | "ssh" | "shttp" | "nntps" | "git" | "git+ssh" | "git+https" | "svn" | "svn+ssh" | "rsync")
  | ("irc" | "ircs" | "ldap" | "ldaps" | "imap" | "imaps" | "pop" | "rtsp" | "rtsps" | "gemini" | "dict" | "smb" | "webcal" | "feed")
  | ("s3" | "gs" | "tel" | "sip" | "sips" | "xmpp" | "magnet");
/** Name of a scheme. The type is `string`, but editors complete the known names. */
export type SchemeName =
  | ("http" | "https" | "ws" | "wss" | "ftp" | "gopher" | "mailto" | "news" | "snews" | "nntp" | "telnet" | "rlogin" | "tn3270" | "wais")
  | ("file" | "prospero" | "mid" | "cid" | "mailserver" | "afs" | "z39.50r" | "z39.50s" | "urn" | "whois++" | GenericScheme)
  | (string & {});

/** Kinds of match, in the order of KIND_*. (X7 to X11, X15, C106) */
export const KINDS = ["plain", "wrapped", "rejoined", "www", "email", "domain", "nested", "guessed", "refanged", "ip", "link"] as const;
/** How a match is written in the text. */
export type Kind = (typeof KINDS)[number];

/** Schemeless text that can be looked for. (X10) */
export const SCHEMELESS = ["www", "email", "domain", "ip"] as const;
export type Schemeless = (typeof SCHEMELESS)[number];

/** Flags, in the order of the bits FLAG_*. (W) */
export const FLAGS = [
  "password",
  "userinfo",
  "odd-port",
  "reserved-port",
  "encoded-control",
  "numeric-host",
  "idn",
  "hyphen-break",
  "glued",
  "bad-percent",
  "obfuscated",
  "cut",
  "shortener",
  "open-redirect",
  "namespace",
  "other-host",
  "hidden",
  "form",
  "pixel",
] as const;
/** A security consideration that holds for a match. */
export type Flag = (typeof FLAGS)[number];

/** Attributes whose values are URLs or hold URLs, by their numbers in the core. (C100, C106) */
export const ATTRIBUTES = [
  "src",
  "href",
  "ping",
  "cite",
  "data",
  "action",
  "srcset",
  "poster",
  "itemid",
  "lowsrc",
  "dynsrc",
  "content",
  "profile",
  "archive",
  "itemtype",
  "manifest",
  "longdesc",
  "codebase",
  "background",
  "formaction",
  "imagesrcset",
] as const;

/** Codes of refusals. (X12, P0) */
export const REASONS = ["overlong", "no-host", "bad-host", "bad-port", "bad-shape", "empty", "no-scheme", "defanged", "no-base"] as const;
/** Why a candidate or a URL was refused. */
export type Reason = (typeof REASONS)[number];
/** The reasons in the order of REASON_*; the first means that there is no reason. */
export const REASON_NAMES = ["", ...REASONS] as const;
