// The headers of zip: of files, of directory entries, and of the directory's end.
import { crc32 } from "./crc32.ts";
import { decodeName, type LeftOut } from "./entry.ts";
import { findBytes, hasBytes, readU16, readU32, readU64 } from "./little-endian.ts";

/** Signatures of headers and records. */
export const FILE_HEADER = 0x04034b50;
export const DIRECTORY_ENTRY = 0x02014b50;
export const DIRECTORY_END = 0x06054b50;
export const ZIP64_END = 0x06064b50;
export const DESCRIPTOR_SIGNATURE = Uint8Array.of(0x50, 0x4b, 7, 8);
/** The first bytes of every signature. */
const SIGNATURE_START = Uint8Array.of(0x50, 0x4b);
/** Bytes needed to distinguish a header from text. */
export const PLAUSIBLE_BYTES = 32;

/** Bytes of headers and records without names, extra fields and comments. */
export const FILE_HEADER_BYTES = 30;
const DIRECTORY_ENTRY_BYTES = 46;
export const DIRECTORY_END_BYTES = 22;
export const ZIP64_END_BYTES = 56;

/** Marks a number that is in the zip64 extra field or the zip64 end record instead. */
export const ELSEWHERE = 0xffffffff;
/** Id of the zip64 extra field. */
const ZIP64_EXTRA = 1;
/** Number of Unix as the system that made an entry: the attributes have a file type. */
const UNIX = 3;
/** Bits of the attributes that hold the file type. */
const FILE_TYPE = 0xf000;
const FOLDER_TYPE = 0x4000;
const LINK_TYPE = 0xa000;
/** File types of Unix: none, and regular. */
const TEXT_TYPES: readonly number[] = [0, 0x8000];
/** A pipe: zip stores this type for text from its standard input. */
const PIPE_TYPE = 0x1000;
/** Highest version in a plausible header. The newest version of the format is 63. */
const VERSION_MAX = 100;
/** Highest compression method in a plausible header. */
const METHOD_MAX = 99;
/** Most bytes of the name in a plausible header. */
const NAME_BYTES_MAX = 4096;

/** Supported compression methods. */
export const STORED = 0;
export const DEFLATED = 8;

/** Bit of the flags: the file is encrypted. */
export const FLAG_ENCRYPTED = 1;
/** Bit of the flags: checksum and sizes follow the file. */
export const FLAG_SIZES_AFTER = 8;

/** Checksum and sizes of a file. */
export interface Sizes {
  /** CRC-32 of the text. */
  readonly sum: number;
  /** Bytes of the text. */
  readonly size: number;
  /** Bytes of the file in the archive, after its header. */
  readonly packedSize: number;
}

/** The fields of a file's header, or of its entry in the directory. */
export interface FileHeader extends Sizes {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  /** Bytes of the header, with its name and other fields. */
  readonly bytes: number;
  /** Hash of name, method and encryption, for comparing a file's header with its entry. */
  readonly nameHash: number;
  /** Hash of checksum and sizes; undefined in the header of a file whose sizes follow it. */
  readonly sizeHash: number | undefined;
}

/** An entry of the directory. */
export interface DirectoryEntry extends FileHeader {
  /** Offset of the file's header in the archive. */
  readonly offset: number;
  /** Whether the member is a regular file. If not, it is a folder or `leftOut`. */
  readonly isFile: boolean;
  readonly leftOut: LeftOut["leftOut"] | undefined;
}

/** Returns the length of the header that begins with `bytes`. If `bytes` is too short, returns how many bytes determine the length. */
export function headerBytes(bytes: Uint8Array): number {
  const isFile = bytes.length >= 4 && readU32(bytes, 0) === FILE_HEADER;
  const fixed = isFile ? FILE_HEADER_BYTES : DIRECTORY_ENTRY_BYTES;
  if (bytes.length < fixed) return fixed;
  if (isFile) return fixed + readU16(bytes, 26) + readU16(bytes, 28);
  return fixed + readU16(bytes, 28) + readU16(bytes, 30) + readU16(bytes, 32);
}

/** Reads the complete header of a file. */
export function readFileHeader(bytes: Uint8Array): FileHeader {
  return readFields(bytes, 6, FILE_HEADER_BYTES, readU16(bytes, 26), readU16(bytes, 28), undefined);
}

/** Reads a complete entry of the directory. */
export function readDirectoryEntry(bytes: Uint8Array): DirectoryEntry {
  const fields = readFields(bytes, 8, DIRECTORY_ENTRY_BYTES, readU16(bytes, 28), readU16(bytes, 30), readU32(bytes, 42));
  const type = (readU32(bytes, 38) >>> 16) & FILE_TYPE;
  const isPipe = type === PIPE_TYPE && fields.size > 0;
  const isText = bytes[5] !== UNIX || TEXT_TYPES.includes(type) || isPipe;
  const isFolder = fields.name.endsWith("/") || (!isText && type === FOLDER_TYPE);
  const leftOut = isText || isFolder ? undefined : type === LINK_TYPE ? "link" : "special-file";
  return { ...fields, isFile: isText && !isFolder, leftOut };
}

function readFields(bytes: Uint8Array, at: number, nameAt: number, nameBytes: number, extraBytes: number, offset: number | undefined) {
  const rawName = bytes.subarray(nameAt, nameAt + nameBytes);
  const numbers = [readU32(bytes, at + 16), readU32(bytes, at + 12), offset ?? 0];
  readZip64Numbers(bytes.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes), numbers);
  const [size, packedSize, location] = numbers;
  const flags = readU16(bytes, at);
  const method = readU16(bytes, at + 2);
  const sum = readU32(bytes, at + 8);
  // The directory has the sizes even if they follow the file.
  const isOpen = offset === undefined && (flags & FLAG_SIZES_AFTER) !== 0;
  const sizeHash = isOpen ? undefined : sizeHashOf({ sum, size, packedSize });
  const hashes = { nameHash: crc32(rawName, 2 * method + (flags & FLAG_ENCRYPTED)), sizeHash };
  return { name: decodeName(rawName), flags, method, sum, size, packedSize, bytes: bytes.length, offset: location, ...hashes };
}

/** Returns a hash of the checksum and the sizes. */
export function sizeHashOf({ sum, size, packedSize }: Sizes): number {
  return crc32(new TextEncoder().encode(`${size} ${packedSize}`), sum);
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
  if (bytes.length < 4) return false;
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

/** Returns the offset of the first header or end record in `bytes` from `from` on; undefined if there is none. */
export function findHeader(bytes: Uint8Array, from: number): number | undefined {
  for (let at = findBytes(bytes, SIGNATURE_START, from); at >= 0; at = findBytes(bytes, SIGNATURE_START, at + 1)) {
    if (isPlausible(bytes.subarray(at))) return at;
  }
  return undefined;
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

/**
 * Returns the offset of a matching descriptor with a signature in `bytes` from `from` on; undefined if there is none. `packedSize`: bytes
 * of the file before `from`.
 */
export function findDescriptor(bytes: Uint8Array, from: number, packedSize: number): number | undefined {
  for (let at = findBytes(bytes, DESCRIPTOR_SIGNATURE, from); at >= 0; at = findBytes(bytes, DESCRIPTOR_SIGNATURE, at + 1)) {
    if (readDescriptor(bytes.subarray(at), packedSize + at - from) !== undefined) return at;
  }
  return undefined;
}
