// gzip (RFC 1952): concatenated members.

import { readU16, readU32 } from "../../base/arrays.ts";
import { type Steps, tapped } from "../steps.ts";
import type { Decoding } from "./block-range.ts";
import type { ByteReader } from "./byte-reader.ts";
import { corrupt, takeAll, truncated, wrongSum } from "./errors.ts";
import { FLAG_CHECKSUM, FLAG_COMMENT, FLAG_EXTRA, FLAG_NAME } from "./gzip-header.ts";
import { inflateRaw } from "./inflate.ts";
import { crc32 } from "./sums.ts";

const MAGIC = 0x8b1f;

export function* readGzip(reader: ByteReader, { atBlock }: Decoding): Steps<Uint8Array> {
  do {
    atBlock?.();
    yield* skipHeader(reader);
    let sum = 0;
    let length = 0;
    yield* tapped(inflateRaw(reader), (text) => {
      sum = crc32(text, sum);
      length += text.length;
    });
    const trailer = yield* takeAll(reader, 8);
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
    for (let hasEnded = false; !hasEnded; ) {
      const bytes = yield* reader.next();
      if (bytes === undefined) throw truncated(reader.source);
      const end = bytes.indexOf(0);
      hasEnded = end >= 0;
      const taken = hasEnded ? end + 1 : bytes.length;
      sum = crc32(bytes.subarray(0, taken), sum);
      reader.unread(bytes.subarray(taken));
    }
  };
  const header = yield* take(10);
  const flags = header[3];
  if (header[2] !== 8 || flags > 31) throw corrupt(reader.source, "a gzip header is invalid");
  if ((flags & FLAG_EXTRA) !== 0) yield* take(readU16(yield* take(2), 0));
  if ((flags & FLAG_NAME) !== 0) yield* skipString();
  if ((flags & FLAG_COMMENT) !== 0) yield* skipString();
  const wanted = sum & 0xffff;
  if ((flags & FLAG_CHECKSUM) !== 0 && readU16(yield* take(2), 0) !== wanted) {
    throw corrupt(reader.source, "the checksum of a gzip header is wrong");
  }
}
