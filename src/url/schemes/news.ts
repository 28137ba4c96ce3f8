// news, snews, nntp: groups and articles (P5).
import { messageBody } from "./mail.ts";
import { ARTICLE, orNull, TEXT, TEXT_OR_NULL, TRUE } from "./part-types.ts";
import { decode, IN_SEGMENT, type SchemeParts, type UrlParts, withoutSlash, withSlash, write } from "./parts.ts";

/** A news or snews URL. At most one of `all`, `group` and `messageId` is not null. (P5) */
export interface NewsUrl extends UrlParts {
  readonly scheme: "news" | "snews";
  /** True for `*`, which stands for every group. */
  readonly all: true | null;
  readonly group: string | null;
  /** The message-id, decoded, without angle brackets. */
  readonly messageId: string | null;
}

/** An nntp URL. (P5) */
export interface NntpUrl extends UrlParts {
  readonly scheme: "nntp";
  readonly group: string;
  /** The number of the article; null if the URL has none, or if it is not a whole number up to 2^53-1. */
  readonly article: number | null;
}

const PLAIN = `${IN_SEGMENT};=`;

export const news: SchemeParts<NewsUrl> = {
  types: { messageId: TEXT_OR_NULL, group: TEXT_OR_NULL, all: orNull(TRUE) },
  hasQueryInPath: true,
  read: (url) => {
    const { path, query } = url.host === null ? messageBody(url) : url;
    const text = decode(url.host === null ? path : withoutSlash(path));
    const isMessage = text.includes("@");
    const group = isMessage || text === "*" || text === "" ? null : text;
    return { query, path, all: text === "*" ? true : null, group, messageId: isMessage ? text : null };
  },
  write: (url) => {
    const text = url.messageId ?? url.group ?? (url.all === null ? "" : "*");
    const path = url.host === null ? write(text, url.path, PLAIN) : withSlash(write(text, withoutSlash(url.path), PLAIN), url.path);
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

export const nntp: SchemeParts<NntpUrl> = {
  types: { group: TEXT, article: orNull(ARTICLE) },
  read: (url) => {
    const { group, article } = splitArticle(url.path);
    return { group: decode(group), article };
  },
  write: (url) => {
    const written = splitArticle(url.path);
    const anew = url.article === null ? "" : `/${url.article}`;
    const tail = written.article === url.article ? written.tail : anew;
    return { ...url, path: withSlash(write(url.group, written.group, PLAIN) + tail, url.path) };
  },
};
