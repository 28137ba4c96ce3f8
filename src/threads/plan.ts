// The steps of a scan of many files: ranges of large files, groups of small ones, streams.
import { SourceError } from "../base/errors.ts";
import type { Omission } from "../base/omission.ts";
import { decodeLatin1 } from "../core/text.ts";
import { nextShareStart, shareStart } from "../decoders/coded-bodies.ts";
import {
  type BlockFile,
  type BlockStart,
  blockHead,
  blockStarts,
  hasBlockStarts,
  readOf,
  textFormatOf,
} from "../input/containers/block-starts.ts";
import { InputFile } from "../input/file.ts";
import { isContainer } from "../input/input-format.ts";
import { type FileSource, isSource, type Listed } from "../input/paths.ts";
import { EVERYTHING, type OwnedRange, type ScanSettings, type TextType } from "../options/options.ts";
import type { FilePart } from "../run/scan-file.ts";
import { isDropped } from "../run/scan-source.ts";
import { isRangeable, isReadByMessage, isReadByRecord, isWhole, readingStart } from "../scan/range.ts";

/** Range size in bytes, unless options set another. By default several threads do not cut files of at most this size. */
export const RANGE_BYTES = 8 << 20;
const RANGE_BYTES_RECORDS = 4 << 20; // Range size for record formats. Smaller, because records can be larger than their text
/** Range size for a scan with states (scan-state.ts) on one thread. Larger, because each range has a cost. */
export const RANGE_BYTES_ALONE = 128 << 20;
const RANGE_BYTES_LEAST = 1 << 20; // Least bytes of a range at the end of a file
const RANGES_AHEAD = 4; // Ranges become shorter when fewer than this many are left for each thread
/** Most blocks in a small range. With more the rest of the file is one part: finding blocks would cost more than scanning their text. */
const BLOCKS_MOST = 1 << 14;
const BLOCK_BYTES_SHORT = 1 << 14; // A larger range may have one block for each of this many bytes
/** A larger range of a web archive may have one block for each of this many bytes, because each block may hold one record. */
const RECORD_BYTES_SHORT = 1 << 8;
/** Most blocks that are decoded to find the start of a record for one cut. After them the rest of the file is one part. */
const DECODED_BLOCKS_MOST = 1 << 8;
/** Share of a range that is searched for the start of a record, at least. If no record starts there, the part grows by another range. */
const SEARCHED_SHARE = 1 / 16;
const GROUP_BYTES = 8 << 20; // Most bytes of the small files of one task; `rangeBytes` may lower it
const GROUP_FILES = 256; // Most small files in one task

/** One step, in the order of the sources. A large file is open until its step `close`. */
export type Step = (
  | { kind: "parts"; parts: readonly FilePart[] }
  | { kind: "close"; close: () => void }
  | { kind: "stream"; source: FileSource }
  | { kind: "omitted"; omission: Omission }
  | { kind: "failed"; error: SourceError }
) & {
  /** Entries of the listing that begin with this step. */
  readonly listed: readonly Listed[];
  /** Offset in the text of the last entry that has begun: there the next step continues; absent: this step ends the entry. */
  readonly rest?: number | undefined;
};

/** A source to continue: its text before `from` has been scanned. */
export interface BegunSource {
  readonly source: FileSource;
  readonly from: number;
}

export interface CutOptions {
  readonly range: OwnedRange;
  /** Most bytes of one part; one that ends at a record or a block may be larger. May change between two steps, as `threads` may. */
  rangeBytes: number;
  /** Largest size of a small file. Small files are not cut; several make one step. Absent: `rangeBytes`. */
  readonly smallBytes?: number | undefined;
  threads: number;
  readonly settings: ScanSettings;
  /** The open large files. The plan adds each file that it opens. */
  readonly open: Set<Pick<InputFile, "close">>;
}

export function rangeBytesOf({ format }: ScanSettings): number {
  return format === "plain" || format === "groups" || format === "summary" ? RANGE_BYTES : RANGE_BYTES_RECORDS;
}

/** Yields the steps for the rest of the source that was `begun`, if any, and for the sources after it. */
export function* planSteps(sources: Iterable<Listed>, options: CutOptions, begun?: BegunSource): Generator<Step> {
  if (begun !== undefined) yield* cutFile(begun.source, options, begun.from);
  const { range, rangeBytes, smallBytes = rangeBytes } = options;
  let group: FileSource[] = [];
  let groupBytes = 0;
  const stepOfGroup = (): Step => {
    const listed = group;
    [group, groupBytes] = [[], 0];
    return { kind: "parts", parts: listed.map(({ file, name, size }) => ({ file, name, size, ...range })), listed };
  };
  for (const source of sources) {
    const isSmall = isSource(source) && source.isRegular && source.size <= smallBytes;
    if (group.length > 0 && (!isSmall || groupBytes + source.size > Math.min(GROUP_BYTES, rangeBytes) || group.length === GROUP_FILES))
      yield stepOfGroup();
    if (isSmall) {
      group.push(source);
      groupBytes += source.size;
    } else if (source instanceof SourceError) yield { kind: "failed", error: source, listed: [source] };
    else if (!isSource(source)) yield { kind: "omitted", omission: source, listed: [source] };
    else if (source.isRegular) yield* cutFile(source, options);
    else yield { kind: "stream", source, listed: [source] };
  }
  if (group.length > 0) yield stepOfGroup();
}

