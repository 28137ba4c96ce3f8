// The bytes of a member, compressed or not: a slice of the archive's bytes.
import type { SourceError } from "../../base/errors.ts";
import { type Steps, waitsOf } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";
import { truncated } from "./errors.ts";

/** The next `size` bytes of a reader. `finish` skips unread ones. */
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
