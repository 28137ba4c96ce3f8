// http, https, ws, wss (P2).

import { InputError } from "../../base/errors.ts";
import { TEXT_OR_NULL } from "./part-types.ts";
import type { SchemeParts, UrlParts } from "./parts.ts";

/** A URL of the web. User and password are as written; RFC 1738 allows none here, so they are flagged. (P2) */
export interface HttpUrl extends UrlParts {
  readonly scheme: "http" | "https" | "ws" | "wss";
  /** The query, as written. */
  readonly searchpart: string | null;
}

/** Reads and writes URLs of the web. */
export const web: SchemeParts<HttpUrl> = {
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
