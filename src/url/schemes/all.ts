// The schemes that have parts of their own, by name: what their URLs are divided into.
import { InputError } from "../../base/errors.ts";
import { percentDecode } from "../percent.ts";
import {
  decode,
  decodeOrNull,
  fieldOf,
  fields,
  IN_PATH,
  IN_PCHAR,
  IN_SEGMENT,
  LOGIN,
  nullable,
  orNull,
  type PartType,
  readLogin,
  type SchemeParts,
  scheme,
  splitAt,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
  text,
  texts,
  VERBATIM,
  withoutSlash,
  withSlash,
  write,
  writeLogin,
} from "./parts.ts";
import type * as urls from "./urls.ts";

/** http, https, ws, wss. (P2) */
const web: SchemeParts<urls.HttpUrl> = {
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

/** Interactive sessions. (P6) */
const session: SchemeParts<urls.LoginUrl> = {
  types: LOGIN,
  hasDecodedLogin: true,
  read: readLogin,
  write: (url) => ({ ...url, userinfo: writeLogin(url) }),
};

/** Any other scheme. (P9) */
const OTHER: SchemeParts<urls.OtherUrl> = { types: {}, read: () => ({}), write: (url) => url };

// Files and names on other hosts: ftp (P1), wais (P7), file and prospero (P8), afs, z39.50, whois++ and urn (P9).

/** CR and LF, which would begin another command. */
const BREAK = /[\r\n]|%0[ad]/i;

const isFtpType = (part: unknown): part is "a" | "i" | "d" => part === "a" || part === "i" || part === "d";
const FTP_TYPE: PartType = { expected: "must be a, i or d", isRight: isFtpType };

/** Returns the segments as written; an empty path is `/` (N5). */
function segmentsOf(path: string): string[] {
  return withoutSlash(path).split("/");
}

/** Returns the segments as written, the last without the type, and the type in lower case. It follows the last `;` (C17). */
function splitFtp(path: string): Pick<urls.FtpUrl, "type"> & { readonly segments: readonly string[] } {
  const segments = segmentsOf(path);
  const last = segments.at(-1) as string;
  const typeAt = last.lastIndexOf(";");
  const [keyword, code] = splitAt(typeAt < 0 ? "" : last.slice(typeAt + 1), "=");
  const type = code === null || decode(keyword).toLowerCase() !== "type" ? "" : decode(code).toLowerCase();
  return isFtpType(type) ? { segments: [...segments.slice(0, -1), last.slice(0, typeAt)], type } : { segments, type: null };
}

function commandsOf(user: string, password: string | null, cwd: readonly string[], name: string, type: urls.FtpUrl["type"]): string[] {
  const lines = [`USER ${user}`];
  if (password !== null) lines.push(`PASS ${password}`);
  for (const directory of cwd) lines.push(`CWD ${directory}`);
  if (type === "d") lines.push(name === "" ? "NLST" : `NLST ${name}`);
  if (type === "a" || type === "i") lines.push(`TYPE ${type.toUpperCase()}`);
  if (type !== "d" && name !== "") lines.push(`RETR ${name}`);
  return lines;
}

const ftp: SchemeParts<urls.FtpUrl> = {
  types: { user: TEXT, password: TEXT_OR_NULL, type: nullable(FTP_TYPE), cwd: TEXTS, name: TEXT },
  hasDecodedLogin: true,
  read: (url) => {
    const { segments, type } = splitFtp(url.path);
    const cwd = segments.map(decode);
    const name = cwd.pop() ?? "";
    const login = url.userinfo === null ? { user: "anonymous", password: "anonymous" } : readLogin(url);
    const [user, password] = [login.user ?? "", login.password];
    const isSafe = !BREAK.test(url.path) && (url.userinfo === null || !BREAK.test(url.userinfo));
    return { user, password, cwd, name, type, commands: isSafe ? commandsOf(user, password, cwd, name, type) : null };
  },
  write: (url) => {
    const { segments } = splitFtp(url.path);
    const names = [...url.cwd, url.name];
    // A directory that becomes the last segment is encoded again: the text after its `;` must not become a type.
    const lastWritten = names.length === segments.length ? segments.at(-1) : undefined;
    const path = names.map((name, index) => write(name, index < url.cwd.length ? segments[index] : lastWritten, IN_SEGMENT)).join("/");
    const isDefault = url.userinfo === null && url.user === "anonymous" && url.password === "anonymous";
    return { ...url, userinfo: isDefault ? null : writeLogin(url), path: `/${path}${url.type === null ? "" : `;type=${url.type}`}` };
  },
};

const file = scheme<urls.FileUrl>({
  parts: { segments: texts(IN_PCHAR) },
  components: ({ host, userinfo, port }) => ({
    host: host?.toLowerCase() === "localhost" && userinfo === null && port === null ? "" : host,
  }),
  split: ({ path }) => ({ segments: segmentsOf(path) }),
  join: ({ segments }, { host }) => ({ host: host ?? "", path: `/${segments.join("/")}` }),
});

const afs = scheme<urls.AfsUrl>({
  parts: { cell: text("") },
  split: ({ host }) => ({ cell: host ?? "" }),
  join: ({ cell }) => ({ host: cell }),
});

/** `/database/wtype/wpath`. A wpath of `digits=value;`, once or more, has fields, which win over it. It may hold more slashes. */
const wais = scheme<urls.WaisUrl>({
  parts: {
    database: text(IN_PCHAR),
    search: orNull(text(`${IN_PATH}?`)),
    wtype: orNull(text(IN_PCHAR)),
    wpath: orNull(text(IN_PATH)),
    fields: orNull(fields(IN_SEGMENT)),
  },
  // A given wpath may have the form of fields when it is read again. So only the one that was written is compared.
  comparedParts: (url) => ["database", "search", "wtype", url.fields === null ? "wpath" : "fields"],
  split: ({ path, query }) => {
    const [database = "", wtype = null, ...rest] = withoutSlash(path).split("/");
    const wpath = rest.length === 0 ? null : rest.join("/");
    const isOfFields = wpath !== null && /^(?:[0-9]+=[^;]*;)+$/.test(wpath);
    return { database, search: query, wtype, wpath, fields: isOfFields ? wpath.slice(0, -1).split(";") : null };
  },
  join: ({ database, search, wtype, wpath, fields: numbered }, url) => {
    const last = numbered?.map((field) => `${field};`).join("") ?? wpath;
    const segments = last === null ? [database, wtype] : [database, wtype ?? "", last];
    return { path: withSlash(segments.filter((segment) => segment !== null).join("/"), url.path), query: search };
  },
});

const IN_NAME = `${IN_SEGMENT}/`;

const prospero = scheme<urls.ProsperoUrl>({
  parts: { hsoname: text(IN_NAME), fields: fields(IN_NAME), version: orNull(text(IN_NAME)), attributes: texts(IN_NAME) },
  split: ({ path }) => {
    const [name = "", ...written] = withoutSlash(path).split(";");
    const [hsoname = "", version = null, ...attributes] = name.split(/%00|\0/);
    return { hsoname, fields: written, version, attributes };
  },
  join: ({ hsoname, fields: named, version, attributes }, url) => {
    const names = version === null && attributes.length === 0 ? [hsoname] : [hsoname, version ?? "", ...attributes];
    return { path: withSlash([names.join("%00"), ...named].join(";"), url.path) };
  },
});

const IN_DATABASE = "!$&'()*,:@";

/** Splits a text before its first `;`, after which the element set and the record syntax follow (RFC 2056). These stay as written. */
function cutParameters(written: string): readonly [before: string, parameters: string] {
  const at = written.indexOf(";");
  return at < 0 ? [written, ""] : [written.slice(0, at), written.slice(at)];
}

const z3950 = scheme<urls.Z3950Url>({
  parts: { databases: texts(IN_DATABASE), docid: orNull(text(`${IN_DATABASE}+/?`)) },
  split: ({ path, query }) => {
    const [names] = cutParameters(withoutSlash(path));
    return { databases: names === "" ? [] : names.split("+"), docid: query === null ? null : cutParameters(query)[0] };
  },
  join: ({ databases, docid }, { path, query }) => ({
    path: withSlash(databases.join("+") + cutParameters(withoutSlash(path))[1], path),
    query: docid === null ? null : docid + cutParameters(query ?? "")[1],
  }),
});

const whois = scheme<urls.WhoisUrl>({
  parts: { lookup: text(IN_PATH) },
  split: ({ path }) => ({ lookup: withoutSlash(path) }),
  join: ({ lookup }, { path }) => ({ path: withSlash(lookup, path) }),
});

/** The `?` before r, or before q without r, begins the query. A query of another form stays if there is no r and no q. */
const urn = scheme<urls.UrnUrl>({
  parts: { nid: VERBATIM, nss: text(IN_PATH), r: orNull(text(IN_PATH)), q: orNull(text(`${IN_PATH}?`)), f: orNull(text(`${IN_PATH}?`)) },
  split: ({ path, query, fragment }) => {
    const colon = path.indexOf(":");
    const [, r = null] = /^\+(.*?)(?:\?=|$)/s.exec(query ?? "") ?? [];
    const [, q = null] = (r === null ? /^=(.*)$/s : /\?=(.*)$/s).exec(query ?? "") ?? [];
    return { nid: path.slice(0, colon).toLowerCase(), nss: path.slice(colon + 1), r, q, f: fragment };
  },
  join: ({ nid, nss, r, q, f }, url, before) => {
    const isOther = before.r === null && before.q === null;
    const written = [...(r === null ? [] : [`+${r}`]), ...(q === null ? [] : [`=${q}`])].join("?");
    return { path: `${nid}:${nss}`, query: written === "" ? (isOther ? url.query : null) : written, fragment: f };
  },
});

// gopher and Gopher+: the item, and the request for it (P3).

type Written = Pick<urls.GopherUrl, "type" | "selector" | "search" | "plus">;

const ASK_FORM = /^\+[^\t\r\n]*\t1\r\n\+-1\r\n((?:[^\r\n]*\r\n)*)\.\r\n$/;

// One character, or the triplets of one, and the rest. A TAB is no type.
const TYPE = /^((?!%09|\t)(?:%[0-7][0-9A-F]|%[89A-F][0-9A-F](?:%[89AB][0-9A-F])*|.))?(.*)$/isu;

function answersOf(plus: string): string[] | null {
  const answers = ASK_FORM.exec(plus)?.[1]?.split("\r\n").slice(0, -1) ?? null;
  // A line with a dot ends the form, so it cannot be an answer.
  return answers === null || answers.includes(".") ? null : answers;
}

/** Returns the parts of a Gopher+ string, whose first character is its kind. */
function readPlus(written: string | null): Pick<urls.GopherUrl, "view" | "language" | "attributes" | "ask"> {
  const text = decodeOrNull(written) ?? "";
  const [content = ""] = (written ?? "").replace(/^(?:%[0-9A-Fa-f]{2}|.)/su, "").split(/%09|\t/);
  const names = content.split(/%20| /).map(decode);
  const attributes = /^[!$]/.test(text) ? names.filter((name) => name !== "") : null;
  if (!text.startsWith("+")) return { view: null, language: null, attributes, ask: null };
  const [view = "", language = null] = names;
  return { view: view === "" ? null : view, language, attributes, ask: answersOf(text) };
}

function requestOf(written: Written, isAsk: boolean): Uint8Array | null {
  const { selector, search, plus } = written;
  const fields = plus === null ? [selector, search] : [selector, search === "" ? null : search, plus];
  const lines = fields.filter((field) => field !== null).map((field) => percentDecode(field));
  const isLineEnd = (byte: number): boolean => byte === 0x0a || byte === 0x0d;
  const checked = isAsk ? lines.slice(0, -1) : lines;
  if (checked.some((bytes) => bytes.some(isLineEnd))) return null;
  const bytes = lines.flatMap((line, index) => (index === 0 ? [...line] : [0x09, ...line]));
  return Uint8Array.from(isAsk ? bytes : [...bytes, 0x0d, 0x0a]);
}

const gopher = scheme<urls.GopherUrl, keyof Written>({
  parts: { type: text(IN_PATH), selector: text(IN_PATH), search: orNull(text(IN_PATH)), plus: orNull(text(IN_PATH)) },
  hasQueryInPath: true,
  // The path includes a `?` and the text after it, unless it is empty.
  components: ({ path, query }) => (path === "" || query === null ? { path, query } : { path: `${path}?${query}`, query: null }),
  split: ({ path }) => {
    const [, type = "", rest = ""] = TYPE.exec(withoutSlash(path)) ?? [];
    const [, selector = "", search = null, plus = null] = /^(.*?)(?:(?:%09|\t)(.*?)(?:(?:%09|\t)(.*))?)?$/s.exec(rest) ?? [];
    return { type, selector, search, plus };
  },
  complete: ({ type, selector, search, plus }, written) => {
    const { ask, ...content } = readPlus(written.plus);
    return {
      type: type === "" ? "1" : type,
      selector,
      selectorBytes: percentDecode(written.selector),
      search,
      plus,
      ...content,
      ask,
      request: requestOf(written, ask !== null),
    };
  },
  join: ({ type, selector, search, plus }, { path }, before) => {
    const isTypeLeftOut = before.type === "" && type === "1" && selector === "";
    const body = `${isTypeLeftOut ? "" : type}${selector}`;
    const fields = plus === null ? [body, search] : [body, search ?? "", plus];
    return { path: withSlash(fields.filter((field) => field !== null).join("%09"), path) };
  },
});

// Mail and news: mailto (P4); news, snews and nntp (P5); mid, cid and mailserver (P9).

/** If addresses or fields were changed, all addresses are written before the `?`. */
const mailto = scheme<urls.MailtoUrl>({
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

/** Returns path and query. A `?` before the `@` of an id or an address begins no query (RFC 1738 5). (P5, P9) */
function messageBody({ path, query }: urls.UrlParts): { path: string; query: string | null } {
  const hasAt = /@|%40/i;
  return query !== null && !hasAt.test(path) && hasAt.test(query) ? { path: `${path}?${query}`, query: null } : { path, query };
}

const TRUE: PartType = { expected: "must be true", isRight: (part) => part === true };

const news: SchemeParts<urls.NewsUrl> = {
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
    const path = url.host === null ? write(name, url.path, IN_PCHAR) : withSlash(write(name, withoutSlash(url.path), IN_PCHAR), url.path);
    return { ...url, path };
  },
};

/** Returns the group as written, `tail`, which is the text after it from its `/` on, and the number of the article in `tail`, or null. */
function splitArticle(path: string): Pick<urls.NntpUrl, "group" | "article"> & { readonly tail: string } {
  const [, group = "", tail = ""] = /^([^/]*)(.*)$/s.exec(withoutSlash(path)) ?? [];
  const digits = /^[0-9]+$/.exec(decode(tail.slice(1)))?.[0];
  const article = Number(digits);
  return { group, tail, article: Number.isSafeInteger(article) ? article : null };
}

const ARTICLE: PartType = {
  expected: "must be a whole number that is not negative",
  isRight: (part) => Number.isSafeInteger(part) && (part as number) >= 0,
};

const nntp: SchemeParts<urls.NntpUrl> = {
  types: { group: TEXT, article: nullable(ARTICLE) },
  read: (url) => {
    const { group, article } = splitArticle(url.path);
    return { group: decode(group), article };
  },
  write: (url) => {
    const written = splitArticle(url.path);
    const anew = url.article === null ? "" : `/${url.article}`;
    const tail = written.article === url.article ? written.tail : anew;
    return { ...url, path: withSlash(write(url.group, written.group, IN_PCHAR) + tail, url.path) };
  },
};

/** A message or an address, whose `@` a `?` may be before. */
const OF_MAIL = { hasQueryInPath: true, components: messageBody } as const;

const mid = scheme<urls.MidUrl>({
  ...OF_MAIL,
  parts: { messageId: text(IN_PCHAR), contentId: orNull(text(IN_PATH)) },
  split: ({ path }) => {
    const [messageId, contentId] = splitAt(path, "/");
    return { messageId, contentId };
  },
  join: ({ messageId, contentId }) => ({ path: withRest(messageId, contentId) }),
});

const cid = scheme<urls.CidUrl>({
  ...OF_MAIL,
  parts: { contentId: text(IN_PCHAR) },
  split: ({ path }) => ({ contentId: path }),
  join: ({ contentId }) => ({ path: contentId }),
});

const mailserver = scheme<urls.MailserverUrl>({
  ...OF_MAIL,
  parts: { address: text(IN_PCHAR), rest: orNull(text(IN_PATH)) },
  split: ({ path }) => {
    const [address, rest] = splitAt(path, "/");
    return { address, rest };
  },
  join: ({ address, rest }) => ({ path: withRest(address, rest) }),
});

function withRest(head: string, rest: string | null): string {
  return rest === null ? head : `${head}/${rest}`;
}

const PARTS: Readonly<Record<string, SchemeParts<urls.ParsedUrl>>> = {
  ...{ http: web, https: web, ws: web, wss: web },
  ...{ telnet: session, rlogin: session, tn3270: session },
  ...{ ftp, file, afs, wais, prospero, urn, "z39.50r": z3950, "z39.50s": z3950, "whois++": whois },
  ...{ gopher, mailto, news, snews: news, nntp, mid, cid, mailserver },
};
const BY_SCHEME = new Map(Object.entries(PARTS));

/** Adds the parts of its scheme to a URL, and returns it. (P) */
export function withParts(url: urls.UrlParts): urls.ParsedUrl {
  // Not a spread: that takes more time than all the rest.
  return Object.assign(url, schemeParts(url.scheme).read(url)) as urls.ParsedUrl;
}

/** Returns the reader and writer of a scheme, which is in lower case. */
export function schemeParts(scheme: string): SchemeParts<urls.ParsedUrl> {
  return BY_SCHEME.get(scheme) ?? OTHER;
}
