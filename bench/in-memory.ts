// Runs the core over bytes in memory, in pieces like those of a file. The copy into the core's memory is part of the time; the bytes of a
// file need no copy, because the system writes them there.
import { PROFILE_RFC3986 } from "#core/layout/memory.js";
import type { Core } from "../src/core/core.ts";
import type { ByteBatch } from "../src/matches/batch.ts";
import { checkOptions, type FormatName } from "../src/options/options.ts";
import { formatted } from "../src/output/formatted.ts";
import { scanOptionsOf } from "../src/run/open-scanner.ts";
import type { ScanOptions } from "../src/scan/scan.ts";
import { Scanner } from "../src/scan/scanner.ts";
import { LineNormalizer } from "../src/url/normalize-lines.ts";

/** Bytes of a piece. */
export const PIECE_BYTES = 256 * 1024;

/** Options of a scan that writes the URLs of a text as lines. */
const LINES = scanOptionsOf(checkOptions("ExtractStream", { type: "text" }).settings, "text");

/** Scans a text, or the messages of an mbox, and writes the matches in a format; returns their number. */
export function scanAs(core: Core, bytes: Uint8Array, type: "text" | "mbox", format: FormatName): number {
  const { settings } = checkOptions("ExtractStream", { type, format });
  const sink = formatted(settings, { write: () => undefined, wait: () => undefined, end: () => undefined });
  const scanner = new Scanner(core, scanOptionsOf(settings, type), sink);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) scanner.write(bytes.subarray(at, at + PIECE_BYTES));
  scanner.end();
  return scanner.counts.matches;
}

/** Scans `bytes` as text, and gives the lines of URLs to `take`; returns the number of matches. */
export function scanBytes(
  core: Core,
  bytes: Uint8Array,
  take: (batch: ByteBatch) => void = () => undefined,
  profile: ScanOptions["profile"] = "rfc3986",
  schemes?: string[],
): number {
  const scanner = new Scanner(core, { ...LINES, profile, schemes }, { write: (batch) => batch.kind === "bytes" && take(batch) });
  for (let at = 0; at < bytes.length; ) {
    const space = scanner.space(Math.min(PIECE_BYTES, bytes.length - at));
    const count = Math.min(space.length, PIECE_BYTES, bytes.length - at);
    space.set(bytes.subarray(at, at + count));
    scanner.advance(count);
    at += count;
  }
  scanner.end();
  return scanner.counts.matches;
}

/** Scans `bytes` and returns the number of lines with normalized URLs. */
export function linesOf(core: Core, bytes: Uint8Array): number {
  let lines = 0;
  scanBytes(core, bytes, ({ count }) => {
    lines += count;
  });
  return lines;
}

/** Returns the matches of `bytes` in one piece, one a line; by default as the text has them. */
export function rawLines(core: Core, bytes: Uint8Array, profile: ScanOptions["profile"] = "none"): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  scanBytes(core, bytes, (batch) => void parts.push(Buffer.from(batch.bytes)), profile);
  return new Uint8Array(Buffer.concat(parts));
}

/** Returns the distinct lines of texts without their line feeds, in the order of their first occurrences. */
export function distinctLines(texts: readonly Uint8Array[]): string[] {
  return [...new Set(texts.flatMap((text) => Buffer.from(text).toString().split("\n").slice(0, -1)))];
}

/** Returns texts as lines in one piece. */
export function listOf(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(texts.map((text) => `${text}\n`).join("")));
}

/** Writes a list of `lines` URLs normalized to `out`, which must be large enough; returns the number of URLs that were not refused. */
export function normalizeList(core: Core, list: Uint8Array, lines: number, out: Uint8Array): number {
  let at = 0;
  let refused = 0;
  const normalizer = new LineNormalizer(core, PROFILE_RFC3986, {
    lines: (bytes) => {
      out.set(bytes, at);
      at += bytes.length;
    },
    refused: () => {
      refused++;
    },
  });
  normalizer.write(list);
  normalizer.end();
  return lines - refused;
}

/** Returns the number of line feeds. */
export function countLines(bytes: Uint8Array): number {
  let n = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) n++;
  return n;
}
