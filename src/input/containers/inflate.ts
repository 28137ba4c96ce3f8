// Raw deflate of gzip and zip. zlib decodes short data on this thread, and longer data on another thread. Without zlib, pako decodes.
import type { InflateRaw } from "node:zlib";
import { systemCode } from "../../base/errors.ts";
import { HAS_NODE } from "../../base/has-node.ts";
import { Signal } from "../../base/signal.ts";
import type { ByteReader } from "./byte-reader.ts";
import { corrupt, truncated } from "./errors.ts";

/** Most bytes of a chunk to zlib and from zlib. Up to this much text before an error may be missing. */
const CHUNK_BYTES = 1 << 18;
/** zlib decodes a few chunks ahead of the caller. */
const OPTIONS = { chunkSize: CHUNK_BYTES, readableObjectMode: true, readableHighWaterMark: 4 } as const;
/** Most compressed bytes that are decoded again after an error, to give all text before it. */
const REPLAY_BYTES = 1 << 20;
/** Most bytes of text that are decoded again after an error. */
const REPLAY_TEXT_BYTES = 1 << 22;
/** Most compressed bytes that are decoded synchronously: starting a decoder on another thread takes longer. */
const SHORT_BYTES = 1 << 16;
/** Most bytes of text that are decoded synchronously. */
const SHORT_TEXT_BYTES = 1 << 20;

const INVALID = "its deflate data is invalid";
const LATE = `up to ${CHUNK_BYTES >> 10} KiB of text before that point are missing`;

/** Decodes deflate data, and leaves the reader after it. Throws SourceError with the name `source`, and the errors of the reader. */
export async function* inflateRaw(reader: ByteReader, source = reader.source): AsyncGenerator<Uint8Array> {
  if (!HAS_NODE) {
    yield* (await import("./raw-inflate.ts")).inflateHere(reader, source);
    return;
  }
  const start = await reader.next();
  if (start !== undefined) {
    const short = inflateShort(start.subarray(0, SHORT_BYTES));
    reader.unread(start.subarray(short?.taken ?? 0));
    if (short !== undefined) {
      if (short.text.length > 0) yield short.text;
      return;
    }
  }
  const input = new ThreadedInflate(reader, process.getBuiltinModule("node:zlib").createInflateRaw(OPTIONS));
  let given = 0;
  try {
    for await (const text of input.decode()) {
      given += text.length;
      yield text;
    }
    if (!input.unreadRest()) throw truncated(source);
  } catch (error) {
    if (systemCode(error)?.startsWith("Z_") !== true) throw error;
    const rest = await input.textAfter(given);
    if (rest === undefined) throw corrupt(source, INVALID, error, LATE);
    if (rest.length > 0) yield rest;
    throw corrupt(source, INVALID, error);
  }
}

/**
 * Decodes deflate data that ends in `bytes`; `taken` is its length. Returns undefined if it does not end there, is invalid, or has more
 * than SHORT_TEXT_BYTES bytes of text.
 */
function inflateShort(bytes: Uint8Array): { readonly text: Uint8Array; readonly taken: number } | undefined {
  const { inflateRawSync } = process.getBuiltinModule("node:zlib");
  try {
    const result: unknown = inflateRawSync(bytes, { info: true, maxOutputLength: SHORT_TEXT_BYTES });
    const { buffer: text, engine } = result as { buffer: Uint8Array; engine: InflateRaw };
    return { text, taken: engine.bytesWritten };
  } catch {
    return undefined;
  }
}

/** Feeds a decoder, which works on another thread while the caller scans its text. */
class ThreadedInflate {
  readonly #reader: ByteReader;
  readonly #decoder: InflateRaw;
  /** All input; undefined if it is long. zlib drops the text of a failed call, so the input is decoded again. */
  #kept: Uint8Array[] | undefined = [];
  #last: Uint8Array = new Uint8Array(0);
  #fedBytes = 0;
  #failure: { readonly error: unknown } | undefined;
  #isFed = false;
  /** Wakes `decode` when the decoder has text, ends or fails. */
  readonly #news = new Signal();

