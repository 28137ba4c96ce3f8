// XXH64, the checksum of zstd (RFC 8878, section 3.1.1), without WebAssembly.
import { concat } from "../../base/arrays.ts";
import { readU32 } from "./little-endian.ts";

const PRIME1 = 0x9e3779b185ebca87n;
const PRIME2 = 0xc2b2ae3d27d4eb4fn;
const PRIME3 = 0x165667b19e3779f9n;
const PRIME4 = 0x85ebca77c2b2ae63n;
const PRIME5 = 0x27d4eb2f165667c5n;
const STRIPE_BYTES = 32;
const LANE_ROTATIONS = [1n, 7n, 12n, 18n] as const;

// V8 computes with machine words only if every result is cut to 64 bits at once.
const word = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotate = (value: bigint, count: bigint): bigint => word(value << count) | (value >> (64n - count));
const round = (sum: bigint, next: bigint): bigint => word(rotate(word(sum + word(next * PRIME2)), 31n) * PRIME1);

/** XXH64 with the seed 0. */
export class Xxh64 {
  readonly #lanes = new BigUint64Array([word(PRIME1 + PRIME2), PRIME2, 0n, word(-PRIME1)]);
  /** Bytes of an incomplete stripe. */
  #rest = new Uint8Array(0);
  #length = 0;

  update(text: Uint8Array): void {
    const bytes = concat([this.#rest, text]);
    const view = new DataView(bytes.buffer);
    const lanes = this.#lanes;
    this.#length += text.length;
    let at = 0;
    for (; at + STRIPE_BYTES <= bytes.length; at += STRIPE_BYTES) {
      for (let lane = 0; lane < 4; lane++) lanes[lane] = round(lanes[lane], view.getBigUint64(at + 8 * lane, true));
    }
    this.#rest = bytes.subarray(at);
  }

  digest(): bigint {
    let sum = PRIME5;
    if (this.#length >= STRIPE_BYTES) {
      sum = 0n;
      for (const [index, count] of LANE_ROTATIONS.entries()) sum = word(sum + rotate(this.#lanes[index], count));
      for (const lane of this.#lanes) sum = word(word((sum ^ round(0n, lane)) * PRIME1) + PRIME4);
    }
    sum = word(sum + BigInt(this.#length));
    const rest = this.#rest;
    const view = new DataView(rest.buffer, rest.byteOffset, rest.length);
    let at = 0;
    for (; at + 8 <= rest.length; at += 8) sum = word(rotate(sum ^ round(0n, view.getBigUint64(at, true)), 27n) * PRIME1 + PRIME4);
    if (at + 4 <= rest.length) {
      sum = word(rotate(sum ^ word(BigInt(readU32(rest, at)) * PRIME1), 23n) * PRIME2 + PRIME3);
      at += 4;
    }
    for (; at < rest.length; at++) sum = word(rotate(sum ^ word(BigInt(rest[at]) * PRIME5), 11n) * PRIME1);
    sum = word((sum ^ (sum >> 33n)) * PRIME2);
    sum = word((sum ^ (sum >> 29n)) * PRIME3);
    return sum ^ (sum >> 32n);
  }
}
