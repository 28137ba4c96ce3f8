// The headers of zip: of files, of directory entries, and of the directory's end.
import { hasBytes, readU16, readU32, readU64 } from "../../base/arrays.ts";
import { decodeName, type LeftOut } from "./entry.ts";

export const FILE_HEADER = 0x04034b50;
export const DIRECTORY_ENTRY = 0x02014b50;
export const DIRECTORY_END = 0x06054b50;
export const ZIP64_END = 0x06064b50;
export const DESCRIPTOR_SIGNATURE = Uint8Array.of(0x50, 0x4b, 7, 8);
const SIGNATURE_START = Uint8Array.of(0x50, 0x4b); // The first bytes of every signature
/** Bytes needed to distinguish a header from text. */
export const PLAUSIBLE_BYTES = 32;

/** Bytes of headers and records without names, extra fields and comments. */
export const FILE_HEADER_BYTES = 30;
const DIRECTORY_ENTRY_BYTES = 46;
export const DIRECTORY_END_BYTES = 22;
export const ZIP64_END_BYTES = 56;

export const ELSEWHERE = 0xffffffff; // Marks a number that is in the zip64 extra field or the zip64 end record instead
const ZIP64_EXTRA = 1; // Id of the zip64 extra field
const UNIX = 3; // Number of Unix as the system that made an entry: the attributes have a file type
const FILE_TYPE = 0xf000; // Bits of the attributes that hold the file type
const FOLDER_TYPE = 0x4000;
const LINK_TYPE = 0xa000;
const TEXT_TYPES: readonly number[] = [0, 0x8000]; // File types of Unix: none, and regular
/** Types that are text if there are bytes: zip stores a pipe for text from its standard input, and a folder has no bytes. */
const FULL_TYPES: readonly number[] = [0x1000, FOLDER_TYPE];
const VERSION_MAX = 100; // Highest version in a plausible header. The newest version of the format is 63
const METHOD_MAX = 99; // Highest compression method in a plausible header
const NAME_BYTES_MAX = 4096; // Most bytes of the name in a plausible header

export const STORED = 0;
export const DEFLATED = 8;

export const FLAG_ENCRYPTED = 1;
/** Checksum and sizes follow the file. */
export const FLAG_SIZES_AFTER = 8;

export interface Sizes {
  /** CRC-32 of the text. */
  readonly sum: number;
  /** Bytes of the text. */
  readonly size: number;
  /** Bytes of the file in the archive, after its header. */
  readonly packedSize: number;
}

export interface FileHeader extends Sizes {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  /** Bytes of the header, with its name and other fields. */
  readonly bytes: number;
}

export interface DirectoryEntry extends FileHeader {
  /** Offset of the file's header in the archive. */
  readonly offset: number;
  /** Whether the member is a regular file. If not, it is a folder or `leftOut`. */
  readonly isFile: boolean;
  readonly leftOut: LeftOut["leftOut"] | undefined;
}

/** Returns the length of the header that begins with `bytes`. If `bytes` is too short, returns how many bytes determine the length. */
export function headerBytes(bytes: Uint8Array): number {
  const isFile = readU32(bytes, 0) === FILE_HEADER;
  const fixed = isFile ? FILE_HEADER_BYTES : DIRECTORY_ENTRY_BYTES;
  if (bytes.length < fixed) return fixed;
  if (isFile) return fixed + readU16(bytes, 26) + readU16(bytes, 28);
  return fixed + readU16(bytes, 28) + readU16(bytes, 30) + readU16(bytes, 32);
}

export function readFileHeader(bytes: Uint8Array): FileHeader {
  return readFields(bytes, 6, FILE_HEADER_BYTES, readU16(bytes, 26), readU16(bytes, 28), 0);
}

/** Reads a complete entry of the directory. */
export function readDirectoryEntry(bytes: Uint8Array): DirectoryEntry {
  const fields = readFields(bytes, 8, DIRECTORY_ENTRY_BYTES, readU16(bytes, 28), readU16(bytes, 30), readU32(bytes, 42));
  const type = (readU32(bytes, 38) >>> 16) & FILE_TYPE;
  const isFull = fields.size > 0;
  const isText = bytes[5] !== UNIX || TEXT_TYPES.includes(type) || (isFull && FULL_TYPES.includes(type));
  const isFolder = !isFull && (fields.name.endsWith("/") || (!isText && type === FOLDER_TYPE));
  const leftOut = isText || isFolder ? undefined : type === LINK_TYPE ? "link" : "special-file";
  return { ...fields, isFile: isText && !isFolder, leftOut };
}

