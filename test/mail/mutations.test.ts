// Mail and web archives as mistakes of bytes leave them (A1 to A9, A12 to A14, X): every build of the core finds what the oracle finds,
// under any options, however the source is cut. URLMILL_RUNS and URLMILL_SEED work as in test/scan/properties.test.ts. A failure prints
// the smallest text.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RUNS, seeded } from "../core/check.ts";
import { minimized } from "../core/minimized.ts";
import { cutShares, cutsAt, differenceIn, rangesDiffer } from "./found-alike.ts";
import { mutatedMail, realMessages, searchOptions } from "./mutations.ts";
import { describedBy, type MailSearch } from "./oracle-rows.ts";
import { mailReadings } from "./pieces.ts";
import { mutatedWarcs, warcReadings, warcs } from "./warc-pieces.ts";

async function check(runs: number, sources: fc.Arbitrary<Buffer>, readings: fc.Arbitrary<MailSearch>): Promise<void> {
  const arbitrary = fc.tuple(sources, readings, searchOptions, cutShares);
  const property = fc.asyncProperty(arbitrary, async ([bytes, reading, search, shares]) => {
    const given = { ...reading, ...search };
    const difference = differenceIn(bytes, given, shares);
    if (difference === null) return;
    const smallest = await minimized(bytes, (shorter) => differenceIn(shorter, given, shares) === difference);
    throw new Error(`${difference}: ${JSON.stringify([smallest.toString("latin1"), given, cutsAt(smallest.length, shares)])}`);
  });
  // The text is made smaller here, byte by byte, and not by leaving out mistakes.
  await fc.assert(property, { numRuns: Math.ceil(runs * RUNS), ...seeded, endOnFailure: true });
}

describe("archives with mistakes", () => {
  it("mail: all builds find what the oracle finds", async () => {
    expect(realMessages.length).toBeGreaterThan(0);
    await check(500, mutatedMail, mailReadings);
  }, 600_000);

  it("mail: ranges of an mbox find together what the whole does", async () => {
    const arbitrary = fc.tuple(mutatedMail, mailReadings, cutShares, cutShares);
    const property = fc.asyncProperty(arbitrary, async ([bytes, reading, locations, shares]) => {
      const differs = (some: Buffer): boolean => rangesDiffer(some, reading, locations, shares);
      if (!differs(bytes)) return;
      const smallest = await minimized(bytes, differs);
      throw new Error(JSON.stringify([smallest.toString("latin1"), reading, cutsAt(smallest.length, locations)]));
    });
    await fc.assert(property, { numRuns: Math.ceil(400 * RUNS), ...seeded, endOnFailure: true });
  }, 600_000);

  it("web archives: all builds find what the oracle finds", async () => {
    await check(600, fc.oneof(warcs, mutatedWarcs), warcReadings);
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

  it("are made as small as what fails in them", async () => {
    const text = Buffer.from("a long text in which ab stands before yz, and more behind it");
    expect((await minimized(text, (bytes) => /a.*z/s.test(bytes.toString()))).toString()).toBe("az");
    expect(await minimized(text, () => false)).toEqual(text);
  });
});
