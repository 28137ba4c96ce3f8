// compress (`.Z`): a header of three bytes, then LZW codes of 9 to 16 bits up to the end of the input. Same rules as ncompress and gzip.
import { concat } from "../../base/arrays.ts";
import { SourceError } from "../../base/errors.ts";
import type { Steps } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";
import { corrupt, takeAll, WRONG } from "./errors.ts";

const HEADER_BYTES = 3;
const BITS = 0x1f; // Bits of the third byte: most bits of a code
const RESERVED = 0x60; // Bits of the third byte that must be 0
const HAS_CLEAR = 0x80; // Bit of the third byte: CLEAR clears the table

/** Decodes an input. The format has no end mark, so truncated codes are not noticed. Throws SourceError. */
export function* readCompress(reader: ByteReader): Steps<Uint8Array> {
  const [, , flags] = yield* takeAll(reader, HEADER_BYTES);
  const bits = flags & BITS;
  if ((flags & RESERVED) !== 0 || bits < CODE_BITS_LEAST || bits > CODE_BITS_MAX) {
    throw new SourceError("ERR_URLMILL_METHOD", reader.source, "is compressed in a way of compress that urlmill does not read");
  }
  const decoder = new LzwDecoder(bits, (flags & HAS_CLEAR) !== 0);
  try {
    for (let input = yield* reader.next(); input !== undefined; input = yield* reader.next()) {
      for (const text of decoder.decode(input, false)) {
        yield text;
        yield* reader.pause();
      }
    }
    yield* decoder.decode(new Uint8Array(0), true);
  } catch (error) {
    throw error === WRONG ? corrupt(reader.source, "a code of its LZW data is invalid") : error;
  }
}

const CODE_BITS_LEAST = 9;
const CODE_BITS_MAX = 16;
const GROUP_CODES = 8; // Codes come in groups of this number. When the width changes, the rest of a group is skipped
const CLEAR = 256; // The code that clears the table, if the data has one
/** Approximate size of a piece of text. One code makes at most 64 KiB. */
const TEXT_BYTES = 1 << 16;
const NO_CODE = -1;

class LzwDecoder {
  readonly #bitsMax: number;
  readonly #hasClear: boolean;
  /** By code: the code of its text without the last byte. */
  readonly #prefixes: Uint16Array;
  /** By code: the last byte of its text. */
  readonly #suffixes: Uint8Array;
  /** By code: the bytes of its text. */
  readonly #lengths: Uint32Array;
  #bits = CODE_BITS_LEAST;
  /** The next code that is added to the table. */
  #next: number;
  /** The last code that was read, or NO_CODE. */
  #last = NO_CODE;
  /** The first byte of the text of the last code. */
  #first = 0;
  /** Bytes of an incomplete group. */
  #rest: Uint8Array = new Uint8Array(0);
  readonly #text = new Uint8Array(2 * TEXT_BYTES);
  #length = 0;

  constructor(bitsMax: number, hasClear: boolean) {
    this.#bitsMax = bitsMax;
    this.#hasClear = hasClear;
    this.#prefixes = new Uint16Array(1 << bitsMax);
    this.#suffixes = Uint8Array.from({ length: 1 << bitsMax }, (_, code) => code);
    this.#lengths = new Uint32Array(1 << bitsMax).fill(1, 0, 256);
    this.#next = hasClear ? CLEAR + 1 : CLEAR;
  }

  /** Yields the text of a chunk, in pieces that the caller owns. `isEnd`: this is the last chunk. Throws WRONG after all text before it. */
  *decode(input: Uint8Array, isEnd: boolean): Generator<Uint8Array> {
    const bytes = this.#rest.length === 0 ? input : concat([this.#rest, input]);
    let at = 0;
    try {
      for (;;) {
        this.#widen();
        const width = this.#bits;
        const bitsLeft = (bytes.length - at) * 8;
        if (bitsLeft < (isEnd ? width : width * GROUP_CODES)) break;
        const count = Math.min(GROUP_CODES, Math.floor(bitsLeft / width));
        for (let code = 0; code < count && this.#bits === width; code++) {
          if (!this.#take(codeAt(bytes, at * 8 + code * width, width))) break;
          this.#widen();
          if (this.#length >= TEXT_BYTES) yield this.#given();
        }
        at += width;
      }
    } finally {
      if (this.#length > 0) yield this.#given();
    }
    this.#rest = bytes.slice(Math.min(at, bytes.length));
  }

  #given(): Uint8Array {
    const text = this.#text.slice(0, this.#length);
    this.#length = 0;
    return text;
  }

  /** Widens the codes if the next one needs another bit. */
  #widen(): void {
    if (this.#bits < this.#bitsMax && this.#next >= 1 << this.#bits) this.#bits++;
  }

  /** Adds the text of a code. Returns false if the code has cleared the table. Throws WRONG. */
  #take(code: number): boolean {
    if (code === CLEAR && this.#hasClear && this.#last !== NO_CODE) {
      // The next code adds an entry at CLEAR, which nothing uses.
      this.#next = CLEAR;
      this.#bits = CODE_BITS_LEAST;
      return false;
    }
    if (this.#last === NO_CODE ? code >= CLEAR : code > this.#next) throw WRONG;
    const isNew = code === this.#next;
    const known = isNew ? this.#last : code;
    const end = this.#length + this.#lengths[known];
    let left = known;
    for (let at = end - 1; at >= this.#length; at--) {
      this.#text[at] = this.#suffixes[left];
      left = this.#prefixes[left];
    }
    this.#first = this.#text[this.#length];
    this.#length = end;
    if (isNew) this.#text[this.#length++] = this.#first;
    if (this.#last !== NO_CODE && this.#next < 1 << this.#bitsMax) this.#add();
    this.#last = code;
    return true;
  }

  #add(): void {
    this.#prefixes[this.#next] = this.#last;
    this.#suffixes[this.#next] = this.#first;
    this.#lengths[this.#next] = this.#lengths[this.#last] + 1;
    this.#next++;
  }
}

/** Returns the code of `width` bits at the bit `at`, the lowest bit first. */
function codeAt(bytes: Uint8Array, at: number, width: number): number {
  const byte = at >> 3;
  const word = bytes[byte] | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16);
  return (word >> (at & 7)) & ((1 << width) - 1);
}
