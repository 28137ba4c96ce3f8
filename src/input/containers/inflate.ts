// Raw deflate, as gzip and zip hold it, decoded by zlib on another thread, and where there is none on this one.
import type { InflateRaw } from "node:zlib";
import { systemCode } from "../../base/errors.ts";
import { HAS_NODE } from "../../base/has-node.ts";
import type { ByteReader } from "./byte-reader.ts";
import { corrupt, truncated } from "./errors.ts";

/** Bytes given to zlib at a time, and bytes of text that it gives: so many may be missing before an error. */
const CHUNK_BYTES = 1 << 18;
/** zlib decodes a few chunks ahead of the caller. */
const OPTIONS = { chunkSize: CHUNK_BYTES, readableObjectMode: true, readableHighWaterMark: 4 } as const;
/** Up to so many compressed bytes, and so much text, are decoded again, so that all text before an error can be given. */
const REPLAY_BYTES = 1 << 20;
const REPLAY_TEXT_BYTES = 1 << 22;
/** Shorter data, with no more text than this, is decoded at once: a decoder on another thread takes longer to start. */
const SHORT_BYTES = 1 << 16;
const SHORT_TEXT_BYTES = 1 << 20;

const INVALID = "its deflate data is invalid";
const LATE = `up to ${CHUNK_BYTES >> 10} KiB of text before that point are missing`;

/** Decodes the deflate data that begins at `reader`, and leaves the reader after it. Throws SourceError, and what the reader throws. */
export async function* inflateRaw(reader: ByteReader, source: string | undefined): AsyncGenerator<Uint8Array> {
  if (!HAS_NODE) {
    yield* (await import("./inflate-web.ts")).inflateHere(reader, source);
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
  const input = new Input(reader, process.getBuiltinModule("node:zlib").createInflateRaw(OPTIONS));
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

/** Decodes deflate data that ends in `bytes`; `taken`: how many of them it has. Returns undefined if it does not end or is wrong. */
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

/** Feeds a decoder, which works on another thread while the caller looks at its text. */
class Input {
  readonly #reader: ByteReader;
  readonly #decoder: InflateRaw;
  /** What was fed, as long as it is short: zlib drops the text of the call that failed, so it is decoded once more. */
  #kept: Uint8Array[] | undefined = [];
  #last: Uint8Array = new Uint8Array(0);
  #fedBytes = 0;
  #failure: { readonly error: unknown } | undefined;
  #isFed = false;
  #wake = (): void => undefined;

  constructor(reader: ByteReader, decoder: InflateRaw) {
    this.#reader = reader;
    this.#decoder = decoder;
  }

  /** Gives the text until the format ends or nothing is left. Throws what the reader throws, and the decoder's error, after all text. */
  async *decode(): AsyncGenerator<Uint8Array> {
    const decoder = this.#decoder;
    decoder.on("readable", () => this.#wake());
    decoder.on("end", () => this.#wake());
    decoder.on("error", (error) => {
      this.#failure ??= { error };
      this.#wake();
    });
    const feeding = this.#feed();
    try {
      for (;;) {
        const text: unknown = decoder.read();
        if (text instanceof Uint8Array) yield text;
        else if (decoder.readableEnded || this.#failure !== undefined || (this.#isFed && decoder.readableLength === 0)) break;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
      await feeding;
      if (this.#failure !== undefined) throw this.#failure.error;
    } finally {
      decoder.destroy();
      await feeding;
    }
  }

  /** Gives back to the reader what the decoder did not take; returns whether the format has ended. */
  unreadRest(): boolean {
    const { bytesWritten } = this.#decoder;
    if (bytesWritten === this.#fedBytes) return false;
    this.#reader.unread(this.#last.subarray(this.#last.length - (this.#fedBytes - bytesWritten)));
    return true;
  }

  /**
   * Returns the text of the bytes before the error, which is in the last ones that were fed, without its first `given` bytes; gives the
   * bytes from the error on back to the reader, so that what follows does not depend on how the input was cut. Returns undefined if so much
   * was fed that it was not kept.
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

  // Every write gives all that can be decoded, so nothing has to be flushed. Bytes that are not taken mean that the format has ended.
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
    this.#wake();
  }

  #keep(bytes: Uint8Array): void {
    this.#last = bytes;
    this.#fedBytes += bytes.length;
    if (this.#fedBytes > REPLAY_BYTES) this.#kept = undefined;
    this.#kept?.push(bytes);
  }
}

// A decoder that came to the end of its format, or was destroyed, may never call back.
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
