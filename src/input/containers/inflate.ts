// Raw deflate, as gzip and zip hold it, by zlib.
import { constants, createInflateRaw, inflateRawSync } from "node:zlib";
import type { ByteReader } from "./byte-reader.ts";
import { corrupt, truncated } from "./errors.ts";
import { isFormatError, NATIVE_OPTIONS, type NativeDecoder, OUTPUT_BYTES, runNative } from "./native.ts";

/** Bytes given to zlib at a time. */
const INPUT_BYTES = 1 << 18;
/** Up to so many compressed bytes, and so much text, are decoded again, so that all that stands before an error can be given. */
const REPLAY_BYTES = 1 << 20;
const REPLAY_TEXT_BYTES = 1 << 22;

/**
 * Data that ends in so few bytes, and gives no more text than this, is decoded at once: a decoder on another thread takes longer to
 * start.
 */
const SHORT_BYTES = 1 << 16;
const SHORT_TEXT_BYTES = 1 << 20;

/** The text of the deflate data that begins at `reader`, which is left behind it. Throws SourceError, and what the reader throws. */
export async function* inflateRaw(reader: ByteReader, source: string | undefined): AsyncGenerator<Uint8Array> {
  const start = await reader.next();
  if (start !== undefined) {
    const short = inflateShort(start.subarray(0, SHORT_BYTES));
    reader.unread(start.subarray(short?.taken ?? 0));
    if (short !== undefined) {
      if (short.text.length > 0) yield short.text;
      return;
    }
  }
  const replay = new Replay();
  const decoder = createInflateRaw(NATIVE_OPTIONS);
  let last: Uint8Array = new Uint8Array(0);
  let taken = 0;
  let given = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    const bytes = await reader.next(INPUT_BYTES);
    if (bytes === undefined) return undefined;
    last = bytes;
    taken += bytes.length;
    replay.add(bytes);
    return bytes;
  };
  const decoded = runNative(decoder, next);
  try {
    for (;;) {
      const { done, value } = await decoded.next();
      if (done !== true) {
        given += value.length;
        yield value;
        continue;
      }
      if (!value) throw truncated(source);
      reader.unread(last.subarray(last.length - (taken - decoder.bytesWritten)));
      return;
    }
  } catch (error) {
    if (!isFormatError(error)) throw error;
    const rest = await replay.textAfter(given, last.length, () => reader.pause());
    if (rest.length > 0) yield rest;
    throw corrupt(source, "its deflate data is invalid", error);
  } finally {
    await decoded.return(false);
  }
}

/** The text of deflate data that ends in `bytes`, and how many of them it takes; undefined where it does not end or is wrong. */
function inflateShort(bytes: Uint8Array): { readonly text: Uint8Array; readonly taken: number } | undefined {
  try {
    const result: unknown = inflateRawSync(bytes, { info: true, maxOutputLength: SHORT_TEXT_BYTES });
    const { buffer: text, engine } = result as { buffer: Uint8Array; engine: NativeDecoder };
    return { text, taken: engine.bytesWritten };
  } catch {
    return undefined;
  }
}

/** zlib keeps what it decoded in the call that failed for itself; of short data it can be had by decoding again up to the fault. */
class Replay {
  #kept: Uint8Array[] | undefined = [];
  #bytes = 0;

  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes > REPLAY_BYTES) this.#kept = undefined;
    this.#kept?.push(bytes);
  }

  /** What the bytes give beyond the first `given`, where the fault is in the `last` ones; `pause` is awaited between two trials. */
  async textAfter(given: number, last: number, pause: () => Promise<void>): Promise<Uint8Array> {
    if (this.#kept === undefined || given > REPLAY_TEXT_BYTES) return new Uint8Array(0);
    const bytes = Buffer.concat(this.#kept);
    const decode = (count: number): Uint8Array | undefined => {
      try {
        const maxOutputLength = given + 2 * OUTPUT_BYTES;
        return inflateRawSync(bytes.subarray(0, count), { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength });
      } catch {
        return undefined;
      }
    };
    let good = bytes.length - last;
    let bad = bytes.length;
    while (bad - good > 1) {
      await pause();
      const middle = (good + bad) >> 1;
      if (decode(middle) === undefined) bad = middle;
      else good = middle;
    }
    return decode(good)?.subarray(given) ?? new Uint8Array(0);
  }
}
