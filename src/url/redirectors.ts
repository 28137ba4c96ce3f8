// Finds the URLs inside the URLs of redirectors, and of other hosts. (N10)
import { base64Text, decodedText, plainText, REDIRECTORS, type Redirector, withSlashes, withTail } from "./redirector-table.ts";
import { type Reference, splitAuthority, splitReference } from "./reference.ts";

export const REDIRECTOR_NAMES: ReadonlySet<string> = new Set(REDIRECTORS.flatMap(({ hosts, suffixes }) => [...hosts, ...suffixes]));

const SUFFIXED = REDIRECTORS.filter(({ suffixes }) => suffixes.length > 0);

// A host in another form than the normal one has a triplet or a non-ASCII character.
const HOST_WORD = new RegExp(`${REDIRECTORS.map(({ word }) => word.replaceAll(".", "\\.")).join("|")}|%|[^\\0-\\x7f]`, "i");

/** Returns false for most URLs that are no redirector's, quickly. */
export function mayRedirect(url: string): boolean {
  return HOST_WORD.test(url);
}

/** The scheme of a web URL without two slashes after it, which browsers add. */
const LACKS_SLASH = /^(https?:)\/?(?!\/)/i;

/** Splits a web URL in normal form; undefined: the URL has another scheme. */
function splitWeb(normalForm: string): (Reference & { readonly host: string }) | undefined {
  const url = splitReference(normalForm);
  if (url.authority === null || (url.scheme !== "http" && url.scheme !== "https")) return undefined;
  return { ...url, host: splitAuthority(url.authority).host };
}

/** Returns the text that should be the URL inside a redirector's URL; empty if there is none. (N10) */
export function targetOf(normalForm: string): string {
  const url = splitWeb(normalForm);
  if (url === undefined) return "";
  const found = REDIRECTORS.find((one) => (hasHost(one, url.host) || isOnAllHosts(one)) && one.path.test(url.path));
  return found?.read(url).replace(LACKS_SLASH, "$1//") ?? "";
}

/** Returns whether a URL cut by a line break is a redirector's. Without query and fragment its path may be the start of one. (C142) */
export function isCutRedirector(normalForm: string): boolean {
  const url = splitWeb(normalForm);
  if (url === undefined) return false;
  const { host, path, query, fragment } = url;
  const isOpen = path.length > 1 && query === null && fragment === null;
  return REDIRECTORS.some((one) => hasHost(one, host) && (one.path.test(path) || (isOpen && mayBegin(one, path))));
}

/** Returns whether a path with the end of a sample after it is a redirector's. */
function mayBegin({ path: whole, samples }: Redirector, path: string): boolean {
  return samples.some((sample) => Array.from(sample).some((_, index) => whole.test(path + sample.slice(index))));
}

export function isRedirectorHost(host: string): boolean {
  return REDIRECTOR_NAMES.has(host) || SUFFIXED.some((one) => hasHost(one, host));
}

function isOnAllHosts({ hosts, suffixes }: Redirector): boolean {
  return hosts.length + suffixes.length === 0;
}

/** The first four characters of the paths of redirectors on all hosts. */
export const PATH_STARTS: readonly string[] = REDIRECTORS.filter(isOnAllHosts).map(({ word }) => word.slice(0, 4));

function hasHost({ hosts, suffixes }: Redirector, host: string): boolean {
  return hosts.includes(host) || suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

// URLs in URLs of any host: what `unwrap: "any"` takes for the target of a redirect. (C209)

/** The host of archived copies of pages. A copy is not the page (C130). */
const ARCHIVE = "web.archive.org";

const ABSOLUTE = /^(?:https?|ftp):\/\/[^/]/i;
const SCHEME = /^(?:https?|ftp):$/i;
/** The start of `http`, `Http`, `HTTP`, `ftp:`, `Ftp:` and `FTP:` in base64. */
const BASE64_SCHEME = /^(?:aHR0c|SHR0c|SFRUU|ZnRwO|RnRwO|RlRQO)/;
/** Most times that a value is percent-decoded. */
const ENCODED_MOST = 3;

const TARGET_NAMES = /^(?:dest|destination|goto|link|redir|redirect|target|to|u|url)=/i;
const PICTURE_NAMES = /^(?:image|img|media|src)=/i;

function rankOf(parameter: string): number {
  return TARGET_NAMES.test(parameter) ? 0 : PICTURE_NAMES.test(parameter) ? 2 : 1;
}

/** Yields the absolute URLs in a web URL in normal form, unchecked: first those in the query, then those in the path. (C209) */
export function* targetsIn(normalForm: string): Generator<string> {
  const url = splitWeb(normalForm);
  if (url === undefined || url.host === ARCHIVE) return;
  const { path, query } = url;
  if (query !== null && ABSOLUTE.test(plainText(query))) yield plainText(query);
  const parameters = query?.split("&") ?? [];
  for (const parameter of parameters.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const target = urlIn(parameter.slice(parameter.indexOf("=") + 1));
    if (target !== null) yield target;
  }
  const segments = path.split("/");
  for (const [index, segment] of segments.entries()) {
    const from = (end?: number): string => withSlashes(plainText(segments.slice(index, end).join("/")));
    // Three segments show whether it is a URL: the scheme, the empty one between two slashes, and the host.
    const isWhole = SCHEME.test(decodedText(segment)) && ABSOLUTE.test(from(index + 3));
    const target = isWhole ? withTail(from(), url) : urlIn(segment);
    if (target !== null) yield target;
  }
}

/** Returns the absolute URL in a value, which may be plain, percent-encoded or base64; else null. */
function urlIn(value: string): string | null {
  let text = value;
  for (let decoded = 0; decoded < ENCODED_MOST; decoded++) {
    text = decodedText(text);
    if (ABSOLUTE.test(text)) return text;
  }
  const decoded = BASE64_SCHEME.test(value) ? base64Text(value) : "";
  return ABSOLUTE.test(decoded) ? decoded : null;
}
