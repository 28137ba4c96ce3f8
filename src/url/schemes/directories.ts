// Databases, directories and catalogues, and names: wais (P7), prospero (P8), Z39.50, whois++ and urn (P9).
import { FIELDS, orNull, TEXT, TEXT_OR_NULL, TEXTS } from "./part-types.ts";
import {
  decode,
  decodeOrNull,
  fieldOf,
  IN_SEGMENT,
  type SchemeParts,
  type UrlField,
  type UrlParts,
  withoutSlash,
  withSlash,
  write,
  writeField,
} from "./parts.ts";

/** A wais URL. (P7) */
export interface WaisUrl extends UrlParts {
  readonly scheme: "wais";
  readonly database: string;
  /** The text after the `?`, decoded. */
  readonly search: string | null;
  readonly wtype: string | null;
  /** The text after the wtype, decoded. It is opaque. */
  readonly wpath: string | null;
  /** The numbered fields of a wpath that has the form of the drafts; null for any other. */
  readonly fields: readonly UrlField[] | null;
}

/** Returns the parts as written: `/database/wtype/wpath`. The wpath may hold more slashes. */
function splitWais(path: string): Pick<WaisUrl, "database" | "wtype" | "wpath"> {
  const [database = "", wtype = null, ...rest] = withoutSlash(path).split("/");
  return { database, wtype, wpath: rest.length === 0 ? null : rest.join("/") };
}

/** Returns the numbered fields as written: `digits=value;`, once or more. Returns null for any other wpath. */
function fieldsIn(wpath: string | null): string[] | null {
  return wpath !== null && /^(?:[0-9]+=[^;]*;)+$/.test(wpath) ? wpath.slice(0, -1).split(";") : null;
}

/** Reads and writes wais URLs. `fields` win over `wpath`. */
export const wais: SchemeParts<WaisUrl> = {
  types: { database: TEXT, search: TEXT_OR_NULL, wtype: TEXT_OR_NULL, wpath: TEXT_OR_NULL, fields: orNull(FIELDS) },
  // A given wpath may have the form of fields when it is read again. So only the one that was written is compared.
  comparedParts: (url) => ["database", "search", "wtype", url.fields === null ? "wpath" : "fields"],
  read: (url) => {
    const { database, wtype, wpath } = splitWais(url.path);
    const fields = fieldsIn(wpath)?.map(fieldOf) ?? null;
    const document = { wtype: decodeOrNull(wtype), wpath: decodeOrNull(wpath), fields };
    return { database: decode(database), search: decodeOrNull(url.query), ...document };
  },
  write: (url) => {
    const written = splitWais(url.path);
    const fieldsWritten = fieldsIn(written.wpath);
    const fields = url.fields?.map((field, index) => `${writeField(field, fieldsWritten?.[index], IN_SEGMENT)};`).join("");
    const wpath = fields ?? (url.wpath === null ? null : write(url.wpath, written.wpath, `${IN_SEGMENT}/;=`));
    const segments = [write(url.database, written.database, `${IN_SEGMENT};=`)];
    if (url.wtype !== null || wpath !== null) segments.push(write(url.wtype ?? "", written.wtype, `${IN_SEGMENT};=`));
    if (wpath !== null) segments.push(wpath);
    const query = url.search === null ? null : write(url.search, url.query, `${IN_SEGMENT}/;=?`);
    return { ...url, path: withSlash(segments.join("/"), url.path), query };
  },
};

// prospero: a name that a directory server resolves (P8).

/** A prospero URL. (P8) */
export interface ProsperoUrl extends UrlParts {
  readonly scheme: "prospero";
  /** The host-specific object name, decoded. */
  readonly hsoname: string;
  /** The fields, each written as `;name=value`, decoded. */
  readonly fields: readonly UrlField[];
  /** The version after the first `%00`, as the drafts have it; may be empty. */
  readonly version: string | null;
  /** The attributes of the drafts, each after a further `%00`. */
  readonly attributes: readonly string[];
}

const IN_NAME = `${IN_SEGMENT}/`;

function splitProspero(path: string): Pick<ProsperoUrl, "hsoname" | "version" | "attributes"> & { readonly fields: readonly string[] } {
  const [name = "", ...fields] = withoutSlash(path).split(";");
  const [hsoname = "", version = null, ...attributes] = name.split(/%00|\0/);
  return { hsoname, version, attributes, fields };
}

export const prospero: SchemeParts<ProsperoUrl> = {
  types: { hsoname: TEXT, fields: FIELDS, version: TEXT_OR_NULL, attributes: TEXTS },
  read: (url) => {
    const { hsoname, version, attributes, fields } = splitProspero(url.path);
    const older = { version: decodeOrNull(version), attributes: attributes.map(decode) };
    return { hsoname: decode(hsoname), fields: fields.map(fieldOf), ...older };
  },
  write: (url) => {
    const written = splitProspero(url.path);
    let body = write(url.hsoname, written.hsoname, IN_NAME);
    if (url.version !== null || url.attributes.length > 0) body += `%00${write(url.version ?? "", written.version, IN_NAME)}`;
    for (const [index, attribute] of url.attributes.entries()) body += `%00${write(attribute, written.attributes[index], IN_NAME)}`;
    for (const [index, field] of url.fields.entries()) body += `;${writeField(field, written.fields[index], IN_NAME)}`;
    return { ...url, path: withSlash(body, url.path) };
  },
};

