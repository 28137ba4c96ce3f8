// A file in an archive of any format: its entry, its bytes and its name.
import type { SourceError } from "../../base/errors.ts";
import { decodeLatin1 } from "../../core/text.ts";
import type { Chunks, Steps } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";
import { truncated } from "./errors.ts";
import { createSha256 } from "./hashes.ts";
import type { Meter } from "./limits.ts";

/** Most UTF-16 code units of the path to a member: archives may have names of a megabyte, and every record repeats the path. */
const MEMBER_NAME_LENGTH = 1024;
const HASH_DIGITS = 16; // Hexadecimal digits of the hash that replaces the rest of a long name
const HASH_MARK = "…#";

/** Bytes that may be a container. */
export interface Layer {
  readonly name: SourceName;
  readonly reader: ByteReader;
  readonly meter: Meter;
  readonly depth: number;
}

/** A regular file in an archive. Its chunks can be read until the next entry is asked for, which skips unread ones. */
export interface Entry {
  readonly name: string;
  readonly chunks: Chunks;
  /** The meter for the decoder of a zip member. Absent in tar, whose members have no decoder. */
  readonly meter?: Meter;
}

/**
 * Returns the next `size` bytes of an archive: a member, compressed or not. Iterating again continues with the unread ones. Throws
 * SourceError if the archive ends too early, and the errors of the reader.
 */
export function sliceOf(reader: ByteReader, size: number, source = reader.source): { [Symbol.iterator](): Steps<Uint8Array> } {
  let left = size;
  let failure: SourceError | undefined;
  const read = function* (): Steps<Uint8Array> {
    while (left > 0) {
      const bytes = yield* reader.next(left);
      if (bytes === undefined) {
        // Reading and skipping throw the same error object.
        failure ??= truncated(source);
        throw failure;
      }
      left -= bytes.length;
      yield bytes;
    }
  };
  return { [Symbol.iterator]: read };
}

/** A member that is neither a regular file nor a folder. */
export interface LeftOut {
  readonly leftOut: "link" | "special-file";
  readonly name: string;
}

/** An error of an archive after which reading continues. */
export interface ArchiveError {
  readonly error: SourceError;
}

export interface SourceName {
  /** The name in records and error messages; undefined for an input without a name. */
  readonly text: string | undefined;
  member(name: string): SourceName;
}

/** `source` names the outermost input, `path` leads from it through all containers. */
export function sourceName(source: string | undefined, path?: string): SourceName {
  const names = [source, path].filter((name) => name !== undefined);
  return {
    text: names.length === 0 ? undefined : names.join("!"),
    member: (name) => sourceName(source, cutName(path === undefined ? name : `${path}!${name}`)),
  };
}

/** Shortens a long name. A hash replaces the rest, so that different names stay different. */
function cutName(name: string): string {
  if (name.length <= MEMBER_NAME_LENGTH) return name;
  let length = MEMBER_NAME_LENGTH - HASH_MARK.length - HASH_DIGITS;
  const last = name.charCodeAt(length - 1);
  // Never splits a surrogate pair.
  if (last >= 0xd800 && last < 0xdc00) length--;
  const hash = createSha256();
  hash.update(new TextEncoder().encode(name.slice(length)));
  const digits = Array.from(hash.digest().subarray(0, HASH_DIGITS / 2), (byte) => byte.toString(16).padStart(2, "0"));
  return `${name.slice(0, length)}${HASH_MARK}${digits.join("")}`;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes a name, or another text, in the headers of an archive: as UTF-8 if it is valid, else as Latin-1. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return decodeLatin1(bytes);
  }
}
