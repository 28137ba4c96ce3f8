// Finds possible starts of blocks without decoding: from headers of BGZF and gzip members, and from the seek table of zstd. A start
// may be false: the reader of the part before it checks that.
import { CODING_GZIP, CODING_ZSTD } from "#core/layout/mail.js";
import { SourceError } from "../../base/errors.ts";
import type { SourceType } from "../../options/options.ts";
import { FORMAT_BYTES, fileFormatOf, type InputFormat } from "../input-format.ts";
import { FIRST_BYTES, needsMore } from "../text-type.ts";
import type { BlockStart } from "./block-range.ts";
import { decodeBody } from "./content-coding.ts";
import { gzipHeaderEnd } from "./gzip-header.ts";

/** Containers with blocks that decode independently. */
type BlockContainer = "gzip" | "zstd";
const CODINGS: Readonly<Record<BlockContainer, number>> = { gzip: CODING_GZIP, zstd: CODING_ZSTD };

/** Most compressed bytes that are decoded to detect the format of the text. */
const START_BYTES = 1 << 18;
/** Most bytes of text that are decoded to detect its format. */
const TEXT_BYTES = 1 << 18;

/** Bytes of the header of a BGZF member: a gzip header whose only extra field is the size of the member. */
const BGZF_HEADER_BYTES = 18;
/** The fixed bytes of this header: all but time, level, system and size. */
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
/** Offset of the size of the member in bytes, minus 1. */
const BGZF_SIZE_AT = 16;
/** Most bytes of text of a BGZF member. */
const BGZF_TEXT_BYTES_MAX = 1 << 16;

/** Magic number of a gzip member, and the method deflate. */
const MEMBER_START = Buffer.from([0x1f, 0x8b, 8]);
/** Bytes of a gzip header without optional fields. */
const MEMBER_HEADER_BYTES = 10;
/** Bytes at the end of a member that hold the length of its text. */
const TEXT_LENGTH_BYTES = 4;
/** Offset of the flags in a gzip header. */
const MEMBER_FLAGS_AT = 3;
/** Highest value of valid flags. */
const MEMBER_FLAGS_MAX = 31;
/** Offset of the field XFL (compression level). */
const MEMBER_EFFORT_AT = 8;
/** Usual values of XFL. */
const MEMBER_EFFORTS: readonly number[] = [0, 2, 4];
/** Offset of the field OS (operating system). */
const MEMBER_SYSTEM_AT = 9;
/** Highest number of a system. */
const MEMBER_SYSTEM_MAX = 13;
/** The number for an unknown system. */
const MEMBER_SYSTEM_UNKNOWN = 255;
/** The search ends if no second member starts in these first bytes: most files have one member. */
const SECOND_MEMBER_BYTES = 1 << 20;
/** Bytes that are searched at a time. */
const SEARCH_BYTES = 1 << 18;
/** Highest compression ratio of deflate. */
const RATIO_MAX = 1032;
/** Most compressed bytes that are decoded to get the start of a block's text. */
const HEAD_BYTES = 1 << 11;
/** Most bytes of text that are decoded from a zstd frame for this. */
const HEAD_TEXT_BYTES = 1 << 12;

const FOOTER_BYTES = 9;
const FOOTER_MAGIC = 0x8f92eab1;
const TABLE_MAGIC = 0x184d2a5e;
const TABLE_HEADER_BYTES = 8;
const TABLE_HAS_SUMS = 0x80;
const TABLE_RESERVED = 0x7c;

/** A file that is searched for starts of blocks. */
export interface BlockFile {
  readonly size: number;
  /** Reads at most `count` bytes from `position` on into `target`; returns how many. Throws SourceError. */
  read(target: Uint8Array, count: number, position: number): number;
}

/** Returns the format of the text of a compressed file, or undefined if the start of the file decodes to too little text. */
export function textFormatOf(file: BlockFile, container: BlockContainer, type: SourceType): InputFormat | undefined {
  const bytes = new Uint8Array(START_BYTES);
  const start = bytes.subarray(0, readOf(file, bytes, 0));
  const { text } = decodeBody(start, CODINGS[container], TEXT_BYTES);
  const isEnough = text.length >= FORMAT_BYTES || (text.length >= FIRST_BYTES && !needsMore(type, text));
  return isEnough ? fileFormatOf(type, text.subarray(0, FORMAT_BYTES)) : undefined;
}

/** Returns whether a start of a second block is found. */
export function hasBlockStarts(file: BlockFile, container: InputFormat): container is BlockContainer {
  return (container === "gzip" || container === "zstd") && blockStarts(file, container).next().done !== true;
}

/** Yields the possible starts of the second and later blocks. */
export function* blockStarts(file: BlockFile, container: BlockContainer): Generator<BlockStart> {
  const window = new FileWindow(file);
  if (container === "zstd") yield* zstdFrames(window, file.size);
  else if (isBgzf(window.at(0, BGZF_HEADER_BYTES))) yield* bgzfMembers(window);
  else yield* gzipMembers(file);
}

/** Returns the start of a block's text; empty if it cannot be decoded. */
export function blockHead(file: BlockFile, container: BlockContainer, { compressed }: BlockStart): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES);
  const start = bytes.subarray(0, readOf(file, bytes, compressed));
  return container === "gzip" ? memberHead(start) : decodeBody(start, CODINGS[container], HEAD_TEXT_BYTES).text;
}

// Not `decodeBody`: a false header is a decoding error, after which it would decode the data again.
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

/** Returns whether the header fields after a MEMBER_START at `at` have usual values. */
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

/** Bytes per read of a FileWindow: one read serves several headers if blocks are short. */
const WINDOW_BYTES = 4096;

/** Reads short pieces of a file, such as headers, through a buffer. */
class FileWindow {
  readonly #file: BlockFile;
  readonly #bytes = Buffer.alloc(WINDOW_BYTES);
  #from = 0;
  #to = 0;

  constructor(file: BlockFile) {
    this.#file = file;
  }

  /** Returns `count` bytes from `position` on, valid until the next call, or undefined if they cannot be read. */
  at(position: number, count: number): Buffer | undefined {
    if (position < this.#from || position + count > this.#to) {
      this.#from = position;
      this.#to = position + readOf(this.#file, this.#bytes, position);
    }
    return position + count > this.#to ? undefined : this.#bytes.subarray(position - this.#from, position - this.#from + count);
  }
}

/**
 * Reads bytes of a file from `position` on into `target`; returns how many. Returns 0 instead of throwing a SourceError: the reader of the
 * text gets it again.
 */
export function readOf(file: BlockFile, target: Uint8Array, position: number): number {
  try {
    return file.read(target, target.length, position);
  } catch (error) {
    if (error instanceof SourceError) return 0;
    throw error;
  }
}
