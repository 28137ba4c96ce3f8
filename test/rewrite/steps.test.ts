// What steps make of the core's matches: other forms of URLs (N9 to N11) and nested ones (X11), whatever the input.
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extract } from "../../src/index.ts";
import { checkNormalizeOptions, type ExtractOptions, type NormalizeOptions } from "../../src/options/options.ts";
import { makeNormalizer, surtOf } from "../../src/url/normalize.ts";
import { BUILDS, coreOf, type Row, reportedByOracle, type ScanSettings, scan, settingsOf, sumOf } from "../core/builds.ts";
import { check, expectEqual, RUNS } from "../core/check.ts";
import { type OracleOptions, oracleExtract } from "../oracle/index.ts";
import { oracleFound } from "../scan/oracle-rows.ts";
import { cutsOf, texts } from "../scan/pieces.ts";

const PIECES = [
  "http://a.example/",
  "ftp://b.example",
  "http%3A%2F%2Fc.example",
  "https%253a%252F%252fd.example%252f",
  "http:%2F%2Fe.example",
]
  .concat(["mailto:a%40b.example", "news:c.d", "urn:x-y:z", "magnet:?xt=", "<URL:", ">", "%3C", "%3E", "\n> ", "\r\n ", " ", "%20", "%0a"])
  .concat([
    "?u=",
    "&v=",
    "#",
    "/",
    "%2F",
    ",",
    "%2C",
    ".",
    "(",
    ")",
    "%29",
    "'",
    "%27",
    ":99999",
    "%3A80",
    "\u00e9",
    "%C3%A9",
    "%",
    "x",
    "%25",
    "&amp;",
  ]);
/** Matches inside matches, literal and encoded. */
const nestedTexts: fc.Arbitrary<Buffer> = fc
  .array(fc.constantFrom(...PIECES), { minLength: 2, maxLength: 24 })
  .map((pieces) => Buffer.from(`http://a.example/${pieces.join("")}`));
const anyTexts = fc.oneof(nestedTexts, texts(16));

const UNWRAP: NormalizeOptions = { unwrap: true, stripWww: true, stripFragment: true, userinfo: "strip" };
const settings: fc.Arbitrary<ScanSettings> = fc.constantFrom<ScanSettings[]>(
  { nested: true },
  { nested: true, urlBytesMax: 256 },
  { nested: true, schemes: ["ftp", "mailto"] },
  { nested: true, profile: "none" },
  { form: { profile: "whatwg" } },
  { nested: true, form: { profile: "whatwg" } },
  { nested: true, form: { profile: "surt", ...UNWRAP } },
  { form: UNWRAP },
);

const label = (bytes: Uint8Array): string => JSON.stringify(Buffer.from(bytes).toString("latin1"));

/** The matches around one. */
function holdersOf(matches: readonly Row[], index: number): Row[] {
  const inner = matches[index] as Row;
  return matches.slice(0, index).filter(({ start, end }) => start < inner.start && inner.end <= end);
}

function formed(row: Row, options: NormalizeOptions): string | null {
  const result = makeNormalizer(coreOf("simd"), checkNormalizeOptions(options))(row.raw);
  return result.ok ? result.url : null;
}

