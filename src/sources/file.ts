// Reads a byte range of an open file straight into the window of a scanner.
import { openSync, readSync } from "node:fs";
import { SourceError } from "../errors.ts";
import type { Scanner } from "../window/scanner.ts";
import { refuseUtf16 } from "./encoding.ts";

/** Bytes asked for at a time: what is read stays in the second level cache until it is scanned. */
const READ_BYTES = 1 << 18;

/** Opens a file for reading. Throws SourceError. */
export function openFile(path: Uint8Array, name: string): number {
  try {
    return openSync(Buffer.from(path.buffer, path.byteOffset, path.byteLength), "r");
  } catch (error) {
    throw SourceError.from(name, error);
  }
}

/** Looks at the first bytes of an open file. Throws SourceError. */
export function checkStart(fd: number, name: string): void {
  const start = new Uint8Array(2);
  readAt(fd, name, start, start.length, 0);
  refuseUtf16(start, name);
}

function readAt(fd: number, name: string, into: Uint8Array, count: number, position: number): number {
  try {
    return readSync(fd, into, 0, count, position);
  } catch (error) {
    throw SourceError.from(name, error);
  }
}

/**
 * Feeds the file to `scanner` from byte `offset` on, until nothing more is needed for its range; yields after each read. Throws
 * SourceError, and what the scanner's sink throws.
 */
export function* feedFile(fd: number, name: string, scanner: Scanner, offset: number): Generator<void> {
  if (offset > 0) checkStart(fd, name);
  let position = offset;
  do {
    const space = scanner.space(READ_BYTES);
    const count = readAt(fd, name, space, Math.min(space.length, READ_BYTES), position);
    if (count === 0) break;
    if (position === 0) refuseUtf16(space.subarray(0, count), name);
    scanner.advance(count);
    position += count;
    yield;
  } while (!scanner.done);
  scanner.end();
}
