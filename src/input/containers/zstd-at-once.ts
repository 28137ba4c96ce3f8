// Decodes zstd data in memory synchronously.
import type { Inflated } from "#codings";
import { concat } from "../../base/arrays.ts";
import { NO_MEMORY, WRONG } from "./errors.ts";
import { readU32 } from "./little-endian.ts";
import { isSkippableFrame } from "./recognize.ts";
import { Spare } from "./spare.ts";
import { Xxh64 } from "./xxh64.ts";
import { ZstdDecoder } from "./zstd-block.ts";
import { BLOCK_HEADER_BYTES, decodeBlock, frameHeaderBytes, MAGIC, readBlockHeader, readFrameHeader } from "./zstd-frame.ts";

const SUM_BYTES = 4;
const MAGIC_BYTES = 4;

const spare = new Spare(() => new ZstdDecoder());

/**
 * Decodes frames up to an error or `most` bytes of text. If a frame is truncated, `taken` is larger than the length of `body`. `checks`:
 * compares checksums.
 */
export function decodeZstd(body: Uint8Array, most: number, checks = false): Inflated {
  const decoder = spare.take();
  const texts: Uint8Array[] = [];
  let left = most;
  const put = (text: Uint8Array): void => {
    if (text.length > left) throw WRONG;
    left -= text.length;
    if (text.length > 0) texts.push(text);
  };
  let isWhole = true;
  let at = 0;
  try {
    while (at + MAGIC_BYTES <= body.length) {
      const start = body.subarray(at);
      if (isSkippableFrame(start)) at += 8 + (start.length < 8 ? 0 : readU32(start, 4));
      else if (readU32(start, 0) === MAGIC) at += decodeFrame(start, decoder, most, put, checks);
      else break;
    }
    isWhole = at > 0;
  } catch (error) {
    if (error !== WRONG && error !== NO_MEMORY) throw error;
    isWhole = false;
  } finally {
    spare.give(decoder);
  }
  return { text: concat(texts), isWhole, cost: most - left, taken: at };
}

/**
 * Passes the text of the first frame in `frame` to `put`. Returns the length of this frame in bytes; if it is truncated, returns more than
 * `frame.length`. Throws WRONG and NO_MEMORY.
 */
function decodeFrame(frame: Uint8Array, decoder: ZstdDecoder, most: number, put: (text: Uint8Array) => void, checks: boolean): number {
  const cut = frame.length + 1;
  let at = frameHeaderBytes(frame[MAGIC_BYTES] ?? 0);
  if (at > frame.length) return cut;
  const { windowBytes, size, hasSum, hasDictionary, isValid } = readFrameHeader(frame.subarray(0, at));
  if (hasDictionary || !isValid) throw WRONG;
  const sum = checks && hasSum ? new Xxh64() : undefined;
  decoder.begin(Math.min(windowBytes, size ?? windowBytes, most));
  while (at + BLOCK_HEADER_BYTES <= frame.length) {
    const header = readBlockHeader(frame, at);
    if (header === undefined) throw WRONG;
    at += BLOCK_HEADER_BYTES;
    const end = at + header.packedSize;
    if (end > frame.length) break;
    const text = decodeBlock(decoder, header, frame.subarray(at, end));
    put(text);
    sum?.update(text);
    at = end;
    if (!header.isLast) continue;
    if (sum !== undefined && BigInt(readU32(frame, at)) !== BigInt.asUintN(32, sum.digest())) throw WRONG;
    return at + (hasSum ? SUM_BYTES : 0);
  }
  return cut;
}