// The file is opened once. So all parts are of the same file even if another file gets its name, and an unreadable file fails once.
function* cutFile(source: FileSource, options: CutOptions, begun?: number): Generator<Step> {
  const { settings, open, range } = options;
  let listed: readonly Listed[] = begun === undefined ? [source] : [];
  let file: InputFile;
  try {
    file = new InputFile(source, settings.type);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield { kind: "failed", error, listed };
    return;
  }
  open.add(file);
  const { fd, name, size, format } = file;
  const dropped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const cut = isContainer(format) ? cutBlocks : isReadByRecord(format) && isWhole(range) ? cutRecords : cutText;
  for (const cutRange of cut(file, options, begun)) {
    const part = { file: fd, name, size, format, dropped, ...cutRange };
    if (isDropped(part)) break;
    yield { kind: "parts", parts: [part], listed, rest: part.to < range.to ? part.to : undefined };
    listed = [];
  }
  const close = (): void => {
    file.close();
    open.delete(file);
  };
  yield { kind: "close", close, listed };
}

export type FileRange = Pick<FilePart, "from" | "to" | "byMessage" | "blocks">;

/** Returns the bytes of the next range: fewer if little is `left`, so that no thread waits long for the last range. */
function rangeLength(left: number, { rangeBytes, threads }: CutOptions): number {
  if (threads === 1) return rangeBytes;
  return Math.min(rangeBytes, Math.max(RANGE_BYTES_LEAST, Math.floor(left / threads / RANGES_AHEAD)));
}

// Text, mbox and MMDF are cut at any byte; a part of a mailbox owns the messages that start in it. Other formats, and text that is decoded,
// are one part.
export function* cutText({ size, format }: Pick<InputFile, "size" | "format">, options: CutOptions, begun?: number): Generator<FileRange> {
  const { range, settings } = options;
  const byMessage = isReadByMessage(format, settings) && isWhole(range);
  const end = Math.min(size, range.to);
  const isCut = end - range.from > options.rangeBytes && (isRangeable(format, settings) || byMessage);
  const least = Math.min(options.rangeBytes, RANGE_BYTES_LEAST);
  let from = begun ?? range.from;
  while (isCut && end - from > least) {
    const to = from + rangeLength(end - from, options);
    if (to >= end) break;
    yield { byMessage, from, to };
    from = to;
  }
  // The last part has no end of its own: without an end of the range it reaches to the end of the file, even if the file grows.
  yield { byMessage, from, to: range.to };
}

// A web archive is cut at the first record of a MiB, because the limit of decoded bytes starts anew there (C156).
function* cutRecords(file: InputFile, options: CutOptions, begun = 0): Generator<FileRange> {
  const { size } = file;
  let [from, at] = [begun, begun];
  for (;;) {
    const length = rangeLength(size - at, options);
    at = nextShareStart(at + length);
    if (at >= size) break;
    const record = firstRecord(file, at, nextShareStart(at + length * SEARCHED_SHARE));
    if (record === undefined) continue;
    yield { from, to: record, byMessage: true };
    [from, at] = [record, record];
  }
  yield { from, to: EVERYTHING.to, byMessage: true };
}

// Compressed text is cut at the starts of blocks. Each part is read from an earlier block on.
function* cutBlocks(file: InputFile, options: CutOptions, begun = 0): Generator<FileRange> {
  const { range, settings } = options;
  const { size, format: container } = file;
  const hasBlocks = hasBlockStarts(file, container) && isWhole(range);
  const type = hasBlocks ? textFormatOf(file, container, settings.type) : undefined;
  const byMessage = type !== undefined && (isReadByMessage(type, settings) || isReadByRecord(type));
  if (!hasBlocks || type === undefined || isContainer(type) || !(byMessage || isRangeable(type, settings))) {
    if (begun > 0) throw changed(file);
    yield range;
    return;
  }
  const byRecord = isReadByRecord(type);
  const blocksMost = Math.max(BLOCKS_MOST, options.rangeBytes / (byRecord ? RECORD_BYTES_SHORT : BLOCK_BYTES_SHORT));
  let [from, start] = [0, FIRST_BLOCK];
  let [blocks, decodedBlocks] = [0, 0];
  let before = 0;
  for (const [block, next] of withReadingStarts(blockStarts(file, container), type, byMessage, settings)) {
    const { compressed, decoded } = block;
    const isFirstOfShare = shareStart(decoded) > before;
    before = decoded;
    if (decoded > begun && ++blocks > blocksMost) break;
    if (decoded === begun) [from, start] = [decoded, next];
    const left = (size - compressed) * (decoded / compressed);
    if (from < begun || decoded - from < rangeLength(left, options) || (byRecord && !isFirstOfShare)) continue;
    if (byRecord && !beginsRecord(blockHead(file, container, block))) {
      if (++decodedBlocks === DECODED_BLOCKS_MOST) break;
      continue;
    }
    yield { from, to: decoded, byMessage, blocks: { type, start, next } };
    [from, start, blocks, decodedBlocks] = [decoded, next, 0, 0];
  }
  if (from < begun) throw changed(file);
  yield from === 0 ? range : { from, to: range.to, byMessage, blocks: { type, start, next: undefined } };
}

