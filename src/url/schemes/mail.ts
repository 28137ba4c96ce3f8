// Mail and news: mailto (P4); news, snews and nntp (P5); mid, cid and mailserver (P9).
import {
  decode,
  fieldOf,
  fields,
  IN_SEGMENT,
  nullable,
  orNull,
  type PartType,
  type SchemeParts,
  scheme,
  splitAt,
  TEXT,
  TEXT_OR_NULL,
  text,
  texts,
  withoutSlash,
  withSlash,
  write,
} from "./parts.ts";
import type { CidUrl, MailserverUrl, MailtoUrl, MidUrl, NewsUrl, NntpUrl, UrlParts } from "./urls.ts";

/** If addresses or fields were changed, all addresses are written before the `?`. */
export const mailto = scheme<MailtoUrl>({
  parts: { addresses: texts("!$'()*+:@"), fields: fields("!$'()*,;:@/?") },
  split: ({ path, query }) => {
    const written = (query ?? "").split("&").filter((field) => field !== "");
    const isTo = (field: string): boolean => fieldOf(field)[0].toLowerCase() === "to";
    const lists = [path, ...written.filter(isTo).map((field) => splitAt(field, "=")[1] ?? "")];
    const addresses = lists.flatMap((list) => list.split(",")).filter((address) => address !== "");
    return { addresses, fields: written.filter((field) => !isTo(field)) };
  },
  join: (parts, _, before) => {
    if (JSON.stringify(parts) === JSON.stringify(before)) return {};
    return { path: parts.addresses.join(","), query: parts.fields.length === 0 ? null : parts.fields.join("&") };
  },
});

const IN_ID = `${IN_SEGMENT};=`;

/** Returns path and query. A `?` before the `@` of an id or an address begins no query (RFC 1738 5). (P5, P9) */
function messageBody({ path, query }: UrlParts): { path: string; query: string | null } {
  const hasAt = /@|%40/i;
  return query !== null && !hasAt.test(path) && hasAt.test(query) ? { path: `${path}?${query}`, query: null } : { path, query };
}

const TRUE: PartType = { expected: "must be true", isRight: (part) => part === true };

export const news: SchemeParts<NewsUrl> = {
  types: { messageId: TEXT_OR_NULL, group: TEXT_OR_NULL, all: nullable(TRUE) },
  hasQueryInPath: true,
  read: (url) => {
    const { path, query } = url.host === null ? messageBody(url) : url;
    const name = decode(url.host === null ? path : withoutSlash(path));
    const isMessage = name.includes("@");
    const group = isMessage || name === "*" || name === "" ? null : name;
    return { query, path, all: name === "*" ? true : null, group, messageId: isMessage ? name : null };
  },
  write: (url) => {
    const name = url.messageId ?? url.group ?? (url.all === null ? "" : "*");
    const path = url.host === null ? write(name, url.path, IN_ID) : withSlash(write(name, withoutSlash(url.path), IN_ID), url.path);
    return { ...url, path };
  },
};

/** Returns the group as written, `tail`, which is the text after it from its `/` on, and the number of the article in `tail`, or null. */
function splitArticle(path: string): Pick<NntpUrl, "group" | "article"> & { readonly tail: string } {
  const [, group = "", tail = ""] = /^([^/]*)(.*)$/s.exec(withoutSlash(path)) ?? [];
  const digits = /^[0-9]+$/.exec(decode(tail.slice(1)))?.[0];
  const article = Number(digits);
  return { group, tail, article: Number.isSafeInteger(article) ? article : null };
}

const ARTICLE: PartType = {
  expected: "must be a whole number that is not negative",
  isRight: (part) => Number.isSafeInteger(part) && (part as number) >= 0,
};

export const nntp: SchemeParts<NntpUrl> = {
  types: { group: TEXT, article: nullable(ARTICLE) },
  read: (url) => {
    const { group, article } = splitArticle(url.path);
    return { group: decode(group), article };
  },
  write: (url) => {
    const written = splitArticle(url.path);
    const anew = url.article === null ? "" : `/${url.article}`;
    const tail = written.article === url.article ? written.tail : anew;
    return { ...url, path: withSlash(write(url.group, written.group, IN_ID) + tail, url.path) };
  },
};

function withRest(head: string, rest: string | null): string {
  return rest === null ? head : `${head}/${rest}`;
}

export const mid = scheme<MidUrl>({
  parts: { messageId: text(IN_ID), contentId: orNull(text(`${IN_ID}/`)) },
  hasQueryInPath: true,
  components: messageBody,
  split: ({ path }) => {
    const [messageId, contentId] = splitAt(path, "/");
    return { messageId, contentId };
  },
  join: ({ messageId, contentId }) => ({ path: withRest(messageId, contentId) }),
});

export const cid = scheme<CidUrl>({
  parts: { contentId: text(IN_ID) },
  hasQueryInPath: true,
  components: messageBody,
  split: ({ path }) => ({ contentId: path }),
  join: ({ contentId }) => ({ path: contentId }),
});

export const mailserver = scheme<MailserverUrl>({
  parts: { address: text(IN_ID), rest: orNull(text(`${IN_ID}/`)) },
  hasQueryInPath: true,
  components: messageBody,
  split: ({ path }) => {
    const [address, rest] = splitAt(path, "/");
    return { address, rest };
  },
  join: ({ address, rest }) => ({ path: withRest(address, rest) }),
});
