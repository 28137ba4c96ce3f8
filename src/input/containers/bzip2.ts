// bzip2: streams of blocks, which begin at any bit: Huffman codes, move-to-front, a Burrows-Wheeler transform, and run lengths.
import { concat, grown } from "../../base/arrays.ts";
import { decodeLatin1 } from "../../core/text.ts";
import type { Steps } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";
import { corrupt, takeAll, WRONG, wrongSum } from "./errors.ts";

const BLOCK_MARK = 0x314159265359;
const END_MARK = 0x177245385090;
const GROUP_SYMBOLS = 50;
const CODE_BITS_MAX = 20;
const LOOKUP_BITS = 10;
const UNLISTED_BITS = CODE_BITS_MAX - LOOKUP_BITS;
const OUTPUT_BYTES = 1 << 17;
const TABLES_MAX = 6;
const LOW_BYTES = 256; // Most bytes that are read between two checks of `isLow`
const GROUPS_AT_ONCE = 512; // Most groups of symbols that are read between two fills
const ROWS_AT_ONCE = 1 << 17; // Most rows that are transformed between two fills
const MORE_BYTES = 256; // Most bytes of text from one row
const ROWS_LEAST = 1 << 12; // Initial capacity in rows

export function* readBzip2(reader: ByteReader): Steps<Uint8Array> {
  const decoder = new Bzip2Decoder();
  do yield* readStream(reader, decoder);
  while (/^BZh[1-9]$/.test(decodeLatin1(yield* reader.peek(4))));
}

function* readStream(reader: ByteReader, decoder: Bzip2Decoder): Steps<Uint8Array> {
  const { source } = reader;
  const bits = new Bits(reader);
  let sums = 0;
  yield* bits.fill();
  bits.read(24);
  const size = 100_000 * (bits.read(8) & 15);
  try {
    for (;;) {
      yield* bits.fill();
      const mark = bits.readLong(48);
      const sum = bits.readLong(32);
      if (mark === BLOCK_MARK) yield* decoder.readBlock(bits, size);
      if (bits.isOver || (mark !== BLOCK_MARK && mark !== END_MARK)) throw WRONG;
      if (mark === END_MARK) {
        if (sum !== sums >>> 0) throw wrongSum(source);
        return bits.release();
      }
      yield* decoder.transform(bits);
      if ((yield* decoder.readText()) !== sum) throw wrongSum(source, "a block's");
      sums = ((sums << 1) | (sums >>> 31)) ^ sum;
    }
  } catch (error) {
    // Throws that the data is truncated: no byte is left.
    if (error === WRONG && bits.isOver) yield* takeAll(reader, 1);
    throw error === WRONG ? corrupt(source, "a bzip2 block is invalid") : error;
  }
}

/** Reads the bits of a reader, the highest bit of each byte first. After the last byte it returns zeros. */
class Bits {
  readonly #reader: ByteReader;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #buffer = 0;
  #count = 0;
  #hasEnded = false;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** Whether the caller must call `fill` before the next read. */
  get isLow(): boolean {
    return !this.#hasEnded && this.#bytes.length - this.#at < LOW_BYTES;
  }

  /** Whether bits beyond the end were read. */
  get isOver(): boolean {
    return this.#at * 8 - this.#count > this.#bytes.length * 8;
  }

  /** Takes bytes of the reader until there are enough. If there are already, may yield to the event loop. */
  *fill(): Steps<never> {
    if (!this.isLow) return yield* this.#reader.pause();
    while (this.isLow) {
      // `peek` does not throw: the caller gets an error of the reader after the bytes before it.
      this.#hasEnded = (yield* this.#reader.peek(1)).length === 0;
      const bytes = this.#hasEnded ? undefined : yield* this.#reader.next();
      if (bytes === undefined) return;
      const left = this.#bytes.subarray(this.#at);
      this.#bytes = left.length === 0 ? bytes : concat([left, bytes]);
      this.#at = 0;
    }
  }

  /** Drops the rest of the current byte, and gives the reader back the bytes after it. */
  release(): void {
    this.#reader.unread(this.#bytes.subarray(Math.max(0, this.#at - (this.#count >> 3))));
  }

