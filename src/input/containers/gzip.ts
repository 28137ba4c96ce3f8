// gzip (RFC 1952): concatenated members.
import type { ByteReader } from "./byte-reader.ts";
import { crc32 } from "./crc32.ts";
import { corrupt, refuseTrailing, takeAll, truncated, wrongSum } from "./errors.ts";
import { FLAG_CHECKSUM, FLAG_COMMENT, FLAG_EXTRA, FLAG_NAME } from "./gzip-header.ts";
import { inflateRaw } from "./inflate.ts";
import { readU16, readU32 } from "./little-endian.ts";

/** Decodes all members; calls `atMember` before each. Throws SourceError, also for bytes other than zero after the last member. */
export async function* readGzip(reader: ByteReader, atMember?: () => void): AsyncGenerator<Uint8Array> {
  do {
    atMember?.();
    await skipHeader(reader);
    let sum = 0;
    let length = 0;
    for await (const chunk of inflateRaw(reader)) {
      sum = crc32(chunk, sum);
      length += chunk.length;
      yield chunk;
    }
    const trailer = await takeAll(reader, 8);
    if (readU32(trailer, 0) !== sum || readU32(trailer, 4) !== length % 2 ** 32) {
      throw wrongSum(reader.source);
    }
  } while (isGzip(await reader.peek(2)));
  await refuseTrailing(reader, "gzip");
}

function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

async function skipHeader(reader: ByteReader): Promise<void> {
  let sum = 0;
  const take = async (count: number): Promise<Uint8Array> => {
    const bytes = await takeAll(reader, count);
    sum = crc32(bytes, sum);
    return bytes;
  };
  const skipString = async (): Promise<void> => {
    for (let hasEnded = false; !hasEnded; ) {
      const bytes = await reader.next();
      if (bytes === undefined) throw truncated(reader.source);
      const end = bytes.indexOf(0);
      hasEnded = end >= 0;
      const taken = hasEnded ? end + 1 : bytes.length;
      sum = crc32(bytes.subarray(0, taken), sum);
      reader.unread(bytes.subarray(taken));
    }
  };
  const header = await take(10);
  const flags = header[3];
  if (header[2] !== 8 || flags > 31) throw corrupt(reader.source, "a gzip header is invalid");
  if ((flags & FLAG_EXTRA) !== 0) {
    await take(readU16(await take(2), 0));
  }
  if ((flags & FLAG_NAME) !== 0) await skipString();
  if ((flags & FLAG_COMMENT) !== 0) await skipString();
  const wanted = sum & 0xffff;
  if ((flags & FLAG_CHECKSUM) !== 0 && readU16(await take(2), 0) !== wanted) {
    throw corrupt(reader.source, "the checksum of a gzip header is wrong");
  }
}