describe("with a stage", () => {
  it.each(BUILDS)("%s finds what simd finds, however the input is cut and by whatever ranges (X13)", (build) => {
    const cutTexts = anyTexts.chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length), settings));
    check(1000, cutTexts, ([bytes, cuts, given]) => {
      const whole = scan("simd", bytes, given);
      expectEqual(scan(build, bytes, given, cuts), whole, () => label(bytes));
      const edges = [0, ...cuts, bytes.length];
      const parts = [...cuts, bytes.length].map((to, index) => scan(build, bytes, given, [], [edges[index] ?? 0, to]));
      expectEqual(sumOf(parts), whole, () => label(bytes));
    });
  });

  it("all builds find nested URLs where the oracle does (X11)", () => {
    check(1000, fc.tuple(nestedTexts, fc.constantFrom<OracleOptions[]>({}, { type: "html" }, { anyScheme: true })), ([bytes, options]) => {
      const given = { ...options, nested: true };
      const wanted = oracleFound(oracleExtract(bytes, given));
      for (const build of BUILDS)
        expectEqual(reportedByOracle(scan(build, bytes, settingsOf(given))), wanted, () => `${build}: ${label(bytes)}`);
    });
  });

  it.each(BUILDS)("%s goes on where it was when its rows are full, and many times in one text", (build) => {
    const line = "http://a.example/?u=http%3A%2F%2Fb.example%2F http://c.example/ http://-d mailto:e\n";
    const times = 9000;
    const found = scan(build, Buffer.from(line.repeat(times)), { nested: true });
    expect(found.matches.map(({ url }) => url)).toEqual(
      Array(times).fill(["http://a.example/?u=http%3A%2F%2Fb.example%2F", "http://b.example/", "http://c.example/"]).flat(),
    );
    expect(found.matches.at(-2)).toMatchObject({ start: line.length * (times - 1) + 20, end: line.length * (times - 1) + 45 });
    expect(found.rejected).toEqual({ "bad-shape": times, "no-host": times });
    expect(found.listed.map(({ start }) => start % line.length)).toEqual(Array(times).fill([64, 74]).flat());
  });

  it("nested adds matches and changes none where no encoded URL is on its own (X11, C148)", () => {
    let count = 0;
    check(1000, anyTexts, (bytes) => {
      const { matches } = scan("simd", bytes, { nested: true });
      if (matches.some((row, index) => row.kind === "nested" && holdersOf(matches, index).length === 0)) return;
      count++;
      const outer = matches.filter(({ kind }) => kind !== "nested");
      expectEqual(outer, scan("simd", bytes).matches, () => label(bytes));
    });
    expect(count).toBeGreaterThan(700 * RUNS);
  });

  it("a nested match stands behind one that holds it or is encoded, and its raw is decoded as often as it is deep (X11, C146)", () => {
    let count = 0;
    check(1500, nestedTexts, (bytes) => {
      const { matches } = scan("simd", bytes, { nested: true });
      matches.forEach((row, index) => {
        if (row.kind !== "nested") return;
        count++;
        const holders = holdersOf(matches, index);
        const isAlone = holders.length === 0 && /^[a-z+]+%3a/i.test(bytes.subarray(row.start, row.end).toString());
        if ((holders.length === 0 && !isAlone) || holders.length > 4) expect.fail(label(bytes));
        const forms = [bytes.subarray(row.start, row.end).toString().replace(/[\s>]/g, "")];
        for (let depth = 0; depth < 4; depth++) forms.push(decoded(forms[depth] as string).replace(/[\s>]/g, ""));
        if (!forms.includes(row.raw)) expect.fail(label(bytes));
      });
    });
    expect(count).toBeGreaterThan(500 * RUNS);
  });

  it("a filter by scheme leaves out matches, nested ones too, and changes none (X11)", () => {
    check(600, anyTexts, (bytes) => {
      const all = scan("simd", bytes, { nested: true }).matches;
      const named = scan("simd", bytes, { nested: true, schemes: ["ftp", "mailto"] }).matches;
      const wanted = all.filter((row) => /^(?:ftp|mailto):/i.test(row.raw));
      expectEqual(named, wanted, () => label(bytes));
    });
  });

  it("the profile whatwg gives what the platform's URL gives, or refuses with it (N9)", () => {
    check(1000, anyTexts, (bytes) => {
      for (const row of scan("simd", bytes, { nested: true, form: { profile: "whatwg" } }).matches) {
        expectEqual(row.url, formed(row, { profile: "whatwg" }), () => JSON.stringify(row.raw));
      }
    });
  });

  it.each<NormalizeOptions>([
    UNWRAP,
    { stripTracking: true, sortQuery: true, userinfo: "redact" },
    { profile: "none", stripFragment: true },
  ])("%j: the URL is what normalize gives, or the one without these options (N10)", (form) => {
    check(500, anyTexts, (bytes) => {
      const plain = scan("simd", bytes, { profile: form.profile === "none" ? "none" : "rfc3986" }).matches;
      const found = scan("simd", bytes, { form }).matches;
      const rest = (rows: Row[]): object[] => rows.map(({ url, ...row }) => row);
      expectEqual(rest(found), rest(plain), () => label(bytes));
      found.forEach((row, index) => {
        const wanted = plain[index]?.url === null ? null : (formed(row, form) ?? plain[index]?.url);
        expectEqual(row.url, wanted, () => JSON.stringify(row.raw));
      });
    });
  });

  it("SURT is written of the URL without it (N11)", () => {
    check(500, anyTexts, (bytes) => {
      const plain = scan("simd", bytes).matches.map((row) => ({ ...row, url: row.url === null ? null : surtOf(row.url) }));
      expectEqual(scan("simd", bytes, { form: { profile: "surt" } }).matches, plain, () => label(bytes));
    });
  });
});

