// Messages and texts that are larger than a window, a read and a range (A2, A7, X13): a command writes the same with one thread and many,
// in ranges of any size, in shards, from compressed files, and in two runs of which the second goes on; a stream gives the same in chunks
// of any size.
import { writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { ExtractStream } from "../../../src/api/extract-stream.ts";
import { fileTypeOf, textTypeOf } from "../../../src/input/text-type.ts";
import type { SourceType } from "../../../src/options/options.ts";
import type { ReaderName } from "../../../src/options/table.ts";
import { BUILDS } from "../../core/builds.ts";
import { share } from "../../core/shares.ts";
import { bgzf, piecesOf, seekableZstd } from "../../input/blocks.ts";
import { scanArchive } from "../../mail/builds.ts";
import { cutShares, cutsAt } from "../../mail/found-alike.ts";
import { mutatedMail } from "../../mail/mutations.ts";
import { mailSources, mboxes, mmdfs } from "../../mail/pieces.ts";
import { warcs } from "../../mail/warc-pieces.ts";
import { pages, texts } from "../../scan/pieces.ts";
import { type CommandOptions, differenceOf, type HowToRead, type ReachedState, type Written, written } from "../command-run.ts";
import { type Filling, filled, fillings } from "../fillings.ts";
import { scratchPath } from "../scratch.ts";
import { mutatedOf, realPages, realTexts } from "../seeds.ts";
import { type HowToDivide, writtenInShards } from "../sharded-run.ts";
import type { Target, Trial } from "../target.ts";

/**
 * What gives the same: `threads`: ranges of files; `blocks`: of files of blocks; `gzip`: files that cannot be cut; `states`: a run that
 * goes on from a state; `stream`: a stream in chunks; `builds`: the builds of the core in chunks.
 */
type Way = "threads" | "blocks" | "gzip" | "states" | "stream" | "builds";
/** Ways of extraction alone. */
const EXTRACTS: readonly Way[] = ["states", "stream", "builds"];

interface LargeGiven {
  readonly command: ReaderName;
  readonly options: CommandOptions;
  readonly fillings: readonly Filling[];
  readonly way: Way;
  /** Shares of the length at which another file begins. */
  readonly files: readonly number[];
  readonly threads: number;
  readonly rangeBytes: number;
  readonly scansHere: boolean;
  /** Bytes of results that may wait on this thread. */
  readonly earlyBytesMost: number;
  /** Shards in the place of threads and ranges. */
  readonly shards?: HowToDivide | undefined;
  /** Bytes of text in a block, or of a chunk of a stream. */
  readonly blockBytes: number;
  /** Shares of the length at which chunks of the builds end; the first is also that of the state from which a run goes on. */
  readonly shares: readonly number[];
}

const MIB = 1 << 20;
/** A block of BGZF holds at most 64 KiB. */
const BGZF_BYTES = 60_000;
const FIELDS: CommandOptions["fields"] = [
  "url",
  "raw",
  "source",
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
];

/** Puts a text into blocks that ranges begin at. */
function inBlocks(text: Buffer, size: number): Buffer {
  return size <= BGZF_BYTES ? bgzf(text, size) : seekableZstd(text, size);
}

/** Returns how many threads read the files, in ranges. */
function inRanges({ threads, rangeBytes, scansHere, earlyBytesMost }: LargeGiven): HowToRead {
  return { threads, rangeBytes, scansHere, earlyBytesMost };
}

async function filesDiffer(text: Buffer, given: LargeGiven): Promise<string | null> {
  const { command, options, way, files, blockBytes, shards } = given;
  const borders = [0, ...cutsAt(text.length, files), text.length];
  const parts = borders.slice(1).map((border, index) => text.subarray(borders[index], border));
  const paths = parts.map((_, index) => scratchPath(`large-${index}`));
  const write = (pack: (part: Buffer) => Buffer): void => {
    for (const [index, path] of paths.entries()) writeFileSync(path, pack(parts[index] as Buffer));
  };
  const run = async (how: HowToRead): Promise<Written> => await written(command, options, paths, how);
  write((part) => part);
  const wanted = await run({});
  if (way === "states") return await resumedDiffers(run, given, wanted);
  if (way !== "threads") {
    write((part) => (way === "gzip" ? gzipSync(part, { level: 1 }) : inBlocks(part, blockBytes)));
    const whole = differenceOf(`${way} on one thread`, await run({}), wanted);
    if (whole !== null) return whole;
  }
  if (shards !== undefined) return differenceOf(`${way} in shards`, await writtenInShards(command, options, paths, shards), wanted);
  return differenceOf(`${way} in ranges`, await run(inRanges(given)), wanted);
}

/** A run in ranges on one thread, and one that goes on from one of its states. */
async function resumedDiffers(run: (how: HowToRead) => Promise<Written>, given: LargeGiven, wanted: Written): Promise<string | null> {
  const states: ReachedState[] = [];
  const whole = await run({ rangeBytes: given.rangeBytes, onState: (reached) => void states.push(reached) });
  const difference = differenceOf("ranges on one thread", whole, wanted);
  const reached = states[Math.floor((given.shares[0] ?? 0.5) * states.length)];
  if (difference !== null || reached === undefined) return difference;
  const { output, rejected, failed } = reached;
  const rest = await run({ ...inRanges(given), resumed: reached });
  const both: Written = {
    ...rest,
    output: whole.output.slice(0, output) + rest.output,
    rejected: whole.rejected.slice(0, rejected) + rest.rejected,
    failed: [...whole.failed.slice(0, failed), ...rest.failed],
  };
  return differenceOf("a run that goes on", both, wanted);
}

async function streamDiffers(text: Buffer, { options, threads, blockBytes }: LargeGiven): Promise<string | null> {
  const path = scratchPath("large-0");
  writeFileSync(path, text);
  const wanted = await written("extract", options, [path]);
  const chunks = Readable.from(piecesOf(text, blockBytes)).pipe(new ExtractStream({ ...options, threads }));
  let output = "";
  for await (const chunk of chunks) output += (chunk as Buffer).toString("latin1");
  // A stream has no name.
  const nameless = { ...wanted, output: wanted.output.replaceAll(/"source":"[^"]*",?/g, "") };
  return differenceOf(`a stream with ${threads} threads`, { ...nameless, output }, nameless);
}

function buildsDiffer(text: Buffer, { options, shares }: LargeGiven): string | null {
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
  const text = filled(bytes, read.fillings);
  const { type = "auto" } = read.options;
  if (read.way === "builds") return buildsDiffer(text, read);
  if (read.way !== "stream") return await filesDiffer(text, read);
  // Half of an mbox is recognized in a file alone (A1).
  return fileTypeOf(type, text) === textTypeOf(type, text) ? await streamDiffers(text, read) : null;
}

function typed(type: SourceType, sources: fc.Arbitrary<Buffer>): fc.Arbitrary<[Buffer, SourceType]> {
  return sources.map((bytes) => [bytes, type]);
}

/** Texts after each other: what is large in one of them is passed to find the next. */
function several(sources: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  return fc
    .array(sources, { minLength: 1, maxLength: 4 })
    .map((parts) => Buffer.concat(parts.flatMap((part) => [part, Buffer.from("\n\n")])));
}

const jsons = fc.array(texts(3), { minLength: 1, maxLength: 6 }).map((parts) => {
  return Buffer.from(JSON.stringify(parts.map((part) => ({ text: part.toString("latin1") }))));
});
const sources: fc.Arbitrary<[Buffer, SourceType]> = fc.oneof(
  { weight: 12, arbitrary: typed("mbox", several(fc.oneof({ weight: 3, arbitrary: mutatedMail }, { weight: 1, arbitrary: mboxes }))) },
  { weight: 3, arbitrary: typed("auto", several(mmdfs)) },
  { weight: 2, arbitrary: typed("auto", mailSources) },
  { weight: 2, arbitrary: typed("auto", several(warcs)) },
  { weight: 4, arbitrary: typed("text", fc.oneof(mutatedOf(realTexts, texts(3)), fc.constantFrom(...realPages))) },
  { weight: 2, arbitrary: typed("html", mutatedOf(realPages, pages(3))) },
  { weight: 1, arbitrary: typed("json", jsons) },
);

/** What is written: by extraction, by counting and by a report. */
const records: fc.Arbitrary<CommandOptions> = fc.constantFrom<CommandOptions[]>(
  { format: "ndjson", fields: FIELDS },
  { format: "ndjson", fields: FIELDS },
  { format: "ndjson", fields: ["url", "message"] },
  { format: "csv", fields: ["url", "message", "date", "subject"] },
  { format: "ndjson", fields: ["url", "start", "where", "context"], context: 30 },
  // More text than is read before a range for URLs of this length; a context costs as much as many URLs.
  { format: "ndjson", fields: ["url", "start", "where", "context"], context: 1000, urlBytesMax: 256, match: "7|^[^0-9]*$" },
  { format: "plain" },
);
const firsts: fc.Arbitrary<CommandOptions> = fc.constantFrom<CommandOptions[]>(
  { format: "plain", unique: true },
  { format: "plain", unique: true, memory: MIB },
  { format: "ndjson", fields: FIELDS, uniqueBy: ["host"] },
  { format: "ndjson", fields: FIELDS, uniqueBy: ["source", "message"], memory: MIB },
);
const counts: fc.Arbitrary<CommandOptions> = fc.constantFrom<CommandOptions[]>(
  { by: ["url"], memory: MIB },
  { by: ["host"] },
  { by: ["host"], messages: true },
  { by: ["month", "domain"] },
  { by: ["from_address"] },
  { by: ["flag"] },
  { by: ["where", "message_id"], memory: MIB },
  { by: ["source", "message"] },
);
/** So much memory that no table forgets a value: which ones it forgets depends on the order of the results. */
const reports: fc.Arbitrary<CommandOptions> = fc.constantFrom<CommandOptions[]>({ memory: 1 << 30, top: 20 });

const searches: fc.Arbitrary<CommandOptions> = fc
  .tuple(
    fc.constantFrom<CommandOptions[]>(
      {},
      {},
      { bare: ["www", "email"] },
      { nested: true },
      { guess: true },
      { refang: true },
      { links: true },
    ),
    fc.constantFrom<CommandOptions[]>({}, {}, {}, { urlBytesMax: 256 }),
    fc.constantFrom<CommandOptions[]>({}, {}, {}, { unwrap: true }),
    fc.constantFrom<CommandOptions[]>({}, {}, {}, {}, { noQuoted: true }, { where: ["body", "html"] }, { since: "1996" }),
  )
  .map((chosen) => Object.assign({}, ...chosen) as CommandOptions);

const commands: fc.Arbitrary<Pick<LargeGiven, "command" | "way"> & { written: CommandOptions }> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      command: fc.constant("extract"),
      way: fc.constantFrom<Way[]>("threads", "threads", "threads", "blocks", "blocks", "gzip", ...EXTRACTS),
      written: records,
    }),
  },
  ...(["extract", "count", "report"] as const).map((command, index) => ({
    weight: 2,
    arbitrary: fc.record({
      command: fc.constant(command),
      way: fc.constantFrom<Way[]>("threads", "threads", "threads", "blocks", "blocks", "gzip"),
      written: [firsts, counts, reports][index] as fc.Arbitrary<CommandOptions>,
    }),
  })),
);

