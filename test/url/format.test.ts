// format never writes another URL than its parts say (P0): refusals, triplets, and any edits of any parts.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { format, InputError, type ParsedUrl, parse } from "../../src/url/index.ts";
import { percentDecode } from "../../src/url/percent.ts";
import { schemeParts } from "../../src/url/schemes/all.ts";
import { GENERIC_TYPES } from "../../src/url/schemes/parts.ts";
import { urls } from "../scan/pieces.ts";
import { pieceTexts, schemeUrls } from "./scheme-urls.ts";

type Edits = Readonly<Record<string, unknown>>;

const WEB = new Set(["http", "https", "ws", "wss"]);

function partsOf(url: string): ParsedUrl {
  const parsed = parse(url);
  if (!parsed.ok) throw new Error(`${url}: ${parsed.code}`);
  return parsed;
}

function edited(url: string, edits: Edits): string {
  return format({ ...partsOf(url), ...edits } as ParsedUrl);
}

describe("format writes what a component cannot hold as triplets (P0)", () => {
  const web = "http://joe@h.example/x?y#z";
  it.each<[url: string, edits: Edits, wanted: string]>([
    [web, { user: "a@b:c/d" }, "http://a%40b%3Ac%2Fd@h.example/x?y#z"],
    [web, { user: "evil.example\\" }, "http://evil.example%5C@h.example/x?y#z"],
    [web, { user: "a", password: "b:c@d?#" }, "http://a:b:c%40d%3F%23@h.example/x?y#z"],
    [web, { path: "/z z" }, "http://joe@h.example/z%20z?y#z"],
    [web, { path: "/a?b#c%2F%é\ud800" }, "http://joe@h.example/a%3Fb%23c%2F%é%EF%BF%BD?y#z"],
    [web, { path: "" }, "http://joe@h.example?y#z"],
    [web, { query: "a[]=b?c#d e", searchpart: "a[]=b?c#d e" }, "http://joe@h.example/x?a[]=b?c%23d%20e#z"],
    [web, { fragment: "b c#d" }, "http://joe@h.example/x?y#b%20c%23d"],
    [web, { fragment: '"<\u0085\n>' }, "http://joe@h.example/x?y#%22%3C%C2%85%0A%3E"],
    ["http://h.example/\u0085a\\b\u2028`", {}, "http://h.example/%C2%85a%5Cb%E2%80%A8%60"],
    ["foo:x", { path: "//evil/x" }, "foo:/.//evil/x"],
    ["foo:x", { path: "y z" }, "foo:y%20z"],
    ["gopher://h/7x?y", {}, "gopher://h/7x?y"],
    ["gopher://h/7x", { search: "a?b" }, "gopher://h/7x%09a%3Fb"],
    ["wais://h/d", { path: "/d?x", database: "d?x" }, "wais://h/d%3Fx"],
    ["telnet://joe@h/", { userinfo: "a b", user: "a b" }, "telnet://a%20b@h/"],
  ])("%s with %o", (url, edits, wanted) => {
    expect(edited(url, edits)).toBe(wanted);
  });
});

describe("format refuses what cannot be written, and names it (P0)", () => {
  const web = "http://joe:p@h.example/x";
  it.each<[url: string, edits: Edits, part: string]>([
    [web, { host: "a/b" }, "host"],
    [web, { host: "a:80" }, "host"],
    [web, { host: "u@a" }, "host"],
    [web, { host: "a\\b" }, "host"],
    [web, { host: "a b" }, "host"],
    [web, { host: "::1" }, "host"],
    [web, { host: "" }, "host"],
    [web, { host: null }, "host"],
    [web, { host: undefined }, "host"],
    [web, { port: 99999 }, "port"],
    [web, { port: -1 }, "port"],
    [web, { port: 1.5 }, "port"],
    [web, { port: Number.NaN }, "port"],
    [web, { port: "80" }, "port"],
    [web, { scheme: "ht tp" }, "scheme"],
    [web, { scheme: "HTTP" }, "scheme"],
    [web, { scheme: "" }, "scheme"],
    [web, { scheme: "a:b" }, "scheme"],
    [web, { scheme: "ftp" }, "type"],
    [web, { path: "y" }, "path"],
    [web, { path: "\\y" }, "path"],
    [web, { path: null }, "path"],
    [web, { user: null }, "password"],
    [web, { searchpart: 1 }, "searchpart"],
    [web, { query: "y" }, "query and searchpart"],
    ["wss://h.example/x?y", { searchpart: null }, "query and searchpart"],
    ["foo:x", { port: 1 }, "port"],
    ["foo:x", { user: "u" }, "userinfo"],
    ["ftp://h/x", { type: "z" }, "type"],
    ["ftp://h/x", { type: "A" }, "type"],
    ["ftp://h/x", { cwd: "a" }, "cwd"],
    ["ftp://h/x", { cwd: new Array(1) }, "cwd"],
    ["nntp://h/g/1", { article: -1 }, "article"],
    ["nntp://h/g/1", { article: 1.5 }, "article"],
    ["gopher://h/1a", { search: "x\ty" }, "search"],
    ["gopher://h/1a", { selector: "x\ty" }, "selector"],
    ["gopher://h/1a", { type: "ab" }, "type"],
    ["news:a@b.example", { group: "c" }, "group"],
    ["mailto:a@b.example", { addresses: [] }, "addresses"],
    ["mailto:a@b.example", { fields: [["a"]] }, "fields"],
    ["file:///x", { segments: [] }, "segments"],
    ["urn:isbn:1", { nid: "a:b" }, "nid"],
  ])("%s with %o", (url, edits, part) => {
    expect(() => edited(url, edits)).toThrow(InputError);
    expect(() => edited(url, edits)).toThrow(new RegExp(`\\b${part}\\b`));
  });

  it.each([[undefined], [null], ["http://a/"], [1], [{}], [[]], [parse("nope")], [{ ok: true }], [{ ok: true, scheme: "http" }]])(
    "%o, which is no result of parse",
    (value) => {
      expect(() => format(value as unknown as ParsedUrl)).toThrow(InputError);
    },
  );

  it("what would be longer than a URL can be", () => {
    expect(() => edited("http://h.example/", { path: `/${"a".repeat(1 << 20)}` })).toThrow(InputError);
  });
});

