// Compares what the builds of the core and the oracle find in an archive, however it is cut.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { textTypeOf } from "../../src/input/text-type.ts";
import { BUILDS } from "../core/builds.ts";
import { share } from "../core/shares.ts";
import { scanArchive, scanArchiveLines, scanArchiveRanges } from "./builds.ts";
import { describedBy, type MailSearch } from "./oracle-rows.ts";

/** Shares of a text's length at which it is cut. */
export const cutShares = fc.array(share, { maxLength: 12 });

/** Offsets that cut a text, ascending: it may have become shorter since they were chosen. */
export function cutsAt(length: number, shares: readonly number[]): number[] {
  return [...new Set(shares.map((share) => Math.floor(share * length)))].filter((cut) => cut > 0).sort((a, b) => a - b);
}

/** The first way in which what is found of a source differs, or null. */
export function differenceIn(bytes: Buffer, given: MailSearch, shares: readonly number[]): string | null {
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

/** Returns whether ranges of an mbox that begin at shares of its length find together something else than the whole does. */
export function rangesDiffer(bytes: Buffer, reading: MailSearch, locations: readonly number[], shares: readonly number[]): boolean {
  // Where a message ends by its Content-Length is not known in the middle of an archive.
  const given: MailSearch = { ...reading, type: "mbox", mbox: reading.mbox === "cl" ? "rd" : reading.mbox };
  // A text in UTF-16, whatever the type is called (A1), is never cut.
  if (textTypeOf("mbox", bytes) === "utf16") return false;
  const whole = scanArchive("simd", bytes, given);
  const parts = scanArchiveRanges("simd", bytes, given, cutsAt(bytes.length, locations), cutsAt(bytes.length, shares));
  return (
    !isDeepStrictEqual({ ...whole, counts: { ...whole.counts, ...parts.counts } }, whole) ||
    !isDeepStrictEqual(parts.matches, whole.matches)
  );
}
