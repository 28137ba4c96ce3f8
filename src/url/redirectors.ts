// Services that put a URL of their own around another one: which hosts they have, and how they write the URL inside.
import { percentDecode, percentEncode } from "./percent.ts";
import { type Reference, splitAuthority, splitReference } from "./reference.ts";

interface Redirector {
  /** Hosts in normal form: the whole name. */
  readonly hosts: readonly string[];
  /** Names that a host may end in on the border of a label; whole names too. */
  readonly suffixes?: readonly string[];
  /** The path in normal form. */
  readonly path: RegExp;
  /** The URL inside; null where there is none. */
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
    read: ({ query }) => textOf(parameter(query, "url")),
  },
  // Google's search results and mail.
  { hosts: GOOGLE_HOSTS, path: /^\/url$/, read: ({ query }) => textOf(parameter(query, "url") || parameter(query, "q")) },
  // Proofpoint URL Defense. Version 1 is a parameter; version 2 writes a percent sign as `-` and a slash as `_` in it.
  { hosts: DEFENSE_HOSTS, path: /^\/v1\/url$/, read: ({ query }) => textOf(parameter(query, "u")) },
  {
    hosts: DEFENSE_HOSTS,
    path: /^\/v2\/url$/,
    read: ({ query }) => textOf(parameter(query, "u")?.replaceAll("-", "%").replaceAll("_", "/") ?? null),
  },
  { hosts: DEFENSE_HOSTS, path: /^\/v3\/__/, read: readVersion3 },
];

const WEB = new Set(["http", "https"]);
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// Every host of the table has one of these words, in its A-labels at least.
const HOST_WORD = /google|urldefense|safelinks|%|[^\0-\x7f]/i;

/** False for most texts that are no redirector's URL: a quick look before targetOf. */
export function mayRedirect(url: string): boolean {
  return HOST_WORD.test(url);
}

/** The text inside a redirector's URL, which is given in normal form; null where it is none. @see docs/rules.md N10 */
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

/** The value of the first parameter of that name, as written. */
function parameter(query: string | null, name: string): string | null {
  const found = query?.split("&").find((one) => one.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}

// A string cannot hold bytes that are no UTF-8: where there are some, all bytes above 7E are written as triplets again.
function textOf(encoded: string | null): string | null {
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
/** The run that the first of RUN_DIGITS stands for, in characters. */
const RUN_LEAST = 2;

// Version 3 writes characters that mail programs change as `*`, or a run of them as `**` and a digit for its length; the characters
// themselves follow behind the URL in base64url.
function readVersion3({ path, query, fragment }: Reference): string | null {
  const rest = `${path.slice("/v3/".length)}${query === null ? "" : `?${query}`}${fragment === null ? "" : `#${fragment}`}`;
  const [, url, replaced] = VERSION_3.exec(rest) ?? [];
  if (url === undefined || replaced === undefined) return null;
  const characters = utf8Of(base64UrlBytes(replaced));
  const text = textOf(url);
  const whole = characters === null || text === null ? null : withCharacters(text, [...characters]);
  // Some mail programs make one slash of the two behind the scheme.
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
