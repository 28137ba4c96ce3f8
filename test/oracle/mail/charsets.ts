/**
 * The charset in which a URL is not made of ASCII bytes (A8): UTF-16 becomes UTF-8. Text that names no charset is in that of the option
 * (A18).
 */
import { decodedFrom, type Source, sliceOf } from "../source.ts";
import { bytesOf } from "../unicode.ts";
import { type Apart, fromMultiByte, kindOf } from "./multi-byte.ts";
import { matchAt } from "./texts.ts";

/** A8: bytes that are looked at for a zero. */
const BLOCK_BYTES = 1024;

/** Lone surrogates become U+FFFD, as in any text that is written as UTF-8. */
function utf8Of(units: readonly number[]): string {
  return bytesOf(units.map((unit) => String.fromCharCode(unit)).join(""));
}

/** UTF-16 as UTF-8; an odd last byte becomes U+FFFD. Bytes between two offsets of `plain` are no UTF-16 and stay as they are. */
function fromUtf16(text: Source, isLittle: boolean, plain: readonly (readonly [number, number])[] = []): Source {
  const byteAt = (at: number): number => text.bytes.charCodeAt(at);
  const unitAt = (at: number): number => (isLittle ? byteAt(at) + 256 * byteAt(at + 1) : 256 * byteAt(at) + byteAt(at + 1));
  return decodedFrom(text, (at) => {
    if (plain.some(([from, to]) => from <= at && at < to)) {
      return null;
    }
    const left = text.bytes.length - at;
    if (left < 2) {
      return { bytes: utf8Of([0xfffd]), width: 1 };
    }
    const isPair = left >= 4 && (unitAt(at) & 0xfc00) === 0xd800 && (unitAt(at + 2) & 0xfc00) === 0xdc00;
    return isPair ? { bytes: utf8Of([unitAt(at), unitAt(at + 2)]), width: 4 } : { bytes: utf8Of([unitAt(at)]), width: 2 };
  });
}

/** UTF-16 as its byte order mark says, which is taken off. */
export function fromMarkedUtf16(text: Source): Source {
  return fromUtf16(sliceOf(text, 2, text.bytes.length), text.bytes.startsWith("\xFF\xFE"));
}

/** A8: the blocks of a text without a zero byte; a block has 1024 bytes, and two more where these are the second half of a pair. */
function blocksWithoutZero(bytes: string, isLittle: boolean): [number, number][] {
  const highByte = isLittle ? 1 : 0;
  const isHalf = (at: number, least: number): boolean => {
    const high = bytes.charCodeAt(at + highByte);
    return high >= least && high < least + 4;
  };
  const found: [number, number][] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = Math.min(at + BLOCK_BYTES, bytes.length);
    const hasZero = bytes.slice(at, end).includes("\0");
    if (!hasZero) {
      found.push([at, end]);
    }
    const isSplit = hasZero && end - at === BLOCK_BYTES && isHalf(end - 2, 0xd8) && isHalf(end, 0xdc);
    at = isSplit ? end + 2 : end;
  }
  return found;
}

/** A8: UTF-16 as its byte order mark says; without one as `isLittle` says, but for what cannot be UTF-16. */
function fromNamedUtf16(text: Source, isLittle: boolean): Source {
  const isMarked = /^(?:\xFE\xFF|\xFF\xFE)/.test(text.bytes);
  return isMarked ? fromMarkedUtf16(text) : fromUtf16(text, isLittle, blocksWithoutZero(text.bytes, isLittle));
}

