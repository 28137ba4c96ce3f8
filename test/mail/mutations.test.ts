// Mail and web archives as mistakes of bytes leave them (A1 to A9, A12 to A14, X): every build of the core finds what the oracle finds,
// under any options, however the source is cut. URLMILL_RUNS and URLMILL_SEED work as in test/scan/properties.test.ts. A failure prints
// the smallest text.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILDS } from "../core/builds.ts";
import { RUNS, seeded } from "../core/check.ts";
import { scanArchive, scanArchiveLines, scanArchiveRanges } from "./builds.ts";
import { minimized, mutatedMail, realMessages, searchOptions } from "./mutations.ts";
import { describedBy, type MailSearch } from "./oracle-rows.ts";
import { mailReadings } from "./pieces.ts";
import { mutatedWarcs, warcs } from "./warc-pieces.ts";

/** Shares of a text's length at which it is cut. */
const cutShares = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { maxLength: 12 });

/** Offsets that cut a text, ascending: it may have become shorter since they were chosen. */
function cutsAt(length: number, shares: readonly number[]): number[] {
  return [...new Set(shares.map((share) => Math.floor(share * length)))].filter((cut) => cut > 0).sort((a, b) => a - b);
}

/** The first way in which what is found of a source differs, or null. */
function differenceIn(bytes: Buffer, given: MailSearch, shares: readonly number[]): string | null {
  const wanted = describedBy(bytes, given);
  const cuts = cutsAt(bytes.length, shares);
  const urls = wanted.matches.flatMap(({ url }) => (url === null ? [] : [url]));
  for (const build of BUILDS) {
    if (!isDeepStrictEqual(scanArchive(build, bytes, given), wanted)) return `${build} and the oracle`;
    if (!isDeepStrictEqual(scanArchive(build, bytes, given, cuts), wanted)) return `${build} in chunks`;
    // Nested matches are made outside the core, which writes no lines of them.
    if (given.nested !== true && !isDeepStrictEqual(scanArchiveLines(build, bytes, given, cuts), urls)) return `lines of ${build}`;
  }
  return null;
}

function check(runs: number, sources: fc.Arbitrary<Buffer>, readings: fc.Arbitrary<MailSearch>): void {
  const arbitrary = fc.tuple(sources, readings, searchOptions, cutShares);
  const property = fc.property(arbitrary, ([bytes, reading, search, shares]) => {
    const given = { ...reading, ...search };
    const difference = differenceIn(bytes, given, shares);
    if (difference === null) return;
    const smallest = minimized(bytes, (shorter) => differenceIn(shorter, given, shares) === difference);
    throw new Error(`${difference}: ${JSON.stringify([smallest.toString("latin1"), given, cutsAt(smallest.length, shares)])}`);
  });
  // The text is made smaller here, byte by byte, and not by leaving out mistakes.
  fc.assert(property, { numRuns: Math.ceil(runs * RUNS), ...seeded, endOnFailure: true });
}

describe("archives with mistakes", () => {
  it("mail: all builds find what the oracle finds", () => {
    expect(realMessages.length).toBeGreaterThan(0);
    check(500, mutatedMail, mailReadings);
  }, 600_000);

  it("mail: ranges of an mbox find together what the whole does", () => {
    const arbitrary = fc.tuple(mutatedMail, mailReadings, cutShares, cutShares);
    const property = fc.property(arbitrary, ([bytes, reading, locations, shares]) => {
      // Where a message ends by its Content-Length is not known in the middle of an archive.
      const given: MailSearch = { ...reading, type: "mbox", mbox: reading.mbox === "cl" ? "rd" : reading.mbox };
      const differs = (some: Buffer): boolean => {
        const whole = scanArchive("simd", some, given);
        const parts = scanArchiveRanges("simd", some, given, cutsAt(some.length, locations), cutsAt(some.length, shares));
        return (
          !isDeepStrictEqual({ ...whole, counts: { ...whole.counts, ...parts.counts } }, whole) ||
          !isDeepStrictEqual(parts.matches, whole.matches)
        );
      };
      if (!differs(bytes)) return;
      const smallest = minimized(bytes, differs);
      throw new Error(JSON.stringify([smallest.toString("latin1"), given, cutsAt(smallest.length, locations)]));
    });
    fc.assert(property, { numRuns: Math.ceil(400 * RUNS), ...seeded, endOnFailure: true });
  }, 600_000);

  it("web archives: all builds find what the oracle finds", () => {
    const readings = fc.record<MailSearch>({
      type: fc.constantFrom("auto", "warc", "warc", "warc"),
      parts: fc.constantFrom("text", "text", "all"),
      charset: fc.constantFrom("utf-8", "windows-1252", "iso-8859-7", "utf-16be"),
    });
    check(600, fc.oneof(warcs, mutatedWarcs), readings);
  }, 600_000);

  it("reach what they are meant to reach", () => {
    const reached = new Set<string>();
    const sample = [...fc.sample(mutatedMail, { numRuns: 400, seed: 1 }), ...fc.sample(warcs, { numRuns: 2000, seed: 1 })];
    for (const bytes of sample) {
      const { matches, counts } = describedBy(bytes, { bare: ["www", "email", "domain", "ip"] });
      for (const name of Object.keys(counts.limits)) reached.add(name);
      if (counts.doubtful > 0) reached.add("doubtful");
      if (counts.partsSkipped > 0) reached.add("skipped");
      for (const { kind, where, targetUri } of matches) {
        reached.add(kind).add((where ?? "none").replace(/:.*/s, ""));
        if (targetUri !== null) reached.add(`record ${(where ?? "none").replace(/:.*/s, "")}`);
      }
    }
    const locations = ["none", "header", "body", "html", "preamble", "epilogue", "record header", "record body", "record html"];
    const kinds = ["plain", "wrapped", "rejoined", "www", "email", "domain"];
    expect([...reached]).toEqual(
      expect.arrayContaining([...locations, ...kinds, "no-boundary", "encoded-body", "uuencode", "doubtful", "skipped"]),
    );
  });

  it("are made as small as what fails in them", () => {
    const text = Buffer.from("a long text in which ab stands before yz, and more behind it");
    expect(minimized(text, (bytes) => /a.*z/s.test(bytes.toString())).toString()).toBe("az");
    expect(minimized(text, () => false)).toEqual(text);
  });
});
