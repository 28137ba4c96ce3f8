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

const CODE_BITS_LEAST = 9;
const CODE_BITS_MAX = 16;
const GROUP_CODES = 8; // Codes come in groups of this number. When the width changes, the rest of a group is skipped
const CLEAR = 256; // The code that clears the table, if the data has one
const TEXT_BYTES = 1 << 16; // Approximate size of a piece of text. One code makes at most 64 KiB
const NO_CODE = -1;

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

class LzwDecoder {
  readonly #bitsMax: number;
  readonly #hasClear: boolean;
  /** By code: the code of its text without the last byte, the last byte of its text, and the bytes of its text. */
  readonly #prefixes: Uint16Array;
  readonly #suffixes: Uint8Array;
  readonly #lengths: Uint32Array;
  #width = CODE_BITS_LEAST;
  /** The next code that is added to the table. */
  #next: number;
  /** The last code that was read, or NO_CODE. */
  #last = NO_CODE;
  /** Bytes of an incomplete group. */
  #rest: Uint8Array = new Uint8Array(0);
  readonly #text = new Uint8Array(2 * TEXT_BYTES);
  #length = 0;

  constructor(bitsMax: number, hasClear: boolean) {
    const codes = 1 << bitsMax;
    this.#bitsMax = bitsMax;
    this.#hasClear = hasClear;
    this.#prefixes = new Uint16Array(codes);
    this.#suffixes = Uint8Array.from({ length: codes }, (_, code) => code);
    this.#lengths = new Uint32Array(codes).fill(1, 0, 256);
    this.#next = hasClear ? CLEAR + 1 : CLEAR;
  }

  /** Yields the text of a chunk, in pieces that the caller owns. `isEnd`: this is the last chunk. Throws WRONG after all text before it. */
  *decode(input: Uint8Array, isEnd: boolean): Generator<Uint8Array> {
    const bytes = this.#rest.length === 0 ? input : concat([this.#rest, input]);
    let at = 0;
    try {
      for (;;) {
        this.#widen();
        const width = this.#width;
        const bitsLeft = (bytes.length - at) * 8;
        if (bitsLeft < (isEnd ? width : width * GROUP_CODES)) break;
        const count = Math.min(GROUP_CODES, Math.floor(bitsLeft / width));
        for (let code = 0; code < count && this.#width === width; code++) {
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

  #widen(): void {
    if (this.#width < this.#bitsMax && this.#next >= 1 << this.#width) this.#width++;
  }

  /** Adds the text of a code. Returns false if the code has cleared the table. Throws WRONG. */
  #take(code: number): boolean {
    const [text, start, last, next] = [this.#text, this.#length, this.#last, this.#next];
    if (code === CLEAR && this.#hasClear && last !== NO_CODE) {
      // The next code adds an entry at CLEAR, which nothing uses.
      this.#next = CLEAR;
      this.#width = CODE_BITS_LEAST;
      return false;
    }
    if (last === NO_CODE ? code >= CLEAR : code > next) throw WRONG;
    const isNew = code === next;
    let left = isNew ? last : code;
    const end = start + this.#lengths[left];
    for (let at = end - 1; at >= start; at--) {
      text[at] = this.#suffixes[left];
      left = this.#prefixes[left];
    }
    if (isNew) text[end] = text[start];
    this.#length = isNew ? end + 1 : end;
    if (last !== NO_CODE && next < 1 << this.#bitsMax) {
      this.#prefixes[next] = last;
      this.#suffixes[next] = text[start];
      this.#lengths[next] = this.#lengths[last] + 1;
      this.#next = next + 1;
    }
    this.#last = code;
    return true;
  }
}

/** Returns the code of `width` bits at the bit `at`, the lowest bit first. */
function codeAt(bytes: Uint8Array, at: number, width: number): number {
  const byte = at >> 3;
  const word = bytes[byte] | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16);
  return (word >> (at & 7)) & ((1 << width) - 1);
}
