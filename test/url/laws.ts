// What must hold of any URL, whatever it is: on generated ones and on those of real archives.
import { expect } from "vitest";
import { loadUrlCore, type UrlCore } from "../../src/core/url-core.ts";
import { checkNormalizeOptions, type NormalizeOptions, type UrlForm } from "../../src/options/options.ts";
import { type GenericUrl, type ParseFailure, splitWith } from "../../src/url/core-url.ts";
import { makeNormalizer } from "../../src/url/normalize.ts";
import { parseWith } from "../../src/url/parse.ts";
import { format } from "../../src/url/write-url.ts";
import { coreOf } from "../core/builds.ts";
import { expectEqual } from "../core/check.ts";
import { oracleNormalize, oracleParse } from "../oracle/index.ts";
import { normalizeWith } from "./normalize-with.ts";

/** The profiles that the core gives by itself, and the oracle too. */
export const CORE_PROFILES = ["rfc3986", "rfc1738", "none"] as const;

const EACH_OPTION: readonly NormalizeOptions[] = [
  {},
  { stripFragment: true },
  { sortQuery: true },
  { stripTracking: true },
  { stripWww: true },
  { userinfo: "redact" },
  { userinfo: "strip" },
  { unwrap: true },
  { unwrap: "any" },
];
const ALL_OPTIONS: NormalizeOptions = { stripFragment: true, sortQuery: true, stripTracking: true, stripWww: true, unwrap: true };

/** No option of N10, each alone, and all together, for each of these profiles. */
export const OPTION_SETS: readonly NormalizeOptions[] = CORE_PROFILES.flatMap((profile) =>
  [...EACH_OPTION, { ...ALL_OPTIONS, userinfo: "redact" as const }, { ...ALL_OPTIONS, userinfo: "strip" as const }].map((options) => ({
    ...options,
    profile,
  })),
);

const FORMS = OPTION_SETS.map((options) => ({ label: JSON.stringify(options), normalizer: normalizerOf(options) }));
const CORE_FORMS: readonly UrlForm[] = CORE_PROFILES.map((profile) => checkNormalizeOptions({ profile }));
/** Of the profiles with a normal form. */
const NORMAL_FORMS = CORE_FORMS.filter(({ profile }) => profile !== "none");

/** The builds of the core, and of its part for single URLs. */
const CORES: Readonly<Record<string, UrlCore>> = {
  simd: coreOf("simd"),
  javascript: coreOf("javascript"),
  "single URLs, simd": loadUrlCore("simd"),
  "single URLs, javascript": loadUrlCore("javascript"),
};

function normalizerOf(options: NormalizeOptions): (url: string) => string | null {
  const normalizer = makeNormalizer(coreOf("simd"), checkNormalizeOptions(options));
  return (url) => {
    const result = normalizer(url);
    return result.ok ? result.url : null;
  };
}

/** Every build normalizes a URL as the oracle does, by each profile, or refuses it for the same reason (N1 to N8, P0). */
export function expectNormalizedAlike(url: string): void {
  CORE_PROFILES.forEach((profile, index) => {
    const oracle = oracleNormalize(url, profile);
    const wanted = "url" in oracle ? { ok: true, url: oracle.url } : { ok: false, code: oracle.reason };
    for (const [name, core] of Object.entries(CORES)) {
      expectEqual(normalizeWith(core, url, CORE_FORMS[index]), wanted, () => `${name}, ${profile}: ${JSON.stringify(url)}`);
    }
  });
}

/** Every build splits a URL as the oracle does, and all of them name the same byte of one that they refuse (P0). */
export function expectSplitAlike(url: string): void {
  const oracle = oracleParse(url);
  const [simd, ...others] = Object.values(CORES).map((core) => splitWith(core, url));
  for (const other of others) expectEqual(other, simd, () => JSON.stringify(url));
  const found = simd?.ok ? simd : { ...simd, offset: 0 };
  const wanted = "code" in oracle ? { ok: false, ...oracle, offset: 0 } : { ok: true, ...oracle, scheme: oracle.scheme.toLowerCase() };
  expectEqual(found, wanted, () => JSON.stringify(url));
}

/** A hidden userinfo after which there is no host, or a host begins with a triplet. */
const HIDDEN = /:(?:\/\/)?\*{3}(?:@$|%(?:25)*40)/i;

