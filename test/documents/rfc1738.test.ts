// RFC 1738 sections 2 and 3 as tests: what each sentence says holds, and no sentence with a rule in it is forgotten.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseWith } from "../../src/url/parse.ts";
import { BUILDS, type Build, coreOf, scan } from "../core/builds.ts";
import { normalizeWith } from "../url/normalize-with.ts";
import { expectParts } from "./parts.ts";
import { NOT_EXECUTABLE, SENTENCES } from "./rfc1738-cases.ts";
import { type Check, isRule, sentencesOf, splitSentences, type TextSentence } from "./sentence.ts";

const document = new URL("../../../shared/spec/rfc1738.txt", import.meta.url);
const retyped = new URL("../../../shared/spec/rfc1738-retyped.txt", import.meta.url);
const cited = [...SENTENCES, ...NOT_EXECUTABLE];

function runCheck(build: Build, check: Check): void {
  if ("extract" in check) {
    expect(
      scan(build, Buffer.from(check.extract)).matches.map(({ url }) => url),
      check.extract,
    ).toEqual(check.gives);
  } else if ("normalize" in check) {
    const result = normalizeWith(coreOf(build), check.normalize);
    expect(result.ok ? result.url : null, check.normalize).toBe(check.gives);
  } else {
    const found = parseWith(coreOf(build), check.parse);
    expect(found.ok, check.parse).toBe(check.gives !== null);
    expectParts(found, { ...check.gives, ...check.parts }, check.parse);
  }
}

describe.each(BUILDS)("%s", (build) => {
  it.each(SENTENCES)("section $section: $opens", ({ checks }) => {
    expect(checks.length).toBeGreaterThan(0);
    for (const check of checks) runCheck(build, check);
  });
});

it("five sentences are prose only, each with a reason", () => {
  expect(NOT_EXECUTABLE).toHaveLength(5);
  expect(NOT_EXECUTABLE.filter(({ reason }) => reason === "")).toEqual([]);
});

describe.skipIf(!existsSync(document))("../shared/spec/rfc1738.txt, which is not here", () => {
  const sentences = existsSync(document) ? sentencesOf(readFileSync(document, "latin1")) : [];
  const isCited = (sentence: TextSentence): boolean =>
    cited.some(({ section, opens }) => section === sentence.section && sentence.text.startsWith(opens));

  it("every sentence with a rule in it is cited", () => {
    const rules = sentences.filter(({ text }) => isRule(text));
    expect(rules.length).toBe(73);
    expect(rules.filter((sentence) => !isCited(sentence))).toEqual([]);
  });

  it("no sentence with a rule stands only in the page that is typed anew", () => {
    // It has other quotes, spaces and titles, so only letters and digits are compared.
    const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");
    const text = readFileSync(retyped, "latin1");
    const rules = splitSentences(text.slice(0, text.indexOf("REGISTRATION OF NEW"))).filter(isRule);
    expect(rules.length).toBeGreaterThan(60);
    expect(rules.filter((rule) => !cited.some(({ opens }) => letters(rule).includes(letters(opens))))).toEqual([]);
  });

  it("every citation is of one sentence, and they stand in its order", () => {
    const locations = cited.map(({ section, opens }) => ({
      opens,
      at: sentences.flatMap((one, index) => (one.section === section && one.text.startsWith(opens) ? [index] : [])),
    }));
    expect(locations.filter(({ at }) => at.length !== 1)).toEqual([]);
    const order = locations.slice(0, SENTENCES.length).flatMap(({ at }) => at);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });
});
