// Resolution of references (P10): all of RFC 3986 5.4, the partial URLs of 1993 and RFC 1630, bases without hierarchy, ambiguous paths.
import { describe, expect, it } from "vitest";
import { InputError } from "../../src/base/errors.ts";
import { getUrlCore } from "../../src/core/url-core.ts";
import { resolve, resolveWith } from "../../src/url/resolve.ts";

type Examples = readonly (readonly [reference: string, target: string])[];

const RFC3986_NORMAL: Examples = [
  ["g:h", "g:h"],
  ["g", "http://a/b/c/g"],
  ["./g", "http://a/b/c/g"],
  ["g/", "http://a/b/c/g/"],
  ["/g", "http://a/g"],
  ["//g", "http://g"],
  ["?y", "http://a/b/c/d;p?y"],
  ["g?y", "http://a/b/c/g?y"],
  ["#s", "http://a/b/c/d;p?q#s"],
  ["g#s", "http://a/b/c/g#s"],
  ["g?y#s", "http://a/b/c/g?y#s"],
  [";x", "http://a/b/c/;x"],
  ["g;x", "http://a/b/c/g;x"],
  ["g;x?y#s", "http://a/b/c/g;x?y#s"],
  ["", "http://a/b/c/d;p?q"],
  [".", "http://a/b/c/"],
  ["./", "http://a/b/c/"],
  ["..", "http://a/b/"],
  ["../", "http://a/b/"],
  ["../g", "http://a/b/g"],
  ["../..", "http://a/"],
  ["../../", "http://a/"],
  ["../../g", "http://a/g"],
];
const RFC3986_ABNORMAL: Examples = [
  ["../../../g", "http://a/g"],
  ["../../../../g", "http://a/g"],
  ["/./g", "http://a/g"],
  ["/../g", "http://a/g"],
  ["g.", "http://a/b/c/g."],
  [".g", "http://a/b/c/.g"],
  ["g..", "http://a/b/c/g.."],
  ["..g", "http://a/b/c/..g"],
  ["./../g", "http://a/b/g"],
  ["./g/.", "http://a/b/c/g/"],
  ["g/./h", "http://a/b/c/g/h"],
  ["g/../h", "http://a/b/c/h"],
  ["g;x=1/./y", "http://a/b/c/g;x=1/y"],
  ["g;x=1/../y", "http://a/b/c/y"],
  ["g?y/./x", "http://a/b/c/g?y/./x"],
  ["g?y/../x", "http://a/b/c/g?y/../x"],
  ["g#s/./x", "http://a/b/c/g#s/./x"],
  ["g#s/../x", "http://a/b/c/g#s/../x"],
  ["http:g", "http:g"],
];
// RFC 1630 and the draft of October 1993: "magic" stands for any scheme.
const RFC1630: Examples = [
  ["g", "magic://a/b/c//d/e/g"],
  ["/g", "magic://a/g"],
  ["//g", "magic://g"],
  ["../g", "magic://a/b/c//d/g"],
  ["g:h", "g:h"],
];

// The bases of Roy Fielding's fourth and fifth test, with their references: an empty authority and empty segments.
const EMPTY_HOST: Examples = [
  ["g", "///s//a/b/g"],
  ["./g", "///s//a/b/g"],
  ["g/", "///s//a/b/g/"],
  ["/g", "///g"],
  ["//g", "//g"],
  ["//g/x", "//g/x"],
  ["///g", "///g"],
  ["./", "///s//a/b/"],
  ["../", "///s//a/"],
  ["../g", "///s//a/g"],
  ["../../", "///s//"],
  ["../../g", "///s//g"],
  ["../../../g", "///s/g"],
  ["../../../../g", "///g"],
];

describe("examples", () => {
  it.each([...RFC3986_NORMAL, ...RFC3986_ABNORMAL])("RFC 3986 5.4: %j is %s", (reference, target) => {
    expect(resolve("http://a/b/c/d;p?q", reference)).toBe(target);
    expect(resolve("http://a/b/c/d;p?q#f", reference)).toBe(target);
  });

  it.each(EMPTY_HOST)("without a host: %j is %s", (reference, target) => {
    for (const scheme of ["fred", "http", "ftp", "gopher"]) {
      expect(resolve(`${scheme}:///s//a/b/c`, reference)).toBe(`${scheme}:${target}`);
      expect(resolve(`${scheme}:///s//a/b/c`, `${scheme}:${target}`)).toBe(`${scheme}:${target}`);
    }
  });

  it.each(RFC1630)("RFC 1630: %j is %s", (reference, target) => {
    expect(resolve("magic://a/b/c//d/e/f", reference)).toBe(target);
    expect(resolve("magic://a/b/c//d/e/", reference)).toBe(target);
  });
});