  /** Takes `count` bits, at most 24. */
  read(count: number): number {
    const value = this.peek(count);
    this.#count -= count;
    return value;
  }

  /** Returns the next `count` bits, at most 24, without taking them. */
  peek(count: number): number {
    while (this.#count < count) {
      this.#buffer = (this.#buffer << 8) | (this.#bytes[this.#at] ?? 0);
      this.#at++;
      this.#count += 8;
    }
    return (this.#buffer >>> (this.#count - count)) & ((1 << count) - 1);
  }

  /** Takes bits after a `peek` of at least as many. */
  skip(count: number): void {
    this.#count -= count;
  }

  /** Takes 25 to 48 bits. */
  readLong(count: number): number {
    return this.read(count - 24) * 2 ** 24 + this.read(24);
  }
}

/** One Huffman code of a block. An entry of the lookup table is `symbol << 5 | bits`. */
class Code {
  readonly #lookup = new Uint16Array(1 << LOOKUP_BITS);
  /** By length: the code after the last one of this length, left-aligned in 20 bits; 0 if there is none. */
  readonly #ends = new Int32Array(CODE_BITS_MAX + 1);
  /** By length: the index of the first symbol, less its code. */
  readonly #first = new Int32Array(CODE_BITS_MAX + 1);
  /** Symbols in the order of their codes. */
  readonly #symbols: readonly number[];

  constructor(lengths: Uint8Array) {
    this.#symbols = Array.from(lengths.keys()).sort((one, other) => lengths[one] - lengths[other]);
    let code = 0;
    for (const [index, symbol] of this.#symbols.entries()) {
      const bits = lengths[symbol];
      const end = code + (1 << (CODE_BITS_MAX - bits));
      if (bits <= LOOKUP_BITS) this.#lookup.fill((symbol << 5) | bits, code >> UNLISTED_BITS, end >> UNLISTED_BITS);
      this.#first[bits] = index - (code >> (CODE_BITS_MAX - bits));
      this.#ends[bits] = end;
      code = end;
    }
  }

  read(bits: Bits): number {
    const next = bits.peek(CODE_BITS_MAX);
    const found = this.#lookup[next >> UNLISTED_BITS];
    if (found !== 0) {
      bits.skip(found & 31);
      return found >> 5;
    }
    for (let length = LOOKUP_BITS + 1; length <= CODE_BITS_MAX; length++) {
      if (next >= this.#ends[length]) continue;
      bits.skip(length);
      return this.#symbols[(next >> (CODE_BITS_MAX - length)) + this.#first[length]];
    }
    throw WRONG;
  }
}

/** Returns the bytes that occur in a block. Throws WRONG if there are none. */
function readUsed(bits: Bits): Uint8Array {
  const used: number[] = [];
  const ranges = bits.read(16);
  for (let range = 0; range < 16; range++) {
    const bytes = (ranges & (0x8000 >> range)) === 0 ? 0 : bits.read(16);
    for (let byte = 0; byte < 16; byte++) if ((bytes & (0x8000 >> byte)) !== 0) used.push(range * 16 + byte);
  }
  if (used.length === 0) throw WRONG;
  return Uint8Array.from(used);
}

/** Returns the number of the code of each group of symbols. */
function* readSelectors(bits: Bits, tables: number): Steps<never, Uint8Array> {
  const selectors = new Uint8Array(bits.read(15));
  const order = Uint8Array.from({ length: tables }, (_, index) => index);
  for (let at = 0; at < selectors.length; at++) {
    if (at % GROUPS_AT_ONCE === 0 || bits.isLow) yield* bits.fill();
    if (bits.isOver) throw WRONG;
    let index = 0;
    while (bits.read(1) !== 0) if (++index >= tables) throw WRONG;
    const table = order[index];
    order.copyWithin(1, 0, index);
    order[0] = table;
    selectors[at] = table;
  }
  return selectors;
}

function* readCode(bits: Bits, symbols: number): Steps<never, Code> {
  const lengths = new Uint8Array(symbols);
  let length = bits.read(5);
  for (let symbol = 0; symbol < symbols; symbol++) {
    for (;;) {
      if (bits.isLow) yield* bits.fill();
      if (length < 1 || length > CODE_BITS_MAX || bits.isOver) throw WRONG;
      if (bits.read(1) === 0) break;
      length += bits.read(1) === 0 ? 1 : -1;
    }
    lengths[symbol] = length;
  }
  return new Code(lengths);
}

/** Decodes the blocks of an input. Its rows grow with the largest block, so short streams are cheap. */
class Bzip2Decoder {
  /** Rows of the transform, each `next << 8 | byte`. */
  #rows = new Int32Array(ROWS_LEAST);
  #length = 0;
  /** The row at which the text starts. */
  #start = 0;
  /** Whether some bits of the text are inverted: bzip2 before 0.9.5 inverted bits of text that was slow to sort. */
  #isRandomized = false;