/** windows-1252 from 80 to 9F, which not every TextDecoder knows. */
const WINDOWS_1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";
/** A18: what makes a page name its charset, in its first 1024 bytes. */
const NAMED = /(?:(?<=<meta[^>]*)charset|(?<=<\?xml[^>]*)encoding)[\t\n\f\r ]*=[\t\n\f\r ]*["']?([^"'\t\n\f\r ;>]*)/i;
const PAGE_START_BYTES = 1024;

/** A18: the character of a byte beyond ASCII in a charset of one byte. */
function characterOf(byte: number, charset: string): string {
  if (charset !== "windows-1252") {
    return new TextDecoder(charset).decode(Uint8Array.of(byte));
  }
  return WINDOWS_1252[byte - 0x80] ?? String.fromCharCode(byte);
}

/** A18: a text that names no charset, or a page, in the charset of the option. */
export function fromUnnamed(text: Source, charset: string, isPage: boolean): Source {
  if (charset.startsWith("utf-16")) {
    return fromCharset(text, charset, null);
  }
  if (text.bytes.startsWith("\xEF\xBB\xBF")) {
    return text;
  }
  const named = isPage ? NAMED.exec(text.bytes.slice(0, PAGE_START_BYTES))?.[1] : undefined;
  if (named !== undefined) {
    const kind = named.length > 32 ? null : kindOf(named);
    const isRead = named.length <= 32 && kind !== "utf-7" && !/^utf-16/i.test(named);
    return isRead ? fromCharset(text, named, "page") : text;
  }
  if (charset === "utf-8") {
    return text;
  }
  const kind = kindOf(charset);
  if (kind !== null) {
    return fromMultiByte(text, kind, null);
  }
  return fromOneByte(text, charset, false);
}

/** A character beyond ASCII as UTF-8. */
const TAIL = "[\\x80-\\xbf]";
const UTF8 = new RegExp(
  [
    `[\\xc2-\\xdf]${TAIL}`,
    `(?:\\xe0[\\xa0-\\xbf]|[\\xe1-\\xec\\xee\\xef]${TAIL}|\\xed[\\x80-\\x9f])${TAIL}`,
    `(?:\\xf0[\\x90-\\xbf]|[\\xf1-\\xf3]${TAIL}|\\xf4[\\x80-\\x8f])${TAIL}{2}`,
  ].join("|"),
  "y",
);

/** A8, A18: a text in a charset of one byte; `isNamed`: it says so, and what is UTF-8 in it stays (C301). */
function fromOneByte(text: Source, charset: string, isNamed: boolean): Source {
  const staysUtf8 = isNamed && charset !== "windows-874";
  let kept = 0;
  return decodedFrom(text, (at) => {
    const byte = text.bytes.charCodeAt(at);
    const sequence = staysUtf8 ? matchAt(UTF8, text.bytes, at)?.[0] : undefined;
    if (sequence !== undefined) {
      kept = at + sequence.length;
    }
    return byte < 0x80 || at < kept ? null : { bytes: bytesOf(characterOf(byte, charset)), width: 1 };
  });
}

/** A8: the charset of one byte that a label of the Encoding Standard means; null where it means none, or ASCII. */
function oneByteOf(label: string): string | null {
  if (label.length > 32 || /^(?:us-ascii|ascii|ansi_x3\.4-1968)$/i.test(label)) {
    return null;
  }
  try {
    const { encoding } = new TextDecoder(label);
    return ONE_BYTE.test(encoding) ? encoding : null;
  } catch {
    return null;
  }
}

const ONE_BYTE = /^(?:iso-8859-|windows-|koi8-|ibm866|macintosh|x-mac-)/;

/** A18: whether a charset that a part is said to be in is named. */
export function isNamed(charset: string): boolean {
  return !/^(?:|unknown-8bit|x-unknown)$/i.test(charset);
}

/** A8: the text of a part that says it is in a charset; `apart`: where C175 holds. */
export function fromCharset(text: Source, charset: string, apart: Apart): Source {
  switch (charset.toLowerCase()) {
    case "utf-16":
    case "utf-16be":
      return fromNamedUtf16(text, false);
    case "utf-16le":
      return fromNamedUtf16(text, true);
    default: {
      const kind = kindOf(charset);
      const oneByte = kind === null && !text.bytes.startsWith("\xEF\xBB\xBF") ? oneByteOf(charset) : null;
      return oneByte !== null ? fromOneByte(text, oneByte, true) : kind === null ? text : fromMultiByte(text, kind, apart);
    }
  }
}

/** A9: whether the lines of a text in a charset may flow, or be folded. */
export function mayJoin(charset: string, isFolded: boolean): boolean {
  const kind = kindOf(charset);
  return !/^utf-16(?:[lb]e)?$/i.test(charset) && kind !== "hz" && kind !== "utf-7" && !(isFolded && kind === "iso-2022");
}
