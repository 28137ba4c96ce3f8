// Redirectors: services that put a URL of their own around another. Their hosts, and how they write the URL inside.
import { percentDecode, percentEncode } from "./percent.ts";
import { type Reference, splitAuthority, splitReference } from "./reference.ts";

interface Redirector {
  /** Whole host names, in normal form. */
  readonly hosts: readonly string[];
  /** Names whose subdomains are hosts too. */
  readonly suffixes?: readonly string[];
  /** Matches the path in normal form. */
  readonly path: RegExp;
  /** Returns the URL inside, or null. */
  readonly read: (wrapper: Reference) => string | null;
}

const GOOGLE_ENDS = "com at be ca ch cl de dk es fi fr gr ie it nl no pl pt ru se co.in co.jp co.kr co.nz co.uk co.za com.ar com.au com.br";
const GOOGLE_HOSTS = [...GOOGLE_ENDS.split(" "), "com.hk", "com.mx", "com.tr", "com.tw"].flatMap((end) => [
  `google.${end}`,
  `www.google.${end}`,
]);
const DEFENSE_HOSTS = ["urldefense.com", "urldefense.us", "urldefense.proofpoint.com"];

const REDIRECTORS: readonly Redirector[] = [
  // Microsoft Defender for Office 365: Safe Links.
  {
    hosts: [],
    suffixes: ["safelinks.protection.outlook.com", "safelinks.protection.office365.us"],
    path: /^/,
    read: ({ query }) => decodedText(parameter(query, "url")),
  },
  // Google's search results and mail.
  { hosts: GOOGLE_HOSTS, path: /^\/url$/, read: ({ query }) => decodedText(parameter(query, "url") || parameter(query, "q")) },
  // Proofpoint URL Defense. Version 1 is a parameter; version 2 writes a percent sign as `-` and a slash as `_` in it.
  { hosts: DEFENSE_HOSTS, path: /^\/v1\/url$/, read: ({ query }) => decodedText(parameter(query, "u")) },
  {
    hosts: DEFENSE_HOSTS,
    path: /^\/v2\/url$/,
    read: ({ query }) => decodedText(parameter(query, "u")?.replaceAll("-", "%").replaceAll("_", "/") ?? null),
  },
  { hosts: DEFENSE_HOSTS, path: /^\/v3\/__/, read: readVersion3 },
];

const WEB = new Set(["http", "https"]);
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// Every host of the table contains one of these words, at least in its A-labels.
const HOST_WORD = /google|urldefense|safelinks|%|[^\0-\x7f]/i;

/** Returns false for most URLs that are no redirector's, quickly. */
export function mayRedirect(url: string): boolean {
  return HOST_WORD.test(url);
}

/** Returns the URL inside a redirector's URL, which is in normal form; null if it is no redirector's. (N10) */
export function targetOf(normalForm: string): string | null {
  const wrapper = splitReference(normalForm);
  if (wrapper.authority === null || !WEB.has(wrapper.scheme ?? "")) return null;
  const { host } = splitAuthority(wrapper.authority);
  const row = REDIRECTORS.find((one) => hasHost(one, host) && one.path.test(wrapper.path));
  return row === undefined ? null : row.read(wrapper);
}

function hasHost({ hosts, suffixes = [] }: Redirector, host: string): boolean {
  return hosts.includes(host) || suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
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
