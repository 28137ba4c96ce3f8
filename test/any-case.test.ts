// Patterns in any case match what V8's flag `i` does.
import { expect, it } from "vitest";
import { inAnyCase } from "../src/any-case.ts";

const TEXTS = [..."aZkKsSfgFGz09-^]\\_`[@{ \b\t.é"].flatMap((one) => [one, `${one}b`, `B${one}`, `a-${one}`, `${one}${one}`]);

it.each([
  "abc",
  "a.B",
  "[a-f]",
  "[F-g]",
  "[^a-f]b",
  "[-k]",
  "[k-]b",
  "[^k-]",
  "[a\\-z]",
  "[\\d-z]",
  "[\\w-]",
  "[\\x41-\\u0046]",
  "\\x6b",
  "\\u004B|\\cIb",
  "(?:a|b)(?<name>k)?",
  "\\bK\\b",
  "\\Bb$",
  "[\\]k]",
  "[\\b]",
  "\\[k",
  "[[]b",
  "[]|b",
  "[^]b",
  "[.-_]",
  "[0-z]",
  "k{2}",
  "\\.B",
])("%s", (pattern) => {
  const [wanted, own] = [new RegExp(pattern, "i"), new RegExp(inAnyCase(pattern))];
  for (const text of TEXTS) expect([text, own.exec(text)?.[0]]).toEqual([text, wanted.exec(text)?.[0]]);
});