/**
 * Normalizing twice is normalizing once, by every option alone and by all together (N). A userinfo stays hidden even if X6 refuses what is
 * left: `sip:a@:@` becomes `sip:***@`, and `p://a%40` becomes `p://***%40`, which have no host.
 */
export function expectIdempotent(url: string): void {
  for (const { label, normalizer } of FORMS) {
    const once = normalizer(url);
    if (once !== null && HIDDEN.test(once) && normalizer(once) === null) continue;
    if (once !== null) expectEqual(normalizer(once), once, () => `${label}: ${JSON.stringify(url)} -> ${JSON.stringify(once)}`);
  }
}

/** What `format` makes of the parts of a URL normalizes as the URL does (P, N). */
export function expectFormatEquivalent(url: string): void {
  const core = coreOf("simd");
  const parsed = parseWith(core, url);
  if (!parsed.ok) return;
  for (const form of NORMAL_FORMS) {
    const wanted = normalizeWith(core, url, form);
    // Where there is no normal form there is nothing to compare.
    if (!wanted.ok) continue;
    const written = format(parsed);
    const label = (): string => `${form.profile}: ${JSON.stringify(url)} -> ${JSON.stringify(written)}`;
    expectEqual(normalizeWith(core, written, form), wanted, label);
  }
}

const RESERVED = /[:/?#[\]@!$&'()*+,;=]/;

/**
 * A component as a row of marks, one for each byte that it stands for: a reserved character, a triplet of one, or `x`. Two spellings with
 * the same marks have the same reserved characters at the same places, and the same ones of these in triplets (RFC 3986 2.2).
 */
function marksOf(component: string): string {
  const bytes = Buffer.from(component).toString("latin1");
  return bytes.replace(/%[0-9A-Fa-f]{2}|./gs, (unit) => {
    const character = unit.length === 1 ? unit : String.fromCharCode(Number.parseInt(unit.slice(1), 16));
    return RESERVED.test(character) ? unit.toUpperCase() : "x";
  });
}

/** The marks that normalizing has to leave: what a component does not allow may be encoded (N2), never the other way. */
function marksKept(component: string | null): string | null {
  if (component === null) return null;
  return marksOf(component).replace(/[[\]#]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A hierarchical path without its dot segments, also those in triplets (N4); both spellings of an empty path (N5). */
function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/").slice(1);
  segments.forEach((segment, index) => {
    const plain = segment.replace(/%2e/gi, ".");
    if (plain === "..") kept.pop();
    if (plain !== "." && plain !== "..") kept.push(segment);
    else if (index === segments.length - 1) kept.push("");
  });
  return kept.map((segment) => `/${segment}`).join("");
}

function partsOf(parsed: GenericUrl | ParseFailure): GenericUrl {
  if (!parsed.ok) throw new Error(`a normal form that is refused: ${parsed.code}`);
  return parsed;
}

/**
 * Reserved characters are never decoded (N2, N8): in user, password, path, query and fragment their number and their places are those of
 * the URL as written, and so are those of their triplets; a normal form's host holds none. Only what N1, N4, N5 and N6 take away with
 * its delimiter, or a path that was empty, may differ.
 */
export function expectReservedKept(url: string): void {
  const core = coreOf("simd");
  for (const form of NORMAL_FORMS) {
    const result = normalizeWith(core, url, form);
    if (!result.ok) continue;
    const before = partsOf(splitWith(core, url));
    const after = partsOf(splitWith(core, result.url));
    const label = `${form.profile}: ${JSON.stringify(url)} -> ${JSON.stringify(result.url)}`;
    for (const part of ["user", "password"] as const) {
      // A userinfo holds no other `@` than those that X2 leaves in it.
      expect(marksOf(after[part] ?? ""), label).toBe((marksKept(before[part] ?? "") as string).replaceAll("@", "%40"));
    }
    expect(after.query === null ? null : marksOf(after.query), label).toBe(marksKept(before.query));
    const fragment = form.profile === "rfc1738" ? "" : (before.fragment ?? "");
    expect(marksOf(after.fragment ?? ""), label).toBe(marksKept(fragment));
    const paths = [before.path, withoutDotSegments(before.path)].map((path) => marksKept(path || "/"));
    // gopher's `/1` is an empty path or a `/` (N5).
    const path = after.scheme === "gopher" && after.path === "/1" && before.path.length < 2 ? "/" : after.path || "/";
    expect(paths, label).toContain(marksOf(path));
    if (after.host !== null && !after.host.startsWith("[")) expect(after.host, label).not.toMatch(RESERVED);
  }
}
