// Rows that do not fit in memory. Many streams of rows share a temporary file; each writes a block at a time.
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemCode } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { unfinishedName } from "../base/unfinished.ts";
import { type Hash, murmur3 } from "./key-table.ts";

const MEMORY_BYTES = 256 << 20; // Default bytes of memory for keys
/** Bounds of the bytes of a block. Between them a block is a share of the memory. */
const BLOCK_BYTES_LEAST = 1 << 9;
const BLOCK_BYTES_MOST = 1 << 17;
const BLOCKS_OF_MEMORY = 512;

/** The file for rows on disk, the hash of keys with its seed, and the memory. */
export interface SpillSettings {
  readonly file: SpillFile;
  readonly hash: Hash;
  readonly seed: number;
  /** Most bytes of keys, and of blocks of rows on their way to disk. */
  readonly memory: number;
}

/** Returns settings for `memory` bytes. The caller closes the file. */
export function spillSettings(memory = MEMORY_BYTES): SpillSettings {
  // The seed is random, so that the author of a text cannot choose values with equal hashes.
  return { file: new SpillFile(), hash: murmur3, seed: Math.floor(Math.random() * 2 ** 32) | 0, memory };
}

export function blockBytesOf(memory: number): number {
  return Math.floor(Math.min(Math.max(memory / BLOCKS_OF_MEMORY, BLOCK_BYTES_LEAST), BLOCK_BYTES_MOST));
}

/** Writes to a descriptor; tests use one that fails. */
type WriteBytes = (fd: number, bytes: Uint8Array, from: number, count: number, position: number) => number;

/** A temporary file in TMPDIR, made by the first `append`. It has no name, so the system removes it however the process ends. */
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

const LENGTH_BYTES = 4; // Bytes of the length of a key or text
const NUMBER_BYTES = 8;

/** A row during iteration. Its key, the `bytes` [keyStart, keyEnd), is valid until the next row is read. */
export interface KeyRow {
  readonly bytes: Uint8Array;
  readonly keyStart: number;
  readonly keyEnd: number;
  number(column: number): number;
}

/** A row that was on disk. Its text, the `bytes` [textStart, textEnd), is valid until the next row is read. */
export interface SpilledRow extends KeyRow {
  readonly textStart: number;
  readonly textEnd: number;
}

/** A stream of rows, written first, then read in the same order. Each has a key, a text, and the same number of columns with numbers. */
export class SpillStream implements SpilledRow {
  readonly #settings: SpillSettings;
  readonly #columns: number;
  readonly #blockBytes: number;
  bytes = new Uint8Array(0);
  view: DataView = new DataView(this.bytes.buffer);
  #used = 0; // Used bytes of the current block
  #blocks: number[] = []; // The written blocks: pairs of offset in the file and length
  #nextBlock = 0; // Index in `#blocks` of the block to read next
  #row = 0; // Offset in the current block of the last added or read row
  #nextRow = 0; // Offset in the current block of the row to read next
  keyStart = 0;
  keyEnd = 0;
  textStart = 0;
  textEnd = 0;

  constructor(settings: SpillSettings, columns: number) {
    this.#settings = settings;
    this.#columns = columns;
    this.#blockBytes = blockBytesOf(settings.memory);
  }

  /** Adds a row; the caller sets its numbers afterwards. */
  add(key: Uint8Array, keyStart: number, keyEnd: number, text: Uint8Array = key, textStart = 0, textEnd = textStart): void {
    const [keyLength, textLength] = [keyEnd - keyStart, textEnd - textStart];
    const length = this.#columns * NUMBER_BYTES + 2 * LENGTH_BYTES + keyLength + textLength;
    if (this.#used + length > this.bytes.length) {
      this.#flush();
      this.#fit(Math.max(length, this.#blockBytes));
    }
    this.#row = this.#used;
    let at = this.#row + this.#columns * NUMBER_BYTES;
    this.view.setInt32(at, keyLength, true);
    this.view.setInt32(at + LENGTH_BYTES, textLength, true);
    at += 2 * LENGTH_BYTES;
    this.bytes.set(key.subarray(keyStart, keyEnd), at);
    this.bytes.set(text.subarray(textStart, textEnd), at + keyLength);
    this.#used = at + keyLength + textLength;
  }

  /** Adds a row of a table or of another stream, with its numbers. */
  copy(row: KeyRow & Partial<SpilledRow>): void {
    this.add(row.bytes, row.keyStart, row.keyEnd, row.bytes, row.textStart, row.textEnd);
    for (let column = 0; column < this.#columns; column++) this.setNumber(column, row.number(column));
  }

  /** Sets a number of the last added row. */
  setNumber(column: number, value: number): void {
    this.view.setFloat64(this.#row + column * NUMBER_BYTES, value, true);
  }

  /** Ends the writing, and frees memory. The first call of `next` after it goes to the first row. */
  finish(): void {
    this.#flush();
    this.#fit(0);
  }

  /** Returns another stream that reads these rows, from the first one on. */
  again(): SpillStream {
    const stream = new SpillStream(this.#settings, this.#columns);
    stream.#blocks = this.#blocks;
    return stream;
  }

  /** Goes to the next row; returns false after the last one. */
  next(): boolean {
    if (this.#nextRow === this.#used && !this.#readBlock()) return false;
    this.#row = this.#nextRow;
    let at = this.#row + this.#columns * NUMBER_BYTES;
    const keyLength = this.view.getInt32(at, true);
    const textLength = this.view.getInt32(at + LENGTH_BYTES, true);
    at += 2 * LENGTH_BYTES;
    this.keyStart = at;
    this.keyEnd = at + keyLength;
    this.textStart = this.keyEnd;
    this.textEnd = this.keyEnd + textLength;
    this.#nextRow = this.textEnd;
    return true;
  }

  number(column: number): number {
    return this.view.getFloat64(this.#row + column * NUMBER_BYTES, true);
  }

  #flush(): void {
    if (this.#used === 0) return;
    this.#blocks.push(this.#settings.file.append(this.bytes.subarray(0, this.#used)), this.#used);
    this.#used = 0;
  }

  #readBlock(): boolean {
    if (this.#nextBlock === this.#blocks.length) {
      this.#fit(0);
      return false;
    }
    const length = this.#blocks[this.#nextBlock + 1];
    this.#fit(Math.max(length, this.#blockBytes));
    this.#settings.file.read(this.bytes.subarray(0, length), this.#blocks[this.#nextBlock]);
    this.#nextBlock += 2;
    this.#used = length;
    this.#nextRow = 0;
    return true;
  }

  /** Makes the block `length` bytes long. Its contents are lost if the length changes. */
  #fit(length: number): void {
    if (this.bytes.length === length) return;
    this.bytes = new Uint8Array(length);
    this.view = new DataView(this.bytes.buffer);
    this.#used = 0;
    this.#nextRow = 0;
  }
}
