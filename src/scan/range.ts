// Ranges: a range of a source owns the matches that start in it. So every cut gives the same matches, each once (X13, A2).
//
// The reader of a range starts some bytes before it, and reads on after it until no later match can start in it. It writes the matches that
// start inside. A text that is cut at byte 100, in the middle of a URL:
//
//   byte         88          100      109
//   text         http://a/?u=http://b/
//   [0, 100)     owns the match [88, 109), and reads on up to its end
//   [100, 200)   reads from byte 0, finds [88, 109), and does not write it. From byte 100 on it would find [100, 109)
//
// Messages and records are owned in the same way. Each part of this has a failure that it prevents:
//
// 1. The first byte of a match decides (`ownFrom`, `ownTo` in assembly/scan/state.ts). Otherwise a match across a cut would have no owner,
//    or two. A rejected candidate (`addRejected`) and a byte (`counts`) have one owner too. Otherwise totals would depend on the cuts.
// 2. The reader starts `lookBack` before the range. `synchronize` in assembly/scan/scan.ts looks back from the range to the last `<`, or to
//    the start of an unbroken run, and the scan begins there. This is near enough, because only the first `urlBytesMax` bytes of a run have
//    matches (X12). Without that limit, each range of a line of a gigabyte would be read from the start of the line.
// 3. After the range the scan ends with the first match that starts there (AFTER_RANGE), or when its position is `urlBytesMax` further
//    (`done`). At the border itself it would miss a scheme before the border, with its colon after it.
// 4. In mbox and MMDF a range owns the messages that start in it (`isReadByMessage`). The end of a message, without its header, would be
//    read without its charset and transfer encoding. LOOK_BACK bytes before the range show whether an empty line is before a From_ line.
// 5. The search for the first message ends with the range (`seekMessage` in assembly/mail/source-start.ts). Otherwise each range inside a
//    long message would read to the end of that message.
// 6. The dialect `cl` is not cut: lengths decide where its messages end, and inside a body a range would take a From_ line for a message.
// 7. A web archive is cut at records only, because lengths show where the next one begins. The plan looks for a record (`firstRecord` in
//    threads/plan.ts), and text in a body may look like one. So a part that ends at no record reads to the end of the file, and writes
//    `over` (`mustEndAtRecord`). Otherwise the next part would begin in the middle of a body.
// 8. Other text that is decoded, such as HTML or JSON, is read from byte 0 (`readingStart`), because its middle may be in a comment or an
//    escape. The plan does not cut it. The edges of a range that the user gives are offsets of the source. In the decoded text they are
//    Infinity until the decoder has reached them (`findEdges`): before that, the map has only a bound.
import { EVERYTHING, type OwnedRange, type Search, type TextType } from "../options/options.ts";
import { contextBytes } from "./context.ts";
import type { ScanRange } from "./scan.ts";
import { LOOK_BACK, type SourceDecoder } from "./source-decoder.ts";

/** Most bytes that are read on either side of a URL for the text and the tag of its link (C218, C179). */
export const LINK_BYTES = 4096;

const SPACE = 0x20;

type Reach = Pick<Search, "urlBytesMax" | "context" | "asked">;

/** Returns how many bytes on either side of a match are read for its record. */
export function bytesAround({ context, asked }: Pick<Reach, "context" | "asked">): number {
  return Math.max(contextBytes(context), asked.includes("text") ? LINK_BYTES : 0);
}

export function lookBack(reach: Reach): number {
  return Math.max(3 * reach.urlBytesMax, bytesAround(reach)) + 64;
}

export function isRangeable(type: string, { charset, refang }: Pick<Search, "charset" | "refang">): boolean {
  return type === "text" && charset === "utf-8" && !refang;
}

export function isReadByMessage(type: string, { mbox }: Pick<Search, "mbox">): boolean {
  return type === "mmdf" || (type === "mbox" && mbox !== "cl");
}

export function isReadByRecord(type: string): boolean {
  return type === "warc";
}

export function isWhole({ from, to }: OwnedRange): boolean {
  return from === 0 && to === EVERYTHING.to;
}

export function mustEndAtRecord(type: string, { to, byMessage }: Pick<ScanRange, "to" | "byMessage">): boolean {
  return byMessage === true && to < EVERYTHING.to && isReadByRecord(type);
}

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

/** Returns the span that a range owns, in offsets of the scanned text: all of it if the decoder selects messages. */
export function ownedBy({ from, to, byMessage }: ScanRange, isDecoded: boolean): { from: number; to: number } {
  if (byMessage === true) return { from: 0, to: Number.POSITIVE_INFINITY };
  return isDecoded ? { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY } : { from, to };
}

export function findEdges(owned: { from: number; to: number }, range: ScanRange, decoder: SourceDecoder): void {
  if (range.byMessage === true) return;
  for (const edge of ["from", "to"] as const) {
    const isOpen = owned[edge] === Number.POSITIVE_INFINITY && range[edge] <= (decoder.taken ?? decoder.source.taken);
    if (isOpen) owned[edge] = decoder.map.firstFrom(range[edge]);
  }
}

/** Returns the address after the last white space in [from, to), or `from`. A cut at `to` may have halved the word after that address. */
export function lastCompleteUnit(bytes: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from && bytes[end - 1] > SPACE) end--;
  return end;
}
