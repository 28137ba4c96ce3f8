// prospero: a name that a directory server resolves (P8).
import { FIELDS, TEXT, TEXT_OR_NULL, TEXTS } from "./part-types.ts";
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

/** A prospero URL. (P8) */
export interface ProsperoUrl extends UrlParts {
  readonly scheme: "prospero";
  /** The host-specific object name, decoded. */
  readonly hsoname: string;
  /** `;name=value`. */
  readonly fields: readonly UrlField[];
  /** The version after `%00`, as the drafts have it; may be empty. */
  readonly version: string | null;
  /** The attributes of the drafts, each after a `%00`. */
  readonly attributes: readonly string[];
}

const PLAIN = `${IN_SEGMENT}/`;

/** Returns the parts as written. */
function split(path: string): Pick<ProsperoUrl, "hsoname" | "version" | "attributes"> & { readonly fields: readonly string[] } {
  const [name = "", ...fields] = withoutSlash(path).split(";");
  const [hsoname = "", version = null, ...attributes] = name.split(/%00|\0/);
  return { hsoname, version, attributes, fields };
}

/** Reads and writes prospero URLs. */
export const prospero: SchemeParts<ProsperoUrl> = {
  types: { hsoname: TEXT, fields: FIELDS, version: TEXT_OR_NULL, attributes: TEXTS },
  read: (url) => {
    const { hsoname, version, attributes, fields } = split(url.path);
    const older = { version: decodeOrNull(version), attributes: attributes.map(decode) };
    return { hsoname: decode(hsoname), fields: fields.map(fieldOf), ...older };
  },
  write: (url) => {
    const written = split(url.path);
    let body = write(url.hsoname, written.hsoname, PLAIN);
    if (url.version !== null || url.attributes.length > 0) body += `%00${write(url.version ?? "", written.version, PLAIN)}`;
    for (const [index, attribute] of url.attributes.entries()) body += `%00${write(attribute, written.attributes[index], PLAIN)}`;
    for (const [index, field] of url.fields.entries()) body += `;${writeField(field, written.fields[index], PLAIN)}`;
    return { ...url, path: withSlash(body, url.path) };
  },
};
