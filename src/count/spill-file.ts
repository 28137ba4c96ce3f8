// Bytes that do not fit in memory: a temporary file without a name, so that the system removes it however the process ends.
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemCode } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { unfinishedName } from "../base/unfinished.ts";

/** Writes to a descriptor; tests use one that fails. */
type WriteBytes = (fd: number, bytes: Uint8Array, from: number, count: number, position: number) => number;

/** A temporary file in the folder for temporary files (TMPDIR). The first `append` creates it. */
export class SpillFile {
  readonly #write: WriteBytes;
  #fd: number | undefined;
  size = 0;

  constructor(write: WriteBytes = writeSync) {
    this.#write = write;
  }

  /** Appends `bytes`; returns their offset. Throws an error that names the folder. */
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

  /** Fills `bytes` with the bytes at `offset`. Throws if the file has fewer. */
  read(bytes: Uint8Array, offset: number): void {
    for (let from = 0; from < bytes.length; ) {
      const count = readSync(this.#fd as number, bytes, from, bytes.length - from, offset + from);
      if (count === 0) throw new Error(`${shown(tmpdir())}: a temporary file became shorter while it was used`);
      from += count;
    }
  }

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
