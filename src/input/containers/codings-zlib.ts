// Decodes the codings of HTTP with zlib, synchronously. `#codings` in package.json is codings-pako.ts where there is no zlib.
import { systemCode } from "../../base/errors.ts";
import type { DecodedBody } from "../../decoders/coded-bodies.ts";

const TRY_BYTES = 1 << 14; // Output limit of the first attempt: this many bytes, and TRY_RATIO bytes for each byte of the input
const TRY_RATIO = 16; // Bytes of this limit for each byte of the input
const TRY_FACTOR = 8; // Each further attempt multiplies the limit by this number
const STEPS = 64; // Number of equal steps of the data. The step with an error is located, and the text of the steps before it is kept

/** A decoded body, and the number of compressed bytes taken. */
export interface Inflated extends DecodedBody {
  readonly taken: number;
}

/** Decodes raw deflate data to at most `most` bytes. */
export function inflate(body: Uint8Array, most: number): Inflated {
  const { inflateRawSync, constants } = process.getBuiltinModule("node:zlib");
  let taken = 0;
  const decode = (bytes: Uint8Array, maxOutputLength: number): Uint8Array => {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength, info: true };
    const { buffer, engine } = inflateRawSync(bytes, options) as unknown as { buffer: Uint8Array; engine: { bytesWritten: number } };
    taken = engine.bytesWritten;
    return buffer;
  };
  return { ...decodeStart(body, most, decode), taken };
}

export function unbrotli(body: Uint8Array, most: number): DecodedBody {
  const { brotliDecompressSync, constants } = process.getBuiltinModule("node:zlib");
  const finishFlush = constants.BROTLI_OPERATION_FLUSH;
  return decodeStart(body, most, (bytes, maxOutputLength) => brotliDecompressSync(bytes, { finishFlush, maxOutputLength }));
}

/**
 * Decodes data that may be cut. If it has an error or too much text, decodes the longest valid start, in steps of a 64th of the data. zlib
 * drops the text of a failed call and does not report its length. Raising the limit step by step keeps the cost in proportion to the text.
 */
function decodeStart(body: Uint8Array, most: number, decode: (bytes: Uint8Array, most: number) => Uint8Array): DecodedBody {
  let cost = 0;
  const tryDecode = (bytes: number): Uint8Array | undefined => {
    for (let limit = TRY_BYTES + TRY_RATIO * bytes; ; limit *= TRY_FACTOR) {
      try {
        const text = decode(body.subarray(0, bytes), Math.max(1, Math.min(limit, most)));
        cost += text.length;
        return text;
      } catch (error) {
        cost += Math.min(limit, most);
        if (limit >= most || systemCode(error) !== "ERR_BUFFER_TOO_LARGE") return undefined;
      }
    }
  };
  const whole = tryDecode(body.length);
  if (whole !== undefined) return { text: whole, isWhole: true, cost };
  const step = Math.ceil(body.length / STEPS);
  let text: Uint8Array = new Uint8Array(0);
  let [good, bad] = [0, Math.ceil(body.length / step)];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const found = tryDecode(middle * step);
    if (found === undefined) bad = middle;
    else [good, text] = [middle, found];
  }
  return { text, isWhole: false, cost };
}
