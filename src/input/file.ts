// Reads a byte range of an open file straight into the window of a scanner.
import { openSync, readSync } from "node:fs";
import { SourceError } from "../errors.ts";
import type { Scanner } from "../scanner/scanner.ts";
import { TYPE_BYTES } from "./text-type.ts";

/** Bytes asked for at a time: what is read stays in the second level cache until it is scanned. */
const READ_BYTES = 1 << 18;

/** Opens a file for reading. Throws SourceError. */
export function openFile(path: string | Uint8Array, name: string): number {
  try {
    return openSync(typeof path === "string" ? path : Buffer.from(path), "r");
  } catch (error) {
    throw SourceError.from(name, error);
  }
}

const start = new Uint8Array(TYPE_BYTES);

/** The first TYPE_BYTES bytes of an open file, or all that there are; valid until the next call. Throws SourceError. */
export function readStart(fd: number, name: string): Uint8Array {
  return start.subarray(0, readAt(fd, name, start, start.length, 0));
}

/** The bytes of an open file as chunks. Throws SourceError. */
export async function* readFileChunks(fd: number, name: string): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const chunk = new Uint8Array(READ_BYTES);
    const count = readAt(fd, name, chunk, chunk.length, position);
    if (count === 0) return;
    position += count;
    yield chunk.subarray(0, count);
  }
}

function readAt(fd: number, name: string, into: Uint8Array, count: number, position: number): number {
  try {
    return readSync(fd, into, 0, count, position);
  } catch (error) {
    throw SourceError.from(name, error);
  }
}

/**
 * Feeds the file to `scanner` from byte `offset` on, until nothing more is needed for its range; yields after each read.
 * `size` is what the file had when it was listed: a short read that reaches it is the end. Throws SourceError, also for a file that ends
 * before `until` and has become shorter than `size` (what is there is scanned), and what the scanner's sink throws. `first`: bytes at the
 * offset that have been read already.
 */
export function* feedFile(
  fd: number,
  name: string,
  scanner: Scanner,
  offset: number,
  size: number,
  until: number,
  first: Uint8Array | undefined,
): Generator<undefined> {
  let position = offset;
  if (first !== undefined) {
    scanner.write(first);
    position = first.length;
    if (first.length < TYPE_BYTES && position >= size && size > 0) return scanner.end();
  }
  do {
    const space = scanner.space(READ_BYTES);
    const wanted = Math.min(space.length, READ_BYTES);
    const count = readAt(fd, name, space, wanted, position);
    position += count;
    scanner.advance(count);
    // Files of /proc say that they are empty.
    if (count === 0 || (count < wanted && position >= size && size > 0)) break;
    yield;
  } while (!scanner.done);
  const isShorter = !scanner.done && position < Math.min(size, until);
  scanner.end();
  if (isShorter) throw new SourceError("ERR_TRUNCATED", name, "became shorter while it was read; everything up to its new end was read");
}
