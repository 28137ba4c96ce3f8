// The scan of text and of HTML (X1 to X16): every build finds what the oracle finds, however the text is cut, and wherever in a window it
// ends.
import fc from "fast-check";
import { BUILDS, type Found, type Row, type ScanSettings, scan, settingsOf } from "../../core/builds.ts";
import { expectEqual } from "../../core/check.ts";
import { cutsAt } from "../../mail/found-alike.ts";
import type { OracleOptions } from "../../oracle/index.ts";
import { anyOptions, expectFoundAlike, expectSpans, GIVEN, type Given, given, label, linkOptions } from "../../scan/found-alike.ts";
import { linkPages, pages, schemelessTexts, texts } from "../../scan/pieces.ts";
import { workFailure } from "../budget.ts";
import { checkedFailure, HAS_CHECKED, type Scanned } from "../checked.ts";
import { mutatedOf, realPages, realTexts } from "../seeds.ts";
import type { Target, Trial } from "../target.ts";

/** A window moves down after so many bytes: `USED_BYTES` of src/scan/window.ts, and the look-behind. */
const WINDOW_BYTES = 1 << 20;
/** Lines before a text: text that nothing looks at. */
const LINE = "word\n";

/** How a text is tried beside what `expectFoundAlike` compares. */
interface Extra {
  /** Bytes between the end of the text and that of a window, as many after it as before; undefined: it is not moved. */
  readonly edge: number | undefined;
  readonly isCounted: boolean;
  /** Whether the core that checks each load and store scans it too. */
  readonly isChecked: boolean;
}

/** Places and options of a text; places are shares of its length, so that it can become shorter. */
type TextGiven = Pick<Given, "options" | "profile"> & Extra & { readonly cuts: number[]; readonly borders: number[] | undefined };

// Both take as long as a hundred other trials: without bias, by which fast-check prefers the ends of a range.
const extra: fc.Arbitrary<Extra> = fc.record({
  edge: fc.noBias(fc.integer({ min: -80, max: 80 * 39 })).map((edge) => (edge > 80 ? undefined : edge)),
  isCounted: fc.noBias(fc.nat(39)).map((number) => number === 0),
  isChecked: fc.noBias(fc.nat(3)).map((number) => number === 0),
});

function trialsOf(ways: readonly fc.Arbitrary<Given>[]): fc.Arbitrary<Trial> {
  return fc.tuple(fc.oneof(...ways), extra).map(([{ bytes, options, profile, cuts, borders }, more]) => {
    const shares = (offsets: readonly number[]): number[] => offsets.map((offset) => (offset + 0.5) / bytes.length);
    return {
      bytes,
      given: { options, profile, cuts: shares(cuts), borders: borders === undefined ? undefined : shares(borders), ...more },
    };
  });
}

function shifted(found: Found, distance: number): Found {
  const move = <One extends { start: number; end?: number }>(one: One): One => ({
    ...one,
    start: one.start + distance,
    ...(one.end === undefined ? {} : { end: one.end + distance }),
  });
  return { ...found, matches: found.matches.map((row: Row) => move(row)), listed: found.listed.map(move) };
}

/** A text that ends at the edge of a window gives what it gives after a few lines. */
function expectEdgeAlike(bytes: Buffer, settings: ScanSettings, edge: number): void {
  const few = Buffer.from(LINE.repeat(4));
  const wanted = scan("simd", Buffer.concat([few, bytes]), settings);
  const used = WINDOW_BYTES + 5 * (settings.urlBytesMax ?? 16384);
  const length = used + edge - bytes.length;
  const lines = Buffer.alloc(length + ((LINE.length - (length % LINE.length)) % LINE.length), LINE);
  const padded = Buffer.concat([lines, bytes]);
  // The first chunk ends where the window is full.
  for (const cuts of [[], [used]]) {
    for (const build of BUILDS) {
      expectEqual(scan(build, padded, settings, cuts), shifted(wanted, lines.length - few.length), () => `edge, ${build}: ${label(bytes)}`);
    }
  }
}

async function check({ bytes, given: read }: Trial): Promise<string | null> {
  const { options, profile, cuts, borders, edge, isCounted, isChecked } = read as unknown as TextGiven;
  const one: Given = {
    bytes,
    options,
    profile: profile ?? undefined,
    cuts: cutsAt(bytes.length, cuts),
    borders: borders == null ? undefined : cutsAt(bytes.length, borders),
  };
  expectFoundAlike(one);
  const settings: ScanSettings = { ...settingsOf(options), ...(one.profile === undefined ? {} : { profile: one.profile }) };
  const { guess, refang, nested, links, bare, unwrap, type = "text" } = options as OracleOptions & { type?: "text" | "html" | "json" };
  const hasSpans = type === "text" && ![guess, refang, nested, links, bare, unwrap].some(Boolean);
  if (hasSpans) expectSpans(bytes, settings);
  // Lines before HTML and JSON are another text.
  if (edge != null && type === "text" && one.profile === undefined) expectEdgeAlike(bytes, settings, edge);
  // Streams of plain text take no fields.
  const { type: _, fields: _fields, ...search } = options;
  const scanned: Scanned = { type, options: { ...search, ...(one.profile === undefined ? {} : { profile: one.profile }) } as object };
  const outside = isChecked && HAS_CHECKED ? await checkedFailure(bytes, scanned, one.cuts) : null;
  if (outside !== null) return outside;
  return isCounted && bytes.length > 0 ? workFailure(bytes, scanned) : null;
}

const isOfHtml = (name: string): boolean => /HTML/.test(name);
const generated = (wanted: boolean): fc.Arbitrary<Given>[] => GIVEN.filter(([name]) => isOfHtml(name) === wanted).map(([, , way]) => way);
const asHtml = (options: fc.Arbitrary<OracleOptions>, more: OracleOptions = {}): fc.Arbitrary<OracleOptions> =>
  options.map((others) => ({ ...others, ...more, type: "html" }));

/** Plain text and JSON under any options. */
export const core: Target = {
  trials: trialsOf([...generated(false), given(mutatedOf(realTexts, fc.oneof(texts(3), schemelessTexts(3))), anyOptions)]),
  check,
};

/** HTML, with links and without. */
export const html: Target = {
  trials: trialsOf([
    ...generated(true),
    given(mutatedOf(realPages, pages(3)), asHtml(anyOptions)),
    given(mutatedOf(realPages, linkPages(3)), asHtml(linkOptions, { links: true })),
  ]),
  check,
};
