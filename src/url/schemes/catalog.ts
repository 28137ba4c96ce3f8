// afs, nfs, z39.50r, z39.50s, whois++: file systems and directories (P9).
import { type Components, IN_SEGMENT, textOf, textOrNull, type UrlParts, withoutSlash, withSlash, write } from "./parts.ts";

/** An afs URL. @see docs/rules.md P9 */
export interface AfsUrl extends UrlParts {
  readonly scheme: "afs";
  /** The host, decoded. */
  readonly cell: string;
}

/** A Z39.50 URL: r retrieves, s opens a session. @see docs/rules.md P9 */
export interface Z3950Url extends UrlParts {
  readonly scheme: "z39.50r" | "z39.50s";
  readonly databases: readonly string[];
  readonly docid: string | null;
}

/** A whois++ URL. @see docs/rules.md P9 */
export interface WhoisUrl extends UrlParts {
  readonly scheme: "whois++";
  /** A handle or a query, decoded: no document tells how to tell them apart. */
  readonly lookup: string;
}

/** The parts of an afs URL. @see docs/rules.md P9 */
export function readAfs(url: UrlParts): AfsUrl {
  return { ...url, scheme: "afs", cell: textOf(url.host ?? "") };
}

/** The components of an afs URL. @see docs/rules.md P9 */
export function writeAfs(url: AfsUrl): Components {
  return { ...url, host: write(url.cell, url.host, "") };
}

/** What stands before the first `;`, and the rest with it: element set and record syntax (RFC 2056). */
function cutParameters(written: string): readonly [before: string, parameters: string] {
  const at = written.indexOf(";");
  return at < 0 ? [written, ""] : [written.slice(0, at), written.slice(at)];
}

function databasesIn(written: string): string[] {
  return written === "" ? [] : written.split("+");
}

/** The parts of a Z39.50 URL. @see docs/rules.md P9 */
export function readZ3950(url: UrlParts, scheme: Z3950Url["scheme"]): Z3950Url {
  const [names] = cutParameters(withoutSlash(url.path));
  const docid = url.query === null ? null : cutParameters(url.query)[0];
  return { ...url, scheme, databases: databasesIn(names).map(textOf), docid: textOrNull(docid) };
}

/** The components of a Z39.50 URL; element set and record syntax stay as they are written. @see docs/rules.md P9 */
export function writeZ3950(url: Z3950Url): Components {
  const [names, afterNames] = cutParameters(withoutSlash(url.path));
  const [docid, afterDocid] = cutParameters(url.query ?? "");
  const plain = "!$&'()*,:@";
  const written = databasesIn(names);
  const databases = url.databases.map((name, index) => write(name, written[index], plain)).join("+");
  const query = url.docid === null ? null : write(url.docid, docid, `${plain}+/?`) + afterDocid;
  return { ...url, path: withSlash(databases + afterNames, url.path), query };
}

/** The parts of a whois++ URL. @see docs/rules.md P9 */
export function readWhois(url: UrlParts): WhoisUrl {
  return { ...url, scheme: "whois++", lookup: textOf(withoutSlash(url.path)) };
}

/** The components of a whois++ URL. @see docs/rules.md P9 */
export function writeWhois(url: WhoisUrl): Components {
  return { ...url, path: withSlash(write(url.lookup, withoutSlash(url.path), `${IN_SEGMENT}/;=`), url.path) };
}
