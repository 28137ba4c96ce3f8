// z39.50r, z39.50s: library catalogues (P9).
import { TEXT_OR_NULL, TEXTS } from "./part-types.ts";
import { decode, decodeOrNull, type SchemeParts, type UrlParts, withoutSlash, withSlash, write } from "./parts.ts";

/** A Z39.50 URL: `z39.50r` retrieves, `z39.50s` opens a session. (P9) */
export interface Z3950Url extends UrlParts {
  readonly scheme: "z39.50r" | "z39.50s";
  readonly databases: readonly string[];
  readonly docid: string | null;
}

const PLAIN = "!$&'()*,:@";

/** Splits before the first `;`: element set and record syntax follow (RFC 2056). */
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
    const databases = url.databases.map((name, index) => write(name, written[index], PLAIN)).join("+");
    const query = url.docid === null ? null : write(url.docid, docid, `${PLAIN}+/?`) + afterDocid;
    return { ...url, path: withSlash(databases + afterNames, url.path), query };
  },
};
