// A text of which every byte knows where in the source it comes from.

const BYTES_LEAST = 1 << 12;

/** A byte as it stands in the source; as it stands there in a text that is decoded; what a triplet stands for. */
export const AS_IS = 0;
/** @see AS_IS */
export const BESIDE_DECODED = 1;
/** @see AS_IS */
export const DECODED = 2;

/** A growing text; places are offsets in the source, counted from any base. */
export class LocatedText {
  bytes = new Uint8Array(BYTES_LEAST);
  /** Where the source of each byte starts. */
  starts = new Int32Array(BYTES_LEAST);
  /** Where it ends: three bytes on for a triplet. */
  ends = new Int32Array(BYTES_LEAST);
  /** AS_IS, BESIDE_DECODED or DECODED. */
  origins = new Uint8Array(BYTES_LEAST);
  length = 0;

  /** Adds one byte, whose source is [start, end). */
  add(byte: number, start: number, end: number, origin: number): void {
    if (this.length === this.bytes.length) this.#grow();
    this.bytes[this.length] = byte;
    this.starts[this.length] = start;
    this.ends[this.length] = end;
    this.origins[this.length] = origin;
    this.length++;
  }

  #grow(): void {
    const { bytes, starts, ends, origins } = this;
    const room = 2 * bytes.length;
    this.bytes = new Uint8Array(room);
    this.bytes.set(bytes);
    this.starts = new Int32Array(room);
    this.starts.set(starts);
    this.ends = new Int32Array(room);
    this.ends.set(ends);
    this.origins = new Uint8Array(room);
    this.origins.set(origins);
  }
}