  constructor(reader: ByteReader, decoder: InflateRaw) {
    this.#reader = reader;
    this.#decoder = decoder;
  }

  /** Yields text until the deflate data or the input ends. Throws errors of the reader and the decoder after all text. */
  async *decode(): AsyncGenerator<Uint8Array> {
    const decoder = this.#decoder;
    decoder.on("readable", () => this.#news.wake());
    decoder.on("end", () => this.#news.wake());
    decoder.on("error", (error) => {
      this.#failure ??= { error };
      this.#news.wake();
    });
    const feeding = this.#feed();
    try {
      for (;;) {
        const text: unknown = decoder.read();
        if (text instanceof Uint8Array) yield text;
        else if (decoder.readableEnded || this.#failure !== undefined || (this.#isFed && decoder.readableLength === 0)) break;
        else await this.#news.wait();
      }
      await feeding;
      if (this.#failure !== undefined) throw this.#failure.error;
    } finally {
      decoder.destroy();
      await feeding;
    }
  }

  /** Gives the reader back all bytes that zlib did not take. Returns whether there were any: they follow the end of the deflate data. */
  unreadRest(): boolean {
    const { bytesWritten } = this.#decoder;
    if (bytesWritten === this.#fedBytes) return false;
    this.#reader.unread(this.#last.subarray(this.#last.length - (this.#fedBytes - bytesWritten)));
    return true;
  }

  /**
   * Returns the text before the error without its first `given` bytes. Gives the reader back the input from the error on, so that the
   * result does not depend on chunk sizes. Returns undefined if the input or its text is too long to be decoded again. The last fed chunk
   * has the error.
   */
  async textAfter(given: number): Promise<Uint8Array | undefined> {
    if (this.#kept === undefined || given > REPLAY_TEXT_BYTES) return undefined;
    const { constants, inflateRawSync } = process.getBuiltinModule("node:zlib");
    const bytes = Buffer.concat(this.#kept);
    const decode = (count: number): Uint8Array | undefined => {
      try {
        const maxOutputLength = given + 2 * CHUNK_BYTES;
        return inflateRawSync(bytes.subarray(0, count), { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength });
      } catch {
        return undefined;
      }
    };
    let good = bytes.length - this.#last.length;
    let bad = bytes.length;
    while (bad - good > 1) {
      await this.#reader.pause();
      const middle = (good + bad) >> 1;
      if (decode(middle) === undefined) bad = middle;
      else good = middle;
    }
    this.#reader.unread(this.#last.subarray(this.#last.length - (bytes.length - good)));
    return decode(good)?.subarray(given) ?? new Uint8Array(0);
  }

  // Every write gives all text that can be decoded, so no flush is needed. Untaken bytes mean that the deflate data has ended.
  async #feed(): Promise<void> {
    const decoder = this.#decoder;
    try {
      while (decoder.bytesWritten === this.#fedBytes && this.#failure === undefined) {
        const bytes = await this.#reader.next(CHUNK_BYTES);
        if (bytes === undefined || decoder.destroyed) break;
        this.#keep(bytes);
        await write(decoder, bytes);
      }
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#isFed = true;
    this.#news.wake();
  }

  #keep(bytes: Uint8Array): void {
    this.#last = bytes;
    this.#fedBytes += bytes.length;
    if (this.#fedBytes > REPLAY_BYTES) this.#kept = undefined;
    this.#kept?.push(bytes);
  }
}

// A decoder that has ended or was destroyed may never call back.
function write(decoder: InflateRaw, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      for (const event of ["end", "error", "close"]) decoder.off(event, settle);
      resolve();
    };
    for (const event of ["end", "error", "close"]) decoder.once(event, settle);
    decoder.write(bytes, settle);
  });
}
