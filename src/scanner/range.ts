// What must be read for a range of a source, and what the range owns. @see docs/rules.md X13, A2
import type { TextType } from "../options.ts";
import type { SourceDecoder } from "./decoder.ts";
import type { ScanRange } from "./scan.ts";
import { LOOK_BEHIND } from "./source-bytes.ts";

const SPACE = 0x20;

/** Bytes before a range's start at which reading must begin, so that the scan knows the context there (X13). */
export function lookBehind(urlBytesMax: number): number {
  return 3 * urlBytesMax + 64;
}

/** Where the reading of a range begins: what is decoded cannot be entered in the middle, but for an mbox that is read by messages. */
export function readingStart(
  type: TextType,
  { from, byMessage = false }: Pick<ScanRange, "from" | "byMessage">,
  urlBytesMax: number,
): number {
  if (type === "text") return Math.max(0, from - lookBehind(urlBytesMax));
  return byMessage ? Math.max(0, from - LOOK_BEHIND) : 0;
}

/** Bytes behind a range's end that a scan may need until it is done (X12). */
export function lookAhead(urlBytesMax: number): number {
  return urlBytesMax + 64;
}

/** What a range owns in the offsets of the window: of a decoded source edges are known when they are reached. */
export function ownedBy({ from, to, byMessage }: ScanRange, isDecoded: boolean): { from: number; to: number } {
  if (byMessage === true) return { from: 0, to: Number.POSITIVE_INFINITY };
  return isDecoded ? { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY } : { from, to };
}

/** Sets the edges of what a range owns that have become known. */
export function findEdges(owned: { from: number; to: number }, range: ScanRange, decoder: SourceDecoder): void {
  if (range.byMessage === true) return;
  for (const edge of ["from", "to"] as const) {
    const isOpen = owned[edge] === Number.POSITIVE_INFINITY && range[edge] <= decoder.source.taken;
    if (isOpen) owned[edge] = decoder.map?.firstFrom(range[edge]) ?? range[edge];
  }
}

/** Behind the last byte of [from, to) that ends a unbroken run: what a cut behind it may have halved is none of that. */
export function wholeEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from && (bytes[end - 1] as number) > SPACE) end--;
  return end;
}
