// Files and names on other hosts: ftp (P1), wais (P7), file and prospero (P8), afs, z39.50, whois++ and urn (P9).
import {
  decode,
  fields,
  IN_SEGMENT,
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
import type { AfsUrl, FileUrl, FtpUrl, ProsperoUrl, UrnUrl, WaisUrl, WhoisUrl, Z3950Url } from "./urls.ts";

/** CR and LF, which would begin another command. */
const BREAK = /[\r\n]|%0[ad]/i;

const isFtpType = (part: unknown): part is "a" | "i" | "d" => part === "a" || part === "i" || part === "d";
const FTP_TYPE: PartType = { expected: "must be a, i or d", isRight: isFtpType };

/** Returns the segments as written; an empty path is `/` (N5). Not `split`, which takes longer for a short text. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  let at = path.startsWith("/") ? 1 : 0;
  for (let slash = path.indexOf("/", at); slash >= 0; slash = path.indexOf("/", at)) {
    segments.push(path.slice(at, slash));
    at = slash + 1;
  }
  segments.push(path.slice(at));
  return segments;
}

/** Returns the segments as written, the last without the type, and the type in lower case. It follows the last `;` (C17). */
function splitFtp(path: string): Pick<FtpUrl, "type"> & { readonly segments: readonly string[] } {
  const segments = segmentsOf(path);
  const last = segments.at(-1) as string;
  const typeAt = last.lastIndexOf(";");
  const [keyword, code] = splitAt(typeAt < 0 ? "" : last.slice(typeAt + 1), "=");
  const type = code === null || decode(keyword).toLowerCase() !== "type" ? "" : decode(code).toLowerCase();
  return isFtpType(type) ? { segments: [...segments.slice(0, -1), last.slice(0, typeAt)], type } : { segments, type: null };
}

function commandsOf(user: string, password: string | null, cwd: readonly string[], name: string, type: FtpUrl["type"]): string[] {
  const lines = [`USER ${user}`];
  if (password !== null) lines.push(`PASS ${password}`);
  for (const directory of cwd) lines.push(`CWD ${directory}`);
  if (type === "d") lines.push(name === "" ? "NLST" : `NLST ${name}`);
  if (type === "a" || type === "i") lines.push(`TYPE ${type.toUpperCase()}`);
  if (type !== "d" && name !== "") lines.push(`RETR ${name}`);
  return lines;
}

export const ftp: SchemeParts<FtpUrl> = {
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

export const file = scheme<FileUrl>({
  parts: { segments: texts(`${IN_SEGMENT};=`) },
  components: ({ host, userinfo, port }) => ({
    host: host?.toLowerCase() === "localhost" && userinfo === null && port === null ? "" : host,
  }),
  split: ({ path }) => ({ segments: segmentsOf(path) }),
  join: ({ segments }, { host }) => ({ host: host ?? "", path: `/${segments.join("/")}` }),
});

export const afs = scheme<AfsUrl>({
  parts: { cell: text("") },
  split: ({ host }) => ({ cell: host ?? "" }),
  join: ({ cell }) => ({ host: cell }),
});

const IN_WAIS = `${IN_SEGMENT};=`;

/** `/database/wtype/wpath`. A wpath of `digits=value;`, once or more, has fields, which win over it. It may hold more slashes. */
export const wais = scheme<WaisUrl>({
  parts: {
    database: text(IN_WAIS),
    search: orNull(text(`${IN_WAIS}/?`)),
    wtype: orNull(text(IN_WAIS)),
    wpath: orNull(text(`${IN_WAIS}/`)),
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

export const prospero = scheme<ProsperoUrl>({
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

export const z3950 = scheme<Z3950Url>({
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

export const whois = scheme<WhoisUrl>({
  parts: { lookup: text(`${IN_SEGMENT}/;=`) },
  split: ({ path }) => ({ lookup: withoutSlash(path) }),
  join: ({ lookup }, { path }) => ({ path: withSlash(lookup, path) }),
});

const IN_URN = `${IN_SEGMENT}/;=`;

/** The `?` before r, or before q without r, begins the query. A query of another form stays if there is no r and no q. */
export const urn = scheme<UrnUrl>({
  parts: { nid: VERBATIM, nss: text(IN_URN), r: orNull(text(IN_URN)), q: orNull(text(`${IN_URN}?`)), f: orNull(text(`${IN_URN}?`)) },
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
