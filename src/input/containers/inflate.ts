// Raw deflate of gzip and zip. zlib decodes short data on this thread, and longer data on another thread. Without zlib, pako decodes.
import type { InflateRaw } from "node:zlib";
import { concat, isBytes } from "../../base/arrays.ts";
import { systemCode } from "../../base/errors.ts";
import { HAS_NODE } from "../../base/has-node.ts";
import { Signal } from "../../base/signal.ts";
import { resultOf, type Steps, waited } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";
import { corrupt, truncated } from "./errors.ts";

const CHUNK_BYTES = 1 << 18; // Most bytes of a chunk to zlib and from zlib. Up to this much text before an error may be missing
/** zlib decodes a few chunks ahead of the caller. */
const OPTIONS = { chunkSize: CHUNK_BYTES, readableObjectMode: true, readableHighWaterMark: 4 } as const;
/** Most compressed bytes, and most bytes of text, that are decoded again after an error: zlib drops the text of a failed call. */
const AGAIN_BYTES = 1 << 20;
const AGAIN_TEXT_BYTES = 1 << 22;
const SHORT_BYTES = 1 << 16; // Most compressed bytes that are decoded synchronously: starting a decoder on another thread takes longer
const SHORT_TEXT_BYTES = 1 << 20;
const LATE = `up to ${CHUNK_BYTES >> 10} KiB of text before that point are missing`;

/** Decodes deflate data, and leaves the reader after it. Throws SourceError with the name `source`, and the errors of the reader. */
export function* inflateRaw(reader: ByteReader, source = reader.source): Steps<Uint8Array> {
  if (!HAS_NODE) return yield* inflateByPako(reader, source, 0);
  const start = yield* reader.next();
  const short = start === undefined ? undefined : inflateShort(start.subarray(0, SHORT_BYTES));
  if (start !== undefined) reader.unread(start.subarray(short?.taken ?? 0));
  if (short === undefined) yield* inflateOnThread(reader, source);
  else if (short.text.length > 0) yield short.text;
}

/** Yields the text from the offset `from` on. */
function* inflateByPako(reader: ByteReader, source: string | undefined, from: number): Steps<Uint8Array> {
  const { inflateHere } = yield* resultOf(import("./codings-pako.ts"));
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

/** Decodes on a thread of zlib, which works while the caller scans the text. Gives the reader back the bytes after the deflate data. */
function* inflateOnThread(reader: ByteReader, source: string | undefined): Steps<Uint8Array> {
  const decoder = process.getBuiltinModule("node:zlib").createInflateRaw(OPTIONS);
  /** Wake the loop below when the decoder has text, ends or fails, and `feed` when the decoder wants the next bytes. */
  const [news, wants] = [new Signal(), new Signal()];
  /** All input; undefined if it is long. */
  let kept: Uint8Array[] | undefined = [];
  let last: Uint8Array = new Uint8Array(0);
  let [fedBytes, givenBytes] = [0, 0];
  let failure: { readonly error: unknown } | undefined;
  let isFed = false;
  /** Takes the next input. Bytes that come after the end of the text are left to the reader. */
  let taking: Steps<never, Uint8Array | undefined> | undefined;
  // Every write gives all text that can be decoded, so no flush is needed. Untaken bytes mean that the deflate data has ended.
  const feed = async (): Promise<void> => {
    try {
      while (decoder.bytesWritten === fedBytes && failure === undefined && !decoder.destroyed) {
        taking = reader.next(CHUNK_BYTES);
        const bytes = await waited(taking);
        if (bytes === undefined) break;
        last = bytes;
        fedBytes += bytes.length;
        if (fedBytes > AGAIN_BYTES) kept = undefined;
        kept?.push(bytes);
        const wanted = wants.wait();
        decoder.write(bytes, () => wants.wake());
        await wanted;
      }
    } catch (error) {
      failure ??= { error };
    }
    isFed = true;
    news.wake();
  };
  decoder.on("error", (error) => {
    failure ??= { error };
  });
  for (const event of ["readable", "end", "error"]) decoder.on(event, () => news.wake());
  // A decoder that has ended or was destroyed may never call back after a write.
  for (const event of ["end", "error", "close"]) decoder.on(event, () => wants.wake());
  const feeding = feed();
  try {
    for (;;) {
      const text: unknown = decoder.read();
      if (isBytes(text)) {
        givenBytes += text.length;
        yield text;
      } else if (decoder.readableEnded || failure !== undefined || (isFed && decoder.readableLength === 0)) break;
      else yield news.wait();
    }
    while (!isFed) yield feeding;
  } finally {
    decoder.destroy();
    taking?.return(undefined);
  }
  if (failure === undefined) {
    const left = fedBytes - decoder.bytesWritten;
    if (left === 0) throw truncated(source);
    reader.unread(last.subarray(last.length - left));
    return;
  }
  const { error } = failure;
  if (systemCode(error)?.startsWith("Z_") !== true) throw error;
  if (givenBytes > AGAIN_TEXT_BYTES || kept === undefined) throw corrupt(source, "its deflate data is invalid", error, LATE);
  reader.unread(concat(kept));
  yield* inflateByPako(reader, source, givenBytes);
}
