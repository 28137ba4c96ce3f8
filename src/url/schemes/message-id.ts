// mid, cid, mailserver: identifiers and addresses with an `@` (P9).
import { type Components, IN_SEGMENT, textOf, textOrNull, type UrlParts, write } from "./parts.ts";

/** A mid URL: a message, or a part of its body. @see docs/rules.md P9 */
export interface MidUrl extends UrlParts {
  readonly scheme: "mid";
  readonly messageId: string;
  readonly contentId: string | null;
}

/** A cid URL: a body part. @see docs/rules.md P9 */
export interface CidUrl extends UrlParts {
  readonly scheme: "cid";
  readonly contentId: string;
}

/** A mailserver URL. @see docs/rules.md P9 */
export interface MailserverUrl extends UrlParts {
  readonly scheme: "mailserver";
  readonly address: string;
  /** What follows the first `/`, decoded: no document says how it is read. */
  readonly rest: string | null;
}

const PLAIN = `${IN_SEGMENT};=`;

/** A message-id may hold a `?` before its `@` (RFC 1738 5): then that is no query. @see docs/rules.md P5, P9 */
export function messageBody({ path, query }: UrlParts): { body: string; query: string | null } {
  const hasAt = /@|%40/i;
  return query !== null && !hasAt.test(path) && hasAt.test(query) ? { body: `${path}?${query}`, query: null } : { body: path, query };
}

/** A body as written, split at its first `/`. */
function splitBody(body: string): readonly [first: string, rest: string | null] {
  const slash = body.indexOf("/");
  return slash < 0 ? [body, null] : [body.slice(0, slash), body.slice(slash + 1)];
}

function writeBody(url: UrlParts, first: string, rest: string | null): string {
  const [before, behind] = splitBody(url.path);
  const head = write(first, before, PLAIN);
  return rest === null ? head : `${head}/${write(rest, behind, `${PLAIN}/`)}`;
}

/** The parts of a mid URL. @see docs/rules.md P9 */
export function readMid(url: UrlParts): MidUrl {
  const { body, query } = messageBody(url);
  const [messageId, contentId] = splitBody(body);
  return { ...url, scheme: "mid", path: body, query, messageId: textOf(messageId), contentId: textOrNull(contentId) };
}

/** The components of a mid URL. @see docs/rules.md P9 */
export function writeMid(url: MidUrl): Components {
  return { ...url, path: writeBody(url, url.messageId, url.contentId) };
}

/** The parts of a cid URL. @see docs/rules.md P9 */
export function readCid(url: UrlParts): CidUrl {
  const { body, query } = messageBody(url);
  return { ...url, scheme: "cid", path: body, query, contentId: textOf(body) };
}

/** The components of a cid URL. @see docs/rules.md P9 */
export function writeCid(url: CidUrl): Components {
  return { ...url, path: write(url.contentId, url.path, PLAIN) };
}

/** The parts of a mailserver URL. @see docs/rules.md P9 */
export function readMailserver(url: UrlParts): MailserverUrl {
  const { body, query } = messageBody(url);
  const [address, rest] = splitBody(body);
  return { ...url, scheme: "mailserver", path: body, query, address: textOf(address), rest: textOrNull(rest) };
}

/** The components of a mailserver URL. @see docs/rules.md P9 */
export function writeMailserver(url: MailserverUrl): Components {
  return { ...url, path: writeBody(url, url.address, url.rest) };
}