  /** Reads the rows of a block of at most `size` bytes before run-length decoding. Throws WRONG, also if the bits end too early. */
  *readBlock(bits: Bits, size: number): Steps<never> {
    this.#isRandomized = bits.read(1) !== 0;
    this.#start = bits.read(24);
    const used = readUsed(bits);
    const tables = bits.read(3);
    if (tables < 2 || tables > TABLES_MAX) throw WRONG;
    const selectors = yield* readSelectors(bits, tables);
    const codes: Code[] = [];
    for (let table = 0; table < tables; table++) codes.push(yield* readCode(bits, used.length + 2));
    yield* this.#readSymbols(bits, selectors, codes, used, size);
    if (this.#start >= this.#length) throw WRONG;
  }

  /** Reads the last column of the transform. `order`: the bytes that occur in it, of which each symbol moves one to the front. */
  *#readSymbols(bits: Bits, selectors: Uint8Array, codes: readonly Code[], order: Uint8Array, size: number): Steps<never> {
    const end = order.length + 1;
    let length = 0;
    let run = 0;
    let weight = 1;
    for (let group = 0; group < selectors.length; group++) {
      if (group % GROUPS_AT_ONCE === 0 || bits.isLow) yield* bits.fill();
      const code = codes[selectors[group]];
      if (bits.isOver) throw WRONG;
      let rows = this.#room(length + GROUP_SYMBOLS);
      for (let left = GROUP_SYMBOLS; left > 0; left--) {
        const symbol = code.read(bits);
        // The symbols 0 and 1 are digits of a run length, with the values 1 and 2.
        if (symbol < 2) {
          run += weight << symbol;
          weight <<= 1;
          if (run > size) throw WRONG;
          continue;
        }
        if (run > 0) {
          if (length + run > size) throw WRONG;
          rows = this.#room(length + run + GROUP_SYMBOLS);
          rows.fill(order[0], length, length + run);
          length += run;
          run = 0;
          weight = 1;
        }
        if (symbol === end) {
          this.#length = length;
          return;
        }
        if (length >= size) throw WRONG;
        const byte = order[symbol - 1];
        for (let at = symbol - 1; at > 0; at--) order[at] = order[at - 1];
        order[0] = byte;
        rows[length++] = byte;
      }
    }
    throw WRONG;
  }

  #room(count: number): Int32Array {
    if (count > this.#rows.length) this.#rows = grown(this.#rows, Math.max(2 * this.#rows.length, count));
    return this.#rows;
  }

