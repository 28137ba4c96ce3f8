// The errors of containers. A decoder yields the text that it has decoded before it throws one.
import { SourceError } from "../../base/errors.ts";
import type { Steps } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";

/** Thrown inside a decoder for invalid data. */
export const WRONG = Symbol("wrong");

/** Thrown inside a decoder that needs more bytes than it has. */
export const SHORT = Symbol("short");

/** Thrown inside a decoder that gets no memory for its window. */
export const NO_MEMORY = Symbol("no memory");

/** Returns the error for malformed data. `what` and `read` complete the message. */
export function corrupt(
  source: string | undefined,
  what: string,
  cause?: unknown,
  read = "everything before that point was read",
): SourceError {
  return new SourceError("ERR_URLMILL_CORRUPT", source, `is corrupt: ${what}; ${read}`, cause);
}

/** Converts WRONG and NO_MEMORY to a SourceError; returns other errors unchanged. `what` is the message for WRONG. */
export function decoderError(source: string | undefined, thrown: unknown, what: string): unknown {
  if (thrown === WRONG) return corrupt(source, what);
  if (thrown !== NO_MEMORY) return thrown;
  return new SourceError("ERR_URLMILL_LIMIT", source, "was abandoned: there is not enough memory for its window");
}

/** Returns the error for text with a wrong checksum, which was yielded before. `whose`: the word before "checksum" in the message. */
export function wrongSum(source: string | undefined, whose = "its"): SourceError {
  return new SourceError("ERR_URLMILL_CORRUPT", source, `is corrupt: ${whose} checksum is wrong; the data that was read may be wrong too`);
}

export function truncated(source: string | undefined): SourceError {
  return new SourceError("ERR_URLMILL_TRUNCATED", source, "ends too early; everything up to there was read");
}

/** Takes `count` bytes. Throws SourceError if there are fewer, and the errors of the reader. `source`: name for the SourceError. */
export function* takeAll(reader: ByteReader, count: number, source = reader.source): Steps<never, Uint8Array> {
  const bytes = yield* reader.take(count);
  if (bytes.length === count) return bytes;
  throw truncated(source);
}

/** Skips `count` bytes. Throws as `takeAll` does. */
export function* skipAll(reader: ByteReader, count: number): Steps<never> {
  if ((yield* reader.skip(count)) < count) throw truncated(reader.source);
}

/** Reads to the end. Throws SourceError (`ERR_URLMILL_TRAILING`) for bytes other than zero. `kind`: the format of the data before them. */
export function* refuseTrailing(reader: ByteReader, kind: string): Steps<never> {
  for (const rest of reader.rest()) {
    if (rest instanceof Promise) yield rest;
    else if (!isZero(rest)) {
      throw new SourceError("ERR_URLMILL_TRAILING", reader.source, `has other data after its ${kind} data, which was not read`);
    }
  }
}

export function isZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== 0) return false;
  return true;
}