describe("bases", () => {
  it("without hierarchy take an empty reference, a fragment, and a whole URL", () => {
    for (const base of ["mailto:joe@a.example?subject=x", "news:comp.lang.c", "urn:isbn:1", "foo:bar"]) {
      expect(resolve(base, "")).toBe(base);
      expect(resolve(`${base}#old`, "#s")).toBe(`${base}#s`);
      expect(resolve(base, "http://b.example/./x")).toBe("http://b.example/x");
      for (const reference of ["x", "../x", "/x", "//b.example/x", "?x"]) {
        expect(resolveWith(getUrlCore(), base, reference)).toEqual({ ok: false, code: "no-hierarchy" });
      }
    }
  });

  it("with an authority or a path from the root have one, whatever their scheme", () => {
    expect(resolve("gopher://h.example/11/a/b", "../c")).toBe("gopher://h.example/11/c");
    expect(resolve("news://h.example/comp.lang.c", "comp.lang.c++")).toBe("news://h.example/comp.lang.c++");
    expect(resolve("file:/etc/motd", "passwd")).toBe("file:/etc/passwd");
    expect(resolve("foo:/a/b", "c")).toBe("foo:/a/c");
  });

  it("need no host, even in a scheme that has one", () => {
    expect(resolve("http:/a/b", "../c?d")).toBe("http:/c?d");
    expect(resolve("http://", "x")).toBe("http:///x");
    expect(resolve("ftp://joe@/a/b", "//h.example")).toBe("ftp://h.example");
    expect(resolve("https://:80/a", "b")).toBe("https://:80/b");
    expect(resolve("http:", "x")).toBeNull();
  });

  it("that are no URL give the code that parse has for them", () => {
    const codes = ["", "x/y", "//a.example/", "http://a b/", "http://a:99999/", "http:a"];
    const results = codes.map((base) => resolveWith(getUrlCore(), base, "x"));
    expect(results.map((result) => (result.ok ? result.url : result.code))).toEqual([
      "empty",
      "no-scheme",
      "no-scheme",
      "bad-host",
      "bad-port",
      "no-host",
    ]);
    expect(resolve("no URL", "http://a.example/")).toBe("http://a.example/");
  });

  it("and references lose the white space and controls around them, as URLs do (P0)", () => {
    expect(resolve(" http://a.example/b\n", "\t c d\r\n")).toBe("http://a.example/c%20d");
    expect(resolve("http://a.example/b", " ")).toBe("http://a.example/b");
  });
});

describe("targets", () => {
  it("are never read with an authority that they do not have", () => {
    expect(resolve("foo:/a", ".//b")).toBe("foo:/.//b");
    expect(resolve("foo:/a", "/.//b")).toBe("foo:/.//b");
    expect(resolve("foo://h/a", ".//b")).toBe("foo://h//b");
  });

  it("keep dots that are no segments, and the paths of schemes without hierarchy", () => {
    expect(resolve("http://a.example/b/c", "...")).toBe("http://a.example/b/...");
    expect(resolve("http://a.example/b/c", "%2e%2e/d")).toBe("http://a.example/b/%2e%2e/d");
    expect(resolve("http://a.example/b/c", "mid:x/../y@b.example")).toBe("mid:x/../y@b.example");
  });

  it("begin with the scheme as the base has it; what is no scheme is a path", () => {
    expect(resolve("HTTP://A.example/b", "c")).toBe("HTTP://A.example/c");
    expect(resolve("http://a.example/b", "1:2")).toBe("http://a.example/1:2");
    expect(resolve("http://a.example/b", "./x:y")).toBe("http://a.example/x:y");
  });

  it("take time linear in the length", () => {
    const deep = "a/../".repeat(100_000);
    expect(resolve("http://a.example/b/", deep)).toBe("http://a.example/b/");
    expect(resolve("http://a.example/b/", "../".repeat(100_000))).toBe("http://a.example/");
  });
});

it("what is no string throws InputError", () => {
  const wrong = 1 as unknown as string;
  expect(() => resolve(wrong, "x")).toThrow(InputError);
  expect(() => resolve("http://a/", wrong)).toThrow(InputError);
});
