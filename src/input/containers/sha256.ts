// SHA-256 (FIPS 180-4): Node's, or our own without Node. WebCrypto is asynchronous and takes all bytes at once.
import { concat } from "../../base/arrays.ts";
import { HAS_NODE } from "../../base/has-node.ts";

const BLOCK_BYTES = 64;
const ROUNDS = 64;
const LENGTH_BYTES = 8;

/** A checksum in progress. `digest` is called once, after the last `update`. */
export interface Checksum {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

export function createSha256(): Checksum {
  return HAS_NODE ? process.getBuiltinModule("node:crypto").createHash("sha256") : new OwnSha256();
}

/** Returns the first 32 bits of the fractional part. */
const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;
const rotate = (word: number, count: number): number => (word >>> count) | (word << (32 - count));

function primes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) if (found.every((prime) => number % prime !== 0)) found.push(number);
  return found;
}

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
