// Redirectors: services that put a URL of their own around another. Their hosts, and how they write the URL inside.
import { percentDecode, percentEncode } from "./percent.ts";
import { type Reference, splitAuthority, splitReference } from "./reference.ts";

/** A service that puts a URL of its own around another. */
export interface Redirector {
  /** Part of each of its hosts: the quick test of a URL looks for it. */
  readonly word: string;
  /** Whole host names, in normal form. */
  readonly hosts: readonly string[];
  /** Names whose subdomains are hosts too. */
  readonly suffixes?: readonly string[];
  /** Matches the path in normal form. */
  readonly path: RegExp;
  /** Paths of its URLs, of which a line break may leave the beginning; none where any path is its own. */
  readonly samples?: readonly string[];
  /** Returns the URL inside, or null. */
  readonly read: (url: Reference) => string | null;
}

const GOOGLE_ENDS = "com at be ca ch cl de dk es fi fr gr ie it nl no pl pt ru se co.in co.jp co.kr co.nz co.uk co.za com.ar com.au com.br";
const GOOGLE_HOSTS = [...GOOGLE_ENDS.split(" "), "com.hk", "com.mx", "com.tr", "com.tw"].flatMap((end) => [
  `google.${end}`,
  `www.google.${end}`,
]);
const DEFENSE_HOSTS = ["urldefense.com", "urldefense.us", "urldefense.proofpoint.com"];

