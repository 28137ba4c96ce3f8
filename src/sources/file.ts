// Reads a byte range of an open file straight into the window of a scanner.
import { openSync, readSync } from "node:fs";
import type { Scanner } from "../window/scanner.ts";
import { refuseUtf16 } from "./encoding.ts";

/** Bytes asked for at a time: what is read stays in the second level cache until it is scanned. */
const READ_BYTES = 1 << 18;

/** Opens a file for reading. Throws the system's error. */
export function openFile(path: Uint8Array): number {
  return openSync(Buffer.from(path.buffer, path.byteOffset, path.byteLength), "r");
}

/** Looks at the first bytes of an open file. Throws SourceError (`ERR_UTF16`), or the system's error. */
export function checkStart(fd: number, name: string): void {
  const start = new Uint8Array(2);
  readSync(fd, start, 0, start.length, 0);
  refuseUtf16(start, name);
}

/**
 * Feeds the file to `scanner` from byte `offset` on, until nothing more is needed for its range; yields after each read. Throws the system's
 * error, or SourceError for UTF-16.
 */
export function* feedFile(fd: number, name: string, scanner: Scanner, offset: number): Generator<void> {
  if (offset > 0) checkStart(fd, name);
  let position = offset;
  do {
    const space = scanner.space(READ_BYTES);
    const count = readSync(fd, space, 0, Math.min(space.length, READ_BYTES), position);
    if (count === 0) break;
    if (position === 0) refuseUtf16(space.subarray(0, count), name);
    scanner.advance(count);
    position += count;
    yield;
  } while (!scanner.done);
  scanner.end();
}
