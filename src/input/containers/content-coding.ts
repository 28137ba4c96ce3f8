// Codings of HTTP (A12), undone at once: the core waits for the text.
import { CODING_BITS, CODING_BROTLI, CODING_DEFLATE, CODING_GZIP, CODING_ZSTD } from "#core/layout/mail.js";
import { systemCode } from "../../errors.ts";
import { HAS_NODE } from "../../has-node.ts";
import type { DecodedBody } from "../../scanner/coded-bodies.ts";
import { gzipHeaderEnd } from "./gzip-header.ts";
import { decodeZstd } from "./zstd-at-once.ts";

/** The first attempt at a body may make so many bytes, and so many for each of its own; each further one so many times more. */
const TRY_BYTES = 1 << 14;
const TRY_RATIO = 16;
const TRY_FACTOR = 8;
/** An error is looked for in so many steps: what is decoded before the last one without it is kept. */
const STEPS = 64;
/** Members of a gzip body that are read: a decoder for each costs more than its text. */
const MEMBERS_MAX = 64;
const GZIP_TRAILER_BYTES = 8;
const NOTHING = new Uint8Array(0);
const WHITE_SPACE = 0x20;

/** What was decoded, and how many bytes were taken for it. */
interface Inflated extends DecodedBody {
  readonly taken: number;
}

type Decode = (body: Uint8Array, most: number) => DecodedBody;

const DECODERS: Readonly<Record<number, Decode>> = {
  [CODING_GZIP]: gunzip,
  [CODING_DEFLATE]: (body, most) => inflate(isZlib(body) ? body.subarray(2) : body, most),
  [CODING_BROTLI]: unbrotli,
  [CODING_ZSTD]: decodeZstd,
};

/**
 * Undoes codings, the lowest first (CODING_BITS each); makes `most` bytes of each at most. A text that is not whole ends with a word.
 * Without Node nothing is decoded: a browser has no decoder that works at once.
 */
export function decodeBody(body: Uint8Array, codings: number, most: number): DecodedBody {
  if (!HAS_NODE) return { text: NOTHING, isWhole: false, cost: 0 };
  let [text, isWhole, cost] = [body, true, 0];
  for (let left = codings; left > 0 && text.length > 0; left >>= CODING_BITS) {
    const decoded = DECODERS[left & ((1 << CODING_BITS) - 1)]?.(text, most);
    text = decoded?.text ?? NOTHING;
    isWhole &&= decoded?.isWhole ?? false;
    cost += decoded?.cost ?? 0;
  }
  return { text: isWhole ? text : wholeWords(text), isWhole, cost };
}

/** Returns a text without its last word, which may be half a URL. */
function wholeWords(text: Uint8Array): Uint8Array {
  let end = text.length;
  while (end > 0 && (text[end - 1] as number) > WHITE_SPACE) end--;
  return text.subarray(0, end);
}

/** Undoes gzip. Bytes after the last member are not read; checksums are not compared. */
function gunzip(body: Uint8Array, most: number): DecodedBody {
  const texts: Uint8Array[] = [];
  let [length, cost, at] = [0, 0, 0];
  let isWhole = true;
  for (let member = 0; isWhole; member++) {
    const start = gzipHeaderEnd(body, at);
    if (start === undefined) {
      isWhole = at > 0;
      break;
    }
    const inflated: Inflated =
      member < MEMBERS_MAX ? inflate(body.subarray(start), most - length) : { text: NOTHING, isWhole: false, cost: 0, taken: 0 };
    texts.push(inflated.text);
    length += inflated.text.length;
    cost += inflated.cost;
    isWhole = inflated.isWhole;
    at = start + inflated.taken + GZIP_TRAILER_BYTES;
  }
  return { text: texts.length === 1 ? (texts[0] ?? NOTHING) : Buffer.concat(texts), isWhole, cost };
}

/** Whether the two bytes of a zlib header are at the start; raw deflate data, which some servers send, practically never has them. */
function isZlib([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 15) === 8 && (flags & 0x20) === 0 && (method * 256 + flags) % 31 === 0;
}

function inflate(body: Uint8Array, most: number): Inflated {
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

function unbrotli(body: Uint8Array, most: number): DecodedBody {
  const { brotliDecompressSync, constants } = process.getBuiltinModule("node:zlib");
  const finishFlush = constants.BROTLI_OPERATION_FLUSH;
  return decodeStart(body, most, (bytes, maxOutputLength) => brotliDecompressSync(bytes, { finishFlush, maxOutputLength }));
}

/**
 * Decodes data that may be cut; of data with an error, or with too much text, the longest start without one, in steps of a 64th of it. zlib
 * drops the text of a call that fails, and does not say how much there was: the limit rises with the text, so the cost is near the work.
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
  let text: Uint8Array = NOTHING;
  let [good, bad] = [0, Math.ceil(body.length / step)];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const found = tryDecode(middle * step);
    if (found === undefined) bad = middle;
    else [good, text] = [middle, found];
  }
  return { text, isWhole: false, cost };
}
