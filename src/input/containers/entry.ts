// What archives of any format have in common.
import { createHash } from "node:crypto";
import type { SourceError } from "../../errors.ts";
import type { Meter } from "./limits.ts";

/** Characters of the part of a name that is in a source: a name of an archive may have a megabyte, and is in every record. */
export const MEMBER_NAME_LENGTH = 1024;
/** Hexadecimal digits of the hash that is in the place of the rest. */
const HASH_DIGITS = 16;
const HASH_MARK = "…#";

/** A regular file in an archive. Its chunks are read, wholly or in part, or not at all, before the next entry is asked for. */
export interface Entry {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Measures what decodes the chunks, if anything does. */
  readonly meter?: Meter;
}

/** Something wrong with an archive that does not end its reading. */
export interface Fault {
  readonly fault: SourceError;
}

/** The name of a source, or of what is in one. @see docs/rules.md A11 */
export class SourceName {
  readonly #source: string | undefined;
  readonly #member: string | undefined;

  /** `source`: name of the outermost source; `member`: of what is in it, over all containers. */
  constructor(source: string | undefined, member?: string) {
    this.#source = source;
    this.#member = member;
  }

  /** The name of a member of this archive. */
  member(name: string): SourceName {
    return new SourceName(this.#source, cutName(this.#member === undefined ? name : `${this.#member}!${name}`));
  }

  /** The name as records and messages have it. */
  get text(): string | undefined {
    if (this.#member === undefined) return this.#source;
    return this.#source === undefined ? this.#member : `${this.#source}!${this.#member}`;
  }
}

/** A long name ends with a hash of what was cut off, so that different names stay different. */
function cutName(name: string): string {
  if (name.length <= MEMBER_NAME_LENGTH) return name;
  let length = MEMBER_NAME_LENGTH - HASH_MARK.length - HASH_DIGITS;
  const last = name.charCodeAt(length - 1);
  // No half of a surrogate pair.
  if (last >= 0xd800 && last < 0xdc00) length--;
  const hash = createHash("sha256").update(name.slice(length)).digest("hex");
  return `${name.slice(0, length)}${HASH_MARK}${hash.slice(0, HASH_DIGITS)}`;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A name as archives keep it: UTF-8, or else each byte a character of Latin-1. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  }
}

/** The chunks of an entry that cannot be read: none, and then the error. */
export function refused(error: unknown): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}
