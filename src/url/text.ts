// The bytes of URLs as text.
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