const FIRST_BLOCK: BlockStart = { compressed: 0, decoded: 0 };

/** Yields each block, and the block from which a part that begins with it is read. */
function* withReadingStarts(
  blocks: Iterable<BlockStart>,
  type: TextType,
  byMessage: boolean,
  settings: ScanSettings,
): Generator<[block: BlockStart, start: BlockStart]> {
  /** Blocks from which later parts may be read, in order, none of them close to another. */
  const starts = [FIRST_BLOCK];
  for (const block of blocks) {
    if (block.decoded - (starts.at(-1) ?? block).decoded >= settings.urlBytesMax) starts.push(block);
    const first = readingStart(type, { from: block.decoded, byMessage }, settings);
    while (starts.length > 1 && starts[1].decoded <= first) starts.shift();
    yield [block, starts[0]];
  }
}

/** Returns the error for a compressed file without a block at the offset where the scan continues. */
function changed({ name }: InputFile): SourceError {
  return new SourceError("ERR_URLMILL_CORRUPT", name, "has changed since it was read; begin the run anew");
}

// Finds the starts of records in a web archive (A12) without reading all records. A wrong answer does no harm: the reader of a part notices
// if no record begins at the start of the next part.

const HEAD_BYTES = 1 << 12; // Most bytes of a header that are read: nearly all headers are shorter
const SEARCH_BYTES = 1 << 16; // Bytes that are searched at a time
const CANDIDATES_MOST = 64; // Most candidates that are checked for one cut
const RECORD_START = "WARC/";
const BREAK_AND_RECORD_START = Buffer.from(`\n${RECORD_START}`);
const BREAKS_AND_RECORD_START = new RegExp(`^[\\r\\n]{0,16}${RECORD_START}`);
const HEADER_END = /\n\r?\n/;
const CONTENT_LENGTH = /^Content-Length[ \t]*:[ \t]*(\d+)/im;

function beginsRecord(text: Uint8Array): boolean {
  return decodeLatin1(text, 0, Math.min(text.length, RECORD_START.length)) === RECORD_START;
}

// Finds the first record that begins in `[from, to)`; `from` is not 0. A block may hold text that looks like a record, so a candidate
// counts only if another record follows at the end that its length field gives.
function firstRecord(file: BlockFile, from: number, to: number): number | undefined {
  // A piece includes the line break before its first byte, and the rest of a record start that begins at its last byte.
  const bytes = Buffer.alloc(SEARCH_BYTES + RECORD_START.length);
  let candidates = 0;
  for (let piece = from; piece < to; piece += SEARCH_BYTES) {
    const read = bytes.subarray(0, readOf(file, bytes, piece - 1));
    for (let at = read.indexOf(BREAK_AND_RECORD_START); at >= 0; at = read.indexOf(BREAK_AND_RECORD_START, at + 1)) {
      const record = piece + at;
      const end = endOf(file, record);
      if (end !== undefined && BREAKS_AND_RECORD_START.test(textAt(file, end))) return record;
      if (++candidates === CANDIDATES_MOST) return undefined;
    }
  }
  return undefined;
}

/** Returns the offset after the block of the record at `record`; undefined if the start of its header has no length. */
function endOf(file: BlockFile, record: number): number | undefined {
  const text = textAt(file, record);
  const end = HEADER_END.exec(text);
  if (end === null) return undefined;
  const length = CONTENT_LENGTH.exec(text.slice(0, end.index))?.[1];
  return length === undefined ? undefined : record + end.index + end[0].length + Number(length);
}

/** Returns the text at a position, at most HEAD_BYTES; "" after the end of the file, to which a false length may lead. */
function textAt(file: BlockFile, position: number): string {
  const bytes = new Uint8Array(HEAD_BYTES);
  return position < file.size ? decodeLatin1(bytes, 0, readOf(file, bytes, position)) : "";
}
