// XXH64 (RFC 8878, section 7) where there is no WebAssembly, in halves of 32 bits.

/** Low and high halves. */
type Halves = [low: number, high: number];

const PRIME1: Readonly<Halves> = [0x85ebca87, 0x9e3779b1];
const PRIME2: Readonly<Halves> = [0x27d4eb4f, 0xc2b2ae3d];
const PRIME3: Readonly<Halves> = [0x9e3779f9, 0x165667b1];
const PRIME4: Readonly<Halves> = [0xc2b2ae63, 0x85ebca77];
const PRIME5: Readonly<Halves> = [0x165667c5, 0x27d4eb2f];
const STRIPE_BYTES = 32;

function add([low, high]: Readonly<Halves>, [otherLow, otherHigh]: Readonly<Halves>): Halves {
  const sum = (low >>> 0) + (otherLow >>> 0);
  return [sum | 0, (high + otherHigh + (sum > 0xffffffff ? 1 : 0)) | 0];
}

function multiply([low, high]: Readonly<Halves>, [otherLow, otherHigh]: Readonly<Halves>): Halves {
  const [a, b, c, d] = [low & 0xffff, low >>> 16, otherLow & 0xffff, otherLow >>> 16];
  const middle = b * c + ((a * c) >>> 16);
  const cross = a * d + (middle & 0xffff);
  const carry = b * d + Math.floor(middle / 65536) + Math.floor(cross / 65536);
  return [Math.imul(low, otherLow), (carry + Math.imul(low, otherHigh) + Math.imul(high, otherLow)) | 0];
}

function rotate([low, high]: Readonly<Halves>, count: number): Halves {
  if (count === 32) return [high, low];
  const [one, other] = count < 32 ? [low, high] : [high, low];
  const bits = count & 31;
  return [(one << bits) | (other >>> (32 - bits)), (other << bits) | (one >>> (32 - bits))];
}

function exclusive([low, high]: Readonly<Halves>, [otherLow, otherHigh]: Readonly<Halves>): Halves {
  return [low ^ otherLow, high ^ otherHigh];
}

function shifted([low, high]: Readonly<Halves>, count: number): Halves {
  return count >= 32 ? [high >>> (count - 32), 0] : [(low >>> count) | (high << (32 - count)), high >>> count];
}

function round(sum: Readonly<Halves>, word: Readonly<Halves>): Halves {
  return multiply(rotate(add(sum, multiply(word, PRIME2)), 31), PRIME1);
}

function wordAt(bytes: Buffer, at: number): Halves {
  return [bytes.readInt32LE(at), bytes.readInt32LE(at + 4)];
}

/** The sum of what it was given, with the seed 0. */
export class Xxh64 {
  readonly #lanes: Halves[] = [add(PRIME1, PRIME2), [...PRIME2], [0, 0], add([~PRIME1[0] | 0, ~PRIME1[1]], [1, 0])];
  /** Bytes that make no whole stripe yet. */
  #rest = Buffer.alloc(0);
  #length = 0;

  update(text: Uint8Array): void {
    const bytes = Buffer.concat([this.#rest, text]);
    this.#length += text.length;
    let at = 0;
    for (; at + STRIPE_BYTES <= bytes.length; at += STRIPE_BYTES) {
      for (let lane = 0; lane < 4; lane++) this.#lanes[lane] = round(this.#lanes[lane] ?? [0, 0], wordAt(bytes, at + 8 * lane));
    }
    this.#rest = bytes.subarray(at);
  }

  digest(): bigint {
    let sum: Halves = [...PRIME5];
    if (this.#length >= STRIPE_BYTES) {
      sum = [0, 0];
      for (const [index, lane] of this.#lanes.entries()) sum = add(sum, rotate(lane, [1, 7, 12, 18][index] ?? 0));
      for (const lane of this.#lanes) sum = add(multiply(exclusive(sum, round([0, 0], lane)), PRIME1), PRIME4);
    }
    sum = add(sum, [this.#length | 0, Math.floor(this.#length / 2 ** 32)]);
    let at = 0;
    const rest = this.#rest;
    for (; at + 8 <= rest.length; at += 8) {
      sum = add(multiply(rotate(exclusive(sum, round([0, 0], wordAt(rest, at))), 27), PRIME1), PRIME4);
    }
    if (at + 4 <= rest.length) {
      sum = add(multiply(rotate(exclusive(sum, multiply([rest.readInt32LE(at), 0], PRIME1)), 23), PRIME2), PRIME3);
      at += 4;
    }
    for (; at < rest.length; at++) sum = multiply(rotate(exclusive(sum, multiply([rest[at] ?? 0, 0], PRIME5)), 11), PRIME1);
    sum = multiply(exclusive(sum, shifted(sum, 33)), PRIME2);
    sum = multiply(exclusive(sum, shifted(sum, 29)), PRIME3);
    sum = exclusive(sum, shifted(sum, 32));
    return (BigInt(sum[1] >>> 0) << 32n) | BigInt(sum[0] >>> 0);
  }
}
