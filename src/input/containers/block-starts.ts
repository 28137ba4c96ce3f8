// Where blocks of a compressed file begin, as the file says: the headers of BGZF and of gzip members, and the seek table of zstd. Nothing
// is decoded for it, and nothing has to be true: who reads a part finds out whether its blocks are where they were said to be.
import { CODING_GZIP, CODING_ZSTD } from "#core/layout/mail.js";
import type { SourceType } from "../../options/options.ts";
import { FORMAT_BYTES, fileFormatOf, type InputFormat } from "../input-format.ts";
import { FIRST_BYTES, needsMore } from "../text-type.ts";
import type { BlockStart } from "./block-range.ts";
import { decodeBody } from "./content-coding.ts";
import { type BlockFile, FileWindow, readOf } from "./file-window.ts";
import { gzipHeaderEnd } from "./gzip-header.ts";

/** Containers whose blocks may be found. */
type BlockContainer = "gzip" | "zstd";
const CODINGS: Readonly<Record<BlockContainer, number>> = { gzip: CODING_GZIP, zstd: CODING_ZSTD };

/** Bytes of the file that are decoded to detect the format of the text, and those of text that they may make. */
const START_BYTES = 1 << 18;
const TEXT_BYTES = 1 << 18;

/** A header of gzip whose only extra field holds the size of the member: all but the time, the level and the system are fixed. */
const BGZF_HEADER_BYTES = 18;
const BGZF_FIXED: readonly (readonly [at: number, byte: number])[] = [
  [0, 0x1f],
  [1, 0x8b],
  [2, 8],
  [3, 4],
  [10, 6],
  [11, 0],
  [12, 0x42],
  [13, 0x43],
  [14, 2],
  [15, 0],
];
const BGZF_SIZE_AT = 16;
const BGZF_TEXT_BYTES_MAX = 1 << 16;

/** The header of a gzip member begins with these: the magic number, and deflate. */
const MEMBER_START = Buffer.from([0x1f, 0x8b, 8]);
const MEMBER_HEADER_BYTES = 10;
/** Bytes at the end of a member that hold the length of its text. */
const TEXT_LENGTH_BYTES = 4;
const MEMBER_FLAGS_AT = 3;
const MEMBER_FLAGS_MAX = 31;
/** What compressors write after the time: how hard they tried, and their system. */
const MEMBER_EFFORT_AT = 8;
const MEMBER_EFFORTS: readonly number[] = [0, 2, 4];
const MEMBER_SYSTEM_AT = 9;
const MEMBER_SYSTEM_MAX = 13;
const MEMBER_SYSTEM_UNKNOWN = 255;
/** Bytes in which a second member is looked for: most files have none. */
const SECOND_MEMBER_BYTES = 1 << 20;
/** Bytes that are searched at a time. */
const SEARCH_BYTES = 1 << 18;
/** Bytes that deflate makes of one, at most. */
const RATIO_MAX = 1032;
/** Bytes of a block that are decoded to see how its text begins, and those that they may make. */
const HEAD_BYTES = 1 << 11;
const HEAD_TEXT_BYTES = 1 << 12;

const FOOTER_BYTES = 9;
const FOOTER_MAGIC = 0x8f92eab1;
const TABLE_MAGIC = 0x184d2a5e;
const TABLE_HEADER_BYTES = 8;
const TABLE_HAS_SUMS = 0x80;
const TABLE_RESERVED = 0x7c;

/** Returns the format of the text of a compressed file, or undefined if its first bytes are not at the start of the file. */
export function textFormatOf(file: BlockFile, container: BlockContainer, type: SourceType): InputFormat | undefined {
  const bytes = new Uint8Array(START_BYTES);
  const start = bytes.subarray(0, readOf(file, bytes, 0));
  const { text } = decodeBody(start, CODINGS[container], TEXT_BYTES);
  const isEnough = text.length >= FORMAT_BYTES || (text.length >= FIRST_BYTES && !needsMore(type, text));
  return isEnough ? fileFormatOf(type, text.subarray(0, FORMAT_BYTES)) : undefined;
}

/** Returns whether a file says where a second block begins. */
export function hasBlockStarts(file: BlockFile, container: InputFormat): container is BlockContainer {
  return (container === "gzip" || container === "zstd") && blockStarts(file, container).next().done !== true;
}

