// What must hold of a line of output, and texts that try to break it.
import fc from "fast-check";
import { expect } from "vitest";
import { extract, type NormalizeOptions } from "../../src/index.ts";
import { splitWith } from "../../src/url/core-url.ts";
import { coreOf } from "../core/builds.ts";
import { urls } from "../scan/pieces.ts";

const PROFILES = ["rfc3986", "rfc1738", "whatwg", "surt", "none"] as const;
const flag = fc.constantFrom(undefined, true);

/** Every set of the options of N10, under every profile. */
export const optionSets: fc.Arbitrary<NormalizeOptions> = fc.record({
  profile: fc.constantFrom(...PROFILES),
  stripFragment: flag,
  sortQuery: flag,
  stripTracking: flag,
  stripWww: flag,
  unwrap: flag,
  userinfo: fc.constantFrom("keep", "redact", "strip"),
});

// What cannot be in a URL as it is, and what may be, but not everywhere.
const STRANGE = [
  ..."\0\t\n\r\x1b\x1f \x7f\"<>\\`^|{}'",
  ..."\u0080\u0085\u009b\u009f\u00a0\u00ad\u2028\u2029\u202e\u2066\u200b\ufeff\ufffe\u3000\u200c\u200d",
  "\u200d\u200d",
  "\u0627\u200c\u0628",
];
const PLAIN = ["a", "/", "?", "#", "&", "=", "utm_source=x", "&b=1", "%", "%4", "%2F", "@", ":", ".", "www.", "\u00e9", "//", ",http://c/"];
const STARTS = [
  ...[
    "http://b.example",
    "HTTP://www.b.example",
    "https://u:p@b.example",
    "ftp://h",
    "mailto:a@b.example",
    "news:a@b",
    "urn:ab:c",
    "foo:x",
  ],
  ...["foo://h", "file:///x", "gopher://h", "tel:1", "sip:a@b", "magnet:?x", "wais://h/d", "x-y://z", "http://", "cid:a@b"],
];

/** The bytes of a text as percent triplets. */
export function triplets(text: string): string {
  return Buffer.from(text).toString("hex").replace(/../g, "%$&");
}

const strange = fc
  .constantFrom(...STRANGE)
  .chain((character) => fc.constantFrom(character, triplets(character), triplets(triplets(character))));

/** What may follow the start of a URL: characters that cannot be in one, as they are and encoded, among others. */
export const strangeTails: fc.Arbitrary<string> = fc
  .array(fc.oneof(strange, fc.constantFrom(...PLAIN)), { maxLength: 8 })
  .map((parts) => parts.join(""));

const strangeUrls = fc.tuple(fc.constantFrom(...STARTS), strangeTails).map((parts) => parts.join(""));

/** URLs with such characters, and any others. */
export const anyUrls: fc.Arbitrary<string> = fc
  .oneof({ weight: 3, arbitrary: strangeUrls }, { weight: 1, arbitrary: urls })
  .map((url) => Buffer.from(url).toString());

const google = (url: string): string => `https://www.google.com/url?q=${encodeURIComponent(url)}`;
const withFragment = (url: string): string => `${google(url)}#${url}`;
const outlook = (url: string): string => `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(url)}&data=x`;
const defense2 = (url: string): string => {
  const encoded = encodeURIComponent(url).replaceAll("-", "%2D").replaceAll("_", "%5F");
  return `https://urldefense.com/v2/url?u=${encoded.replaceAll("%", "-").replaceAll("-2F", "_")}&d=x`;
};
const defense3 = (url: string): string => {
  const characters = [...url.replaceAll("%", "%25").replaceAll("*", "%2A")];
  const isPlain = (character: string): boolean => character >= "!" && character <= "~" && character !== ":";
  const replaced = Buffer.from(characters.filter((character) => !isPlain(character)).join("")).toString("base64url");
  return `https://urldefense.com/v3/__${characters.map((character) => (isPlain(character) ? character : "*")).join("")}__;${replaced}!!x$`;
};

/** A URL inside a redirector's URL, by each way of writing it. */
export const DELIMITED: readonly ((url: string) => string)[] = [google, outlook, defense2, defense3];

/** URLs in none to three redirectors' URLs. */
export const wrappedUrls: fc.Arbitrary<string> = fc
  .tuple(anyUrls, fc.array(fc.constantFrom(...DELIMITED, withFragment), { maxLength: 3 }))
  .map(([url, layers]) => layers.reduce((inner, layer) => layer(inner), url));

/** What acts on a terminal, ends a line, or cannot be seen. */
export const UNSEEN = /[\p{Cc}\p{Z}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/u;
/** Two of them that may join characters of a URL (X4). */
export const JOINERS = /[\u200c\u200d]/g;

/** Fails where `line` may end a line, acts on a terminal, or is no URL or more than one. `label` tells where it came from. */
export function expectOneUrl(line: string, { profile }: NormalizeOptions, label: () => string): void {
  const fail = (what: string): never => expect.fail(`${label()}: ${JSON.stringify(line)} ${what}`);
  // The calls of expect would cost more than all the rest.
  if (/[\p{Cc}\u2028\u2029]/u.test(line)) fail("holds a control");
  if (profile === "whatwg") {
    // Byte for byte what the platform gives (N9): it leaves spaces where there is no authority, and takes the line whole.
    if (new URL(line).href !== line) fail("is not what the platform gives");
    return;
  }
  if (UNSEEN.test(line.replace(JOINERS, ""))) fail("holds what cannot be seen");
  if (/["<>`\\]/.test(line)) fail("holds what delimits URLs");
  if (profile !== "surt" && !isWhole(line)) fail("is not one URL");
}

/** Whether urlmill takes a line as one URL: as such, whatever its host, or in delimiters, which let more shapes through (X6). */
function isWhole(line: string): boolean {
  if (splitWith(coreOf("simd"), line).ok) return true;
  const [match, ...others] = extract(`<URL:${line}>`, { profile: "none", anyScheme: true });
  return others.length === 0 && match?.raw === line;
}
