// mid, cid, mailserver: identifiers and addresses with an `@` (P9).
import { TEXT, TEXT_OR_NULL } from "./part-types.ts";
import { decode, decodeOrNull, IN_SEGMENT, type SchemeParts, splitAt, type UrlParts, write } from "./parts.ts";

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

const PLAIN = `${IN_SEGMENT};=`;

/** Returns path and query. A `?` before the `@` of a message-id begins no query (RFC 1738 5). (P5, P9) */
export function messageBody({ path, query }: UrlParts): { path: string; query: string | null } {
  const hasAt = /@|%40/i;
  return query !== null && !hasAt.test(path) && hasAt.test(query) ? { path: `${path}?${query}`, query: null } : { path, query };
}

function writeBody(path: string, first: string, rest: string | null): string {
  const [firstWritten, restWritten] = splitAt(path, "/");
  const head = write(first, firstWritten, PLAIN);
  return rest === null ? head : `${head}/${write(rest, restWritten, `${PLAIN}/`)}`;
}

/** Reads and writes mid URLs. */
export const mid: SchemeParts<MidUrl> = {
  types: { messageId: TEXT, contentId: TEXT_OR_NULL },
  hasQueryInPath: true,
  read: (url) => {
    const body = messageBody(url);
    const [messageId, contentId] = splitAt(body.path, "/");
    return { ...body, messageId: decode(messageId), contentId: decodeOrNull(contentId) };
  },
  write: (url) => ({ ...url, path: writeBody(url.path, url.messageId, url.contentId) }),
};

/** Reads and writes cid URLs. */
export const cid: SchemeParts<CidUrl> = {
  types: { contentId: TEXT },
  hasQueryInPath: true,
  read: (url) => {
    const body = messageBody(url);
    return { ...body, contentId: decode(body.path) };
  },
  write: (url) => ({ ...url, path: write(url.contentId, url.path, PLAIN) }),
};

/** Reads and writes mailserver URLs. */
export const mailserver: SchemeParts<MailserverUrl> = {
  types: { address: TEXT, rest: TEXT_OR_NULL },
  hasQueryInPath: true,
  read: (url) => {
    const body = messageBody(url);
    const [address, rest] = splitAt(body.path, "/");
    return { ...body, address: decode(address), rest: decodeOrNull(rest) };
  },
  write: (url) => ({ ...url, path: writeBody(url.path, url.address, url.rest) }),
};
