// Parts of single schemes (P1 to P9) and the way back: what one input and one output cannot say.
import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SCHEMES } from "#core/tables/schemes.js";
import { normalize } from "../../src/index.ts";
import { flagBitsWith, flagsIn } from "../../src/url/core-url.ts";
import { format, InputError, type ParsedUrl, parse } from "../../src/url/index.ts";
import { parseWith } from "../../src/url/parse.ts";
import { BUILDS, coreOf } from "../core/builds.ts";
import { readCases } from "../vectors/cases.ts";
import { normalizeWith } from "./normalize-with.ts";
import { expectParsed } from "./parsed.ts";
import { pieceTexts, schemeUrls } from "./scheme-urls.ts";

const SEED = 1738;

/** The parts of a URL that is one. */
function partsOf(url: string): ParsedUrl {
  const parsed = parse(url);
  if (!parsed.ok) throw new Error(`${url}: ${parsed.code}`);
  return parsed;
}

/** The parts of a URL of one scheme. */
function partsAs<Scheme extends ParsedUrl["scheme"]>(scheme: Scheme, url: string): Extract<ParsedUrl, { scheme: Scheme }> {
  const parsed = partsOf(url);
  if (parsed.scheme !== scheme) throw new Error(`${url} is of ${parsed.scheme}`);
  return parsed as Extract<ParsedUrl, { scheme: Scheme }>;
}

function normalForm(url: string): string | null {
  const result = normalizeWith(coreOf("simd"), url);
  return result.ok ? result.url : null;
}

/** format gives an equivalent URL, wherever there is a normal form to compare. */
function expectSame(url: string): void {
  const parsed = parse(url);
  const wanted = normalForm(url);
  if (!parsed.ok || wanted === null) return;
  expect(normalForm(format(parsed)), `${JSON.stringify(url)} -> ${JSON.stringify(format(parsed))}`).toBe(wanted);
}

const OWN_PARTS = [
  "cwd",
  "name",
  "type",
  "selector",
  "search",
  "plus",
  "addresses",
  "fields",
  "all",
  "group",
  "messageId",
  "article",
].concat(
  ["database", "wtype", "wpath", "segments", "hsoname", "version", "attributes", "contentId", "cell", "databases", "docid", "address"],
  ["rest", "nid", "nss", "r", "q", "f", "lookup", "searchpart"],
);
const QUERY_IS_PART = new Set<string>(["mailto", "wais", "z39.50r", "z39.50s", "urn"]);
const LOGINS = ["ftp", "telnet", "rlogin", "tn3270"];

/** The parts that the scheme decodes: text, so nothing of the spelling is left in them. */
function ownParts(parsed: ParsedUrl): [string, unknown][] {
  const names = LOGINS.includes(parsed.scheme) ? [...OWN_PARTS, "user", "password"] : OWN_PARTS;
  return Object.entries(parsed).filter(([name]) => names.includes(name));
}

describe("format gives an equivalent URL (P)", () => {
  it("for every URL of the cases", () => {
    const inputs = readCases().filter((one) => one.op === "parse" || one.op === "normalize");
    expect(inputs.length).toBeGreaterThan(100);
    for (const one of inputs) expectSame(one.input);
  });

  it("for generated URLs of every scheme", () => {
    fc.assert(fc.property(schemeUrls, expectSame), { numRuns: 20000, seed: SEED });
  });

  it("from the parts of the scheme alone, without the spelling of the URL", () => {
    const seen = new Set<string>();
    const check = (url: string): void => {
      const parsed = parse(url);
      // U+FFFD does not tell which byte it stands for, and a type of half a character would be taken apart another way.
      if (!parsed.ok || normalForm(url) === null || ownParts(parsed).some(([, part]) => JSON.stringify(part).includes("\ufffd"))) return;
      const parts = ownParts(parsed);
      if (parts.length === 0 || isBeyondGrammar(parsed)) return;
      // What no URL can hold is written in triplets, which the searchpart, given as written, shows.
      if ("searchpart" in parsed && normalize(url, { profile: "none" }) !== url) return;
      const bare = {
        ...parsed,
        path: "",
        query: QUERY_IS_PART.has(parsed.scheme) ? null : parsed.query,
        userinfo: parsed.userinfo === null ? null : "",
      };
      expect(ownParts(partsOf(format(bare))), `${JSON.stringify(url)} -> ${format(bare)}`).toEqual(parts);
      seen.add(parsed.scheme);
    };
    fc.assert(fc.property(schemeUrls, check), { numRuns: 20000, seed: SEED });
    expect(seen.size).toBe(24);
  });
});

