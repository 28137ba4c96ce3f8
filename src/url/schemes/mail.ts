// Mail: mailto, with addresses and header fields (P4); mid, cid and mailserver, with identifiers and addresses (P9).
import { FIELDS, TEXT, TEXT_OR_NULL, TEXTS } from "./part-types.ts";
import {
  decode,
  decodeOrNull,
  fieldOf,
  IN_SEGMENT,
  type SchemeParts,
  splitAt,
  type UrlField,
  type UrlParts,
  write,
  writeField,
} from "./parts.ts";

/** A mailto URL. (P4) */
export interface MailtoUrl extends UrlParts {
  readonly scheme: "mailto";
  /** The addresses, decoded. Those of `to` fields come last. */
  readonly addresses: readonly string[];
  /** Header fields except `to`, decoded. */
  readonly fields: readonly UrlField[];
}

const IN_ADDRESS = "!$'()*+:@";
const IN_FIELD = "!$'()*,;:@/?";

function splitMailto(url: UrlParts): { addresses: string[]; fields: string[] } {
  const fields = (url.query ?? "").split("&").filter((field) => field !== "");
  const isTo = (field: string): boolean => fieldOf(field)[0].toLowerCase() === "to";
  const lists = [url.path, ...fields.filter(isTo).map((field) => splitAt(field, "=")[1] ?? "")];
  const addresses = lists.flatMap((list) => list.split(",")).filter((address) => address !== "");
  return { addresses, fields: fields.filter((field) => !isTo(field)) };
}

function readMailto(url: UrlParts): Pick<MailtoUrl, "addresses" | "fields"> {
  const { addresses, fields } = splitMailto(url);
  return { addresses: addresses.map(decode), fields: fields.map(fieldOf) };
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Reads and writes mailto URLs. If addresses or fields were changed, all addresses are written before the `?`. */
export const mailto: SchemeParts<MailtoUrl> = {
  types: { addresses: TEXTS, fields: FIELDS },
  read: readMailto,
  write: (url) => {
    const before = readMailto(url);
    if (isSame(before.addresses, url.addresses) && isSame(before.fields, url.fields)) return url;
    const written = splitMailto(url);
    const path = url.addresses.map((address, index) => write(address, written.addresses[index], IN_ADDRESS)).join(",");
    const fields = url.fields.map((field, index) => writeField(field, written.fields[index], IN_FIELD)).join("&");
    return { ...url, path, query: fields === "" ? null : fields };
  },
};

// mid, cid, mailserver: identifiers and addresses with an `@` (P9).

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

const IN_ID = `${IN_SEGMENT};=`;

/** Returns path and query. A `?` before the `@` of an id or an address begins no query (RFC 1738 5). (P5, P9) */
export function messageBody({ path, query }: UrlParts): { path: string; query: string | null } {
  const hasAt = /@|%40/i;
  return query !== null && !hasAt.test(path) && hasAt.test(query) ? { path: `${path}?${query}`, query: null } : { path, query };
}

function writeBody(path: string, first: string, rest: string | null): string {
  const [firstWritten, restWritten] = splitAt(path, "/");
  const head = write(first, firstWritten, IN_ID);
  return rest === null ? head : `${head}/${write(rest, restWritten, `${IN_ID}/`)}`;
}

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

export const cid: SchemeParts<CidUrl> = {
  types: { contentId: TEXT },
  hasQueryInPath: true,
  read: (url) => {
    const body = messageBody(url);
    return { ...body, contentId: decode(body.path) };
  },
  write: (url) => ({ ...url, path: write(url.contentId, url.path, IN_ID) }),
};

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
