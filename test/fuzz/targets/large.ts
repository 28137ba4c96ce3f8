// Messages and texts that are larger than a window, a read and a range (A2, A7, X13): one thread and many find the same, in ranges of any
// size, and a stream in chunks of any size. Each is made of a small one by stretching it in some places, so that it can be made smaller.
import { writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { checkOptions, type ExtractStreamOptions } from "../../../src/options.ts";
import type { Totals } from "../../../src/run/totals.ts";
import { type ScanFilesOptions, scanFiles } from "../../../src/threads/scan-files.ts";
import { BUILDS } from "../../core/builds.ts";
import { bgzf, seekableZstd } from "../../input/blocks.ts";
import { scanArchive } from "../../mail/builds.ts";
import { cutShares, cutsAt } from "../../mail/found-alike.ts";
import { mutatedMail } from "../../mail/mutations.ts";
import { mailSources, mboxes, mmdfs } from "../../mail/pieces.ts";
import { warcs } from "../../mail/warc-pieces.ts";
import { sinkOf } from "../../output/sinks.ts";
import { texts } from "../../scan/pieces.ts";
import { scratchPath } from "../scratch.ts";
import { mutatedOf, realPages, realTexts } from "../seeds.ts";
import type { Target, Trial } from "../target.ts";

/** What a place of a text is stretched with, again and again; `%` is the number of the repetition. */
const FILLERS = {
  words: "some words that nothing looks at, and a few more of them, so that a line is full\n",
  run: "x",
  spaces: " ",
  breaks: "\n",
  urls: "http://a.example/%\n",
  links: '<p><a href="http://b.example/?q=%&amp;r=1">text</a></p>\n',
  quoted: "> > see http://c.example/% there\n",
  base64: "aHR0cDovL2QuZXhhbXBsZS8gaHR0cDovL2QuZXhhbXBsZS94eXogaHR0cDovL2QuZXhhbXBsZQog\n",
  soft: "words of quoted-printable text, which go on in the next line after this one=\n",
  fields: "X-Field-%: some text\n",
  folded: " folded http://e.example/%\n",
  addresses: "<f%@g.example>,\n\t",
  escaped: ">From the start of a line\n",
  messages: "From a@b.example Fri Jan  5 10:11:12 1996\nMessage-ID: <%@h.example>\nSubject: %\n\nhttp://h.example/%\n\n",
  parts: "--b\nContent-Type: text/html\n\n<a href=http://i.example/%>\n\n",
  nul: "\0",
} as const;

interface Stretch {
  /** Where, as a share of the length; it is stretched at the next start of a line if `atLine`. */
  readonly share: number;
  readonly atLine: boolean;
  readonly filler: keyof typeof FILLERS;
  readonly bytes: number;
}

/** Who finds the same: threads in ranges of the text, or of blocks that hold it, or the builds of the core in chunks. */
type Way = "threads" | "blocks" | "chunks";

interface LargeGiven {
  readonly options: ExtractStreamOptions;
  readonly stretches: readonly Stretch[];
  readonly way: Way;
  readonly threads: number;
  readonly rangeBytes: number;
  /** Bytes of text in a block. */
  readonly blockBytes: number;
  /** Shares of the length at which chunks end. */
  readonly shares: readonly number[];
}

const MIB = 1 << 20;
/** A block of BGZF holds at most 64 KiB. */
const BGZF_BYTES = 60_000;
const FIELDS = [
  "url",
  "raw",
  "start",
  "end",
  "kind",
  "flags",
  "message",
  "message_id",
  "target_uri",
  "date",
  "part",
  "where",
  "quote",
  "from",
  "subject",
  "newsgroups",
  "list_id",
] as const;

function filling(filler: keyof typeof FILLERS, bytes: number): Buffer {
  const unit = FILLERS[filler];
  if (!unit.includes("%")) return Buffer.alloc(bytes - (bytes % unit.length), unit);
  const units: string[] = [];
  for (let [length, number] = [0, 0]; length < bytes; number++) {
    const one = unit.replaceAll("%", String(number));
    units.push(one);
    length += one.length;
  }
  return Buffer.from(units.join(""));
}

function stretched(bytes: Buffer, stretches: readonly Stretch[]): Buffer {
  const cuts = stretches.map(({ share, atLine, filler, bytes: length }) => {
    const at = Math.floor(share * bytes.length);
    return { at: atLine ? bytes.indexOf("\n", at) + 1 || bytes.length : at, put: filling(filler, length) };
  });
  const parts: Buffer[] = [];
  let from = 0;
  for (const { at, put } of cuts.sort((a, b) => a.at - b.at)) {
    parts.push(bytes.subarray(from, at), put);
    from = at;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

interface Found {
  readonly lines: readonly string[];
  readonly totals: Totals;
}

/** What a scan of a file gives: its lines and errors, and its totals. */
async function resultOf(path: string, options: ExtractStreamOptions, how: Partial<ScanFilesOptions>): Promise<Found> {
  const { settings } = checkOptions("ExtractStream", options);
  const lines: string[] = [];
  let rest = "";
  const sink = sinkOf({
    bytes: ({ bytes }) => {
      const found = (rest + Buffer.from(bytes).toString("latin1")).split("\n");
      rest = found.pop() ?? "";
      for (const line of found) lines.push(line);
    },
    failed: ({ error }) => void lines.push(error.message),
  });
  const totals = await scanFiles([path], { settings, threads: 1, poolBytesLeast: 0, ...how }, sink);
  return { lines: [...lines, rest], totals };
}

function differenceOf(kind: string, found: Found, wanted: Found): string | null {
  const length = Math.max(found.lines.length, wanted.lines.length);
  for (let index = 0; index < length; index++) {
    const [one, other] = [found.lines[index], wanted.lines[index]];
    if (one !== other) return `${kind}: line ${index} is ${one?.slice(0, 300)} instead of ${other?.slice(0, 300)}`;
  }
  const shown = ({ totals }: Found): string => JSON.stringify(totals).slice(0, 600);
  return isDeepStrictEqual(found.totals, wanted.totals) ? null : `totals of ${kind}: ${shown(found)} instead of ${shown(wanted)}`;
}

/** Puts a text into blocks that ranges begin at. */
function inBlocks(text: Buffer, size: number): Buffer {
  return size <= BGZF_BYTES ? bgzf(text, size) : seekableZstd(text, size);
}

async function threadsDiffer(text: Buffer, { options, way, threads, rangeBytes, blockBytes }: LargeGiven): Promise<string | null> {
  const path = scratchPath("large");
  writeFileSync(path, text);
  const wanted = await resultOf(path, options, {});
  const how = { threads, rangeBytes, scansHere: true };
  if (way === "threads") return differenceOf("ranges of threads", await resultOf(path, options, how), wanted);
  writeFileSync(path, inBlocks(text, blockBytes));
  const whole = differenceOf("blocks", await resultOf(path, options, {}), wanted);
  return whole ?? differenceOf("ranges of blocks", await resultOf(path, options, how), wanted);
}

function chunksDiffer(text: Buffer, { options, shares }: LargeGiven): string | null {
  const { type, bare, guess, nested, urlBytesMax } = options;
  const given = { type, bare, guess, nested, urlBytesMax } as Parameters<typeof scanArchive>[2];
  const wanted = scanArchive("simd", text, given);
  for (const build of BUILDS) {
    if (!isDeepStrictEqual(scanArchive(build, text, given, cutsAt(text.length, shares)), wanted)) return `${build} in chunks`;
  }
  return null;
}

async function check({ bytes, given }: Trial): Promise<string | null> {
  const read = given as unknown as LargeGiven;
  const text = stretched(bytes, read.stretches);
  return read.way === "chunks" ? chunksDiffer(text, read) : await threadsDiffer(text, read);
}

const stretch: fc.Arbitrary<Stretch> = fc.record({
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  atLine: fc.boolean(),
  filler: fc.constantFrom(...(Object.keys(FILLERS) as Stretch["filler"][])),
  bytes: fc.oneof(fc.noBias(fc.integer({ min: 1, max: 3 * MIB })), fc.noBias(fc.integer({ min: 1 << 10, max: 1 << 19 }))),
});

const sources: fc.Arbitrary<[Buffer, ExtractStreamOptions["type"]]> = fc.oneof(
  { weight: 4, arbitrary: mutatedMail.map((bytes): [Buffer, "mbox"] => [bytes, "mbox"]) },
  { weight: 2, arbitrary: mboxes.map((bytes): [Buffer, "mbox"] => [bytes, "mbox"]) },
  { weight: 1, arbitrary: mmdfs.map((bytes): [Buffer, "auto"] => [bytes, "auto"]) },
  { weight: 1, arbitrary: mailSources.map((bytes): [Buffer, "auto"] => [bytes, "auto"]) },
  { weight: 1, arbitrary: warcs.map((bytes): [Buffer, "auto"] => [bytes, "auto"]) },
  {
    weight: 2,
    arbitrary: fc.oneof(mutatedOf(realTexts, texts(3)), fc.constantFrom(...realPages)).map((bytes): [Buffer, "text"] => [bytes, "text"]),
  },
);

const options: fc.Arbitrary<ExtractStreamOptions> = fc
  .tuple(
    fc.constantFrom<ExtractStreamOptions[]>({ fields: FIELDS }, { fields: FIELDS }, { fields: ["url", "message"] }),
    fc.constantFrom<ExtractStreamOptions[]>({}, {}, { bare: ["www", "email"] }, { nested: true }, { guess: true }),
    fc.constantFrom<ExtractStreamOptions[]>({}, {}, {}, { urlBytesMax: 256 }),
  )
  .map((chosen) => Object.assign({ format: "ndjson" }, ...chosen) as ExtractStreamOptions);

/** Large messages and texts. */
export const large: Target = {
  trials: fc
    .record({
      source: sources,
      read: options,
      stretches: fc.array(stretch, { minLength: 1, maxLength: 4 }),
      way: fc.constantFrom<Way[]>("threads", "threads", "blocks", "chunks"),
      threads: fc.integer({ min: 2, max: 3 }),
      rangeBytes: fc.oneof(fc.noBias(fc.integer({ min: 20_000, max: 2 * MIB })), fc.noBias(fc.integer({ min: 300_000, max: MIB }))),
      blockBytes: fc.oneof(fc.noBias(fc.integer({ min: 5000, max: BGZF_BYTES })), fc.noBias(fc.integer({ min: BGZF_BYTES, max: 2 * MIB }))),
      shares: cutShares,
    })
    .map(({ source: [bytes, type], read, ...how }) => {
      return { bytes, given: { ...how, options: { ...read, type } } satisfies LargeGiven };
    }),
  check,
};
