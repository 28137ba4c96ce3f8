// The known schemes: one row each. Read by src/core/tables.ts, which writes the rows into the core's memory; not compiled by asc.
import * as row from "../layout/scheme-rows.ts";

/** One known scheme. */
export interface SchemeRow {
  /** In lower case. */
  readonly name: string;
  /** `//`: needs an authority; `opaque`: has none; `both`: may have one. */
  readonly shape: "//" | "opaque" | "both";
  /** Whether the path has segments (N4, N5). */
  readonly hierarchical: boolean;
  /** Default port, or 0. */
  readonly port: number;
  /** SPECIAL_* of scheme-rows.ts. */
  readonly special: number;
  /** The document that defines the scheme, or the software that introduced it. */
  readonly source: string;
}

function tree(name: string, port: number, source: string, special: number = row.SPECIAL_NONE): SchemeRow {
  return { name, shape: "//", hierarchical: true, port, special, source };
}

function flat(name: string, port: number, source: string, special: number = row.SPECIAL_NONE): SchemeRow {
  return { name, shape: "//", hierarchical: false, port, special, source };
}

function opaque(name: string, source: string, special: number): SchemeRow {
  return { name, shape: "opaque", hierarchical: false, port: 0, special, source };
}

function both(name: string, port: number, source: string): SchemeRow {
  return { name, shape: "both", hierarchical: false, port, special: row.SPECIAL_NEWS, source };
}

/** The known schemes (X1). The order is that of the row numbers. */
export const SCHEMES: readonly SchemeRow[] = [
  tree("http", 80, "RFC 1738 3.3", row.SPECIAL_HTTP),
  tree("https", 443, "RFC 2818", row.SPECIAL_HTTP),
  tree("ftp", 21, "RFC 1738 3.2", row.SPECIAL_FTP),
  flat("gopher", 70, "RFC 1738 3.4", row.SPECIAL_GOPHER),
  opaque("mailto", "RFC 1738 3.5, RFC 6068", row.SPECIAL_MAILTO),
  both("news", 119, "RFC 1738 3.6, RFC 5538"),
  flat("nntp", 119, "RFC 1738 3.7"),
  flat("telnet", 23, "RFC 1738 3.8", row.SPECIAL_LOGIN),
  flat("rlogin", 513, "draft of March 1994", row.SPECIAL_LOGIN),
  flat("tn3270", 23, "RFC 1738 4", row.SPECIAL_LOGIN),
  flat("wais", 210, "RFC 1738 3.9"),
  tree("file", 0, "RFC 1738 3.10, RFC 8089", row.SPECIAL_FILE),
  flat("prospero", 1525, "RFC 1738 3.11", row.SPECIAL_PROSPERO),
  opaque("mid", "RFC 1738 4, RFC 2392", row.SPECIAL_AT),
  opaque("cid", "RFC 1738 4, RFC 2392", row.SPECIAL_AT),
  tree("afs", 0, "RFC 1738 4"),
  tree("nfs", 2049, "RFC 1738 4, RFC 2224"),
  opaque("mailserver", "RFC 1738 4", row.SPECIAL_AT),
  flat("z39.50r", 210, "RFC 2056"),
  flat("z39.50s", 210, "RFC 2056"),
  opaque("urn", "RFC 8141", row.SPECIAL_URN),
  flat("whois++", 63, "draft-ietf-uri-url-whois-ietf"),
  tree("ws", 80, "RFC 6455", row.SPECIAL_HTTP),
  tree("wss", 443, "RFC 6455", row.SPECIAL_HTTP),
  tree("ftps", 990, "RFC 4217"),
  tree("sftp", 22, "draft-ietf-secsh-scp-sftp-ssh-uri"),
  tree("tftp", 69, "RFC 3617"),
  tree("ssh", 22, "draft-ietf-secsh-scp-sftp-ssh-uri"),
  tree("shttp", 0, "RFC 2660"),
  both("snews", 563, "RFC 5538"),
  flat("nntps", 563, "RFC 4642"),
  tree("git", 9418, "git"),
  tree("git+ssh", 22, "git"),
  tree("git+https", 443, "npm"),
  tree("svn", 3690, "Subversion"),
  tree("svn+ssh", 22, "Subversion"),
  tree("rsync", 873, "RFC 5781"),
  tree("irc", 6667, "draft-butcher-irc-url"),
  tree("ircs", 6697, "draft-butcher-irc-url"),
  flat("ldap", 389, "RFC 4516"),
  flat("ldaps", 636, "RFC 4516"),
  tree("imap", 143, "RFC 5092"),
  tree("imaps", 993, "RFC 8314"),
  tree("pop", 110, "RFC 2384"),
  tree("rtsp", 554, "RFC 7826"),
  tree("rtsps", 322, "RFC 7826"),
  tree("gemini", 1965, "Gemini protocol specification"),
  tree("dict", 2628, "RFC 2229"),
  tree("smb", 445, "draft-crhertel-smb-url"),
  tree("webcal", 0, "iCalendar programs"),
  tree("feed", 0, "feed readers"),
  flat("s3", 0, "Amazon S3"),
  flat("gs", 0, "Google Cloud Storage"),
  opaque("tel", "RFC 3966", row.SPECIAL_TEL),
  opaque("sip", "RFC 3261", row.SPECIAL_DOMAIN),
  opaque("sips", "RFC 3261", row.SPECIAL_DOMAIN),
  opaque("xmpp", "RFC 5122", row.SPECIAL_DOMAIN),
  opaque("magnet", "BitTorrent programs", row.SPECIAL_MAGNET),
];
