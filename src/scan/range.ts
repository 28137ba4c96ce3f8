// Ranges of a source: the bytes that must be read for one, and the matches that it owns (X13, A2).
import { EVERYTHING, type OwnedRange, type Search, type TextType } from "../options/options.ts";
import { contextBytes } from "./context.ts";
import type { ScanRange } from "./scan.ts";
import { LOOK_BACK } from "./source-bytes.ts";
import type { SourceDecoder } from "./source-decoder.ts";

/** Most bytes that are read on either side of a URL for the text and the tag of its link (C218, C179). */
export const LINK_BYTES = 4096;

const SPACE = 0x20;

/** Options that say how far a scan looks. */
type Reach = Pick<Search, "urlBytesMax" | "context" | "asked">;

/** Returns how many bytes on either side of a match are read for its record. */
export function bytesAround({ context, asked }: Pick<Reach, "context" | "asked">): number {
  return Math.max(contextBytes(context), asked.includes("text") ? LINK_BYTES : 0);
}

/** Returns how many bytes before a range's start must be read, so that the scan knows the text before it. (X13) */
export function lookBack(reach: Reach): number {
  return Math.max(3 * reach.urlBytesMax, bytesAround(reach)) + 64;
}

/** Returns whether a scan can start in the middle of a text: only if the text is not decoded. */
export function isRangeable(type: string, { charset, refang }: Pick<Search, "charset" | "refang">): boolean {
  return type === "text" && charset === "utf-8" && !refang;
}

/** Returns whether ranges of a text start at messages: these begin with lines that can be found. */
export function isReadByMessage(type: string, { mbox }: Pick<Search, "mbox">): boolean {
  return type === "mmdf" || (type === "mbox" && mbox !== "cl");
}

/** Returns whether ranges of a text start at records: only the lengths of records show where the next ones begin. */
export function isReadByRecord(type: string): boolean {
  return type === "warc";
}

export function isWhole({ from, to }: OwnedRange): boolean {
  return from === 0 && to === EVERYTHING.to;
}

/** Returns whether a range must end at the start of a record. Its end may turn out to be a false header. */
export function mustEndAtRecord(type: string, { to, byMessage }: Pick<ScanRange, "to" | "byMessage">): boolean {
  return byMessage === true && to < EVERYTHING.to && isReadByRecord(type);
}

/** Returns the offset at which reading for a range begins: shortly before the range, at its start if it starts at a record, or else 0. */
export function readingStart(
  type: TextType,
  { from, byMessage = false }: Pick<ScanRange, "from" | "byMessage">,
  search: Reach & Pick<Search, "charset" | "refang">,
): number {
  if (isRangeable(type, search)) return Math.max(0, from - lookBack(search));
  if (!byMessage) return 0;
  return isReadByRecord(type) ? from : Math.max(0, from - LOOK_BACK);
}

/** Returns how many bytes after the start of a match a scan may need. (X12) */
export function lookAhead(reach: Reach): number {
  return reach.urlBytesMax + bytesAround(reach) + 64;
}

/** Returns how many bytes after a range's end a scan may need: a decision may wait up to the length of a URL after the end. (X13) */
export function lookBeyond(reach: Reach): number {
  return reach.urlBytesMax + lookAhead(reach);
}

/**
 * Returns the span that a range owns, in offsets of the scanned text: all of it if the decoder selects messages. The edges in a decoded
 * source are Infinity until `findEdges` sets them.
 */
export function ownedBy({ from, to, byMessage }: ScanRange, isDecoded: boolean): { from: number; to: number } {
  if (byMessage === true) return { from: 0, to: Number.POSITIVE_INFINITY };
  return isDecoded ? { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY } : { from, to };
}

/** Sets the edges of the owned span that the decoder has reached. */
export function findEdges(owned: { from: number; to: number }, range: ScanRange, decoder: SourceDecoder): void {
  if (range.byMessage === true) return;
  for (const edge of ["from", "to"] as const) {
    const isOpen = owned[edge] === Number.POSITIVE_INFINITY && range[edge] <= (decoder.taken ?? decoder.source.taken);
    if (isOpen) owned[edge] = decoder.map?.firstFrom(range[edge]) ?? range[edge];
  }
}

/** Returns the address after the last white space in [from, to), or `from`. A cut at `to` may have halved the word after that address. */
export function lastCompleteUnit(bytes: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from && bytes[end - 1] > SPACE) end--;
  return end;
}
