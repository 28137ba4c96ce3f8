// zstd that is in memory, decoded at once; checksums are not compared.
import { concat } from "../../arrays.ts";
import type { DecodedBody } from "../../scanner/coded-bodies.ts";
import { NO_MEMORY, WRONG } from "./errors.ts";
import { readU16, readU32 } from "./little-endian.ts";
import { isSkippableFrame } from "./recognize.ts";
import { Spare } from "./spare.ts";
import { ZstdDecoder } from "./zstd-block.ts";
import { BLOCK_HEADER_BYTES, blockBytes, decodeBlock, frameHeaderBytes, isBlock, MAGIC, readFrameHeader } from "./zstd-frame.ts";

const SUM_BYTES = 4;
const MAGIC_BYTES = 4;

const spare = new Spare(() => new ZstdDecoder());

/** Decodes all frames, up to an error, or to as many blocks as make `most` bytes. Bytes after the last frame are not read. */
export function decodeZstd(body: Uint8Array, most: number): DecodedBody {
  const decoder = spare.take();
  const texts: Uint8Array[] = [];
  let left = most;
  const put = (text: Uint8Array): void => {
    if (text.length > left) throw WRONG;
    left -= text.length;
    if (text.length > 0) texts.push(text);
  };
  let isWhole = true;
  try {
    let at = 0;
    while (at + MAGIC_BYTES <= body.length) {
      const start = body.subarray(at);
      if (isSkippableFrame(start)) at += 8 + (start.length < 8 ? 0 : readU32(start, 4));
      else if (readU32(start, 0) === MAGIC) at += decodeFrame(start, decoder, most, put);
      else break;
    }
    isWhole = at > 0;
  } catch (error) {
    if (error !== WRONG && error !== NO_MEMORY) throw error;
    isWhole = false;
  } finally {
    spare.give(decoder);
  }
  return { text: concat(texts), isWhole, cost: most - left };
}

/** Gives the text of the blocks of a frame, which may be cut; returns the length of the frame. Throws WRONG. */
function decodeFrame(frame: Uint8Array, decoder: ZstdDecoder, most: number, put: (text: Uint8Array) => void): number {
  let at = frameHeaderBytes(frame[MAGIC_BYTES] ?? 0);
  if (at > frame.length) return frame.length;
  const { windowBytes, size, hasSum, hasDictionary, isValid } = readFrameHeader(frame.subarray(0, at));
  if (hasDictionary || !isValid) throw WRONG;
  decoder.begin(Math.min(windowBytes, size ?? windowBytes, most));
  while (at + BLOCK_HEADER_BYTES <= frame.length) {
    const header = readU16(frame, at) + ((frame[at + 2] ?? 0) << 16);
    const [isLast, type, size] = [(header & 1) !== 0, (header >> 1) & 3, header >> 3];
    if (!isBlock(type, size)) throw WRONG;
    at += BLOCK_HEADER_BYTES;
    const end = at + blockBytes(type, size);
    if (end > frame.length) break;
    put(decodeBlock(decoder, type, size, frame.subarray(at, end)));
    at = end;
    if (isLast) return at + (hasSum ? SUM_BYTES : 0);
  }
  return frame.length;
}