// z39.50r, z39.50s: library catalogues (P9).

/** A Z39.50 URL: `z39.50r` retrieves, `z39.50s` opens a session. (P9) */
export interface Z3950Url extends UrlParts {
  readonly scheme: "z39.50r" | "z39.50s";
  readonly databases: readonly string[];
  readonly docid: string | null;
}

const IN_DATABASE = "!$&'()*,:@";

/** Splits a text before its first `;`, after which the element set and the record syntax follow (RFC 2056). */
function cutParameters(written: string): readonly [before: string, parameters: string] {
  const at = written.indexOf(";");
  return at < 0 ? [written, ""] : [written.slice(0, at), written.slice(at)];
}

function databasesIn(written: string): string[] {
  return written === "" ? [] : written.split("+");
}

/** Reads and writes Z39.50 URLs. Element set and record syntax stay as written. */
export const z3950: SchemeParts<Z3950Url> = {
  types: { databases: TEXTS, docid: TEXT_OR_NULL },
  read: (url) => {
    const [names] = cutParameters(withoutSlash(url.path));
    const docid = url.query === null ? null : cutParameters(url.query)[0];
    return { databases: databasesIn(names).map(decode), docid: decodeOrNull(docid) };
  },
  write: (url) => {
    const [names, afterNames] = cutParameters(withoutSlash(url.path));
    const [docid, afterDocid] = cutParameters(url.query ?? "");
    const written = databasesIn(names);
    const databases = url.databases.map((name, index) => write(name, written[index], IN_DATABASE)).join("+");
    const query = url.docid === null ? null : write(url.docid, docid, `${IN_DATABASE}+/?`) + afterDocid;
    return { ...url, path: withSlash(databases + afterNames, url.path), query };
  },
};

// whois++: a directory of people and hosts (P9).

/** A whois++ URL. (P9) */
export interface WhoisUrl extends UrlParts {
  readonly scheme: "whois++";
  /** A handle or a query, decoded. No document says how to distinguish them. */
  readonly lookup: string;
}

export const whois: SchemeParts<WhoisUrl> = {
  types: { lookup: TEXT },
  read: (url) => ({ lookup: decode(withoutSlash(url.path)) }),
  write: (url) => ({ ...url, path: withSlash(write(url.lookup, withoutSlash(url.path), `${IN_SEGMENT}/;=`), url.path) }),
};

// urn: a name in a namespace, and the components that RFC 8141 adds (P9).

/** A urn. (P9) */
export interface UrnUrl extends UrlParts {
  readonly scheme: "urn";
  /** The namespace, in lower case. */
  readonly nid: string;
  /** The name in the namespace, decoded. */
  readonly nss: string;
  /** The text after `?+`, for the resolver. */
  readonly r: string | null;
  /** The text after `?=`, for the resource. */
  readonly q: string | null;
  /** The fragment, decoded. */
  readonly f: string | null;
}

const IN_URN = `${IN_SEGMENT}/;=`;

/** Returns the parts as written. The `?` before r, or before q without r, begins the query. */
function splitUrn(path: string, query: string | null): Pick<UrnUrl, "nid" | "nss" | "r" | "q"> {
  const colon = path.indexOf(":");
  const [, r = null] = /^\+(.*?)(?:\?=|$)/s.exec(query ?? "") ?? [];
  const [, q = null] = (r === null ? /^=(.*)$/s : /\?=(.*)$/s).exec(query ?? "") ?? [];
  return { nid: path.slice(0, colon), nss: path.slice(colon + 1), r, q };
}

/** Reads and writes urns. A query of another form stays if there is no r and no q. */
export const urn: SchemeParts<UrnUrl> = {
  types: { nid: TEXT, nss: TEXT, r: TEXT_OR_NULL, q: TEXT_OR_NULL, f: TEXT_OR_NULL },
  read: (url) => {
    const { nid, nss, r, q } = splitUrn(url.path, url.query);
    const added = { r: decodeOrNull(r), q: decodeOrNull(q), f: decodeOrNull(url.fragment) };
    return { nid: nid.toLowerCase(), nss: decode(nss), ...added };
  },
  write: (url) => {
    const written = splitUrn(url.path, url.query);
    const isOther = written.r === null && written.q === null;
    let query = url.r === null ? "" : `+${write(url.r, written.r, IN_URN)}`;
    if (url.q !== null) query += `${url.r === null ? "" : "?"}=${write(url.q, written.q, `${IN_URN}?`)}`;
    return {
      ...url,
      path: `${url.nid}:${write(url.nss, written.nss, IN_URN)}`,
      query: query === "" ? (isOther ? url.query : null) : query,
      fragment: url.f === null ? null : write(url.f, url.fragment, `${IN_URN}?`),
    };
  },
};
