// Schemes of which RFC 3986 says all there is to parse (P9).
import type { UrlParts } from "./parts.ts";

/** A scheme that is not known. It is a string; the type is one that no literal has, so that a literal tells the known ones apart. */
declare enum UnknownScheme {
  Name = "",
}

/** Known schemes that have only the generic components. @see docs/rules.md P9 */
type GenericScheme =
  | ("nfs" | "ftps" | "sftp" | "tftp" | "ssh" | "shttp" | "nntps" | "git" | "git+ssh" | "git+https" | "svn" | "svn+ssh" | "rsync")
  | ("irc" | "ircs" | "ldap" | "ldaps" | "imap" | "imaps" | "pop" | "rtsp" | "rtsps" | "gemini" | "dict" | "smb" | "webcal" | "feed")
  | ("s3" | "gs" | "tel" | "sip" | "sips" | "xmpp" | "magnet" | `x-${string}`);

/** A URL of any other scheme: its generic components, as written. @see docs/rules.md P9 */
export interface OtherUrl extends UrlParts {
  readonly scheme: GenericScheme | UnknownScheme;
}

/** A URL that has only its generic components. @see docs/rules.md P9 */
export function readOther(url: UrlParts): OtherUrl {
  return { ...url, scheme: url.scheme as OtherUrl["scheme"] };
}
