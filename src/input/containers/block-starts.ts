// Finds possible starts of blocks without decoding: from headers of BGZF and gzip members, and from the seek table of zstd. A start
// may be false: the reader of the part before it checks that.
import { CODING_GZIP, CODING_ZSTD } from "#core/layout/mail.js";
import { SourceError } from "../../base/errors.ts";
import type { SourceType, TextType } from "../../options/options.ts";
import { detectFormat, fileFormatOf, type InputFormat } from "../input-format.ts";
import { FIRST_BYTES } from "../text-type.ts";
import { decodeBody } from "./content-coding.ts";

/** The start of a block (a gzip member or a zstd frame): its offset in the file, and the offset of its text in the decoded text. */
export interface BlockStart {
  readonly compressed: number;
  readonly decoded: number;
}

/** The blocks of one part. `type` is the type of the decoded text. */
export interface BlockRange {
  readonly type: TextType;
  /** The block from which this part is read, at the start of its range or before it. */
  readonly start: BlockStart;
  /** The block from which the next part is read; undefined for the last part. */
  readonly next: BlockStart | undefined;
}

export interface BlockReading extends BlockRange {
  /** Whether a block ended exactly at `next`. It is set before any text after `next` is given. */
  hasReachedNext: boolean;
}

/** Containers with blocks that decode independently. */
type BlockContainer = "gzip" | "zstd";
const CODINGS: Readonly<Record<BlockContainer, number>> = { gzip: CODING_GZIP, zstd: CODING_ZSTD };

const START_BYTES = 1 << 18; // Most compressed bytes that are decoded to detect the format of the text
const TEXT_BYTES = 1 << 18; // Most bytes of text that are decoded to detect its format

const BGZF_HEADER_BYTES = 18; // Bytes of the header of a BGZF member: a gzip header whose only extra field is the size of the member
const BGZF_START = Buffer.from([0x1f, 0x8b, 8, 4]);
const BGZF_EXTRA = Buffer.from([6, 0, 0x42, 0x43, 2, 0]); // The length of the extra field, and the mark of the field in it
const BGZF_EXTRA_AT = 10;
const BGZF_SIZE_AT = 16; // Offset of the size of the member in bytes, minus 1
const BGZF_TEXT_BYTES_MAX = 1 << 16;

const MEMBER_START = Buffer.from([0x1f, 0x8b, 8]); // Magic number of a gzip member, and the method deflate
const MEMBER_HEADER_BYTES = 10; // Bytes of a gzip header without optional fields
const TEXT_LENGTH_BYTES = 4; // Bytes at the end of a member that hold the length of its text
const SECOND_MEMBER_BYTES = 1 << 20; // The search ends if no second member starts in these first bytes: most files have one member
const SEARCH_BYTES = 1 << 18; // Bytes that are searched at a time
const RATIO_MAX = 1032; // Highest compression ratio of deflate
const HEAD_BYTES = 1 << 11; // Most compressed bytes that are decoded to get the start of a block's text
const HEAD_TEXT_BYTES = 1 << 12; // Most bytes of text that are decoded for this

const FOOTER_BYTES = 9;
const FOOTER_MAGIC = 0x8f92eab1;
const TABLE_MAGIC = 0x184d2a5e;
const TABLE_HEADER_BYTES = 8;
const TABLE_HAS_SUMS = 0x80;
const TABLE_RESERVED = 0x7c;

export interface BlockFile {
  readonly size: number;
  /** Reads at most `count` bytes from `position` on into `target`; returns how many. Throws SourceError. */
  read(target: Uint8Array, count: number, position: number): number;
}

/** Returns the format of the text of a compressed file, or undefined if the start of the file decodes to too little text. */
export function textFormatOf(file: BlockFile, container: BlockContainer, type: SourceType): InputFormat | undefined {
  const text = decodedText(file, container, 0, START_BYTES, TEXT_BYTES);
  const isEnough = text.length >= FIRST_BYTES && detectFormat(type, text) !== undefined;
  return isEnough ? fileFormatOf(type, text) : undefined;
}

export function hasBlockStarts(file: BlockFile, container: InputFormat): container is BlockContainer {
  return (container === "gzip" || container === "zstd") && blockStarts(file, container).next().done !== true;
}

/** Yields the possible starts of the second and later blocks. */
export function* blockStarts(file: BlockFile, container: BlockContainer): Generator<BlockStart> {
  const read = headersOf(file);
  if (container === "zstd") yield* zstdFrames(read, file.size);
  else if (isBgzf(read(0, BGZF_HEADER_BYTES))) yield* bgzfMembers(read);
  else yield* gzipMembers(file);
}

/** Returns the start of a block's text, as far as it can be decoded. A false start is seen at the end of the block before it. */
export function blockHead(file: BlockFile, container: BlockContainer, { compressed }: BlockStart): Uint8Array {
  return decodedText(file, container, compressed, HEAD_BYTES, HEAD_TEXT_BYTES);
}

