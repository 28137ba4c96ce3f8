// Reads the bytes of an input of the page in pieces.
import { SourceError } from "../../base/errors.ts";
import { readChunks } from "../../input/chunks.ts";
import type { OpenFile } from "../../input/containers/zip-index.ts";
import type { PageInput } from "./messages.ts";

/** Bytes that are fetched at a time. The next piece is fetched while the current one is scanned. */
const PIECE_BYTES = 1 << 20;

/** An open input. */
export class InputBytes implements OpenFile {
  readonly size: number;
  readonly #input: PageInput;
  readonly #signal: AbortSignal | undefined;

  /** When `signal` fires, nothing more is fetched from the server. */
  constructor(input: PageInput, signal?: AbortSignal) {
    this.#input = input;
    this.#signal = signal;
    this.size = input.size;
  }

  /** @see OpenFile */
  async load(offset: number, count: number): Promise<Uint8Array> {
    try {
      return await this.#read(offset, offset + count);
    } catch {
      return new Uint8Array(0);
    }
  }

  /** Yields the bytes from the offset `from` on. Throws SourceError if they cannot be read. */
  async *chunks(from = 0): AsyncGenerator<Uint8Array> {
    const { name, bytes } = this.#input;
    try {
      // Browsers read ahead in a stream, so it is faster than consecutive slices.
      if (bytes instanceof Blob) yield* readChunks(bytes.slice(from), undefined);
      else yield* this.#fetched(from);
    } catch (cause) {
      throw new SourceError(
        "ERR_URLMILL_UNREADABLE",
        name,
        "cannot be read: it may have changed since it was chosen; choose it again",
        cause,
      );
    }
  }

  async *#fetched(from: number): AsyncGenerator<Uint8Array> {
    let next = this.#read(from, from + PIECE_BYTES);
    if (this.size === 0) await next;
    for (let at = from; at < this.size; at += PIECE_BYTES) {
      const piece = await next;
      next = this.#read(at + PIECE_BYTES, at + 2 * PIECE_BYTES);
      // The `await` in the next round throws the error.
      next.catch(() => undefined);
      yield piece;
    }
  }

  async #read(from: number, to: number): Promise<Uint8Array> {
    const { bytes } = this.#input;
    if (bytes === undefined) throw new Error("it could not be opened");
    const end = Math.min(to, this.size);
    if (from >= end) return new Uint8Array(0);
    if (bytes instanceof Blob) return new Uint8Array(await bytes.slice(from, end).arrayBuffer());
    const response = await fetch(bytes, { headers: { range: `bytes=${from}-${end - 1}` }, signal: this.#signal ?? null });
    if (response.status !== 206) throw new Error(`the server answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
}