/** The redirectors; docs/unwrap.md has the source and an example of each. */
export const REDIRECTORS: readonly Redirector[] = [
  // Microsoft Defender for Office 365: Safe Links.
  {
    word: "safelinks",
    hosts: [],
    suffixes: ["safelinks.protection.outlook.com", "safelinks.protection.office365.us"],
    path: /^/,
    read: inParameter("url"),
  },
  // Proofpoint URL Defense. Version 1 is a parameter; version 2 writes a percent sign as `-` and a slash as `_` in it.
  { word: "urldefense", hosts: DEFENSE_HOSTS, path: /^\/v1\/url$/, samples: ["/v1/url"], read: inParameter("u") },
  {
    word: "urldefense",
    hosts: DEFENSE_HOSTS,
    path: /^\/v2\/url$/,
    samples: ["/v2/url"],
    read: ({ query }) => decodedText(parameter(query, "u")?.replaceAll("-", "%").replaceAll("_", "/") ?? null),
  },
  { word: "urldefense", hosts: DEFENSE_HOSTS, path: /^\/v3\/__/, samples: ["/v3/__"], read: readVersion3 },
  // Cisco Secure Email: a token, then the URL.
  { word: "cisco", hosts: ["secure-web.cisco.com"], path: /^\/[^/]+\/[^/]+$/, samples: ["/x/x"], read: inPath(2) },
  // Barracuda Link Protection.
  { word: "cudasvc", hosts: ["linkprotect.cudasvc.com"], path: /^\/url$/, samples: ["/url"], read: inParameter("a") },
  // Symantec Click-time URL Protection.
  { word: "symantec", hosts: ["clicktime.symantec.com"], path: /^/, read: inParameter("u") },
  // Amazon Simple Email Service: click tracking.
  { word: "awstrack", hosts: [], suffixes: ["awstrack.me"], path: /^\/L0\/[^/]+\//, samples: ["/L0/x/"], read: inPath(2) },
  // Google's search results and mail.
  { word: "google", hosts: GOOGLE_HOSTS, path: /^\/url$/, samples: ["/url"], read: inParameter("url", "q") },
  {
    word: "youtube",
    hosts: ["youtube.com", "www.youtube.com", "m.youtube.com"],
    path: /^\/redirect$/,
    samples: ["/redirect"],
    read: inParameter("q"),
  },
  // Bing's search results: `a1`, then the URL in base64url.
  {
    word: "bing",
    hosts: ["bing.com", "www.bing.com"],
    path: /^\/ck\/a$/,
    samples: ["/ck/a"],
    read: ({ query }) => readBing(parameter(query, "u")),
  },
  { word: "duckduckgo", hosts: ["duckduckgo.com", "html.duckduckgo.com"], path: /^\/l\/?$/, samples: ["/l/"], read: inParameter("uddg") },
  // Meta's link shim.
  {
    word: "facebook",
    hosts: ["facebook.com", "www.facebook.com", "m.facebook.com", "l.facebook.com", "lm.facebook.com"],
    path: /^\/l\.php$/,
    samples: ["/l.php"],
    read: inParameter("u"),
  },
  { word: "messenger", hosts: ["l.messenger.com"], path: /^\/l\.php$/, samples: ["/l.php"], read: inParameter("u") },
  { word: "instagram", hosts: ["l.instagram.com"], path: /^\/$/, read: inParameter("u") },
  {
    word: "linkedin",
    hosts: ["linkedin.com", "www.linkedin.com"],
    path: /^\/(?:redir\/redirect|safety\/go)\/?$/,
    samples: ["/redir/redirect", "/safety/go"],
    read: inParameter("url"),
  },
  { word: "reddit", hosts: ["out.reddit.com"], path: /^/, read: inParameter("url") },
  { word: "slack-redir", hosts: ["slack-redir.net"], path: /^\/link$/, samples: ["/link"], read: inParameter("url") },
  { word: "umblr", hosts: ["t.umblr.com"], path: /^\/redirect$/, samples: ["/redirect"], read: inParameter("z") },
  {
    word: "vk.com",
    hosts: ["vk.com", "www.vk.com", "m.vk.com", "away.vk.com"],
    path: /^\/away\.php$/,
    samples: ["/away.php"],
    read: inParameter("to"),
  },
];

/** Names that the hosts of redirectors are, or are below. */
export const REDIRECTOR_NAMES: ReadonlySet<string> = new Set(REDIRECTORS.flatMap(({ hosts, suffixes = [] }) => [...hosts, ...suffixes]));

const SUFFIXED = REDIRECTORS.filter(({ suffixes }) => suffixes);

const WEB = new Set(["http", "https"]);
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// A host in another form than the normal one has a triplet or a non-ASCII character.
const HOST_WORD = new RegExp(`${REDIRECTORS.map(({ word }) => word).join("|")}|%|[^\\0-\\x7f]`, "i");

/** Returns false for most URLs that are no redirector's, quickly. */
export function mayRedirect(url: string): boolean {
  return HOST_WORD.test(url);
}

/** Returns the URL inside a redirector's URL, which is in normal form; null if it is no redirector's. (N10) */
export function targetOf(normalForm: string): string | null {
  const url = splitReference(normalForm);
  if (url.authority === null || !WEB.has(url.scheme ?? "")) return null;
  const { host } = splitAuthority(url.authority);
  const row = REDIRECTORS.find((one) => hasHost(one, host) && one.path.test(url.path));
  return row === undefined ? null : row.read(url);
}

/**
 * Returns whether a URL in normal form that a line break cut is a redirector's. Without a query and a fragment its path may be the
 * beginning of a redirector's. (C142)
 */
export function isCutRedirector(normalForm: string): boolean {
  const { scheme, authority, path, query, fragment } = splitReference(normalForm);
  if (authority === null || !WEB.has(scheme ?? "")) return false;
  const { host } = splitAuthority(authority);
  const isOpen = path.length > 1 && query === null && fragment === null;
  return REDIRECTORS.some((one) => hasHost(one, host) && (one.path.test(path) || (isOpen && mayBegin(one, path))));
}

/** Whether the rest of a sample makes a path a redirector's. */
function mayBegin({ path: whole, samples = [] }: Redirector, path: string): boolean {
  return samples.some((sample) => Array.from(sample).some((_, index) => whole.test(path + sample.slice(index))));
}

/** Returns whether a host in normal form is one of a redirector. */
export function isRedirectorHost(host: string): boolean {
  return REDIRECTOR_NAMES.has(host) || SUFFIXED.some((one) => hasHost(one, host));
}

function hasHost({ hosts, suffixes = [] }: Redirector, host: string): boolean {
  return hosts.includes(host) || suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/** Returns a function that reads the URL in the first parameter that has a value, of several names. */
function inParameter(...names: readonly string[]): Redirector["read"] {
  return ({ query }) => decodedText(names.map((name) => parameter(query, name)).find((value) => value) ?? null);
}

/** Returns a function that reads the URL in one segment of the path, counted from 1. */
function inPath(segment: number): Redirector["read"] {
  return ({ path }) => decodedText(path.split("/")[segment] ?? null);
}

function readBing(value: string | null): string | null {
  const encoded = /^a1([A-Za-z0-9_-]+)(?:=|%3D)*$/.exec(value ?? "")?.[1];
  return encoded === undefined ? null : utf8Of(base64UrlBytes(encoded));
}

/** Returns the value of the first parameter with a name, as written; null if there is none. */
function parameter(query: string | null, name: string): string | null {
  const found = query?.split("&").find((one) => one.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}

// A string cannot contain ill-formed UTF-8: if there is some, all bytes above 7E become triplets again.
function decodedText(encoded: string | null): string | null {
  if (encoded === null) return null;
  const bytes = percentDecode(encoded);
  return utf8Of(bytes) ?? percentEncode(bytes, "whatwg-c0-control");
}

function utf8Of(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** What a URL of version 3 of URL Defense begins with. */
const MARKED = new RegExp(`^https?://(?:${DEFENSE_HOSTS.join("|").replaceAll(".", "\\.")})(?::\\d*)?/v3/__`, "i");

/** Returns whether a URL is one of URL Defense 3, which puts marks of its own into the URL inside and after it. (C206) */
export function isMarkedRedirector(url: string): boolean {
  return MARKED.test(url);
}

const VERSION_3 = /^__(.+?)__;([A-Za-z0-9_-]*)(?:=|%3D)*!/s;
const RUN_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** The length of the run for the first of RUN_DIGITS, in characters. */
const RUN_LEAST = 2;

// Version 3 writes a character that mail programs change as `*`, and a run of them as `**` and a digit for its length. The characters
// follow the URL in base64url.
function readVersion3({ path, query, fragment }: Reference): string | null {
  const rest = `${path.slice("/v3/".length)}${query === null ? "" : `?${query}`}${fragment === null ? "" : `#${fragment}`}`;
  const [, url, replaced] = VERSION_3.exec(rest) ?? [];
  if (url === undefined || replaced === undefined) return null;
  const characters = utf8Of(base64UrlBytes(replaced));
  const text = decodedText(url);
  const whole = characters === null || text === null ? null : withCharacters(text, [...characters]);
  // Some mail programs make one slash of the two after the scheme.
  return whole?.replace(/^([a-z][a-z0-9+.-]*:\/)(?!\/)/i, "$1/") ?? null;
}

function withCharacters(text: string, characters: readonly string[]): string | null {
  let used = 0;
  const url = text.replace(/\*(?:\*([A-Za-z0-9_-]))?/g, (_, digit: string | undefined) => {
    const from = used;
    used += digit === undefined ? 1 : RUN_DIGITS.indexOf(digit) + RUN_LEAST;
    return characters.slice(from, used).join("");
  });
  return used > characters.length ? null : url;
}

function base64UrlBytes(text: string): Uint8Array {
  const whole = text.length % 4 === 1 ? text.slice(0, -1) : text;
  return Uint8Array.from(atob(whole.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}
