// whois++: a directory of people and hosts (P9).
import { TEXT } from "./part-types.ts";
import { decode, IN_SEGMENT, type SchemeParts, type UrlParts, withoutSlash, withSlash, write } from "./parts.ts";

/** A whois++ URL. (P9) */
export interface WhoisUrl extends UrlParts {
  readonly scheme: "whois++";
  /** A handle or a query, decoded. No document says how to distinguish them. */
  readonly lookup: string;
}

/** Reads and writes whois++ URLs. */
export const whois: SchemeParts<WhoisUrl> = {
  types: { lookup: TEXT },
  read: (url) => ({ lookup: decode(withoutSlash(url.path)) }),
  write: (url) => ({ ...url, path: withSlash(write(url.lookup, withoutSlash(url.path), `${IN_SEGMENT}/;=`), url.path) }),
};
