// The schemes that have parts of their own, by name.
import { InputError } from "../../base/errors.ts";
import { afs, file, ftp, prospero, urn, wais, whois, z3950 } from "./files.ts";
import { gopher } from "./gopher.ts";
import { cid, mailserver, mailto, mid, news, nntp } from "./mail.ts";
import { LOGIN, readLogin, type SchemeParts, TEXT_OR_NULL, writeLogin } from "./parts.ts";
import type { HttpUrl, LoginUrl, OtherUrl, ParsedUrl, UrlParts } from "./urls.ts";

/** http, https, ws, wss. (P2) */
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

/** Interactive sessions. (P6) */
const session: SchemeParts<LoginUrl> = {
  types: LOGIN,
  hasDecodedLogin: true,
  read: readLogin,
  write: (url) => ({ ...url, userinfo: writeLogin(url) }),
};

/** Any other scheme. (P9) */
const OTHER: SchemeParts<OtherUrl> = { types: {}, read: () => ({}), write: (url) => url };

const PARTS: Readonly<Record<string, SchemeParts<ParsedUrl>>> = {
  ...{ http: web, https: web, ws: web, wss: web },
  ...{ telnet: session, rlogin: session, tn3270: session },
  ...{ ftp, file, afs, wais, prospero, urn, "z39.50r": z3950, "z39.50s": z3950, "whois++": whois },
  ...{ gopher, mailto, news, snews: news, nntp, mid, cid, mailserver },
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
