// http, https, ws, wss: the search behind the `?` (P2).
import type { Components, UrlParts } from "./parts.ts";

/** A URL of the web. User and password are as written; RFC 1738 allows none here, so they are flagged. @see docs/rules.md P2 */
export interface HttpUrl extends UrlParts {
  readonly scheme: "http" | "https" | "ws" | "wss";
  /** The query, as written. */
  readonly searchpart: string | null;
}

/** The parts of a URL of the web. @see docs/rules.md P2 */
export function readHttp(url: UrlParts, scheme: HttpUrl["scheme"]): HttpUrl {
  return { ...url, scheme, searchpart: url.query };
}

/** The components of a URL of the web. @see docs/rules.md P2 */
export function writeHttp(url: HttpUrl): Components {
  return { ...url, query: url.searchpart };
}