it("the normal form of a URL has the same parts, where no dot segments go (N2, P)", () => {
  const flat = new Set(SCHEMES.filter((row) => !row.hierarchical && row.name !== "mailto").map((row) => row.name));
  const check = (url: string): void => {
    const parsed = parse(url);
    const normal = normalForm(url);
    if (!parsed.ok || normal === null || !flat.has(parsed.scheme)) return;
    expect(ownParts(partsOf(normal)), `${JSON.stringify(url)} -> ${normal}`).toEqual(ownParts(parsed));
  };
  fc.assert(fc.property(schemeUrls, check), { numRuns: 20000, seed: SEED });
});

/** Parts that stand where the grammar of their scheme has no place for them: a field's address that no path may hold, another query. */
function isBeyondGrammar(parsed: ParsedUrl): boolean {
  if (parsed.scheme === "mailto") return !parsed.addresses.every((address) => /.@[\w.]+$/.test(address));
  return parsed.scheme === "urn" && parsed.query !== null && parsed.r === null && parsed.q === null;
}

const SHARED = new URL("../../../shared/vectors/visible.jsonl", import.meta.url);

describe("the shared cases", () => {
  if (!existsSync(SHARED)) it.skip("are not beside this folder: ../shared/vectors/visible.jsonl", () => {});
  for (const one of existsSync(SHARED) ? readCases(SHARED) : []) {
    if (one.op !== "parse") continue;
    it(`${one.rule} ${one.id}`, () => {
      for (const build of BUILDS) expectParsed(one, parseWith(coreOf(build), one.input), build);
      expectSame(one.input);
    });
  }
});

describe("parse (P0)", () => {
  it("gives the flags of the URL", () => {
    for (const url of ["http://u:p@1.2.3.4:22/%01%", "ftp://h/", "foo:%00"]) {
      expect(partsOf(url).flags).toEqual(flagsIn(flagBitsWith(coreOf("simd"), url)));
    }
  });

  it("is told apart by scheme", () => {
    const url = partsOf("ftp://h.example/a/b");
    expect(url.scheme === "ftp" ? url.name : "").toBe("b");
    expect(partsOf("svn://h.example/a").scheme === "svn").toBe(true);
    expect(partsOf("foo://h.example/a").scheme).toBe("foo");
  });

  it("throws for what is no string only", () => {
    expect(() => parse(1 as unknown as string)).toThrow(InputError);
    expect(parse("")).toEqual({ ok: false, code: "empty", offset: 0 });
  });
});

describe("ftp commands (P1)", () => {
  it("a CR or LF in a part forges no command", () => {
    for (const part of ["%0D%0ADELE%20x", "%0ADELE%20x", "%0d"]) {
      for (const url of [
        `ftp://h/a${part}`,
        `ftp://h/a${part}/b`,
        `ftp://u${part}:p@h/b`,
        `ftp://u:p${part}@h/b`,
        `ftp://h/${part};type=d`,
      ]) {
        expect(partsAs("ftp", url).commands, url).toBeNull();
        expect(partsOf(url).flags, url).toContain("encoded-control");
      }
    }
    expect(partsAs("ftp", "ftp://h/a%09b").commands).toContain("RETR a\tb");
  });

  it("each is one line whatever the URL", () => {
    const check = (url: string): void => {
      const parsed = parse(url);
      if (!parsed.ok || parsed.scheme !== "ftp" || parsed.commands === null) return;
      for (const line of parsed.commands) expect(line, url).toMatch(/^(?:USER|PASS|CWD|RETR|NLST) ?[^\r\n]*$|^TYPE [AI]$/);
    };
    fc.assert(
      fc.property(pieceTexts, (path) => check(`ftp://h/${path}`)),
      { numRuns: 2000, seed: SEED },
    );
  });
});

