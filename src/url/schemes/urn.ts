// urn: a name in a namespace, and the components that RFC 8141 adds (P9).
import { TEXT, TEXT_OR_NULL } from "./part-types.ts";
import { decode, decodeOrNull, IN_SEGMENT, type SchemeParts, type UrlParts, write } from "./parts.ts";

/** A urn. (P9) */
export interface UrnUrl extends UrlParts {
  readonly scheme: "urn";
  /** The namespace, in lower case. */
  readonly nid: string;
  /** The name in it, decoded. */
  readonly nss: string;
  /** The text after `?+`, for the resolver. */
  readonly r: string | null;
  /** The text after `?=`, for the resource. */
  readonly q: string | null;
  /** The fragment, decoded. */
  readonly f: string | null;
}

const PLAIN = `${IN_SEGMENT}/;=`;

/** Returns the parts as written. The `?` before the first of r and q starts the query. */
function split(path: string, query: string | null): Pick<UrnUrl, "nid" | "nss" | "r" | "q"> {
  const colon = path.indexOf(":");
  const [, r = null] = /^\+(.*?)(?:\?=|$)/s.exec(query ?? "") ?? [];
  const [, q = null] = (r === null ? /^=(.*)$/s : /\?=(.*)$/s).exec(query ?? "") ?? [];
  return { nid: path.slice(0, colon), nss: path.slice(colon + 1), r, q };
}

/** Reads and writes urns. A query of another form stays if there is no r and no q. */
export const urn: SchemeParts<UrnUrl> = {
  types: { nid: TEXT, nss: TEXT, r: TEXT_OR_NULL, q: TEXT_OR_NULL, f: TEXT_OR_NULL },
  read: (url) => {
    const { nid, nss, r, q } = split(url.path, url.query);
    const added = { r: decodeOrNull(r), q: decodeOrNull(q), f: decodeOrNull(url.fragment) };
    return { nid: nid.toLowerCase(), nss: decode(nss), ...added };
  },
  write: (url) => {
    const written = split(url.path, url.query);
    const isOther = written.r === null && written.q === null;
    let query = url.r === null ? "" : `+${write(url.r, written.r, PLAIN)}`;
    if (url.q !== null) query += `${url.r === null ? "" : "?"}=${write(url.q, written.q, `${PLAIN}?`)}`;
    return {
      ...url,
      path: `${url.nid}:${write(url.nss, written.nss, PLAIN)}`,
      query: query === "" ? (isOther ? url.query : null) : query,
      fragment: url.f === null ? null : write(url.f, url.fragment, `${PLAIN}?`),
    };
  },
};
