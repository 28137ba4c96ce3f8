// Defanged URLs, written and read (X15, N10): what holds for any URL.
import fc from "fast-check";
import { expect, it } from "vitest";
import { InputError } from "../../src/base/errors.ts";
import { defanged, refanged } from "../../src/url/defang.ts";
import { normalize } from "../../src/url/normalize.ts";
import { check } from "../core/check.ts";
import { defangedTexts, urls } from "../scan/pieces.ts";

it("a defanged URL that is read again is the URL, unless that had marks of its own", () => {
  check(3000, urls, (text) => {
    const url = normalize(text);
    if (url === null || refanged(url) !== url) return;
    expect(refanged(defanged(url)), url).toBe(url);
    expect(normalize(normalize(text, { defang: true }) as string, { refang: true }), url).toBe(url);
  });
});

it("nothing in a defanged URL looks like a link: no web scheme, no dot or @ in a name", () => {
  check(3000, urls, (text) => {
    const url = normalize(text, { defang: true }) ?? "";
    expect(url.replace(/^[a-z0-9+.-]+\[:\]/, "")).not.toMatch(/https?:\/\/|ftp:\/\/|[A-Za-z0-9][.@][A-Za-z0-9]/);
  });
});

it("reading twice is reading once", () => {
  const anyText = fc.oneof(
    defangedTexts(6).map((bytes) => bytes.toString()),
    urls,
  );
  check(3000, anyText, (text) => {
    expect(refanged(refanged(text))).toBe(refanged(text));
  });
});

it("both are options of normalize, off by default", () => {
  expect(normalize("http://evil[.]example/")).toBeNull();
  expect(normalize("hxxp://evil[.]example/", { refang: true })).toBe("http://evil.example/");
  expect(normalize("http://evil.example/", { defang: true })).toBe("hxxp://evil[.]example/");
  expect(() => normalize(1 as unknown as string, { refang: true })).toThrow(InputError);
});

it("a scheme that is a name of every object is no defanged name", () => {
  expect(defanged("constructor://a.example/x")).toBe("constructor[:]//a[.]example/x");
});
