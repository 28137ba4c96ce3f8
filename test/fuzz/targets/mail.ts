// The reading of mail, news and web archives (A1 to A18): every build finds what the oracle finds, however the source is cut, and ranges of
// an mbox find together what the whole does.
import fc from "fast-check";
import { TYPE_BYTES, textTypeOf } from "../../../src/input/text-type.ts";
import { textsInCharsets } from "../../mail/charset-pieces.ts";
import { cutShares, cutsAt, differenceIn, rangesDiffer } from "../../mail/found-alike.ts";
import { mutatedMail, searchOptions } from "../../mail/mutations.ts";
import type { MailSearch } from "../../mail/oracle-rows.ts";
import { mailReadings, mailSources } from "../../mail/pieces.ts";
import { mutatedWarcs, warcReadings, warcs } from "../../mail/warc-pieces.ts";
import { workFailure } from "../budget.ts";
import { checkedFailure, HAS_CHECKED } from "../checked.ts";
import type { Target, Trial } from "../target.ts";

interface MailGiven {
  readonly search: MailSearch;
  readonly shares: number[];
  /** Shares of the length at which ranges begin; undefined: it is not read in ranges. */
  readonly borders: number[] | undefined;
  readonly isCounted: boolean;
  /** Whether the core that checks each load and store reads it too. */
  readonly isChecked: boolean;
}

function trialsOf(sources: fc.Arbitrary<Buffer>, readings: fc.Arbitrary<MailSearch>, hasRanges: boolean): fc.Arbitrary<Trial> {
  return fc
    .tuple(sources, readings, searchOptions, cutShares, cutShares, fc.noBias(fc.nat(3)), fc.noBias(fc.nat(39)), fc.noBias(fc.nat(3)))
    .map(([bytes, reading, search, shares, borders, ranged, counted, checked]) => ({
      bytes,
      given: {
        search: { ...reading, ...search },
        shares,
        borders: hasRanges && ranged === 0 ? borders : undefined,
        isCounted: counted === 0,
        isChecked: checked === 0,
      } satisfies MailGiven,
    }));
}

async function check({ bytes, given }: Trial): Promise<string | null> {
  const { search, shares, borders, isCounted, isChecked } = given as unknown as MailGiven;
  const difference = differenceIn(bytes, search, shares);
  if (difference !== null) return difference;
  if (borders != null) {
    const { type: _, mbox, parts, charset } = search;
    if (rangesDiffer(bytes, { mbox, parts, charset } as MailSearch, borders, shares)) return "ranges of an mbox";
  }
  const { type = "auto", ...options } = search;
  const scanned = { type: textTypeOf(type, bytes.subarray(0, TYPE_BYTES)), options: { ...options, format: "ndjson" } as object };
  const outside = isChecked && HAS_CHECKED ? await checkedFailure(bytes, scanned, cutsAt(bytes.length, shares)) : null;
  if (outside !== null) return outside;
  return isCounted && bytes.length > 0 ? workFailure(bytes, scanned) : null;
}

/** Mail and news, and texts in a charset. */
export const mail: Target = {
  trials: fc.oneof(
    { weight: 6, arbitrary: trialsOf(mutatedMail, mailReadings, true) },
    { weight: 2, arbitrary: trialsOf(mailSources, mailReadings, true) },
    {
      weight: 1,
      arbitrary: textsInCharsets.chain(([bytes, reading]) => trialsOf(fc.constant(bytes), fc.constant(reading as MailSearch), false)),
    },
  ),
  check,
};

/** Web archives. */
export const warc: Target = { trials: trialsOf(fc.oneof(warcs, mutatedWarcs), warcReadings, false), check };