/** Triplets of ASCII and of whole UTF-8 sequences as characters. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9A-F]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString());
}

describe("the fields of a match", () => {
  const SAFE = "https://x.safelinks.protection.outlook.com/?url=ftp%3A%2F%2Fwww.b.example%2Fy%23z&data=1";

  it("nests nothing in what URL Defense 3 has marks in (C206)", () => {
    const inside = "https://www.google.com/url?q=http:%2F%2Fa.example%2Fx";
    const outer = "http://h.example/?u=https://urldefense.com/v3/__http://c.example/__;!!d$";
    const text = `https://urldefense.com/v3/__${inside}__;!!b$ ${inside} ${outer}`;
    const urls = extract(text, { unwrap: true, nested: true }).map(({ url, kind }) => [url, kind]);
    expect(urls.slice(0, 3)).toEqual([
      ["http://a.example/x", "plain"],
      ["http://a.example/x", "plain"],
      ["http://a.example/x", "nested"],
    ]);
    expect(urls.slice(4)).toEqual([["http://c.example/", "nested"]]);
    expect(extract(text, { nested: true }).filter(({ kind }) => kind === "nested").length).toBeGreaterThan(4);
  });

  it("scheme and host are those of the URL (N10)", () => {
    const [match] = extract(`see ${SAFE} there`, { unwrap: true, stripWww: true, stripFragment: true });
    expect(match?.toJSON()).toEqual({
      url: "ftp://b.example/y",
      raw: SAFE,
      scheme: "ftp",
      host: "b.example",
      kind: "plain",
      flags: [],
      start: 4,
      end: 4 + SAFE.length,
      chain: ["https://x.safelinks.protection.outlook.com/?url=ftp%3A%2F%2Fwww.b.example%2Fy%23z&data=1"],
    });
  });

  it("are what inspect shows", () => {
    const [match] = extract("see http://a.example/ there");
    expect(inspect(match)).toBe(inspect(match?.toJSON()));
    expect(inspect(match)).toContain("url: 'http://a.example/'");
  });

  it("knows the scheme and the host where the form has none", () => {
    const text = "HTTP://WWW.a.example/x https://examp.le/ ftp://http.example/ mailto:a@b.example foo://c.example/";
    for (const profile of ["cdx", "surt"] as const) {
      const found = [...extract(text, { profile, anyScheme: true })].map(({ scheme, host }) => [scheme, host]);
      expect(found, profile).toEqual([
        ["http", "www.a.example"],
        ["https", "examp.le"],
        ["ftp", "http.example"],
        ["mailto", null],
        ["foo", "c.example"],
      ]);
    }
  });

  it("the host is in order in a SURT's record, and a chain holds SURTs (N11)", () => {
    const [plain, unwrapped] = extract(`http://WWW.a.example:8080/ ${SAFE}`, { profile: "surt", unwrap: true });
    expect([plain?.url, plain?.host, plain?.chain]).toEqual(["http://(example,a,www,:8080)/", "www.a.example", undefined]);
    expect([unwrapped?.url, unwrapped?.host]).toEqual(["ftp://(example,b,www,)/y#z", "www.b.example"]);
    expect(unwrapped?.chain?.[0]).toMatch(/^https:\/\/\(com,outlook,protection,safelinks,x,\)\//);
  });

  it("the flag of a redirector that was cut is there in every form (C142)", () => {
    const text = `Minutes: https://joe:pw@www.www.google.com/url?q=http%3A%2F%2Fa.example%2Fno\nrth%2Fspring.html and more\n`;
    const found = (options: ExtractOptions): unknown[] => extract(text, options).map(({ url, flags }) => [url, flags]);
    const flags = ["password", "userinfo", "cut"];
    expect(found({ unwrap: true, stripWww: true })).toEqual([["http://a.example/no", flags]]);
    expect(found({ unwrap: true })).toMatchObject([[expect.stringContaining("www.www"), ["password", "userinfo"]]]);
    const one = text.replace("www.www", "www");
    const forms: ExtractOptions[] = [
      { profile: "whatwg" },
      { profile: "none" },
      { profile: "surt" },
      { defang: true },
      { userinfo: "redact" },
    ];
    for (const form of forms) expect(extract(one, { unwrap: true, ...form })[0]?.flags, JSON.stringify(form)).toEqual(flags);
    expect(extract(one, { unwrap: true, schemes: ["ftp"] })).toEqual([]);
    expect(extract(one, { nested: true }).flatMap((match) => match.flags)).toEqual(["password", "userinfo"]);
  });

  it("what whatwg refuses has a reason, is counted and listed (X12)", () => {
    const listed: unknown[] = [];
    const text = "http://a.example:1/ http://1.2.3.999/ http://b.example/?u=http%3A%2F%2F1.2.3.999%2F";
    const found = extract(text, { profile: "whatwg", nested: true, onRejected: (one) => listed.push(one) });
    expect(found.map(({ url, code, host }) => [url, code, host])).toEqual([
      ["http://a.example:1/", undefined, "a.example"],
      [null, "bad-host", null],
      ["http://b.example/?u=http%3A%2F%2F1.2.3.999%2F", undefined, "b.example"],
      [null, "bad-host", null],
    ]);
    expect(listed).toEqual([
      { code: "bad-host", start: 20, end: 37, text: "http://1.2.3.999/" },
      { code: "bad-host", start: 58, end: 83, text: "http%3A%2F%2F1.2.3.999%2F" },
    ]);
  });

  it("the flag of an open redirect whose target is refused does not go to the next match (C209)", () => {
    const text = "http://x.example/?u=http://256.256.256.256/ https://www.google.com/url?q=http://b.example/";
    const [refused, next] = extract(text, { unwrap: "any", profile: "whatwg" });
    expect([refused?.url, refused?.code]).toEqual([null, "bad-host"]);
    expect([next?.url, next?.flags]).toEqual(["http://b.example/", []]);
    const page = '<a href="/?u=http://256.256.256.256/">x</a><a href="https://www.google.com/url?q=http://b.example/">y</a>';
    const options = { type: "html", links: true, base: "http://x.example/", unwrap: "any", profile: "whatwg" } as const;
    expect(extract(page, options).at(-1)).toMatchObject({ url: "http://b.example/", flags: [] });
  });

  it("whatwg makes a host of numbers an address (N9)", () => {
    const [match] = extract("http://0x7f.1:80/a|b", { profile: "whatwg" });
    expect([match?.url, match?.host, match?.flags]).toEqual(["http://127.0.0.1/a|b", "127.0.0.1", ["numeric-host", "obfuscated"]]);
  });
});
