// Which encodings are read as they lie: everything whose ASCII characters are single bytes, so not UTF-16.
import { SourceError } from "../errors.ts";

/** Throws SourceError (`ERR_UTF16`) if a source that begins with `start` is UTF-16 by its byte order mark, FE FF or FF FE. */
export function refuseUtf16(start: Uint8Array, source: string | undefined): void {
  const isLittle = start[0] === 0xff && start[1] === 0xfe;
  const isBig = start[0] === 0xfe && start[1] === 0xff;
  if (isLittle || isBig) {
    throw new SourceError("ERR_UTF16", source, `is UTF-16 (${isLittle ? "little" : "big"} endian); convert it to UTF-8 first (iconv)`);
  }
}

/** Watches the first two bytes of a stream, however it is cut into chunks. */
export class StreamStart {
  readonly #source: string | undefined;
  readonly #bytes: number[] = [];

  constructor(source: string | undefined) {
    this.#source = source;
  }

  /** Looks at the next chunk. Throws as `refuseUtf16` does. */
  check(chunk: Uint8Array): void {
    if (this.#bytes.length === 2) return;
    this.#bytes.push(...chunk.subarray(0, 2 - this.#bytes.length));
    refuseUtf16(Uint8Array.from(this.#bytes), this.#source);
  }
}
