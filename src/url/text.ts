// The bytes of URLs: as text, and in lines.
import { concat } from "../base/arrays.ts";
import { decodeUtf8 } from "../core/text.ts";

/** Longest URL, in bytes, that can be normalized or parsed; longer ones are `overlong`. */
export const URL_BYTES_LIMIT = 1 << 20;

/** What `decodeUtf8` writes for ill-formed bytes. A well-formed text may contain it too. */
const REPLACEMENT = "\ufffd";

/** Returns the number of UTF-8 bytes of a character by its first byte. */
export function characterBytes(lead: number): number {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Decodes the bytes of a URL. A byte of ill-formed UTF-8, which a string cannot contain, becomes its triplet. (C66) */
export function textOf(bytes: Uint8Array): string {
  const whole = decodeUtf8(bytes);
  if (!whole.includes(REPLACEMENT)) return whole;
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at];
    const length = characterBytes(lead);
    const character = decodeUtf8(bytes, at, Math.min(at + length, bytes.length));
    const isReplacement = lead === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
    const isWell = isReplacement || !character.includes(REPLACEMENT);
    text += isWell ? character : `%${lead.toString(16).toUpperCase()}`;
    at += isWell ? length : 1;
  }
  return text;
}

/** Keeps the start of a line that continues in the next chunk, at most URL_BYTES_LIMIT + 1 bytes: enough to show that it is overlong. */
export class OpenLine {
  #bytes = new Uint8Array(0);

  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  add(bytes: Uint8Array): void {
    const more = bytes.subarray(0, URL_BYTES_LIMIT + 1 - this.#bytes.length);
    if (more.length > 0) this.#bytes = concat([this.#bytes, more]);
  }

  /** Ends the line with `end`, and begins the next. Returns at most URL_BYTES_LIMIT + 1 bytes; a line all in `end` is not copied. */
  take(end: Uint8Array): Uint8Array {
    if (this.isEmpty) return end.subarray(0, URL_BYTES_LIMIT + 1);
    this.add(end);
    const line = this.#bytes;
    this.#bytes = new Uint8Array(0);
    return line;
  }
}
