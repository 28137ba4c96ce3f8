// Raw deflate of gzip and zip. zlib decodes short data on this thread, and longer data on another thread. Without zlib, pako decodes.
import type { InflateRaw } from "node:zlib";
import { concat, isBytes } from "../../base/arrays.ts";
import { systemCode } from "../../base/errors.ts";
import { HAS_NODE } from "../../base/has-node.ts";
import { Signal } from "../../base/signal.ts";
import { resultOf, type Steps, tapped, waited } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";
import { corrupt, truncated } from "./errors.ts";

/** Most bytes of a chunk to zlib and from zlib. Up to this much text before an error may be missing. */
const CHUNK_BYTES = 1 << 18;
/** zlib decodes a few chunks ahead of the caller. */
const OPTIONS = { chunkSize: CHUNK_BYTES, readableObjectMode: true, readableHighWaterMark: 4 } as const;
/** Most compressed bytes, and most bytes of text, that are decoded again after an error: zlib drops the text of a failed call. */
const AGAIN_BYTES = 1 << 20;
const AGAIN_TEXT_BYTES = 1 << 22;
/** Most compressed bytes that are decoded synchronously: starting a decoder on another thread takes longer. */
const SHORT_BYTES = 1 << 16;
const SHORT_TEXT_BYTES = 1 << 20;

const INVALID = "its deflate data is invalid";
const LATE = `up to ${CHUNK_BYTES >> 10} KiB of text before that point are missing`;

/** Decodes deflate data, and leaves the reader after it. Throws SourceError with the name `source`, and the errors of the reader. */
export function* inflateRaw(reader: ByteReader, source = reader.source): Steps<Uint8Array> {
  if (!HAS_NODE) return yield* inflateByPako(reader, source, 0);
  const start = yield* reader.next();
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
    yield* tapped(input.decode(), (text) => {
      given += text.length;
    });
    if (!input.unreadRest()) throw truncated(source);
  } catch (error) {
    if (systemCode(error)?.startsWith("Z_") !== true) throw error;
    if (given > AGAIN_TEXT_BYTES || !input.unreadAll()) throw corrupt(source, INVALID, error, LATE);
    yield* inflateByPako(reader, source, given);
  }
}

function* inflateByPako(reader: ByteReader, source: string | undefined, from: number): Steps<Uint8Array> {
  const { inflateHere } = yield* resultOf(import("./raw-inflate.ts"));
  yield* inflateHere(reader, source, from);
}

/** Decodes deflate data of `taken` bytes. Returns undefined if it is invalid, longer than `bytes`, or has too much text. */
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
  /** All input; undefined if it is long. */
  #kept: Uint8Array[] | undefined = [];
  #last: Uint8Array = new Uint8Array(0);
  #fedBytes = 0;
  #failure: { readonly error: unknown } | undefined;
  /** Takes the next input. Bytes that come after the end of `decode` are left to the reader. */
  #taking: Steps<never, Uint8Array | undefined> | undefined;
  #isFed = false;
  /** Wakes `decode` when the decoder has text, ends or fails. */
  readonly #news = new Signal();

  constructor(reader: ByteReader, decoder: InflateRaw) {
    this.#reader = reader;
    this.#decoder = decoder;
  }

  /** Yields text until the deflate data or the input ends. Throws errors of the reader and the decoder after all text. */
  *decode(): Steps<Uint8Array> {
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
        if (isBytes(text)) yield text;
        else if (decoder.readableEnded || this.#failure !== undefined || (this.#isFed && decoder.readableLength === 0)) break;
        else yield this.#news.wait();
      }
      while (!this.#isFed) yield feeding;
      if (this.#failure !== undefined) throw this.#failure.error;
    } finally {
      decoder.destroy();
      this.#taking?.return(undefined);
    }
  }

  /** Gives the reader back all bytes that zlib did not take. Returns whether there were any: they follow the end of the deflate data. */
  unreadRest(): boolean {
    const { bytesWritten } = this.#decoder;
    if (bytesWritten === this.#fedBytes) return false;
    this.#reader.unread(this.#last.subarray(this.#last.length - (this.#fedBytes - bytesWritten)));
    return true;
  }

  /** Gives the reader back all input; returns whether it was short enough to be kept. */
  unreadAll(): boolean {
    if (this.#kept !== undefined) this.#reader.unread(concat(this.#kept));
    return this.#kept !== undefined;
  }

  // Every write gives all text that can be decoded, so no flush is needed. Untaken bytes mean that the deflate data has ended.
  async #feed(): Promise<void> {
    const decoder = this.#decoder;
    try {
      while (decoder.bytesWritten === this.#fedBytes && this.#failure === undefined && !decoder.destroyed) {
        this.#taking = this.#reader.next(CHUNK_BYTES);
        const bytes = await waited(this.#taking);
        if (bytes === undefined) break;
        this.#last = bytes;
        this.#fedBytes += bytes.length;
        if (this.#fedBytes > AGAIN_BYTES) this.#kept = undefined;
        this.#kept?.push(bytes);
        await write(decoder, bytes);
      }
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#isFed = true;
    this.#news.wake();
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
