// The text that a decoder may copy from. It holds what was written, not what a header says may be.

/** Bytes that a history has at first. */
const LEAST_BYTES = 1 << 12;
/** Behind the text that may be copied from, room for new text: as much, or this part of it, so that little is moved. */
const ROOM_LEAST_BYTES = 1 << 20;
const ROOM_SHARE = 8;

/** The last bytes of a text, one behind the other, and room behind them. */
export class History {
  /** The text; new bytes are written from `end` on. */
  bytes = new Uint8Array(LEAST_BYTES);
  end = 0;
  #reach = 0;

  /** Begins a text of which the last `reach` bytes may be copied. The memory of the one before is used again. */
  begin(reach: number): void {
    this.#reach = reach;
    this.end = 0;
  }

  /** Makes room for `count` bytes. */
  reserve(count: number): void {
    const wanted = this.end + count;
    if (wanted <= this.bytes.length) return;
    const most = this.#reach + Math.max(ROOM_LEAST_BYTES, Math.floor(this.#reach / ROOM_SHARE), count);
    if (wanted <= most) {
      const grown = new Uint8Array(Math.min(most, Math.max(2 * this.bytes.length, wanted)));
      grown.set(this.bytes.subarray(0, this.end));
      this.bytes = grown;
      return;
    }
    this.bytes.copyWithin(0, this.end - this.#reach, this.end);
    this.end = this.#reach;
    // A text before this one may have needed less.
    if (this.end + count > this.bytes.length) this.reserve(count);
  }
}
