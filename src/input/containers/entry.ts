// A file in an archive of any format: its entry, its bytes and its name.
import type { SourceError } from "../../base/errors.ts";
import { decodeLatin1 } from "../../core/text.ts";
import { type Chunks, type Steps, waitsOf } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";
import { truncated } from "./errors.ts";
import type { Meter } from "./limits.ts";
import { createSha256 } from "./sha256.ts";

/** Most UTF-16 code units of the path to a member: archives may have names of a megabyte, and every record repeats the path. */
const MEMBER_NAME_LENGTH = 1024;
/** Hexadecimal digits of the hash that replaces the rest of a long name. */
const HASH_DIGITS = 16;
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

/** The next `size` bytes of an archive: a member, compressed or not. `finish` skips unread ones. */
export class Slice {
  readonly #reader: ByteReader;
  readonly #source: string | undefined;
  #left: number;
  #failure: SourceError | undefined;

  constructor(reader: ByteReader, size: number, source = reader.source) {
    this.#reader = reader;
    this.#source = source;
    this.#left = size;
  }

  /** Yields the remaining bytes. Throws SourceError if the archive ends too early, and the errors of the reader. */
  *[Symbol.iterator](): Steps<Uint8Array> {
    while (this.#left > 0) {
      const bytes = yield* this.#reader.next(this.#left);
      if (bytes === undefined) {
        // Reading and skipping throw the same error object.
        this.#failure ??= truncated(this.#source);
        throw this.#failure;
      }
      this.#left -= bytes.length;
      yield bytes;
    }
  }

  /** Skips the remaining bytes. Throws as reading does. */
  finish(): Steps<never> {
    return waitsOf(this);
  }
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

/** The name of an input or of a member (A11). */
export class SourceName {
  readonly #source: string | undefined;
  readonly #member: string | undefined;

  /** `source` names the outermost input, `member` the path from it through all containers. */
  constructor(source: string | undefined, member?: string) {
    this.#source = source;
    this.#member = member;
  }

  member(name: string): SourceName {
    return new SourceName(this.#source, cutName(this.#member === undefined ? name : `${this.#member}!${name}`));
  }

  /** The name in records and error messages; undefined for an input without a name. */
  get text(): string | undefined {
    if (this.#member === undefined) return this.#source;
    return this.#source === undefined ? this.#member : `${this.#source}!${this.#member}`;
  }
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
