// SHA-256 (FIPS 180-4) and XXH64, without Node and WebAssembly. WebCrypto is asynchronous and takes all bytes at once.
import { concat, readU32, viewOf } from "../../base/arrays.ts";
import { HAS_NODE } from "../../base/has-node.ts";

/** A checksum in progress. `digest` is called once, after the last `update`. */
export interface Checksum {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

export function createSha256(): Checksum {
  return HAS_NODE ? process.getBuiltinModule("node:crypto").createHash("sha256") : new OwnSha256();
}

abstract class BlockHash {
  protected abstract readonly blockBytes: number;
  /** Bytes of an incomplete block. */
  protected rest = new Uint8Array(0);
  protected length = 0;

  update(added: Uint8Array): void {
    const bytes = concat([this.rest, added]);
    const view = viewOf(bytes);
    this.length += added.length;
    let at = 0;
    for (; at + this.blockBytes <= bytes.length; at += this.blockBytes) this.addBlock(view, at);
    this.rest = bytes.slice(at);
  }

  protected abstract addBlock(view: DataView, at: number): void;
}

const SHA_BLOCK_BYTES = 64;
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

export class OwnSha256 extends BlockHash implements Checksum {
  protected readonly blockBytes = SHA_BLOCK_BYTES;
  readonly #state = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));
  readonly #constants = Int32Array.from(primes(ROUNDS), (prime) => fraction(Math.cbrt(prime)));
  readonly #words = new Int32Array(ROUNDS);

  digest(): Uint8Array {
    const { length } = this;
    const end = new Uint8Array(1 + ((-length - 1 - LENGTH_BYTES) & (SHA_BLOCK_BYTES - 1)) + LENGTH_BYTES);
    end[0] = 0x80;
    viewOf(end).setBigUint64(end.length - LENGTH_BYTES, BigInt(8 * length));
    this.update(end);
    const bytes = new Uint8Array(4 * this.#state.length);
    for (const [index, sum] of this.#state.entries()) viewOf(bytes).setInt32(4 * index, sum);
    return bytes;
  }

  protected addBlock(view: DataView, at: number): void {
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
    for (const [index, sum] of [a, b, c, d, e, f, g, h].entries()) this.#state[index] += sum;
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
export class Xxh64 extends BlockHash {
  protected readonly blockBytes = STRIPE_BYTES;
  readonly #lanes = new BigUint64Array([word(PRIME1 + PRIME2), PRIME2, 0n, word(-PRIME1)]);

  protected addBlock(view: DataView, at: number): void {
    const lanes = this.#lanes;
    for (let lane = 0; lane < 4; lane++) lanes[lane] = round(lanes[lane], view.getBigUint64(at + 8 * lane, true));
  }

  digest(): bigint {
    const { rest, length } = this;
    let sum = PRIME5;
    if (length >= STRIPE_BYTES) {
      sum = 0n;
      for (const [index, count] of LANE_ROTATIONS.entries()) sum = word(sum + rotate64(this.#lanes[index], count));
      for (const lane of this.#lanes) sum = word(word((sum ^ round(0n, lane)) * PRIME1) + PRIME4);
    }
    sum = word(sum + BigInt(length));
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
