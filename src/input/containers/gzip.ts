// gzip (RFC 1952): concatenated members, as a stream and in memory.
import { type Inflated, inflate } from "#codings";
import { concat, readU16, readU32 } from "../../base/arrays.ts";
import { type Steps, tapped } from "../steps.ts";
import type { ByteReader, Decoding } from "./byte-reader.ts";
import { crc32 } from "./crc.ts";
import { corrupt, takeAll, truncated, wrongSum } from "./errors.ts";
import { inflateRaw } from "./inflate.ts";

const MAGIC = 0x8b1f;
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
const DEFLATE = 8;
const FLAGS_MAX = 31;
const FLAG_CHECKSUM = 2;
const FLAG_EXTRA = 4;
const STRING_FLAGS: readonly number[] = [8, 16]; // Flags of the name and of the comment, each a string that ends with a zero
const MEMBERS_MAX = 64; // Most members of data in memory. Each needs a decoder, which can cost more than its text
const NOTHING = new Uint8Array(0);
export const NOT_READ: Inflated = { text: NOTHING, isWhole: false, cost: 0, taken: 0 };

export function* readGzip(reader: ByteReader, { atBlock }: Decoding): Steps<Uint8Array> {
  do {
    atBlock?.();
    yield* skipHeader(reader);
    let [sum, length] = [0, 0];
    yield* tapped(inflateRaw(reader), (text) => {
      sum = crc32(text, sum);
      length += text.length;
    });
    const trailer = yield* takeAll(reader, TRAILER_BYTES);
    if (readU32(trailer, 0) !== sum || readU32(trailer, 4) !== length % 2 ** 32) throw wrongSum(reader.source);
  } while (readU16(yield* reader.peek(2), 0) === MAGIC);
}

function* skipHeader(reader: ByteReader): Steps<never> {
  let sum = 0;
  const take = function* (count: number): Steps<never, Uint8Array> {
    const bytes = yield* takeAll(reader, count);
    sum = crc32(bytes, sum);
    return bytes;
  };
  const skipString = function* (): Steps<never> {
    for (let end = -1; end < 0; ) {
      const bytes = yield* reader.next();
      if (bytes === undefined) throw truncated(reader.source);
      end = bytes.indexOf(0);
      const taken = end < 0 ? bytes.length : end + 1;
      sum = crc32(bytes.subarray(0, taken), sum);
      reader.unread(bytes.subarray(taken));
    }
  };
  const [, , method, flags] = yield* take(HEADER_BYTES);
  if (method !== DEFLATE || flags > FLAGS_MAX) throw corrupt(reader.source, "a gzip header is invalid");
  if ((flags & FLAG_EXTRA) !== 0) yield* take(readU16(yield* take(2), 0));
  for (const flag of STRING_FLAGS) if ((flags & flag) !== 0) yield* skipString();
  const wanted = sum & 0xffff;
  if ((flags & FLAG_CHECKSUM) !== 0 && readU16(yield* take(2), 0) !== wanted)
    throw corrupt(reader.source, "the checksum of a gzip header is wrong");
}

/** Decodes members in memory. If the last deflate data is truncated, `taken` is larger than the length of `body`. */
export function gunzip(body: Uint8Array, most: number, checks = false): Inflated {
  const texts: Uint8Array[] = [];
  let [length, cost, at] = [0, 0, 0];
  let isWhole = true;
  for (let member = 0; isWhole; member++) {
    const start = headerEnd(body, at);
    if (start === undefined) {
      isWhole = at > 0;
      break;
    }
    const inflated = member < MEMBERS_MAX ? inflate(body.subarray(start), most - length) : NOT_READ;
    texts.push(inflated.text);
    length += inflated.text.length;
    cost += inflated.cost;
    isWhole = inflated.isWhole;
    at = start + inflated.taken + TRAILER_BYTES;
    if (checks && crc32(inflated.text) !== readU32(body, at - TRAILER_BYTES)) isWhole = false;
  }
  return { text: texts.length === 1 ? (texts[0] ?? NOTHING) : concat(texts), isWhole, cost, taken: at };
}

/** Returns the offset of the deflate data of the member at `from`, or undefined if its header is invalid or incomplete. */
function headerEnd(bytes: Uint8Array, from: number): number | undefined {
  const [, , method, flags = 0] = bytes.subarray(from, from + HEADER_BYTES);
  if (readU16(bytes, from) !== MAGIC || method !== DEFLATE || flags > FLAGS_MAX) return undefined;
  let at = from + HEADER_BYTES;
  if ((flags & FLAG_EXTRA) !== 0) at += 2 + readU16(bytes, at);
  for (const flag of STRING_FLAGS) {
    if ((flags & flag) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  if ((flags & FLAG_CHECKSUM) !== 0) at += 2;
  return at <= bytes.length ? at : undefined;
}
