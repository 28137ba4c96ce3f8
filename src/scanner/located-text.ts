// A text with the offsets of each byte in the source.
import { grown } from "../base/arrays.ts";

const BYTES_LEAST = 1 << 12;

/** A growing text. `starts` and `ends` are offsets in the source, counted from any base. */
export class LocatedText {
  bytes = new Uint8Array(BYTES_LEAST);
  /** Source offset at which each byte starts. */
  starts = new Int32Array(BYTES_LEAST);
  /** Source offset at which each byte ends. A triplet has three bytes in the source. */
  ends = new Int32Array(BYTES_LEAST);
  /** 1 if a triplet encodes the byte. */
  decoded = new Uint8Array(BYTES_LEAST);
  length = 0;

  /** Adds one byte, whose source is [start, end). */
  add(byte: number, start: number, end: number, isDecoded: boolean): void {
    if (this.length === this.bytes.length) this.#grow();
    this.bytes[this.length] = byte;
    this.starts[this.length] = start;
    this.ends[this.length] = end;
    this.decoded[this.length] = isDecoded ? 1 : 0;
    this.length++;
  }

  #grow(): void {
    const room = 2 * this.bytes.length;
    this.bytes = grown(this.bytes, room);
    this.starts = grown(this.starts, room);
    this.ends = grown(this.ends, room);
    this.decoded = grown(this.decoded, room);
  }
}
