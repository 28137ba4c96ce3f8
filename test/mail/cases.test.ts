// The reader of mail in the core: every worked case on every build, at every chunk size.
import { describe, expect, it } from "vitest";
import { BUILDS, cutsEvery } from "../core/builds.ts";
import { type MailCase, readMailCases } from "../vectors/mail-cases.ts";
import { scanArchive } from "./builds.ts";

const cases = readMailCases();

function expectedOf({ matches, messages, counts }: MailCase): object {
  return { matches: matches.map(({ raw, start, end, where, part, quote }) => ({ raw, start, end, where, part, quote })), messages, counts };
}

function foundIn(build: (typeof BUILDS)[number], { bytes, options, counts: asked }: MailCase, cuts: readonly number[]): object {
  const { matches, counts } = scanArchive(build, bytes, options, cuts);
  const named = Object.fromEntries(Object.keys(asked).map((name) => [name, counts[name as keyof typeof counts]]));
  return {
    matches: matches.map(({ raw, start, end, where, part, quote }) => ({ raw, start, end, where, part, quote })),
    messages: counts.messages,
    counts: named,
  };
}

describe.each(BUILDS)("%s", (build) => {
  it.each(cases.map((one) => [`${one.id} ${one.note}`, one] as const))("%s", (_, one) => {
    const expected = expectedOf(one);
    expect(foundIn(build, one, [])).toEqual(expected);
    if (one.bytes.length > 4000) return;
    for (const size of [1, 2, 3, 5, 7, 16, 31, 64, 200])
      expect({ size, ...foundIn(build, one, cutsEvery(size, one.bytes.length)) }).toEqual({ size, ...expected });
  });
});
