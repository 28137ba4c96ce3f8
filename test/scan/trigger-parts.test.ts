// The search for triggers takes a text in parts of 8 KiB and blocks of 32 bytes, and looks at compact JSON in another way: wherever a URL
// is, and whatever text is before it, it is found.
import { describe, expect, it } from "vitest";
import { BUILDS, scan } from "../core/builds.ts";

const PART_BYTES = 8192;
const BLOCK_BYTES = 32;
/** Texts and where the URL begins in them. The white space of the delimited ones is what the filter looks at most closely. */
const TEXTS: readonly (readonly [text: string, start: number])[] = [
  ["http://m.example/", 0],
  ["mailto:a@m.example", 0],
  ["<URL: http://m.example/>", 6],
  ["<tn3270:\n//m.example/>", 1],
  ["<http: \n//m.example/>", 1],
];
const PAIR = '{"a":1,"b":"c"},';

/** Text of `length` bytes without a match: spaces, many colons that are triggers, or compact JSON in one line. */
const FILLERS: Record<string, (length: number) => string> = {
  spaces: (length) => " ".repeat(length),
  triggers: (length) => "a:b ".repeat(length).slice(0, length),
  json: (length) => `${PAIR.repeat(Math.floor(length / PAIR.length))}${" ".repeat(length % PAIR.length)}`,
};

describe.each(BUILDS)("%s", (build) => {
  it.each(Object.keys(FILLERS))("finds a URL at any place of a part after %s", (name) => {
    const filler = FILLERS[name] as (length: number) => string;
    for (const [text, start] of TEXTS) {
      for (let at = 3 * PART_BYTES - 2 * BLOCK_BYTES; at < 3 * PART_BYTES + 2 * BLOCK_BYTES; at++) {
        const { matches } = scan(build, Buffer.from(`${filler(at - 1)} ${text} ${filler(PART_BYTES)}`));
        const starts = matches.map((match) => match.start);
        expect(starts, `${text} at ${at}`).toEqual([at + start]);
      }
    }
  });

  it("finds each of many in a block", () => {
    const text = "a:b c:d gopher://m e:f news:a@b.c x ".repeat(3 * BLOCK_BYTES);
    const { matches } = scan(build, Buffer.from(text.repeat(8)));
    expect(matches.length).toBe(2 * 8 * 3 * BLOCK_BYTES);
  });
});
