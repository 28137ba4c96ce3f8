// Reads a byte range of an open file straight into the window of a scanner.
import { openSync, readSync } from "node:fs";
import { SourceError } from "../errors.ts";
import type { Scanner } from "../window/scanner.ts";
import { refuseUnread, START_BYTES } from "./encoding.ts";

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

/** Looks at the first bytes of an open file. Throws SourceError. */
export function checkStart(fd: number, name: string): void {
  const start = new Uint8Array(START_BYTES);
  readAt(fd, name, start, start.length, 0);
  refuseUnread(start, name);
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
 * `size` is what the file had when it was listed: a short read that reaches it is the end. Throws SourceError, and what the
 * scanner's sink throws.
 */
export function* feedFile(fd: number, name: string, scanner: Scanner, offset: number, size: number): Generator<void> {
  if (offset > 0) checkStart(fd, name);
  let position = offset;
  do {
    const space = scanner.space(READ_BYTES);
    const wanted = Math.min(space.length, READ_BYTES);
    const count = readAt(fd, name, space, wanted, position);
    if (position === 0) refuseUnread(space.subarray(0, Math.min(count, START_BYTES)), name);
    position += count;
    scanner.advance(count);
    // Files of /proc say that they are empty.
    if (count === 0 || (count < wanted && position >= size && size > 0)) break;
    yield;
  } while (!scanner.done);
  scanner.end();
}