const ownNames = (scheme: string): string[] => Object.keys(schemeParts(scheme).types);
const isPathRead = (scheme: string): boolean => WEB.has(scheme) || ownNames(scheme).every((name) => /^user|^pass/.test(name));
const isQueryRead = (scheme: string): boolean => !WEB.has(scheme) && (isPathRead(scheme) || ["ftp", "file", "nntp"].includes(scheme));

/** Names of the parts that `format` reads. */
function readParts(parsed: ParsedUrl): string[] {
  const { scheme } = parsed;
  const own = ownNames(scheme);
  const generic = ["user", "password", "port"];
  if (scheme !== "afs") generic.push("host");
  if (scheme !== "urn") generic.push("fragment");
  if (isPathRead(scheme)) generic.push("path");
  if (isQueryRead(scheme)) generic.push("query");
  const hidden = parsed.scheme === "wais" ? (parsed.fields === null ? "fields" : "wpath") : "";
  return [...generic, ...own].filter((name) => name !== hidden);
}

/** What a part stands for: its bytes, and those of a path without what keeps an authority from being read from it. */
function meaningOf(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(meaningOf);
  return typeof part === "string"
    ? Buffer.from(percentDecode(part))
        .toString("latin1")
        .replace(/^\/\.\/\//, "//")
    : part;
}

const texts = fc.oneof(
  pieceTexts,
  pieceTexts.map((text) => `/${text}`),
  fc.constantFrom(
    "",
    "a",
    "/",
    "a b",
    "//evil/x",
    "/\\evil",
    "a/b",
    "a@b:c",
    "\t",
    "\ud800",
    "é",
    "[::1]",
    "[",
    "b.example",
    "h:1",
    "%",
    "A",
  ),
);
const values = fc.oneof(
  { weight: 6, arbitrary: texts },
  fc.constantFrom(null, 0, 80, 65536, -1, 0.5, true, undefined, "a", "i", {}),
  fc.array(texts, { maxLength: 3 }),
  fc.array(fc.tuple(texts, texts), { maxLength: 2 }),
);
const NAMES = Object.keys(GENERIC_TYPES).filter((name) => name !== "scheme");
const edits = fc.array(fc.tuple(fc.nat(), values), { minLength: 1, maxLength: 2 });

describe("any edits of any parts", () => {
  it("are refused, or are read again as they were made (P0)", () => {
    const seen = { written: 0, refused: 0 };
    const check = ([url, changes]: readonly [string, readonly (readonly [number, unknown])[]]): void => {
      const parsed = parse(url);
      if (!parsed.ok) return;
      const names = [...NAMES, ...ownNames(parsed.scheme)];
      const changed = Object.fromEntries(changes.map(([index, value]) => [names[index % names.length], value]));
      const asked = { ...parsed, ...changed } as ParsedUrl;
      const label = `${JSON.stringify(url)} with ${JSON.stringify(changed)}`;
      let written: string;
      try {
        written = format(asked);
      } catch (error) {
        expect(error, label).toBeInstanceOf(InputError);
        seen.refused++;
        return;
      }
      seen.written++;
      expectRead(asked, written, `${label} -> ${written}`);
    };
    fc.assert(fc.property(fc.tuple(fc.oneof(urls, schemeUrls), edits), check), { numRuns: 20000, seed: 1738 });
    expect(Math.min(seen.written, seen.refused)).toBeGreaterThan(1000);
  });

  it("no part that was not changed is refused (P0)", () => {
    const check = (url: string): void => {
      const parsed = parse(url);
      if (parsed.ok) expectRead(parsed, format(parsed), url);
    };
    fc.assert(fc.property(fc.oneof(urls, schemeUrls), check), { numRuns: 20000, seed: 1738 });
  });
});

function expectRead(asked: ParsedUrl, written: string, label: string): void {
  const found = new Map<string, unknown>(Object.entries(partsOf(written)));
  const wanted = new Map<string, unknown>(Object.entries(asked));
  expect(found.get("scheme"), label).toBe(asked.scheme);
  for (const name of readParts(asked)) {
    const isHere = asked.scheme === "file" && name === "host" && /^(?:localhost)?$/i.test(asked.host ?? "");
    // One of the scheme's own that is absent before one that is there is written as empty.
    const isFilled = ownNames(asked.scheme).includes(name) && wanted.get(name) === null && found.get(name) === "";
    expect(meaningOf(found.get(name)), `${label}: ${name}`).toEqual(isHere || isFilled ? "" : meaningOf(wanted.get(name)));
  }
  // What a browser would ask is the host that was named.
  if (WEB.has(asked.scheme) && URL.canParse(written))
    expect(new URL(written).hostname, label).toBe(new URL(`${asked.scheme}://${asked.host}/`).hostname);
}
