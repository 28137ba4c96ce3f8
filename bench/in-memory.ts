// The core over bytes in memory, in pieces as a reader of files gives them. The copy into the core's memory is part of the time; from a
// file the system writes there by itself.
import { PROFILE_RFC3986 } from "#core/layout/memory.js";
import type { Core } from "../src/core/core.ts";
import { checkOptions, type FormatName } from "../src/options/options.ts";
import { formatted } from "../src/output/formatted.ts";
import { scanOptionsOf } from "../src/run/scan-options.ts";
import type { ByteBatch } from "../src/scanner/batch.ts";
import type { ScanOptions } from "../src/scanner/scan.ts";
import { Scanner } from "../src/scanner/scanner.ts";
import { LineNormalizer } from "../src/url/normalize-lines.ts";

/** Bytes handed to the core at a time. */
export const PIECE_BYTES = 256 * 1024;

function optionsOf(output: ScanOptions["output"], profile: ScanOptions["profile"]): ScanOptions {
  const search = {
    urlBytesMax: 16384,
    schemes: undefined,
    extraSchemes: [],
    anyScheme: false,
    bare: [],
    guess: false,
    refang: false,
    links: false,
    base: undefined,
  };
  return {
    ...search,
    type: "text",
    mbox: "auto",
    parts: "text",
    charset: "utf-8",
    asked: [],
    context: 0,
    filter: undefined,
    profile,
    output,
    separator: 10,
    rejected: false,
  };
}

/** Takes an mbox apart, has its matches written in a format, and returns their number. */
export function scanMbox(core: Core, bytes: Uint8Array, format: FormatName): number {
  const { settings } = checkOptions("ExtractStream", { type: "mbox", format });
  const sink = formatted(settings, { write: () => undefined, wait: () => undefined, end: () => undefined });
  const scanner = new Scanner(core, scanOptionsOf(settings, "mbox"), sink);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) scanner.write(bytes.subarray(at, at + PIECE_BYTES));
  scanner.end();
  return scanner.counts.matches;
}

/** Scans `bytes` and returns the number of matches. */
export function scanBytes(
  core: Core,
  bytes: Uint8Array,
  output: ScanOptions["output"],
  take: (batch: ByteBatch) => void = () => undefined,
  profile: ScanOptions["profile"] = "rfc3986",
  schemes?: string[],
): number {
  const scanner = new Scanner(
    core,
    { ...optionsOf(output, profile), schemes },
    { write: (batch) => batch.kind === "bytes" && take(batch) },
  );
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

/** Scans `bytes`, normalizing, and returns the number of lines that the core has written. */
export function linesOf(core: Core, bytes: Uint8Array): number {
  let lines = 0;
  scanBytes(core, bytes, "lines", ({ count }) => {
    lines += count;
  });
  return lines;
}

/** The matches of `bytes`, by default as written, one a line, in one piece. */
export function rawLines(core: Core, bytes: Uint8Array, profile: ScanOptions["profile"] = "none"): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  scanBytes(core, bytes, "lines", (batch) => void parts.push(Buffer.from(batch.bytes)), profile);
  return new Uint8Array(Buffer.concat(parts));
}

/** The distinct lines of texts, without their line feeds, in the order in which they come first. */
export function distinctLines(texts: readonly Uint8Array[]): string[] {
  return [...new Set(texts.flatMap((text) => Buffer.from(text).toString().split("\n").slice(0, -1)))];
}

/** Texts as lines in one piece. */
export function listOf(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(texts.map((text) => `${text}\n`).join("")));
}

/** Normalizes a list of `lines` URLs in batch to `out`, which holds whatever they become; returns how many were not refused. */
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

/** Number of line feeds. */
export function countLines(bytes: Uint8Array): number {
  let n = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) n++;
  return n;
}
