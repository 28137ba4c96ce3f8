// Batches of lines against single URLs.
import { expect } from "vitest";
import { checkNormalizeOptions } from "../../src/options/options.ts";
import { coreProfileNumber } from "../../src/url/normalize.ts";
import { LineNormalizer, normalizeLines } from "../../src/url/normalize-lines.ts";
import { BUILDS, type Build, coreOf } from "../core/builds.ts";
import { CORE_PROFILES, OPTION_SETS } from "./laws.ts";
import { normalizeWith } from "./normalize-with.ts";

/** What became of some lines: the bytes that came out, as text, and the refused ones, each with its number, code and bytes. */
export interface Lines {
  out: string;
  refused: [line: number, code: string, text: string][];
}

/** Runs a LineNormalizer over chunks. */
export function linesOf(build: Build, profile: (typeof CORE_PROFILES)[number], chunks: readonly Uint8Array[]): Lines {
  const parts: Buffer[] = [];
  const refused: Lines["refused"] = [];
  const number = coreProfileNumber(checkNormalizeOptions({ profile }));
  if (number === undefined) throw new Error(`${profile} is not the core's`);
  const normalizer = new LineNormalizer(coreOf(build), number, {
    lines: (bytes) => void parts.push(Buffer.from(bytes)),
    refused: (line, code, text) => void refused.push([line, code, Buffer.from(text).toString("latin1")]),
  });
  for (const chunk of chunks) normalizer.write(chunk);
  normalizer.end();
  return { out: Buffer.concat(parts).toString(), refused };
}

/** Marks the bytes that were encoded; no text of these tests holds it. */
const ENCODED = "\u{f0000}";
const JOINERS = new RegExp(`[\\u200c\\u200d]+(?=${ENCODED})`, "gu");

/** A line as text: what is no UTF-8 is encoded as the byte that it is (C66). So is a joiner before it, which joins nothing (C7, C45). */
export function lineText(line: Buffer): string {
  const text = line.toString();
  if (Buffer.from(text).equals(line)) return text;
  const unit = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|./gs;
  const written = line.toString("latin1").replace(unit, (bytes) => {
    const character = Buffer.from(bytes, "latin1");
    if (Buffer.from(character.toString()).equals(character)) return character.toString();
    return `${ENCODED}${character.toString("hex").replace(/../g, (hex) => `%${hex.toUpperCase()}`)}`;
  });
  return written.replace(JOINERS, encodeURIComponent).replaceAll(ENCODED, "");
}

/** What normalizing some lines one by one gives. */
export function linesOneByOne(lines: readonly Buffer[], profile: (typeof CORE_PROFILES)[number]): Lines {
  const form = checkNormalizeOptions({ profile });
  const refused: Lines["refused"] = [];
  const out = lines.map((line, index) => {
    const result = normalizeWith(coreOf("simd"), lineText(line), form);
    if (!result.ok) refused.push([index + 1, result.code, line.toString("latin1")]);
    return result.ok ? `${result.url}\n` : "\n";
  });
  return { out: out.join(""), refused };
}

/** normalizeLines under any options, and every build of the core by its profiles, give line by line what normalize gives. */
export function expectLinesAlike(lines: readonly Buffer[]): void {
  const input = Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
  for (const profile of CORE_PROFILES) {
    const wanted = linesOneByOne(lines, profile);
    for (const build of BUILDS) expectSameLines(linesOf(build, profile, [input]), wanted, lines, `${build}, ${profile}`);
  }
  for (const options of [...OPTION_SETS, { profile: "whatwg" }, { profile: "surt" }, { profile: "cdx" }] as const) {
    const form = checkNormalizeOptions(options);
    const out = lines.map((line) => {
      const result = normalizeWith(coreOf("simd"), lineText(line), form);
      return result.ok ? `${result.url}\n` : "\n";
    });
    const found = Buffer.from(normalizeLines(input, options)).toString();
    expectSameLines({ out: found, refused: [] }, { out: out.join(""), refused: [] }, lines, JSON.stringify(options));
  }
}

/** The first differing line is worth more than two texts. */
function expectSameLines(found: Lines, wanted: Lines, lines: readonly Buffer[], label: string): void {
  if (found.out !== wanted.out) {
    const foundLines = found.out.split("\n");
    const differing = wanted.out.split("\n").findIndex((line, index) => line !== foundLines[index]);
    const shown = JSON.stringify(lines[differing]?.toString("latin1"));
    expect(foundLines[differing], `${label}, line ${differing + 1}: ${shown}`).toBe(wanted.out.split("\n")[differing]);
    expect(foundLines.length, label).toBe(wanted.out.split("\n").length);
  }
  expect(found.refused, label).toEqual(wanted.refused);
}
