// Properties of any archive (A1 to A9, A13, A14): the builds of the core find what the oracle finds, however the source is cut, and ranges
// of an mbox that are read by messages find together what the whole does. URLMILL_RUNS and URLMILL_SEED as in test/scan/properties.test.ts.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILDS } from "../core/builds.ts";
import { check } from "../core/check.ts";
import { cutsOf } from "../scan/pieces.ts";
import { scanArchive, scanArchiveLines, scanArchiveRanges } from "./builds.ts";
import { describedBy } from "./oracle-rows.ts";
import { type MailReading, mailReadings, mailSources, mboxes } from "./pieces.ts";

const label = (bytes: Uint8Array, given: object): string => JSON.stringify([Buffer.from(bytes).toString("latin1"), given]);
const cutSources = mailSources.chain((bytes) => fc.tuple(fc.constant(bytes), mailReadings, cutsOf(bytes.length)));
/** Where a message ends by its Content-Length is not known in the middle of an archive. */
const rangedReadings = mailReadings.map(
  (given): MailReading => ({ ...given, type: "mbox", mbox: given.mbox === "cl" ? "rd" : given.mbox }),
);
const rangedMboxes = mboxes.chain((bytes) => fc.tuple(fc.constant(bytes), rangedReadings, cutsOf(bytes.length), cutsOf(bytes.length)));

describe.each(BUILDS)("%s: any archive", (build) => {
  it("finds what the oracle finds, however the source is cut (X13)", () => {
    check(700, cutSources, ([bytes, given, cuts]) => {
      const wanted = describedBy(bytes, given);
      expect(scanArchive(build, bytes, given), label(bytes, given)).toEqual(wanted);
      expect(scanArchive(build, bytes, given, cuts), label(bytes, { ...given, cuts })).toEqual(wanted);
    });
  });

  it("ranges of an mbox find together what the whole does", () => {
    check(300, rangedMboxes, ([bytes, given, borders, cuts]) => {
      const { matches, counts } = scanArchiveRanges(build, bytes, given, borders, cuts);
      const whole = scanArchive(build, bytes, given);
      expect(matches, label(bytes, { ...given, borders })).toEqual(whole.matches);
      expect({ ...whole.counts, ...counts }, label(bytes, { ...given, borders })).toEqual(whole.counts);
    });
  });

  it("lines are the URLs of the matches", () => {
    check(200, cutSources, ([bytes, given, cuts]) => {
      const urls = scanArchive(build, bytes, given).matches.flatMap(({ url }) => (url === null ? [] : [url]));
      expect(scanArchiveLines(build, bytes, given, cuts), label(bytes, { ...given, cuts })).toEqual(urls);
    });
  });
});
