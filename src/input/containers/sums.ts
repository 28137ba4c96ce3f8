// Checksums of containers. CRC-32 and SHA-256 are those of Node where there is one. WebCrypto is asynchronous and takes all bytes at once.
import { concat, readU32, viewOf } from "../../base/arrays.ts";
import { HAS_NODE } from "../../base/has-node.ts";

/** A checksum in progress. `digest` is called once, after the last `update`. */
export interface Checksum {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** Returns the CRC-32 of `bytes`, as of zip, gzip and xz; `before`: that of the bytes before them, if any. */
export function crc32(bytes: Uint8Array, before = 0): number {
  // zlib returns 0 for an empty array that has no memory.
  if (bytes.length === 0) return before;
  return HAS_NODE ? process.getBuiltinModule("node:zlib").crc32(bytes, before) : addByTables(bytes, before);
}

const CRC32_STEP = 8; // Bytes that are added at a time, each by its own table
const CRC32_POLYNOMIAL = 0xedb88320;
let crc32Tables: Int32Array | undefined;

/** Returns the checksums of each byte with 0 to CRC32_STEP - 1 zeros after it. */
function makeCrc32Tables(): Int32Array {
  const made = new Int32Array(256 * CRC32_STEP);
  for (let byte = 0; byte < 256; byte++) {
    let sum = byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (-(sum & 1) & CRC32_POLYNOMIAL);
    made[byte] = sum;
  }
  for (let index = 256; index < made.length; index++) {
    const before = made[index - 256];
    made[index] = (before >>> 8) ^ made[before & 0xff];
  }
  return made;
}

export function addByTables(bytes: Uint8Array, before: number): number {
  crc32Tables ??= makeCrc32Tables();
  const sums = crc32Tables;
  const view = viewOf(bytes);
  let sum = ~before;
  let at = 0;
  for (; at + CRC32_STEP <= bytes.length; at += CRC32_STEP) {
    const low = view.getInt32(at, true) ^ sum;
    const high = view.getInt32(at + 4, true);
    sum =
      sums[0x700 + (low & 0xff)] ^
      sums[0x600 + ((low >>> 8) & 0xff)] ^
      sums[0x500 + ((low >>> 16) & 0xff)] ^
      sums[0x400 + (low >>> 24)] ^
      sums[0x300 + (high & 0xff)] ^
      sums[0x200 + ((high >>> 8) & 0xff)] ^
      sums[0x100 + ((high >>> 16) & 0xff)] ^
      sums[high >>> 24];
  }
  for (; at < bytes.length; at++) sum = (sum >>> 8) ^ sums[(sum ^ bytes[at]) & 0xff];
  return ~sum >>> 0;
}

export function createSha256(): Checksum {
  return HAS_NODE ? process.getBuiltinModule("node:crypto").createHash("sha256") : new OwnSha256();
}

const BLOCK_BYTES = 64; // Bytes of a block of SHA-256
const ROUNDS = 64;
const LENGTH_BYTES = 8;

/** Returns the first 32 bits of the fractional part. */
const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;
const rotate = (word: number, count: number): number => (word >>> count) | (word << (32 - count));

function primes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) if (found.every((prime) => number % prime !== 0)) found.push(number);
  return found;
}

/** SHA-256 (FIPS 180-4). */
export class OwnSha256 implements Checksum {
  readonly #state: Int32Array;
  readonly #constants: Int32Array;
  readonly #words = new Int32Array(ROUNDS);
  /** Bytes of an incomplete block. */
  #rest = new Uint8Array(0);
  #length = 0;

  constructor() {
    this.#state = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));
    this.#constants = Int32Array.from(primes(ROUNDS), (prime) => fraction(Math.cbrt(prime)));
  }

  update(bytes: Uint8Array): void {
    this.#length += bytes.length;
    const all = concat([this.#rest, bytes]);
    const view = new DataView(all.buffer);
    let at = 0;
    for (; at + BLOCK_BYTES <= all.length; at += BLOCK_BYTES) this.#addBlock(view, at);
    this.#rest = all.slice(at);
  }

  digest(): Uint8Array {
    const bits = 8 * this.#length;
    const end = new Uint8Array(1 + ((-this.#length - 1 - LENGTH_BYTES) & (BLOCK_BYTES - 1)) + LENGTH_BYTES);
    end[0] = 0x80;
    const length = new DataView(end.buffer, end.length - LENGTH_BYTES);
    length.setUint32(0, bits / 2 ** 32);
    length.setUint32(4, bits);
    this.update(end);
    const bytes = new Uint8Array(4 * this.#state.length);
    const view = new DataView(bytes.buffer);
    this.#state.forEach((word, index) => void view.setInt32(4 * index, word));
    return bytes;
  }

  #addBlock(view: DataView, at: number): void {
    const words = this.#words;
    for (let index = 0; index < 16; index++) words[index] = view.getInt32(at + 4 * index);
    for (let index = 16; index < ROUNDS; index++) {
      const [early, late] = [words[index - 15], words[index - 2]];
      const low = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const high = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[index] = words[index - 16] + low + words[index - 7] + high;
    }
    let [a, b, c, d, e, f, g, h] = this.#state;
    for (let index = 0; index < ROUNDS; index++) {
      const upper = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const next = (h + upper + ((e & f) ^ (~e & g)) + this.#constants[index] + words[index]) | 0;
      const lower = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const sum = (lower + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + next) | 0, c, b, a, (next + sum) | 0];
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) this.#state[index] = this.#state[index] + word;
  }
}

const PRIME1 = 0x9e3779b185ebca87n;
const PRIME2 = 0xc2b2ae3d27d4eb4fn;
const PRIME3 = 0x165667b19e3779f9n;
const PRIME4 = 0x85ebca77c2b2ae63n;
const PRIME5 = 0x27d4eb2f165667c5n;
const STRIPE_BYTES = 32;
const LANE_ROTATIONS = [1n, 7n, 12n, 18n] as const;

// V8 computes with machine words only if every result is cut to 64 bits at once.
const word = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotate64 = (value: bigint, count: bigint): bigint => word(value << count) | (value >> (64n - count));
const round = (sum: bigint, next: bigint): bigint => word(rotate64(word(sum + word(next * PRIME2)), 31n) * PRIME1);

/** XXH64 of zstd (RFC 8878, section 3.1.1) with the seed 0, without WebAssembly. */
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
      for (const [index, count] of LANE_ROTATIONS.entries()) sum = word(sum + rotate64(this.#lanes[index], count));
      for (const lane of this.#lanes) sum = word(word((sum ^ round(0n, lane)) * PRIME1) + PRIME4);
    }
    sum = word(sum + BigInt(this.#length));
    const rest = this.#rest;
    const view = viewOf(rest);
    let at = 0;
    for (; at + 8 <= rest.length; at += 8) sum = word(rotate64(sum ^ round(0n, view.getBigUint64(at, true)), 27n) * PRIME1 + PRIME4);
    if (at + 4 <= rest.length) {
      sum = word(rotate64(sum ^ word(BigInt(readU32(rest, at)) * PRIME1), 23n) * PRIME2 + PRIME3);
      at += 4;
    }
    for (; at < rest.length; at++) sum = word(rotate64(sum ^ word(BigInt(rest[at]) * PRIME5), 11n) * PRIME1);
    sum = word((sum ^ (sum >> 33n)) * PRIME2);
    sum = word((sum ^ (sum >> 29n)) * PRIME3);
    return sum ^ (sum >> 32n);
  }
}
