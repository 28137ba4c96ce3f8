// urn: a name in a namespace, and the components that RFC 8141 adds (P9).
import { type Components, IN_SEGMENT, textOf, textOrNull, type UrlParts, write } from "./parts.ts";

/** A urn. @see docs/rules.md P9 */
export interface UrnUrl extends UrlParts {
  readonly scheme: "urn";
  /** The namespace, in lower case. */
  readonly nid: string;
  /** The name in it, decoded. */
  readonly nss: string;
  /** Behind `?+`: for the resolver. */
  readonly r: string | null;
  /** Behind `?=`: for the resource. */
  readonly q: string | null;
  /** Behind `#`. */
  readonly f: string | null;
}

interface Written {
  readonly nid: string;
  readonly nss: string;
  readonly r: string | null;
  readonly q: string | null;
}

const PLAIN = `${IN_SEGMENT}/;=`;

/** The parts as written. The `?` of the first component is the one that starts the query. */
function split(path: string, query: string | null): Written {
  const colon = path.indexOf(":");
  const [, r = null] = /^\+(.*?)(?:\?=|$)/s.exec(query ?? "") ?? [];
  const [, q = null] = (r === null ? /^=(.*)$/s : /\?=(.*)$/s).exec(query ?? "") ?? [];
  return { nid: path.slice(0, colon), nss: path.slice(colon + 1), r, q };
}

/** The parts of a urn. @see docs/rules.md P9 */
export function readUrn(url: UrlParts): UrnUrl {
  const { nid, nss, r, q } = split(url.path, url.query);
  const added = { r: textOrNull(r), q: textOrNull(q), f: textOrNull(url.fragment) };
  return { ...url, scheme: "urn", nid: nid.toLowerCase(), nss: textOf(nss), ...added };
}

/** The components of a urn. A query that RFC 8141 does not know stays where there is no r or q. @see docs/rules.md P9 */
export function writeUrn(url: UrnUrl): Components {
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
}
