// news, snews, nntp: groups and articles (P5).
import { messageBody } from "./message-id.ts";
import { type Components, IN_SEGMENT, textOf, type UrlParts, withoutSlash, withSlash, write } from "./parts.ts";

/** A news or snews URL; at most one of its parts is not null. @see docs/rules.md P5 */
export interface NewsUrl extends UrlParts {
  readonly scheme: "news" | "snews";
  /** `*`: every group. */
  readonly all: true | null;
  readonly group: string | null;
  /** Without angle brackets. */
  readonly messageId: string | null;
}

/** An nntp URL. @see docs/rules.md P5 */
export interface NntpUrl extends UrlParts {
  readonly scheme: "nntp";
  readonly group: string;
  /** Null where the URL names none, or something else than a number. */
  readonly article: number | null;
}

/** The parts of a news or snews URL. @see docs/rules.md P5 */
export function readNews(url: UrlParts, scheme: NewsUrl["scheme"]): NewsUrl {
  const { body, query } = url.host === null ? messageBody(url) : { body: withoutSlash(url.path), query: url.query };
  const text = textOf(body);
  const isMessage = text.includes("@");
  const group = isMessage || text === "*" || text === "" ? null : text;
  return { ...url, scheme, query, path: pathOf(url, body), all: text === "*" ? true : null, group, messageId: isMessage ? text : null };
}

function pathOf(url: UrlParts, body: string): string {
  return url.host === null ? body : withSlash(body, url.path);
}

/** The components of a news or snews URL. @see docs/rules.md P5 */
export function writeNews(url: NewsUrl): Components {
  const text = url.messageId ?? url.group ?? (url.all === null ? "" : "*");
  return { ...url, path: pathOf(url, write(text, url.host === null ? url.path : withoutSlash(url.path), `${IN_SEGMENT};=`)) };
}

interface WrittenArticle {
  readonly group: string;
  /** With its `/`. */
  readonly tail: string;
  readonly article: number | null;
}

/** Group and what follows it, as written. */
function splitArticle(path: string): WrittenArticle {
  const [, group = "", tail = ""] = /^([^/]*)(.*)$/s.exec(withoutSlash(path)) ?? [];
  const digits = /^[0-9]+$/.exec(textOf(tail.slice(1)))?.[0];
  const article = Number(digits);
  return { group, tail, article: Number.isSafeInteger(article) ? article : null };
}

/** The parts of an nntp URL. @see docs/rules.md P5 */
export function readNntp(url: UrlParts): NntpUrl {
  const { group, article } = splitArticle(url.path);
  return { ...url, scheme: "nntp", group: textOf(group), article };
}

/** The components of an nntp URL. @see docs/rules.md P5 */
export function writeNntp(url: NntpUrl): Components {
  const written = splitArticle(url.path);
  const anew = url.article === null ? "" : `/${url.article}`;
  const tail = written.article === url.article ? written.tail : anew;
  return { ...url, path: withSlash(write(url.group, written.group, `${IN_SEGMENT};=`) + tail, url.path) };
}