/** Yields where the second block and those after it begin, as far as the file says it. */
export function* blockStarts(file: BlockFile, container: BlockContainer): Generator<BlockStart> {
  const window = new FileWindow(file);
  if (container === "zstd") yield* zstdFrames(window, file.size);
  else if (isBgzf(window.at(0, BGZF_HEADER_BYTES))) yield* bgzfMembers(window);
  else yield* gzipMembers(file);
}

/** Returns how the text of a block begins; nothing if it cannot be decoded. */
export function blockHead(file: BlockFile, container: BlockContainer, { compressed }: BlockStart): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES);
  const start = bytes.subarray(0, readOf(file, bytes, compressed));
  return container === "gzip" ? memberHead(start) : decodeBody(start, CODINGS[container], HEAD_TEXT_BYTES).text;
}

// A candidate may be no member. `decodeBody` would decode its data a second time, up to the error.
function memberHead(bytes: Uint8Array): Uint8Array {
  const { constants, inflateRawSync } = process.getBuiltinModule("node:zlib");
  const start = gzipHeaderEnd(bytes, 0) ?? bytes.length;
  try {
    return inflateRawSync(bytes.subarray(start), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return bytes.subarray(0, 0);
  }
}

// The size of the text is at the end of a member, and the header of the next member follows.
function* bgzfMembers(window: FileWindow): Generator<BlockStart> {
  let [compressed, decoded] = [0, 0];
  for (let header = window.at(0, BGZF_HEADER_BYTES); isBgzf(header); ) {
    compressed += header.readUInt16LE(BGZF_SIZE_AT) + 1;
    const length = window.at(compressed - 4, 4 + BGZF_HEADER_BYTES)?.readUInt32LE(0) ?? 0;
    header = window.at(compressed, BGZF_HEADER_BYTES);
    decoded += length;
    if (!isBgzf(header) || length > BGZF_TEXT_BYTES_MAX) return;
    yield { compressed, decoded };
  }
}

function isBgzf(header: Buffer | undefined): header is Buffer {
  return header !== undefined && BGZF_FIXED.every(([at, byte]) => header[at] === byte);
}

// A member says only at its end how long its text is, so all bytes are searched for headers. Data in a member that could not be compressed
// may have one too: of a body of HTTP in gzip, say. A false header is usually
// caught by its length field, which does not fit; else by the reader of the block before it.
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

/** Whether the bytes after a possible header of a member are one too. */
function isMember(bytes: Buffer, at: number): boolean {
  const byteAt = (offset: number): number => bytes[at + offset];
  const system = byteAt(MEMBER_SYSTEM_AT);
  return (
    byteAt(MEMBER_FLAGS_AT) <= MEMBER_FLAGS_MAX &&
    MEMBER_EFFORTS.includes(byteAt(MEMBER_EFFORT_AT)) &&
    (system <= MEMBER_SYSTEM_MAX || system === MEMBER_SYSTEM_UNKNOWN)
  );
}

function* zstdFrames(window: FileWindow, size: number): Generator<BlockStart> {
  const footer = window.at(Math.max(0, size - FOOTER_BYTES), FOOTER_BYTES);
  if (footer === undefined || footer.readUInt32LE(5) !== FOOTER_MAGIC) return;
  const count = footer.readUInt32LE(0);
  const description = footer.readUInt8(4);
  const entryBytes = (description & TABLE_HAS_SUMS) === 0 ? 8 : 12;
  const table = size - FOOTER_BYTES - count * entryBytes;
  const header = table < TABLE_HEADER_BYTES ? undefined : window.at(table - TABLE_HEADER_BYTES, TABLE_HEADER_BYTES);
  if (header?.readUInt32LE(0) !== TABLE_MAGIC || header.readUInt32LE(4) !== size - table || (description & TABLE_RESERVED) !== 0) return;
  let [compressed, decoded] = [0, 0];
  // Nothing begins after the last frame.
  for (let index = 0; index < count - 1; index++) {
    const entry = window.at(table + index * entryBytes, entryBytes);
    if (entry === undefined || entry.readUInt32LE(0) === 0) return;
    compressed += entry.readUInt32LE(0);
    decoded += entry.readUInt32LE(4);
    yield { compressed, decoded };
  }
}
