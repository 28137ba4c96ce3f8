// explain: the same results as extract, and for each the rules that decided.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as notes from "#core/layout/notes.js";
import { SCHEMELESS } from "../../src/core/names.ts";
import { RULE_NOTES } from "../../src/core/rule-table.ts";
import { type Explanation, explain } from "../../src/explain.ts";
import { type ExtractOptions, extract, InputError, OptionError, type Rejected } from "../../src/index.ts";
import { check, expectEqual } from "../core/check.ts";
import { defangedTexts, encodedTexts, escapedTexts, linkPages, nestedTexts, pages, schemelessTexts, texts } from "../scan/pieces.ts";
import { type Case, readCases } from "../vectors/cases.ts";

const rules = readFileSync(new URL("../../docs/rules.md", import.meta.url), "utf8");
type ExtractCase = Extract<Case, { op: "extract" }>;
const cases = readCases().filter((one): one is ExtractCase => one.op === "extract");

/** Texts whose URL an option or a profile changes, and the rule that says so. */
const REWRITTEN: readonly (readonly [string, ExtractOptions, string])[] = [
  ["http://joe:pw@a.example/", { userinfo: "strip" }, "N10"],
  ["http://www.a.example/", { stripWww: true }, "N10"],
  ["http://a.example/?b&a", { sortQuery: true }, "N10"],
  ["http://a.example/#a", { stripFragment: true }, "N10"],
  ["http://a.example/", { defang: true }, "N10"],
  ["http://a.example/", { profile: "surt" }, "N11"],
  ["http://a.example", { profile: "whatwg" }, "N9"],
  ["http://a.example/~b#c", { profile: "rfc1738" }, "N8"],
  ["<URL:urn:ab:#x>", { profile: "rfc1738" }, "N8"],
];

/** Options as the library takes them: a case may also say how its text is cut. */
function optionsOf({ options: { chunks: _chunks, ...options } }: ExtractCase): ExtractOptions {
  return { type: "text", ...options };
}

/** What extract gives, in the form of explanations without steps. */
function extracted(input: string | Uint8Array, options: ExtractOptions): object[] {
  const rejected: Rejected[] = [];
  const matches = extract(input, { ...options, onRejected: (one) => void rejected.push(one) });
  const ofMatches = matches.map(({ url, raw, kind, flags, code, start, end }) => ({
    ...{ url, raw, kind, flags, start, end },
    ...(code === undefined ? {} : { code }),
  }));
  const isMatch = new Set(matches.filter(({ url }) => url === null).map(({ start }) => start));
  const others = rejected.filter(({ start }) => !isMatch.has(start));
  const ofOthers = others.map(({ code, text, start, end }) => ({ url: null, raw: text, flags: [], code, start, end }));
  return [...ofMatches, ...ofOthers].sort((one, other) => one.start - other.start);
}

function withoutSteps(explanations: readonly Explanation[]): object[] {
  return explanations.map(({ steps: _steps, ...rest }) => rest);
}

const seen = new Set<string>();

function explained(input: string | Uint8Array, options: ExtractOptions = {}): Explanation[] {
  const explanations = explain(input, options);
  for (const { steps } of explanations) for (const { rule, what } of steps) seen.add(`${rule} ${what}`);
  return explanations;
}

