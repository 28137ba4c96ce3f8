// wais: a database, a search of it, or a document in it (P7).
import {
  type Components,
  fieldOf,
  IN_SEGMENT,
  textOf,
  textOrNull,
  type UrlField,
  type UrlParts,
  withoutSlash,
  withSlash,
  write,
  writeField,
} from "./parts.ts";

/** A wais URL. @see docs/rules.md P7 */
export interface WaisUrl extends UrlParts {
  readonly scheme: "wais";
  readonly database: string;
  /** What stands behind the `?`, decoded. */
  readonly search: string | null;
  readonly wtype: string | null;
  /** Opaque, decoded. */
  readonly wpath: string | null;
  /** The numbered fields of a wpath that has the form of the drafts. */
  readonly fields: readonly UrlField[] | null;
}

interface Written {
  readonly database: string;
  readonly wtype: string | null;
  readonly wpath: string | null;
}

/** The parts as written; a `/` behind the second belongs to the wpath. */
function split(path: string): Written {
  const [database = "", wtype = null, ...rest] = withoutSlash(path).split("/");
  return { database, wtype, wpath: rest.length === 0 ? null : rest.join("/") };
}

/** The numbered fields as written: `digits=value;`, once or more. */
function fieldsIn(wpath: string | null): string[] | null {
  return wpath !== null && /^(?:[0-9]+=[^;]*;)+$/.test(wpath) ? wpath.slice(0, -1).split(";") : null;
}

/** The parts of a wais URL. @see docs/rules.md P7 */
export function readWais(url: UrlParts): WaisUrl {
  const { database, wtype, wpath } = split(url.path);
  const fields = fieldsIn(wpath)?.map(fieldOf) ?? null;
  const document = { wtype: textOrNull(wtype), wpath: textOrNull(wpath), fields };
  return { ...url, scheme: "wais", database: textOf(database), search: textOrNull(url.query), ...document };
}

/** The components of a wais URL; `fields` go before `wpath`. @see docs/rules.md P7 */
export function writeWais(url: WaisUrl): Components {
  const written = split(url.path);
  const fieldsWritten = fieldsIn(written.wpath);
  const fields = url.fields?.map((field, index) => `${writeField(field, fieldsWritten?.[index], IN_SEGMENT)};`).join("");
  const wpath = fields ?? (url.wpath === null ? null : write(url.wpath, written.wpath, `${IN_SEGMENT}/;=`));
  const segments = [write(url.database, written.database, `${IN_SEGMENT};=`)];
  if (url.wtype !== null || wpath !== null) segments.push(write(url.wtype ?? "", written.wtype, `${IN_SEGMENT};=`));
  if (wpath !== null) segments.push(wpath);
  const query = url.search === null ? null : write(url.search, url.query, `${IN_SEGMENT}/;=?`);
  return { ...url, path: withSlash(segments.join("/"), url.path), query };
}
