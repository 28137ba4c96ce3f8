// Compressed data and archives (A11): a text gives the same in any container, however it is cut and by any number of threads; what is
// damaged gives the same members and errors however it is cut, from a file as from a stream.
import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { checkOptions, type ScanSettings } from "../../../src/options/options.ts";
import { type ScanFilesOptions, scanFiles } from "../../../src/threads/scan-files.ts";
import { expectEqual } from "../../core/check.ts";
import { tar, zip } from "../../input/archives.ts";
import { bgzf, piecesOf, seekableZstd, zstdFrame } from "../../input/blocks.ts";
import { openAsFile, openBytes } from "../../input/open.ts";
import { compressed, mutation, tars, zips } from "../../input/pieces.ts";
import { mailSources } from "../../mail/pieces.ts";
import { sinkOf } from "../../output/sinks.ts";
import { texts } from "../../scan/pieces.ts";
import { scratchPath } from "../scratch.ts";
import { mutatedOf, realTexts } from "../seeds.ts";
import type { Target, Trial } from "../target.ts";

/** Puts a text into a container; `size`: bytes of text in a block. */
const CONTAINERS: Readonly<Record<string, (text: Buffer, size: number) => Buffer>> = {
  gzip: (text) => gzipSync(text),
  "gzip members": (text, size) => Buffer.concat(piecesOf(text, size).map((piece) => gzipSync(piece))),
  bgzf,
  zstd: zstdFrame,
  "zstd frames": seekableZstd,
  tar: (text) => tar([{ name: "text", text }]),
  zip: (text) => zip([{ name: "text", text }]),
  "open-ended zip": (text) => zip([{ name: "text", text, isOpenEnded: true }]),
  "stored zip": (text) => zip([{ name: "text", text, method: 0 }]),
};
/** Containers that add nothing to the name of what is in them: bgzf and zstd frames are cut into ranges. */
const NAMES = Object.keys(CONTAINERS);

/** Bytes of a block of what is in blocks already, at least. */
const BLOCK_BYTES = 1000;

interface Wrapped {
  readonly layers: string[];
  readonly size: number;
  readonly type: "auto" | "text" | "mbox";
  readonly threads: number;
  readonly rangeBytes: number;
}

interface Damaged {
  /** Bytes of a chunk. */
  readonly sizes: number[];
  readonly isZip: boolean;
}

/** The records of a file without the names of its members, and its errors. */
async function recordsOf(bytes: Buffer, settings: ScanSettings, options: Partial<ScanFilesOptions>): Promise<unknown> {
  const path = scratchPath("input");
  writeFileSync(path, bytes);
  const found: Buffer[] = [];
  const failed: string[] = [];
  const sink = sinkOf({
    bytes: ({ bytes: written }) => void found.push(Buffer.from(written)),
    failed: ({ error }) => void failed.push(error.message),
  });
  const { matches } = await scanFiles([path], { settings, threads: 1, workMillisecondsLeast: 0, ...options }, sink);
  return {
    text: Buffer.concat(found)
      .toString()
      .replaceAll(/"source":"[^"]*"/g, ""),
    failed,
    matches,
  };
}

const FIELDS = ["url", "raw", "start", "end", "kind", "flags", "message", "part", "where", "source"] as const;

async function checkWrapped(text: Buffer, { layers, size, type, threads, rangeBytes }: Wrapped): Promise<null> {
  const { settings } = checkOptions("ExtractStream", { format: "ndjson", type, urlBytesMax: 256, fields: FIELDS });
  let packed = text;
  for (const [depth, layer] of layers.entries()) {
    // Blocks of a byte in blocks of a byte are millions.
    packed = (CONTAINERS[layer] as (text: Buffer, size: number) => Buffer)(packed, depth === 0 ? size : Math.max(size, BLOCK_BYTES));
  }
  const whole = await recordsOf(text, settings, {});
  const shown = (how: string) => (): string => `${how}: ${JSON.stringify([layers, text.toString("latin1")])}`;
  expectEqual(await recordsOf(packed, settings, {}), whole, shown("in a container"));
  if (threads === 1) return null;
  expectEqual(await recordsOf(packed, settings, { threads, rangeBytes, scansHere: true }), whole, shown("in ranges, by threads"));
  expectEqual(await recordsOf(text, settings, { threads, rangeBytes, scansHere: true }), whole, shown("as it is, by threads"));
  return null;
}

async function checkDamaged(bytes: Buffer, { sizes, isZip }: Damaged): Promise<null> {
  const whole = await openBytes("x", bytes);
  for (const size of sizes) {
    expectEqual(await openBytes("x", bytes, {}, size), whole, () => `in chunks: ${size}, ${bytes.toString("base64")}`);
  }
  const file = await openAsFile("x", bytes);
  // A zip is read by its directory, which a stream does not have: docs/internals/hostile-input.md.
  if (!isZip) expectEqual(file, whole, () => `from a file: ${bytes.toString("base64")}`);
  return null;
}

const wrapped: fc.Arbitrary<Trial> = fc
  .tuple(
    fc.oneof(mutatedOf(realTexts, texts(3)), mailSources, texts(20)),
    fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
    fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 100, max: 70_000 })),
    fc.constantFrom<Wrapped["type"][]>("auto", "text", "mbox"),
    fc.noBias(fc.integer({ min: 1, max: 12 })),
    fc.integer({ min: 100, max: 3000 }),
  )
  .map(([bytes, layers, size, type, threads, rangeBytes]) => {
    // Threads take a tenth of a second to start.
    const read: Wrapped = { layers, size, type, threads: threads > 10 ? threads - 9 : 1, rangeBytes };
    return { bytes, given: { ...read } };
  });

const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 65, max: 1 << 16 })), { minLength: 1, maxLength: 2 });
const nested = fc.tuple(fc.oneof(zips, tars, compressed), fc.constantFrom(...NAMES)).map(([bytes, name]) => {
  return (CONTAINERS[name] as (text: Buffer, size: number) => Buffer)(bytes, 1000);
});
const damaged: fc.Arbitrary<Trial> = fc
  .tuple(fc.oneof(zips, tars, compressed, nested), fc.array(mutation, { maxLength: 4 }), sizes)
  .map(([whole, mistakes, chunks]) => {
    const bytes = mistakes.reduce((before, mistake) => (before.length < 2 ? before : mistake(before)), whole);
    return { bytes, given: { sizes: chunks, isZip: whole.subarray(0, 2).toString() === "PK" } satisfies Damaged };
  });

/** Containers of texts, and damaged ones. */
export const containers: Target = {
  trials: fc.oneof(wrapped, damaged),
  check: ({ bytes, given }) => {
    if ("layers" in given) return checkWrapped(bytes, given as unknown as Wrapped);
    return checkDamaged(bytes, given as unknown as Damaged);
  },
};
