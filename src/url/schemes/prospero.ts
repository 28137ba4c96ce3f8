// prospero: a name that a directory server resolves (P8).
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

/** A prospero URL. @see docs/rules.md P8 */
export interface ProsperoUrl extends UrlParts {
  readonly scheme: "prospero";
  /** The host-specific object name, decoded. */
  readonly hsoname: string;
  /** `;name=value`. */
  readonly fields: readonly UrlField[];
  /** The drafts' version behind `%00`; may be empty. */
  readonly version: string | null;
  /** The drafts' attributes, each behind a `%00`. */
  readonly attributes: readonly string[];
}

interface Written {
  readonly hsoname: string;
  readonly version: string | undefined;
  readonly attributes: readonly string[];
  readonly fields: readonly string[];
}

/** The parts as written. */
function split(path: string): Written {
  const [name = "", ...fields] = withoutSlash(path).split(";");
  const [hsoname = "", version, ...attributes] = name.split(/%00|\0/);
  return { hsoname, version, attributes, fields };
}

/** The parts of a prospero URL. @see docs/rules.md P8 */
export function readProspero(url: UrlParts): ProsperoUrl {
  const { hsoname, version, attributes, fields } = split(url.path);
  const older = { version: textOrNull(version), attributes: attributes.map(textOf) };
  return { ...url, scheme: "prospero", hsoname: textOf(hsoname), fields: fields.map(fieldOf), ...older };
}

/** The components of a prospero URL. @see docs/rules.md P8 */
export function writeProspero(url: ProsperoUrl): Components {
  const written = split(url.path);
  const plain = `${IN_SEGMENT}/`;
  let body = write(url.hsoname, written.hsoname, plain);
  if (url.version !== null || url.attributes.length > 0) body += `%00${write(url.version ?? "", written.version, plain)}`;
  url.attributes.forEach((attribute, index) => {
    body += `%00${write(attribute, written.attributes[index], plain)}`;
  });
  url.fields.forEach((field, index) => {
    body += `;${writeField(field, written.fields[index], plain)}`;
  });
  return { ...url, path: withSlash(body, url.path) };
}
