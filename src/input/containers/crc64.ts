// CRC-64 as xz uses it (ECMA-182, bits turned round), in halves of 32 bits.
import { writeU32 } from "./little-endian.ts";

const HIGH_POLYNOMIAL = 0xc96c5795;
const LOW_POLYNOMIAL = 0xd7870f42;

const HIGH = new Int32Array(256);
const LOW = new Int32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let high = 0;
  let low = byte;
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = (low & 1) !== 0;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (isOdd) {
      low ^= LOW_POLYNOMIAL;
      high ^= HIGH_POLYNOMIAL;
    }
  }
  HIGH[byte] = high;
  LOW[byte] = low;
}

/** The sum of what it was given. */
export class Crc64 {
  #high = -1;
  #low = -1;

  update(bytes: Uint8Array): void {
    let high = this.#high;
    let low = this.#low;
    for (const byte of bytes) {
      const index = (low ^ byte) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (LOW[index] ?? 0);
      high = (high >>> 8) ^ (HIGH[index] ?? 0);
    }
    this.#high = high;
    this.#low = low;
  }

  /** Eight bytes, the lowest first. */
  digest(): Uint8Array {
    const bytes = new Uint8Array(8);
    writeU32(bytes, 0, ~this.#low);
    writeU32(bytes, 4, ~this.#high);
    return bytes;
  }
}
