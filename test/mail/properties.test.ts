// Generated archives (A1 to A9, A12 to A14), and texts in a charset (A18): every build of the core finds what the oracle finds, however the
// source is cut, and ranges of a mailbox that are read by messages find together what the whole does.
import fc from "fast-check";
import { describe, it } from "vitest";
import { BUILDS } from "../core/builds.ts";
import { check, expectEqual } from "../core/check.ts";
import { cutsOf } from "../scan/pieces.ts";
import { scanArchive, scanArchiveLines, scanArchiveRanges } from "./builds.ts";
import { textsInCharsets } from "./charset-pieces.ts";
import { describedBy } from "./oracle-rows.ts";
import { type MailReading, mailReadings, mailSources, mboxes, mmdfs } from "./pieces.ts";

const label = (bytes: Uint8Array, given: object): string => JSON.stringify([Buffer.from(bytes).toString("latin1"), given]);
const cutSources = mailSources.chain((bytes) => fc.tuple(fc.constant(bytes), mailReadings, cutsOf(bytes.length)));
/** Where a message ends by its Content-Length is not known in the middle of an archive. */
const rangedReadings = mailReadings.map(
  (given): MailReading => ({ ...given, type: "mbox", mbox: given.mbox === "cl" ? "rd" : given.mbox }),
);
const ranged = (sources: fc.Arbitrary<Buffer>, readings: fc.Arbitrary<MailReading>) =>
  sources.chain((bytes) => fc.tuple(fc.constant(bytes), readings, cutsOf(bytes.length), cutsOf(bytes.length)));
const schemeless = fc.constantFrom({}, { bare: ["www", "email", "domain"] as const }, { guess: true }, { anyScheme: true });
const rangedMailboxes = fc.oneof(
  ranged(mboxes, rangedReadings),
  ranged(
    mmdfs,
    mailReadings.map((given): MailReading => ({ ...given, type: "auto" })),
  ),
);

describe("any archive", () => {
  it("all builds find what the oracle finds, however the source is cut, and lines are the URLs of the matches (X13)", () => {
    check(700, cutSources, ([bytes, given, cuts]) => {
      const wanted = describedBy(bytes, given);
      const urls = wanted.matches.flatMap(({ url }) => (url === null ? [] : [url]));
      for (const build of BUILDS) {
        const shown = (): string => `${build}: ${label(bytes, { ...given, cuts })}`;
        expectEqual(scanArchive(build, bytes, given), wanted, shown);
        expectEqual(scanArchive(build, bytes, given, cuts), wanted, shown);
        expectEqual(scanArchiveLines(build, bytes, given, cuts), urls, shown);
      }
    });
  });

  it("all builds find what the oracle finds in text and HTML in a charset, and lines are the URLs of the matches (A18)", () => {
    const texts = textsInCharsets.chain(([bytes, given]) =>
      fc.tuple(fc.constant(bytes), fc.constant(given), cutsOf(bytes.length), schemeless),
    );
    check(700, texts, ([bytes, reading, cuts, search]) => {
      const given = { ...reading, ...search };
      const wanted = describedBy(bytes, given);
      const urls = wanted.matches.flatMap(({ url }) => (url === null ? [] : [url]));
      for (const build of BUILDS) {
        const shown = (): string => `${build}: ${label(bytes, { ...given, cuts })}`;
        expectEqual(scanArchive(build, bytes, given), wanted, shown);
        expectEqual(scanArchive(build, bytes, given, cuts), wanted, shown);
        expectEqual(scanArchiveLines(build, bytes, given, cuts), urls, shown);
      }
    });
  });

  it.each(BUILDS)("%s: ranges of a mailbox find together what the whole does", (build) => {
    check(500, rangedMailboxes, ([bytes, given, borders, cuts]) => {
      const { matches, counts } = scanArchiveRanges(build, bytes, given, borders, cuts);
      const whole = scanArchive(build, bytes, given);
      const shown = (): string => label(bytes, { ...given, borders });
      expectEqual(matches, whole.matches, shown);
      expectEqual({ ...whole.counts, ...counts }, whole.counts, shown);
    });
  });
});