function decodedText(file: BlockFile, container: BlockContainer, from: number, bytesMax: number, textBytesMax: number): Uint8Array {
  const bytes = new Uint8Array(bytesMax);
  return decodeBody(bytes.subarray(0, readOf(file, bytes, from)), CODINGS[container], textBytesMax).text;
}

// The size of the text is at the end of a member, and the header of the next member follows.
function* bgzfMembers(read: ReadHeader): Generator<BlockStart> {
  let [compressed, decoded] = [0, 0];
  for (let header = read(0, BGZF_HEADER_BYTES); isBgzf(header); ) {
    compressed += header.readUInt16LE(BGZF_SIZE_AT) + 1;
    const length = read(compressed - 4, 4 + BGZF_HEADER_BYTES)?.readUInt32LE(0) ?? 0;
    header = read(compressed, BGZF_HEADER_BYTES);
    decoded += length;
    if (!isBgzf(header) || length > BGZF_TEXT_BYTES_MAX) return;
    yield { compressed, decoded };
  }
}

function isBgzf(header: Buffer | undefined): header is Buffer {
  if (header === undefined || !header.subarray(0, BGZF_START.length).equals(BGZF_START)) return false;
  return header.subarray(BGZF_EXTRA_AT, BGZF_SIZE_AT).equals(BGZF_EXTRA);
}

// gzip headers have no length of the member, so all bytes are searched for headers. Data stored in a member may contain a false header, for
// example of a gzip HTTP body. Usually its length field does not fit. If it fits, the reader of the block before it notices.
function* gzipMembers(file: BlockFile): Generator<BlockStart> {
  const bytes = Buffer.alloc(SEARCH_BYTES);
  let member: BlockStart = { compressed: 0, decoded: 0 };
  for (let from = 0; member.compressed > 0 || from < SECOND_MEMBER_BYTES; ) {
    const read = bytes.subarray(0, readOf(file, bytes, from));
    const last = read.length - MEMBER_HEADER_BYTES;
    if (last < TEXT_LENGTH_BYTES) return;
    for (let at = read.indexOf(MEMBER_START, TEXT_LENGTH_BYTES); at >= 0 && at <= last; at = read.indexOf(MEMBER_START, at + 1)) {
      const compressed = from + at;
      const length = read.readUInt32LE(at - TEXT_LENGTH_BYTES);
      if (!isMember(read, at) || length > RATIO_MAX * (compressed - member.compressed)) continue;
      member = { compressed, decoded: member.decoded + length };
      yield member;
    }
    from += last + 1 - TEXT_LENGTH_BYTES;
  }
}

/** Returns whether the gzip header at `at` has valid flags, and usual values of level (XFL) and operating system (255: unknown). */
function isMember(bytes: Buffer, at: number): boolean {
  const [flags, , , , , level, system] = bytes.subarray(at + MEMBER_START.length);
  return flags <= 31 && [0, 2, 4].includes(level) && (system <= 13 || system === 255);
}

function* zstdFrames(read: ReadHeader, size: number): Generator<BlockStart> {
  const footer = read(Math.max(0, size - FOOTER_BYTES), FOOTER_BYTES);
  if (footer === undefined || footer.readUInt32LE(5) !== FOOTER_MAGIC) return;
  const count = footer.readUInt32LE(0);
  const description = footer.readUInt8(4);
  const entryBytes = (description & TABLE_HAS_SUMS) === 0 ? 8 : 12;
  const table = size - FOOTER_BYTES - count * entryBytes;
  const header = table < TABLE_HEADER_BYTES ? undefined : read(table - TABLE_HEADER_BYTES, TABLE_HEADER_BYTES);
  if (header?.readUInt32LE(0) !== TABLE_MAGIC || header.readUInt32LE(4) !== size - table || (description & TABLE_RESERVED) !== 0) return;
  let [compressed, decoded] = [0, 0];
  // Nothing begins after the last frame.
  for (let index = 0; index < count - 1; index++) {
    const entry = read(table + index * entryBytes, entryBytes);
    if (entry === undefined || entry.readUInt32LE(0) === 0) return;
    compressed += entry.readUInt32LE(0);
    decoded += entry.readUInt32LE(4);
    yield { compressed, decoded };
  }
}

const WINDOW_BYTES = 4096; // Bytes per read of `headersOf`: one read serves several headers if blocks are short

/** Returns `count` bytes from `position` on, valid until the next call, or undefined if they cannot be read. */
type ReadHeader = (position: number, count: number) => Buffer | undefined;

function headersOf(file: BlockFile): ReadHeader {
  const bytes = Buffer.alloc(WINDOW_BYTES);
  let [from, to] = [0, 0];
  return (position, count) => {
    if (position < from || position + count > to) [from, to] = [position, position + readOf(file, bytes, position)];
    return position + count > to ? undefined : bytes.subarray(position - from, position - from + count);
  };
}

/** Reads like `file.read`, but returns 0 instead of throwing a SourceError: the reader of the text gets it again. */
export function readOf(file: BlockFile, target: Uint8Array, position: number): number {
  try {
    return file.read(target, target.length, position);
  } catch (error) {
    if (error instanceof SourceError) return 0;
    throw error;
  }
}
