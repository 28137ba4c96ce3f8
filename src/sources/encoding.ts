// What is read as it lies: every encoding whose ASCII characters are single bytes; not UTF-16, not compressed data.
import { SourceError, type SourceErrorCode } from "../errors.ts";

/** Bytes that a source which is not read begins with, and what to say of it. */
const UNREAD: readonly { readonly bytes: readonly number[]; readonly code: SourceErrorCode; readonly reason: string }[] = [
  { bytes: [0xff, 0xfe], code: "ERR_UTF16", reason: "is UTF-16 (little endian); convert it to UTF-8 first (iconv)" },
  { bytes: [0xfe, 0xff], code: "ERR_UTF16", reason: "is UTF-16 (big endian); convert it to UTF-8 first (iconv)" },
  { bytes: [0x1f, 0x8b, 0x08], code: "ERR_COMPRESSED", reason: "is compressed with gzip; unpack it first (zcat FILE | urlmill)" },
  { bytes: [0x42, 0x5a, 0x68], code: "ERR_COMPRESSED", reason: "is compressed with bzip2; unpack it first (bzcat FILE | urlmill)" },
  {
    bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a],
    code: "ERR_COMPRESSED",
    reason: "is compressed with xz; unpack it first (xzcat FILE | urlmill)",
  },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], code: "ERR_COMPRESSED", reason: "is compressed with zstd; unpack it first (zstdcat FILE | urlmill)" },
  { bytes: [0x50, 0x4b, 0x03, 0x04], code: "ERR_COMPRESSED", reason: "is a zip archive; unpack it first (unzip -p FILE | urlmill)" },
];

/** Bytes at the start of a source that tell whether it is read. */
export const START_BYTES = Math.max(...UNREAD.map(({ bytes }) => bytes.length));

/** Throws SourceError (`ERR_UTF16`, `ERR_COMPRESSED`) if a source that begins with `start` is not read. */
export function refuseUnread(start: Uint8Array, source: string | undefined): void {
  const found = UNREAD.find(({ bytes }) => bytes.every((byte, index) => start[index] === byte));
  if (found !== undefined) throw new SourceError(found.code, source, found.reason);
}

/** Watches the first bytes of a stream, however it is cut into chunks. */
export class StreamStart {
  readonly #source: string | undefined;
  readonly #bytes: number[] = [];

  constructor(source: string | undefined) {
    this.#source = source;
  }

  /** Looks at the next chunk. Throws as `refuseUnread` does. */
  check(chunk: Uint8Array): void {
    if (this.#bytes.length === START_BYTES) return;
    this.#bytes.push(...chunk.subarray(0, START_BYTES - this.#bytes.length));
    refuseUnread(Uint8Array.from(this.#bytes), this.#source);
  }
}
