// What archives of any format have in common.
import type { Meter } from "./limits.ts";

/** A regular file in an archive. Its chunks are read, wholly or in part, or not at all, before the next entry is asked for. */
export interface Entry {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Measures what decodes the chunks, if anything does. */
  readonly meter?: Meter;
}

/** Name of a member as a source of its own. @see docs/rules.md A11 */
export function memberName(outer: string | undefined, name: string): string {
  return outer === undefined ? name : `${outer}!${name}`;
}

/** A name as archives keep it: UTF-8, or else each byte a character of Latin-1. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
}

/** The chunks of an entry that cannot be read: none, and then the error. */
export function refused(error: unknown): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}
