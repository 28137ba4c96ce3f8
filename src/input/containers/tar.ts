// tar: POSIX ustar and pax, GNU, and older forms. A header of 512 bytes precedes each file.
import { decodeLatin1 } from "../../core/text.ts";
import { type Steps, waitsOf } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";
import { decodeName, type Entry, type LeftOut, sliceOf } from "./entry.ts";
import { corrupt, isZero, refuseTrailing, skipAll, takeAll, truncated } from "./errors.ts";
import { isTarHeader, TAR_BLOCK } from "./recognize.ts";

const EXTENSION_BYTES_MAX = 1 << 20; // Most bytes of the data of an extension header: a long name, or pax records. Longer data is skipped

/** Devices and pipes. A type that is not named here is that of a regular file (POSIX). */
const DEVICE_TYPES: readonly string[] = ["3", "4", "6"];
const FOLDER_TYPE = "5";
const LISTED_FOLDER_TYPE = "D"; // GNU folders with a list of their files
const LINK_TYPES: readonly string[] = ["1", "2"]; // Hard links and symbolic links

const BLANK = 0x20;
const EQUALS_SIGN = 0x3d;

/** Fields of the next file from extension headers. */
interface Extension {
  name?: string;
  size?: number;
}

/** Yields the regular files of concatenated archives, links and special files. Throws SourceError, also for data after an archive. */
export function* readTar(reader: ByteReader): Steps<Entry | LeftOut> {
  const { source } = reader;
  let extension: Extension = {};
  let ended = false;
  for (;;) {
    const block = yield* reader.take(TAR_BLOCK);
    const isAwaited = extension.name !== undefined || extension.size !== undefined;
    if (block.length === 0) {
      if (isAwaited) throw truncated(source);
      return;
    }
    if (isZero(block)) {
      if (isAwaited) throw corrupt(source, "a tar header is missing");
      ended = true;
      continue;
    }
    if (!isTarHeader(block)) {
      if (!ended) throw block.length < TAR_BLOCK ? truncated(source) : corrupt(source, "a tar header is invalid");
      reader.unread(block);
      return yield* refuseTrailing(reader, "tar");
    }
    ended = false;
    const type = String.fromCharCode(block[156]);
    const size = readNumber(block.subarray(124, 136));
    if (size === undefined) throw corrupt(source, "a size in a tar header is invalid");
    if (/[xXLKgV]/.test(type)) {
      yield* readExtension(reader, type, size, extension);
      continue;
    }
    const name = extension.name ?? nameOf(block);
    // The header of a hard link has the size of its target, but no data follows.
    const bytes = type === "1" ? 0 : (extension.size ?? size);
    extension = {};
    // The map of an old GNU sparse file continues in blocks that the size excludes.
    if (type === "S") for (let more = block[482]; more === 1; ) more = (yield* takeAll(reader, TAR_BLOCK))[504];
    const slice = sliceOf(reader, bytes);
    // Old archives mark a folder by a slash after its name. One with bytes is read (C261).
    const isFolder = type === LISTED_FOLDER_TYPE || (bytes === 0 && (type === FOLDER_TYPE || name.endsWith("/")));
    const leftOut = LINK_TYPES.includes(type) ? "link" : DEVICE_TYPES.includes(type) ? "special-file" : undefined;
    if (leftOut !== undefined) yield { name, leftOut };
    else if (!isFolder) yield { name, chunks: slice };
    yield* waitsOf(slice);
    yield* skipAll(reader, -bytes & (TAR_BLOCK - 1));
  }
}

function* readExtension(reader: ByteReader, type: string, size: number, extension: Extension): Steps<never> {
  const padded = Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  if (!/[xXL]/.test(type) || size > EXTENSION_BYTES_MAX) {
    yield* skipAll(reader, padded);
    return;
  }
  const bytes = (yield* takeAll(reader, padded)).subarray(0, size);
  if (type === "L") extension.name = decodeName(untilZero(bytes));
  else readPax(bytes, extension);
}

/** Reads pax records: `length key=value`, with the length of the whole record in bytes. */
function readPax(bytes: Uint8Array, extension: Extension): void {
  for (let at = 0; at < bytes.length; ) {
    const blank = Math.max(at, bytes.indexOf(BLANK, at));
    const digits = decodeLatin1(bytes, at, blank);
    const length = /^\d+$/.test(digits) ? Number(digits) : 0;
    if (length <= digits.length) return;
    readPaxRecord(bytes.subarray(blank + 1, at + length - 1), extension);
    at += length;
  }
}

function readPaxRecord(record: Uint8Array, extension: Extension): void {
  const equals = record.indexOf(EQUALS_SIGN);
  const key = decodeLatin1(record, 0, Math.max(0, equals));
  const value = record.subarray(equals + 1);
  // Sparse files have a key of their own for the name.
  if ((key === "path" && extension.name === undefined) || key === "GNU.sparse.name") extension.name = decodeName(value);
  const size = key === "size" ? Number(decodeName(value)) : Number.NaN;
  if (Number.isSafeInteger(size) && size >= 0) extension.size = size;
}

function nameOf(block: Uint8Array): string {
  const name = decodeName(untilZero(block.subarray(0, 100)));
  // POSIX stores the first part of a long name here, GNU stores times.
  const isPosix = decodeLatin1(block, 257, 265) === "ustar\x0000";
  const prefix = isPosix ? decodeName(untilZero(block.subarray(345, 500))) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

function untilZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** Reads a number in octal digits, or in binary after a set high bit; returns undefined if it is above 2 ** 53 - 1. */
function readNumber(field: Uint8Array): number | undefined {
  const [first] = field;
  if ((first & 0x80) !== 0) {
    const value = field.reduce((sum, byte, index) => sum * 256 + (index === 0 ? byte & 0x7f : byte), 0);
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const text = /^[ \0]*([0-7]*)[ \0]*/.exec(decodeLatin1(field))?.[1] ?? "";
  return Number.parseInt(text || "0", 8);
}
