// The options of normalize (N10), SURT (N11) and the profile whatwg (N9): what cases cannot say, and properties of any URL.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError, OptionError } from "../../src/base/errors.ts";
import { getUrlCore } from "../../src/core/url-core.ts";
import { checkNormalizeOptions, type NormalizeOptions, type UrlForm } from "../../src/options/options.ts";
import { type NormalForm, normalize, UNWRAP_DEPTH } from "../../src/url/normalize.ts";
import { isTracking, needsRewrite } from "../../src/url/rewrite.ts";
import { BUILDS, coreOf } from "../core/builds.ts";
import { RUNS, seeded } from "../core/check.ts";
import { urls } from "../scan/pieces.ts";
import { normalizeWith } from "./normalize-with.ts";

const google = (url: string): string => `https://www.google.com/url?q=${encodeURIComponent(url)}`;
const outlook = (url: string): string => `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(url)}&data=x`;

function formOf(options: NormalizeOptions): UrlForm {
  return checkNormalizeOptions(options);
}

function resultOf(url: string, options: NormalizeOptions): NormalForm {
  return normalizeWith(getUrlCore(), url, formOf(options));
}

describe("unwrap", () => {
  it("tells the chain, the outermost first, each as the other options give it", () => {
    const inner = "http://WWW.a.example/b#c";
    const wrapped = `${outlook(google(inner))}#x`;
    const chainOf = (options: NormalizeOptions): unknown => resultOf(wrapped, { ...options, unwrap: true });
    expect(chainOf({})).toEqual({ ok: true, url: "http://www.a.example/b#c", chain: [`${outlook(google(inner))}#x`, google(inner)] });
    expect(chainOf({ stripFragment: true, stripWww: true })).toEqual({
      ok: true,
      url: "http://a.example/b",
      chain: [outlook(google(inner)), google(inner).replace("www.", "")],
    });
    expect(resultOf("http://a.example/", { unwrap: true })).toEqual({ ok: true, url: "http://a.example/", chain: [] });
    expect(resultOf("http://a.example/", {})).toEqual({ ok: true, url: "http://a.example/" });
    expect(chainOf({ profile: "surt" })).toMatchObject({
      url: "http://(example,a,www,)/b#c",
      chain: [expect.stringMatching(/^https:\/\/\(com,outlook,/), expect.anything()],
    });
  });

  it("goes five redirectors deep", () => {
    const nested = (depth: number): string => (depth === 0 ? "http://a.example/" : google(nested(depth - 1)));
    for (const depth of [UNWRAP_DEPTH - 1, UNWRAP_DEPTH]) expect(normalize(nested(depth), { unwrap: true })).toBe("http://a.example/");
    expect(normalize(nested(UNWRAP_DEPTH + 2), { unwrap: true })).toBe(nested(2));
  });

  it("leaves a redirector whose URL is none, is of an unknown scheme, or is missing", () => {
    for (const inner of [
      "javascript://a.example/%0aalert(1)",
      "data:text/html,x",
      "some words",
      "http://a b/",
      "/search?q=x",
      "",
      "foo://h/",
    ]) {
      expect(normalize(google(inner), { unwrap: true }), inner).toBe(normalize(google(inner)));
    }
    for (const url of [
      "https://www.google.com/url",
      "https://www.google.com/url?qq=http://a/",
      "https://www.google.com/url/x?q=http://a/",
    ]) {
      expect(normalize(url, { unwrap: true })).toBe(url);
    }
  });

  it("knows a redirector by its normal form, whatever its profile", () => {
    const wrapped = "HTTPS://WWW.%47oogle.com:443/x/../url?sa=t&q=http%3A%2F%2FA.example%2F%7Eb";
    const forms = ["rfc3986", "whatwg", "none", "surt"] as const;
    expect(forms.map((profile) => normalize(wrapped, { profile, unwrap: true }))).toEqual([
      "http://a.example/~b",
      "http://a.example/~b",
      "http://A.example/~b",
      "http://(example,a,)/~b",
    ]);
  });

  it("reads the three versions of URL Defense", () => {
    const v3 = "https://urldefense.com/v3/__https://a.example/";
    const cases: readonly [string, string][] = [
      ["https://urldefense.proofpoint.com/v1/url?u=http://a.example/x%3Fy%3Dz&k=q", "http://a.example/x?y=z"],
      ["https://urldefense.proofpoint.com/v2/url?u=https-3A__a.example_b-5Fc_d-3Fe-3D-2525&d=x", "https://a.example/b_c/d?e=%25"],
      [`${v3}b?c=d*e__;Iw!!abc!def$`, "https://a.example/b?c=d#e"],
      [`${v3}b__;!!abc!def$`, "https://a.example/b"],
      // A run of four: "**C" and the characters; then one by itself.
      [`${v3}**C-*__;w6TDtsO8w58j!!abc$`, "https://a.example/%C3%A4%C3%B6%C3%BC%C3%9F-#"],
      [`${v3.replace("https://a", "https:/a")}b__;!!abc$`, "https://a.example/b"],
      // The slashes after the scheme may be among the characters: one of them, or both as a run.
      [`${v3.replace("https://a", "https:/*a")}b__;Lw!!ABC!tok$`, "https://a.example/b"],
      [`${v3.replace("https://a", "https:**Aa")}b__;Ly8!!ABC!tok$`, "https://a.example/b"],
    ];
    for (const [wrapped, url] of cases) expect(normalize(wrapped, { unwrap: true }), wrapped).toBe(normalize(url));
    // More characters are wanted than are there.
    const short = `${v3}***__;Iw!!abc$`;
    expect(normalize(short, { unwrap: true })).toBe(normalize(short));
  });

  it("keeps bytes that are no UTF-8", () => {
    expect(normalize("https://www.google.com/url?q=http%3A%2F%2Fa.example%2F%E4", { unwrap: true })).toBe("http://a.example/%E4");
  });
});

describe("options", () => {
  it("a table of parameters that track does not take what names something", () => {
    for (const name of ["utm_source", "UTM_Medium", "gclid", "fbclid", "mc_cid", "_hsEnc", "hsa_acc"])
      expect(isTracking(name), name).toBe(true);
    for (const name of ["", "utm", "id", "ref", "source", "q", "gclidx", "xutm_source", "v", "page", "s"])
      expect(isTracking(name), name).toBe(false);
  });

  it("only a form that asks for more than the core gives needs rewriting", () => {
    for (const options of [{}, { profile: "none" }, { userinfo: "keep", unwrap: false }] as const)
      expect(needsRewrite(formOf(options))).toBe(false);
    const more: NormalizeOptions[] = [
      { profile: "whatwg" },
      { profile: "surt" },
      { unwrap: true },
      { userinfo: "strip" },
      { sortQuery: true },
    ];
    for (const options of more) expect(needsRewrite(formOf(options))).toBe(true);
  });

  it("unknown ones and bad values throw OptionError", () => {
    const thrown = (options: unknown): unknown => {
      try {
        return normalize("http://a/", options as NormalizeOptions);
      } catch (error) {
        return error instanceof OptionError ? [error.code, error.option] : error;
      }
    };
    expect(thrown({ strip: true })).toEqual(["ERR_URLMILL_UNKNOWN_OPTION", "strip"]);
    expect(thrown({ profile: "rfc" })).toEqual(["ERR_URLMILL_BAD_OPTION", "profile"]);
    expect(thrown({ userinfo: true })).toEqual(["ERR_URLMILL_BAD_OPTION", "userinfo"]);
    for (const name of ["stripFragment", "sortQuery", "stripTracking", "stripWww", "unwrap", "refang", "defang"]) {
      expect(thrown({ [name]: "yes" })).toEqual(["ERR_URLMILL_BAD_OPTION", name]);
      expect(thrown({ [name]: undefined })).toBe("http://a/");
    }
    expect(thrown("rfc3986")).toEqual(["ERR_URLMILL_BAD_OPTION", "options"]);
    for (const profile of ["rfc3986", "whatwg", "surt", "none"] as const) {
      expect(() => normalize(1 as unknown as string, { profile })).toThrow(InputError);
    }
  });
});

describe("any URL", () => {
  const settings = { numRuns: 1500 * RUNS, ...seeded };
  const flag = fc.option(fc.boolean(), { nil: undefined });
  const options: fc.Arbitrary<NormalizeOptions> = fc.record({
    stripFragment: flag,
    sortQuery: flag,
    stripTracking: flag,
    stripWww: flag,
    unwrap: flag,
    userinfo: fc.constantFrom("keep", "redact", "strip"),
  });
  const hosts = fc.constantFrom(
    "www.www.google.com",
    "www.google.com",
    "www.localhost",
    "www.",
    "www.1.2.3.4",
    "www.com",
    "u:p@www.a.example",
    "u@localhost",
  );
  const queries = fc.array(
    fc.constantFrom("utm_source=x", "b=1", "a", "", "%61=2", "q=http%3A%2F%2Fa.example%2F", "u=http-3A__a_", "%C3%A4=", "B"),
    { maxLength: 4 },
  );
  const wrappable = fc
    .tuple(
      fc.constantFrom("http", "HTTPS", "file", "ftp", "foo", "gopher"),
      hosts,
      fc.constantFrom("", "/", "/url", "/v2/url", "/%7e"),
      queries,
    )
    .map(([scheme, host, path, query]) => `${scheme}://${host}${path}${query.length === 0 ? "" : `?${query.join("&")}`}#f`);
  const anyUrl = fc.oneof(urls, wrappable, wrappable.map(google), wrappable.map(outlook));

  it.each(["rfc3986", "none"] as const)("%s with any options: normalizing twice is normalizing once, on every build", (profile) => {
    fc.assert(
      fc.property(anyUrl, options, (url, given) => {
        const form = formOf({ ...given, profile });
        const once = normalizeWith(getUrlCore(), url, form);
        for (const build of BUILDS) expect(normalizeWith(coreOf(build), url, form), build).toEqual(once);
        if (once.ok) expect(normalizeWith(getUrlCore(), once.url, form)).toMatchObject({ ok: true, url: once.url });
      }),
      settings,
    );
  });

  it("the SURT of a URL is that of its normal form", () => {
    fc.assert(
      fc.property(anyUrl, options, (url, given) => {
        const surt = resultOf(url, { ...given, profile: "surt" });
        const normal = resultOf(url, given);
        expect(surt.ok).toBe(normal.ok);
        if (surt.ok && normal.ok) expect(resultOf(normal.url, { ...given, profile: "surt" })).toMatchObject({ url: surt.url });
      }),
      settings,
    );
  });

  it("no option takes a URL away, and no reserved character is decoded", () => {
    const RESERVED = /[:/?#[\]@!$&'()*+,;=]/g;
    fc.assert(
      fc.property(anyUrl, options, (url, given) => {
        const plain = resultOf(url, {});
        const rewritten = resultOf(url, { ...given, unwrap: false });
        expect(rewritten.ok).toBe(plain.ok);
        if (!plain.ok || !rewritten.ok) return;
        const reserved = (text: string): number => text.match(RESERVED)?.length ?? 0;
        const added = given.userinfo === "redact" ? 3 : 0;
        expect(reserved(rewritten.url)).toBeLessThanOrEqual(reserved(plain.url) + added);
      }),
      settings,
    );
  });
});
