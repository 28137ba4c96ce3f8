// URLs in URLs of any host: what `unwrap: "any"` takes for the target of a redirect. (C209)
import { base64Text, decodedText, plainText, withSlashes, withTail } from "./redirector-readers.ts";
import { splitAuthority, splitReference } from "./reference.ts";

/** Hosts whose URLs name copies of pages, which are other things than the pages (C130). */
const ARCHIVES = ["web.archive.org"];

const ABSOLUTE = /^(?:https?|ftp):\/\/[^/]/i;
const SCHEME = /^(?:https?|ftp):$/i;
/** How `http`, `https:` and `ftp:` begin in base64, in lower and upper case. */
const BASE64_SCHEME = /^(?:aHR0c|SHR0c|SFRUU|ZnRwO|RnRwO|RlRQO)/;
/** How often a value may be percent-encoded. */
const ENCODED_MOST = 3;

/** Yields what may be a URL in a web URL in normal form: of the parameters, then of the path, each in order. (C209) */
export function* targetsIn(normalForm: string): Generator<string> {
  const { scheme, authority, path, query, fragment } = splitReference(normalForm);
  if (authority === null || !/^https?$/.test(scheme ?? "") || ARCHIVES.includes(splitAuthority(authority).host)) return;
  if (query !== null && isAbsolute(plainText(query))) yield plainText(query);
  for (const parameter of query?.split("&") ?? []) {
    const target = urlIn(parameter.slice(parameter.indexOf("=") + 1));
    if (target !== null) yield target;
  }
  const segments = path.split("/");
  for (const [index, segment] of segments.entries()) {
    const from = (end?: number): string => withSlashes(plainText(segments.slice(index, end).join("/")));
    // Three segments show whether it is a URL: the scheme, what two slashes have between them, and the host.
    const isWhole = SCHEME.test(decodedText(segment) ?? "") && isAbsolute(from(index + 3));
    const target = isWhole ? withTail(from(), { query, fragment }) : urlIn(segment);
    if (target !== null) yield target;
  }
}

function isAbsolute(text: string): boolean {
  return ABSOLUTE.test(text);
}

/** Returns the URL that a value is: percent-encoded, or in base64; else null. */
function urlIn(value: string): string | null {
  let text = value;
  for (let decoded = 0; decoded < ENCODED_MOST; decoded++) {
    text = decodedText(text) ?? "";
    if (isAbsolute(text)) return text;
  }
  const decoded = BASE64_SCHEME.test(value) ? base64Text(value) : null;
  return decoded !== null && isAbsolute(decoded) ? decoded : null;
}
