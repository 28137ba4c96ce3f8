// The classes of characters (X4, X5, X7): the core's table against the oracle's reading of the pinned version of Unicode.
import { describe, expect, it } from "vitest";
import { RECORD_END, RECORD_KIND, RECORD_START, RECORD_WORDS } from "#core/layout/codes.js";
import { KINDS } from "../../src/core/names.ts";
import { Scanner } from "../../src/scan/scanner.ts";
import { BUILDS, type Build, coreOf, scanOptions } from "../core/builds.ts";
import { bytesOf, keptLengthAt, trailingPunctuationLength, wrappableLengthAt } from "../oracle/unicode.ts";
import { sinkOf } from "../output/sinks.ts";

const HEAD = "http://a/";

/** Whether a character stays before an `x`, at the end of a match, and inside a delimited URL. */
interface Standing {
  inside: boolean;
  atEnd: boolean;
  wrapped: boolean;
}

/** What a build makes of `http://a/cx http://a/c <http://a/cx>`: the end of the second match tells the same as its length. */
function standings(build: Build, characters: readonly string[]): Standing[] {
  const found: { length: number; kind: string }[] = [];
  const sink = sinkOf({
    matches: ({ rows, count }) => {
      for (let at = 0; at < count * RECORD_WORDS; at += RECORD_WORDS) {
        const length = (rows[at + RECORD_END] ?? 0) - (rows[at + RECORD_START] ?? 0);
        found.push({ length, kind: KINDS[rows[at + RECORD_KIND] ?? 0] ?? "" });
      }
    },
  });
  const scanner = new Scanner(coreOf(build), scanOptions({ profile: "none" }, "matches"), sink);
  scanner.write(Buffer.from(characters.map((c) => `${HEAD}${c}x ${HEAD}${c} <${HEAD}${c}x>\n`).join("")));
  scanner.end();
  return characters.map((_, index) => ({
    inside: (found[3 * index]?.length ?? 0) > HEAD.length,
    atEnd: (found[3 * index + 1]?.length ?? 0) > HEAD.length,
    wrapped: found[3 * index + 2]?.kind === "wrapped",
  }));
}

/** Planes that have characters other than ideographs and private ones. */
const MIXED_PLANES = [0, 1, 14];
/** Of the other planes, whose characters are alike, the borders are tried, and one character of so many. */
const STEP = 61;
const BORDER = 0x400;

/** Every character but ASCII, surrogates, and U+200C and U+200D, which stay or go by the characters around them. */
function everyCharacter(): string[] {
  const characters: string[] = [];
  for (let point = 0x80; point < 0x110000; point++) {
    const isSurrogate = point >= 0xd800 && point < 0xe000;
    const isTried = MIXED_PLANES.includes(point >> 16) || point % STEP === 0 || ((point + BORDER) & 0xffff) < 2 * BORDER;
    if (isTried && !isSurrogate && point !== 0x200c && point !== 0x200d) characters.push(String.fromCodePoint(point));
  }
  return characters;
}

describe("every character", () => {
  const characters = everyCharacter();
  const wanted = characters.map((character): Standing => {
    const bytes = bytesOf(character);
    const inside = keptLengthAt(`${bytes}x`, 0) > 0;
    return { inside, atEnd: inside && trailingPunctuationLength(bytes) === 0, wrapped: wrappableLengthAt(`${bytes}x`, 0) > 0 };
  });

  it.each(BUILDS)("%s", (build) => {
    const step = 1 << 15;
    for (let at = 0; at < characters.length; at += step) {
      const some = characters.slice(at, at + step);
      standings(build, some).forEach((standing, index) => {
        const right = wanted[at + index];
        if (standing.inside === right?.inside && standing.atEnd === right.atEnd && standing.wrapped === right.wrapped) return;
        expect(standing, `U+${some[index]?.codePointAt(0)?.toString(16)}`).toEqual(right);
      });
    }
  });
});
