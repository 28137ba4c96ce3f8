// Rows in a spill file: written first, then read in the same order. Many streams share a file; each writes a block of rows at a time.
import type { SpillFile } from "./spill-file.ts";

/** Bytes of the length of a key or text. */
const LENGTH_BYTES = 4;
const NUMBER_BYTES = 8;

/** A row during iteration: its key [keyStart, keyEnd) and its text [textStart, textEnd). Both are valid until the next row is read. */
export interface SpilledRow {
  /** The bytes that all offsets count in. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly textStart: number;
  readonly textEnd: number;
}

/** A stream of rows, each with a key, a text, and the same number of columns with numbers. */
export class SpillStream implements SpilledRow {
  readonly #file: SpillFile;
  readonly #columns: number;
  readonly #blockBytes: number;
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  /** Used bytes of the current block. */
  #used = 0;
  /** The written blocks: pairs of offset in the file and length. */
  #blocks: number[] = [];
  /** Index in `#blocks` of the block to read next. */
  #nextBlock = 0;
  /** Offset in the current block of the last added or read row. */
  #row = 0;
  /** Offset in the current block of the row to read next. */
  #nextRow = 0;
  keyStart = 0;
  keyEnd = 0;
  textStart = 0;
  textEnd = 0;

  constructor(file: SpillFile, columns: number, blockBytes: number) {
    this.#file = file;
    this.#columns = columns;
    this.#blockBytes = blockBytes;
    this.bytes = new Uint8Array(blockBytes);
    this.view = new DataView(this.bytes.buffer);
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
    const stream = new SpillStream(this.#file, this.#columns, 0);
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

  /** Returns a number of the row that `next` has reached. */
  number(column: number): number {
    return this.view.getFloat64(this.#row + column * NUMBER_BYTES, true);
  }

  #flush(): void {
    if (this.#used === 0) return;
    this.#blocks.push(this.#file.append(this.bytes.subarray(0, this.#used)), this.#used);
    this.#used = 0;
  }

  #readBlock(): boolean {
    if (this.#nextBlock === this.#blocks.length) {
      this.#fit(0);
      return false;
    }
    const length = this.#blocks[this.#nextBlock + 1];
    this.#fit(Math.max(length, this.#blockBytes));
    this.#file.read(this.bytes.subarray(0, length), this.#blocks[this.#nextBlock]);
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