describe("explain", () => {
  it("gives what extract gives, in every case, and at least one rule for each", () => {
    for (const one of cases) {
      const options = optionsOf(one);
      const explanations = explained(one.bytes, options);
      expect(withoutSteps(explanations), one.id).toEqual(extracted(one.bytes, options));
      for (const { steps, raw } of explanations) expect(steps.length, `${one.id}: ${raw}`).toBeGreaterThan(0);
    }
  });

  it("gives what extract gives of random texts, under any options", () => {
    const options = fc.record({
      anyScheme: fc.boolean(),
      guess: fc.boolean(),
      nested: fc.boolean(),
      bare: fc.subarray([...SCHEMELESS]),
      urlBytesMax: fc.constantFrom(256, 1 << 14),
      profile: fc.constantFrom<ExtractOptions["profile"]>("rfc3986", "rfc1738", "whatwg", "surt", "none"),
    });
    const plain = fc.oneof(texts(40), schemelessTexts(40), escapedTexts(40), encodedTexts(40), nestedTexts(40));
    const given = fc.oneof(
      fc.record({ bytes: plain, options: options.map((more) => ({ ...more, type: "text" as const })) }),
      fc.record({ bytes: defangedTexts(40), options: options.map((more) => ({ ...more, type: "text" as const, refang: true })) }),
      fc.record({
        bytes: fc.oneof(pages(40), linkPages(40)),
        options: options.map((more) => ({ ...more, type: "html" as const, links: true })),
      }),
    );
    check(400, given, ({ bytes, options: one }) => {
      const before = extracted(bytes, one);
      const label = (): string => JSON.stringify([bytes.toString("latin1"), one]);
      expectEqual(withoutSteps(explained(bytes, one)), before, label);
      expectEqual(extracted(bytes, one), before, label);
    });
  });

  it.each(REWRITTEN)("%s under %o: %s", (text, options, rule) => {
    const [first] = explained(text, options);
    expect(withoutSteps([first as Explanation])).toEqual(extracted(text, options).slice(0, 1));
    expect(first?.steps.map((step) => step.rule)).toContain(rule);
  });

  it("says of a joined URL what was taken out, and where", () => {
    const text = "See <URL:HTTP://a.Example:80/%7eb/c-\n  d.html>.";
    const [{ url, steps } = { url: "", steps: [] }] = explained(text);
    expect(url).toBe("http://a.example/~b/c-d.html");
    expect(steps.map(({ rule, start, end }) => [rule, text.slice(start, end)])).toEqual([
      ["X7", "\n  "],
      ["X7", "-"],
      ["X1", "HTTP"],
      ["X7", "<URL:HTTP://a.Example:80/%7eb/c-\n  d.html>"],
      ["N1", "HTTP://a.Example:80/%7eb/c-\n  d.html"],
      ["N1", "HTTP://a.Example:80/%7eb/c-\n  d.html"],
      ["N3", "HTTP://a.Example:80/%7eb/c-\n  d.html"],
      ["N2", "HTTP://a.Example:80/%7eb/c-\n  d.html"],
    ]);
  });

  it("says of what is rejected why, and nothing of text before it", () => {
    const text = "http: no, foo://x, http://[::zz/ and http://a:99999/";
    const found = explained(text).map(({ code, steps }) => [
      code,
      steps.map(({ rule, start, end }) => `${rule} ${text.slice(start, end)}`),
    ]);
    expect(found).toEqual([
      ["bad-host", ["X1 http", "X2 [::zz"]],
      ["bad-port", ["X1 http", "X2 a:99999"]],
    ]);
  });

  it("gives offsets of the source, also where that is decoded", () => {
    const page = "<p>http://a.example/?a&amp;b, <a href='HTTP://b.example'>";
    const steps = explained(page, { type: "html" }).flatMap((one) =>
      one.steps.map(({ rule, start, end }) => [rule, page.slice(start, end)]),
    );
    expect(steps).toContainEqual(["X9", "&amp;"]);
    expect(steps).toContainEqual(["X5", ","]);
    expect(steps).toContainEqual(["N1", "HTTP"]);
    expect(explained("hxxp://evil[.]example/ü.").map(({ steps: [first, second] }) => [first, second])).toEqual([]);
    const defanged = explained("ü hxxp://evil[.]example/ü.", { refang: true });
    expect(defanged[0]?.steps.map(({ rule, start, end }) => [rule, start, end])).toEqual([
      ["X15", 2, 6],
      ["X15", 13, 16],
      ["X1", 2, 6],
      ["X5", 25, 26],
      ["N2", 24, 25],
    ]);
  });

  it("takes what extract takes, up to 256 KiB", () => {
    expect(() => explain(5 as never)).toThrow(InputError);
    expect(() => explain("", { nested: 1 as never })).toThrow(OptionError);
    expect(() => explain(" ".repeat((1 << 18) + 1))).toThrow("input: explain reads at most 262144 bytes, not 262145");
    expect(explain(`${" ".repeat((1 << 18) - 16)}http://a.example`)[0]).toMatchObject({
      end: 1 << 18,
      steps: [{ rule: "X1", start: (1 << 18) - 16 }, { rule: "N5" }],
    });
    expect(explain("http://joe:pw@[::zz/", { userinfo: "redact" })).toMatchObject([{ code: "bad-host", raw: undefined }]);
    expect(explain("http://joe:pw@h/", { userinfo: "redact" })).toMatchObject([{ url: "http://***@h/", raw: undefined }]);
  });
});

describe("the table of rules", () => {
  const ids = new Set([...rules.matchAll(/^(?:#+ ([A-Z]\d*)\.? |- (C\d+) )/gm)].map(([, rule, item]) => rule ?? item));

  it("has words for each note of the core but those about candidates", () => {
    const numbers = Object.entries(notes).flatMap(([name, number]) => (name.startsWith("NOTE_") ? [] : [number]));
    expect(
      Object.keys(RULE_NOTES)
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(numbers.sort((a, b) => a - b));
  });

  it("names rules of docs/rules.md: the one after which the note is named, or an item under it", () => {
    for (const [name, number] of Object.entries(notes)) {
      const rule = RULE_NOTES[number]?.rule;
      if (rule === undefined) continue;
      expect(ids, name).toContain(rule);
      if (rule.startsWith("C")) expect(sectionOf(rule), name).toBe(name.split("_")[0]);
      else expect(rule, name).toBe(name.split("_")[0]);
    }
  });

  it("has every rule of extraction and normalization but X13 and X14, which decide nothing about a candidate", () => {
    const named = new Set(Object.keys(notes).map((name) => name.split("_")[0]));
    expect([...ids].filter((id) => /^[XN]\d/.test(id ?? "") && !named.has(id))).toEqual(["X13", "X14"]);
  });

  it("has no sentence that no text of these tests is given", () => {
    const wanted = Object.values(RULE_NOTES).map(({ rule, what }) => `${rule} ${what}`);
    expect(wanted.filter((words) => !seen.has(words))).toEqual([]);
  });
});

/** Returns the id of the rule under which an item is. */
function sectionOf(item: string): string | undefined {
  const before = rules.slice(0, rules.search(new RegExp(`^- ${item} `, "m")));
  return [...before.matchAll(/^#+ ([A-Z]\d*)\.? /gm)].at(-1)?.[1];
}