  *transform(bits: Bits): Steps<never> {
    const rows = this.#rows;
    const locations = new Int32Array(257);
    for (let at = 0; at < this.#length; at++) locations[rows[at] + 1]++;
    for (let byte = 0; byte < 256; byte++) locations[byte + 1] += locations[byte];
    for (let from = 0; from < this.#length; from += ROWS_AT_ONCE) {
      yield* bits.fill();
      const end = Math.min(from + ROWS_AT_ONCE, this.#length);
      for (let at = from; at < end; at++) {
        const byte = rows[at] & 0xff;
        rows[locations[byte]++] |= at << 8;
      }
    }
  }

  /** Yields the text of the block; returns its checksum. */
  *readText(): Generator<Uint8Array, number> {
    const rows = this.#rows;
    let text = new Uint8Array(Math.min(OUTPUT_BYTES, Math.max(2 * this.#length, MORE_BYTES)));
    let length = 0;
    let sum = -1;
    let row = rows[this.#start] >>> 8;
    let last = -1;
    let alike = 0;
    const offsets = invertedOffsets();
    let inverted = this.#isRandomized ? this.#length - offsets.next().value : 0;
    for (let left = this.#length; left > 0; left--) {
      const next = rows[row];
      let byte = next & 0xff;
      row = next >>> 8;
      if (left === inverted) {
        byte ^= 1;
        inverted = this.#length - offsets.next().value;
      }
      let count = 1;
      // Four equal bytes are followed by the number of further ones.
      if (alike === 4) {
        count = byte;
        alike = 0;
      } else {
        alike = byte === last ? alike + 1 : 1;
        last = byte;
      }
      if (length + count > text.length) {
        yield text.subarray(0, length);
        text = new Uint8Array(OUTPUT_BYTES);
        length = 0;
      }
      for (; count > 0; count--) {
        text[length++] = last;
        sum = (sum << 8) ^ SUMS[(sum >>> 24) ^ last];
      }
    }
    if (length > 0) yield text.subarray(0, length);
    return ~sum >>> 0;
  }
}

/** Yields, without end, the offsets of bytes with an inverted lowest bit: the second to last byte of each distance in RANDOM_NUMBERS. */
function* invertedOffsets(): Generator<number, never> {
  for (let from = 0, index = 0; ; index = (index + 1) % RANDOM_NUMBERS.length) {
    from += RANDOM_NUMBERS[index];
    yield from - 2;
  }
}

const SUMS = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24;
  for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum < 0 ? 0x04c11db7 : 0);
  return sum;
});

/** Distances between inverted bytes: the random numbers of bzip2 before 0.9.5. */
const RANDOM_NUMBERS = `
  619 720 127 481 931 816 813 233 566 247 985 724 205 454 863 491 741 242 949 214 733 859 335 708 621 574 73 654 730 472 419 436 278 496
  867 210 399 680 480 51 878 465 811 169 869 675 611 697 867 561 862 687 507 283 482 129 807 591 733 623 150 238 59 379 684 877 625 169
  643 105 170 607 520 932 727 476 693 425 174 647 73 122 335 530 442 853 695 249 445 515 909 545 703 919 874 474 882 500 594 612 641 801
  220 162 819 984 589 513 495 799 161 604 958 533 221 400 386 867 600 782 382 596 414 171 516 375 682 485 911 276 98 553 163 354 666 933
  424 341 533 870 227 730 475 186 263 647 537 686 600 224 469 68 770 919 190 373 294 822 808 206 184 943 795 384 383 461 404 758 839 887
  715 67 618 276 204 918 873 777 604 560 951 160 578 722 79 804 96 409 713 940 652 934 970 447 318 353 859 672 112 785 645 863 803 350 139
  93 354 99 820 908 609 772 154 274 580 184 79 626 630 742 653 282 762 623 680 81 927 626 789 125 411 521 938 300 821 78 343 175 128 250
  170 774 972 275 999 639 495 78 352 126 857 956 358 619 580 124 737 594 701 612 669 112 134 694 363 992 809 743 168 974 944 375 748 52
  600 747 642 182 862 81 344 805 988 739 511 655 814 334 249 515 897 955 664 981 649 113 974 459 893 228 433 837 553 268 926 240 102 654
  459 51 686 754 806 760 493 403 415 394 687 700 946 670 656 610 738 392 760 799 887 653 978 321 576 617 626 502 894 679 243 440 680 879
  194 572 640 724 926 56 204 700 707 151 457 449 797 195 791 558 945 679 297 59 87 824 713 663 412 693 342 606 134 108 571 364 631 212 174
  643 304 329 343 97 430 751 497 314 983 374 822 928 140 206 73 263 980 736 876 478 430 305 170 514 364 692 829 82 855 953 676 246 369 970
  294 750 807 827 150 790 288 923 804 378 215 828 592 281 565 555 710 82 896 831 547 261 524 462 293 465 502 56 661 821 976 991 658 869
  905 758 745 193 768 550 608 933 378 286 215 979 792 961 61 688 793 644 986 403 106 366 905 644 372 567 466 434 645 210 389 550 919 135
  780 773 635 389 707 100 626 958 165 504 920 176 193 713 857 265 203 50 668 108 645 990 626 197 510 357 358 850 858 364 936 638`
  .trim()
  .split(/\s+/)
  .map(Number);
