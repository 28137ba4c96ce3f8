// A member that an archive holds as it is: a number of the archive's bytes.
import type { SourceError } from "../../base/errors.ts";
import type { ByteReader } from "./byte-reader.ts";
import { truncated } from "./errors.ts";

/** The next `size` bytes of a reader. Bytes that nobody asks for are skipped. */
export class Slice implements AsyncIterable<Uint8Array> {
  readonly #reader: ByteReader;
  readonly #source: string | undefined;
  #left: number;
  #failure: SourceError | undefined;

  constructor(reader: ByteReader, size: number, source: string | undefined) {
    this.#reader = reader;
    this.#source = source;
    this.#left = size;
  }

  /** Gives the bytes that were not taken yet. Throws SourceError if the archive ends before they do, and what its reader throws. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    while (this.#left > 0) {
      const bytes = await this.#reader.next(this.#left);
      if (bytes === undefined) throw this.#truncated();
      this.#left -= bytes.length;
      yield bytes;
    }
  }

  /** Skips the rest of the slice. Throws as reading does. */
  async finish(): Promise<void> {
    const skipped = await this.#reader.skip(this.#left);
    this.#left -= skipped;
    if (this.#left > 0) throw this.#truncated();
  }

  // One error for reading and skipping.
  #truncated(): SourceError {
    this.#failure ??= truncated(this.#source);
    return this.#failure;
  }
}
