// wais: a database, a search of it, or a document in it (P7).
import { FIELDS, orNull, TEXT, TEXT_OR_NULL } from "./part-types.ts";
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
  /** Opaque, decoded. */
  readonly wpath: string | null;
  /** The numbered fields of a wpath that has the form of the drafts; null for any other. */
  readonly fields: readonly UrlField[] | null;
}

/** Returns the parts as written. Any `/` after the second belongs to the wpath. */
function split(path: string): Pick<WaisUrl, "database" | "wtype" | "wpath"> {
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
  // A wpath that was written may have the form of fields.
  comparedParts: (url) => ["database", "search", "wtype", url.fields === null ? "wpath" : "fields"],
  read: (url) => {
    const { database, wtype, wpath } = split(url.path);
    const fields = fieldsIn(wpath)?.map(fieldOf) ?? null;
    const document = { wtype: decodeOrNull(wtype), wpath: decodeOrNull(wpath), fields };
    return { database: decode(database), search: decodeOrNull(url.query), ...document };
  },
  write: (url) => {
    const written = split(url.path);
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