/** Large messages and texts. */
export const large: Target = {
  trials: fc
    .record({
      command: commands,
      source: sources,
      search: searches,
      isListed: fc.boolean(),
      fillings,
      files: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(share, { minLength: 1, maxLength: 8 }) }),
      threads: fc.integer({ min: 2, max: 3 }),
      rangeBytes: fc.oneof(fc.noBias(fc.integer({ min: 20_000, max: 2 * MIB })), fc.noBias(fc.integer({ min: 300_000, max: MIB }))),
      scansHere: fc.boolean(),
      earlyBytesMost: fc.constantFrom(0, 10_000, MIB, 8 * MIB),
      shards: fc.option(
        fc.record({
          shardBytes: fc.noBias(fc.integer({ min: 20_000, max: 2 * MIB })),
          isServed: fc.boolean(),
        }),
        { nil: undefined, freq: 2 },
      ),
      blockBytes: fc.oneof(fc.noBias(fc.integer({ min: 5000, max: BGZF_BYTES })), fc.noBias(fc.integer({ min: BGZF_BYTES, max: 2 * MIB }))),
      shares: cutShares,
    })
    .map(({ command: { written: form, ...command }, source: [bytes, type], search, isListed, ...how }) => {
      const isStream = command.way === "stream";
      const options: CommandOptions = { ...search, ...form, type, ...(isListed && !isStream ? { rejected: "listed" } : {}) };
      return { bytes, given: { ...command, ...how, options } satisfies LargeGiven };
    }),
  check,
};
