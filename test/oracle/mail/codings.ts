/**
 * Codings of HTTP (A12): gzip and deflate, brotli, zstd. Of zstd only blocks without compression are read: texts of tests have no others.
 */
import { brotliDecompressSync, constants, inflateRawSync } from "node:zlib";

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1");

/** The names of the codings that are undone. */
export const CODINGS: Readonly<Record<string, string>> = { gzip: "gzip", "x-gzip": "gzip", deflate: "deflate", br: "br", zstd: "zstd" };
/** Most codings of a body. */
export const CODINGS_MAX = 4;
const STEPS = 64;
const ZSTD_MAGIC = "\x28\xb5\x2f\xfd";
/** RFC 8878 3.1.1.2.4 */
const ZSTD_BLOCK_MAX = 131_072;

/** A text, whether all of the body could be decoded, and how many of its bytes the data has. */
export interface Decoded {
  text: string;
  isWhole: boolean;
  taken: number;
}

/** What can be decoded before an error: the longest of 64 equal starts that has none; a cut is none. */
function startOf(body: string, decode: (bytes: Buffer) => Omit<Decoded, "isWhole">): Decoded {
  const step = Math.ceil(body.length / STEPS);
  for (let end = Math.ceil(body.length / Math.max(step, 1)) * step; end > 0; end -= step) {
    try {
      return { ...decode(bytesOf(body.slice(0, end))), isWhole: end >= body.length };
    } catch {
      // A shorter start may have no error.
    }
  }
  return { text: "", taken: 0, isWhole: body === "" };
}

/** Raw deflate data, which may be cut. */
export function inflate(body: string): Decoded {
  return startOf(body, (bytes) => {
    const result = inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, info: true }) as unknown;
    const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } };
    return { text: latin1(buffer), taken: engine.bytesWritten };
  });
}

function brotli(body: string): Decoded {
  const options = { finishFlush: constants.BROTLI_OPERATION_FLUSH };
  return startOf(body, (bytes) => ({ text: latin1(brotliDecompressSync(bytes, options)), taken: bytes.length }));
}

/** Where the data of a gzip member begins: after ten bytes, an extra field, a name, a comment, a checksum; -1: nowhere. */
export function deflateStart(body: string, at: number): number {
  if (!body.startsWith("\x1f\x8b\x08", at) || body.charCodeAt(at + 3) > 31) {
    return -1;
  }
  const flags = body.charCodeAt(at + 3);
  const extra = (flags & 4) > 0 ? 2 + body.charCodeAt(at + 10) + 256 * body.charCodeAt(at + 11) : 0;
  const names = ((flags >> 3) & 1) + ((flags >> 4) & 1);
  let end = at + 10 + extra;
  for (let name = 0; name < names; name++) {
    const zero = body.indexOf("\0", end);
    end = zero < 0 ? Number.NaN : zero + 1;
  }
  end += (flags & 2) > 0 ? 2 : 0;
  return end <= body.length ? end : -1;
}

function gunzip(body: string): Decoded {
  let text = "";
  let at = 0;
  for (let start = deflateStart(body, 0); start >= 0; start = deflateStart(body, at)) {
    const member = inflate(body.slice(start));
    text += member.text;
    if (!member.isWhole) {
      return { text, isWhole: false, taken: 0 };
    }
    at = start + member.taken + 8;
  }
  return { text, isWhole: at > 0, taken: at };
}

/** Frames of zstd; of data that is cut more bytes are taken than there are. */
export function zstd(body: string): Decoded {
  let text = "";
  let at = 0;
  while (body.startsWith(`${ZSTD_MAGIC}\0`, at)) {
    // RFC 8878 3.1.1.1.2: the size of the window, in eighths of a power of two.
    const descriptor = body.charCodeAt(at + 5);
    const blockMax = Math.min(ZSTD_BLOCK_MAX, 2 ** (7 + (descriptor >> 3)) * (8 + (descriptor & 7)));
    at += 6;
    for (let isLast = false; !isLast; ) {
      const header = bytesOf(body.slice(at, at + 3));
      if (header.length < 3) {
        return { text, isWhole: true, taken: body.length + 1 };
      }
      isLast = (header.readUIntLE(0, 3) & 1) > 0;
      const type = (header.readUIntLE(0, 3) >> 1) & 3;
      const size = header.readUIntLE(0, 3) >> 3;
      const end = at + 3 + (type === 1 ? 1 : size);
      if (type === 3 || size > ZSTD_BLOCK_MAX || (type === 1 ? size : Math.min(size, body.length - at - 3)) > blockMax) {
        return { text, isWhole: false, taken: at };
      }
      if (end > body.length) {
        // A12: what is there of a block without compression is text.
        return { text: type === 0 ? text + body.slice(at + 3) : text, isWhole: true, taken: body.length + 1 };
      }
      if (type === 2) {
        return { text, isWhole: false, taken: at };
      }
      text += type === 1 ? body.charAt(at + 3).repeat(size) : body.slice(at + 3, end);
      at = end;
    }
  }
  return { text, isWhole: at > 0, taken: at };
}

/** A zlib header, if there is one, is no deflate data. */
function undeflate(body: string): Decoded {
  const [method = 0, flags = 0] = bytesOf(body.slice(0, 2));
  const isZlib = method % 16 === 8 && (method * 256 + flags) % 31 === 0 && flags % 64 < 32;
  return inflate(isZlib ? body.slice(2) : body);
}

const DECODERS: Readonly<Record<string, (body: string) => Decoded>> = { gzip: gunzip, deflate: undeflate, br: brotli, zstd };

/** A12: bytes of a body that are looked at. */
export const START_BYTES = 1024;

/** A12: whether a body that begins so is not in a coding, which may be unknown: null. */
export function isUncoded(start: string, coding: string | null): boolean {
  const isMarked = coding === null || coding === "gzip" || coding === "zstd";
  const isText = (code: number): boolean => /[\t\n\f\r]/.test(String.fromCharCode(code)) || code === 0x1b || code >= 0x20;
  return [...bytesOf(start)].every((code) => isText(code) && (isMarked || code < 0x7f));
}

/** A12: what the codings of a body, in the order in which they were applied, make of it; less than all of it ends with a word. */
export function decodeBody(body: string, codings: readonly string[]): { text: string; isWhole: boolean } {
  let isWhole = true;
  let text = body;
  for (const [index, coding] of [...codings].reverse().entries()) {
    if (index > 0 && isUncoded(text.slice(0, START_BYTES), coding)) {
      continue;
    }
    const decoded = text === "" ? undefined : DECODERS[coding]?.(text);
    isWhole &&= decoded?.isWhole ?? true;
    text = decoded?.text ?? "";
  }
  return { text: isWhole ? text : text.replace(/[^\0- ]*$/, ""), isWhole };
}