function readFields(bytes: Uint8Array, at: number, nameAt: number, nameBytes: number, extraBytes: number, offset: number) {
  const rawName = bytes.subarray(nameAt, nameAt + nameBytes);
  const numbers = [readU32(bytes, at + 16), readU32(bytes, at + 12), offset];
  readZip64Numbers(bytes.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes), numbers);
  const [size, packedSize, location] = numbers;
  const flags = readU16(bytes, at);
  const method = readU16(bytes, at + 2);
  const sum = readU32(bytes, at + 8);
  return { name: decodeName(rawName), flags, method, sum, size, packedSize, bytes: bytes.length, offset: location };
}

/** Replaces each ELSEWHERE in `numbers` by the next number of the zip64 extra field, if it has one. */
function readZip64Numbers(extra: Uint8Array, numbers: number[]): void {
  for (let at = 0; at + 4 <= extra.length; at += 4 + readU16(extra, at + 2)) {
    if (readU16(extra, at) !== ZIP64_EXTRA) continue;
    let from = at + 4;
    const end = Math.min(from + readU16(extra, at + 2), extra.length);
    for (let index = 0; index < numbers.length; index++) {
      if (numbers[index] !== ELSEWHERE || from + 8 > end) continue;
      numbers[index] = readU64(extra, from);
      from += 8;
    }
    return;
  }
}

/** Returns whether `bytes` begin with a plausible header or end record. Other data may contain a signature too. */
function isPlausible(bytes: Uint8Array): boolean {
  const signature = readU32(bytes, 0);
  if (signature === DIRECTORY_END) return bytes.length >= DIRECTORY_END_BYTES && readU16(bytes, 8) <= readU16(bytes, 10);
  if (signature === ZIP64_END) return bytes.length >= 12 && readU32(bytes, 8) === 0;
  if (signature !== FILE_HEADER && signature !== DIRECTORY_ENTRY) return false;
  const at = signature === FILE_HEADER ? 4 : 6;
  if (bytes.length < at + 26) return false;
  const nameBytes = readU16(bytes, at === 4 ? 26 : 28);
  const isKnown = bytes[at] <= VERSION_MAX && readU16(bytes, at + 4) <= METHOD_MAX;
  return isKnown && nameBytes > 0 && nameBytes <= NAME_BYTES_MAX;
}

/** Returns the offset of the first header or end record in `bytes` from `from` on, or of the first with `signature`, or undefined. */
export function findHeader(bytes: Uint8Array, from: number, signature?: number): number | undefined {
  const isRight = (at: number): boolean => isPlausible(bytes.subarray(at)) && (signature === undefined || readU32(bytes, at) === signature);
  return findBytes(bytes, SIGNATURE_START, from, isRight);
}

/**
 * Reads the descriptor at the start of `bytes`, after a file of `packedSize` bytes: with or without its signature, with sizes of four or
 * eight bytes. Another header must follow it. Returns undefined if there is no descriptor with this size.
 */
export function readDescriptor(bytes: Uint8Array, packedSize: number): { length: number; sum: number; size: number } | undefined {
  const at = hasBytes(bytes, DESCRIPTOR_SIGNATURE, 0) ? 4 : 0;
  const isFollowed = (length: number): boolean => bytes[length] === 0x50 && bytes[length + 1] === 0x4b;
  if (isFollowed(at + 12) && readU32(bytes, at + 4) === packedSize % 2 ** 32) {
    return { length: at + 12, sum: readU32(bytes, at), size: readU32(bytes, at + 8) };
  }
  if (isFollowed(at + 20) && readU64(bytes, at + 4) === packedSize) {
    return { length: at + 20, sum: readU32(bytes, at), size: readU64(bytes, at + 12) };
  }
  return undefined;
}

/** Returns the offset of a matching descriptor with a signature, if there is one. `packedSize`: bytes of the file before `from`. */
export function findDescriptor(bytes: Uint8Array, from: number, packedSize: number): number | undefined {
  const isRight = (at: number): boolean => readDescriptor(bytes.subarray(at), packedSize + at - from) !== undefined;
  return findBytes(bytes, DESCRIPTOR_SIGNATURE, from, isRight);
}

/** Returns the first offset from `from` on that has the bytes `wanted` and is right, or undefined. */
function findBytes(bytes: Uint8Array, wanted: Uint8Array, from: number, isRight: (at: number) => boolean): number | undefined {
  const [first] = wanted;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (hasBytes(bytes, wanted, at) && isRight(at)) return at;
  }
  return undefined;
}