describe("gopher requests (P3)", () => {
  const hexOf = (url: string): string | null => {
    const { request } = partsAs("gopher", url);
    return request === null ? null : Buffer.from(request).toString("hex");
  };

  it("are the bytes of the URL, UTF-8 or not", () => {
    expect(hexOf("gopher://h/9a%FF%00%80")).toBe("61ff00800d0a");
    expect(hexOf("gopher://h/7%E9%09%E8")).toBe("e909e80d0a");
    expect(hexOf("gopher://h/0é")).toBe("c3a90d0a");
    expect(hexOf("gopher://h/0a%09%09+%FF")).toBe("61092bff0d0a");
  });

  it("are one request: a CR or LF outside an ASK form gives none", () => {
    for (const path of [
      "0a%0D%0Ab",
      "0a%0A",
      "7a%09b%0D%0A",
      "0a%09%09+x%0D%0Ay",
      "0a%09%09!%0A",
      "0a%0A%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A",
    ]) {
      expect(hexOf(`gopher://h/${path}`), path).toBeNull();
    }
  });

  it("of an ASK form end with its dot", () => {
    const form = (answers: string): string => `gopher://h/0a%09%09+%091%0D%0A+-1%0D%0A${answers}.%0D%0A`;
    expect(partsAs("gopher", form("x%0D%0A%0D%0Ay%0D%0A")).ask).toEqual(["x", "", "y"]);
    expect(partsAs("gopher", form("")).ask).toEqual([]);
    for (const answers of ["x%0D%0A.%0D%0AQUIT%0D%0A", "x%0A", "x"]) {
      expect(partsAs("gopher", form(answers)).ask, answers).toBeNull();
      expect(hexOf(form(answers)), answers).toBeNull();
    }
  });
});

describe("format writes what was changed (P)", () => {
  it("host, port and fragment", () => {
    expect(format({ ...partsOf("http://a.example/x%3a?y"), host: "b.example", port: 8080, fragment: "z" })).toBe(
      "http://b.example:8080/x%3a?y#z",
    );
    expect(format({ ...partsAs("nntp", "nntp://u:p@a.example/g"), user: null, password: null })).toBe("nntp://a.example/g");
  });

  it("and leaves the other parts as they were written", () => {
    const url = partsAs("ftp", "ftp://joe:p%3aw@h/a%3ab/c:d/e%FF;type=I");
    expect(format({ ...url, user: "ann", cwd: ["a:b", "x/y z"] })).toBe("ftp://ann:p%3aw@h/a%3ab/x%2Fy%20z/e%FF;type=i");
    expect(format({ ...url, type: null })).toBe("ftp://joe:p%3aw@h/a%3ab/c:d/e%FF");
  });

  it("never as another part", () => {
    const ftp = partsAs("ftp", "ftp://h/a;type=a/b");
    expect(partsOf(format({ ...ftp, cwd: [], name: "a;type=a" }))).toMatchObject({ cwd: [], name: "a;type=a", type: null });
    expect(partsOf(format({ ...partsAs("ftp", "ftp://h/x"), user: "a:b@c", password: "d@e:f" }))).toMatchObject({
      user: "a:b@c",
      password: "d@e:f",
    });
    expect(partsOf(format({ ...partsAs("mailto", "mailto:a@b.c"), addresses: ["x,y@b.c"] }))).toMatchObject({ addresses: ["x,y@b.c"] });
    expect(partsOf(format({ ...partsAs("wais", "wais://h/d"), fields: [["1", "a;b/c"]] }))).toMatchObject({
      fields: [["1", "a;b/c"]],
      wtype: "",
    });
    expect(partsOf(format({ ...partsAs("urn", "urn:ab:c"), r: "x?=y", q: "z#" }))).toMatchObject({ r: "x?=y", q: "z#", f: null });
    expect(partsOf(format({ ...partsAs("gopher", "gopher://h/1a"), selector: "x?y", search: "#" }))).toMatchObject({
      selector: "x?y",
      search: "#",
    });
  });
});
