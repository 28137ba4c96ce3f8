// A text of which every byte knows where in the source it comes from.

const BYTES_LEAST = 1 << 12;

/** A growing text; places are offsets in the source, counted from any base. */
export class LocatedText {
  bytes = new Uint8Array(BYTES_LEAST);
  /** Where the source of each byte starts. */
  starts = new Int32Array(BYTES_LEAST);
  /** Where it ends: three bytes on for a triplet. */
  ends = new Int32Array(BYTES_LEAST);
  /** 1 where a triplet stands for the byte. */
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
    const { bytes, starts, ends, decoded } = this;
    const room = 2 * bytes.length;
    this.bytes = new Uint8Array(room);
    this.bytes.set(bytes);
    this.starts = new Int32Array(room);
    this.starts.set(starts);
    this.ends = new Int32Array(room);
    this.ends.set(ends);
    this.decoded = new Uint8Array(room);
    this.decoded.set(decoded);
  }
}
