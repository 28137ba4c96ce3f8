// Bytes that memory has no room for: a temporary file without a name, so that it goes with the process however that ends.
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemCode } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { unfinishedName } from "../base/unfinished.ts";

/** What writes to a descriptor; a test has one that fails. */
export type WriteBytes = (fd: number, bytes: Uint8Array, from: number, count: number, position: number) => number;

/** A temporary file in the folder for such files (TMPDIR). It is made when it is written first. */
export class SpillFile {
  readonly #write: WriteBytes;
  #fd: number | undefined;
  /** Bytes that have been written. */
  size = 0;

  constructor(write: WriteBytes = writeSync) {
    this.#write = write;
  }

  /** Writes `bytes` after all others; returns their offset. Throws an error that names the folder. */
  append(bytes: Uint8Array): number {
    const offset = this.size;
    try {
      this.#fd ??= openNameless();
      for (let from = 0; from < bytes.length; ) from += this.#write(this.#fd, bytes, from, bytes.length - from, offset + from);
    } catch (cause) {
      const advice = "set TMPDIR to a folder with more room, or give more --memory";
      throw new Error(`${shown(tmpdir())}: a temporary file cannot be written (${systemCode(cause)}); ${advice}`, { cause });
    }
    this.size += bytes.length;
    return offset;
  }

  /** Reads the bytes at `offset` into `bytes`. Throws if there are not as many. */
  read(bytes: Uint8Array, offset: number): void {
    for (let from = 0; from < bytes.length; ) {
      const count = readSync(this.#fd as number, bytes, from, bytes.length - from, offset + from);
      if (count === 0) throw new Error(`${shown(tmpdir())}: a temporary file became shorter while it was used`);
      from += count;
    }
  }

  /** Gives the room back. */
  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

function openNameless(): number {
  const path = join(tmpdir(), unfinishedName("urlmill"));
  const fd = openSync(path, "wx+", 0o600);
  rmSync(path);
  return fd;
}
