// The bytes of URLs as text.

/** Longest URL, in bytes, that can be normalized or parsed; longer ones are `overlong`. */
export const URL_BYTES_LIMIT = 1 << 20;

/** Decodes the bytes of a component. A U+FEFF at its start is no byte order mark. */
export const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** The decoder's output for ill-formed bytes. A well-formed text may contain it too. */
const REPLACEMENT = "\ufffd";

/** Decodes the bytes of a URL. A byte of ill-formed UTF-8, which a string cannot contain, becomes its triplet. (C66) */
export function textOf(bytes: Uint8Array): string {
  const whole = decoder.decode(bytes);
  if (!whole.includes(REPLACEMENT)) return whole;
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at];
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const character = decoder.decode(bytes.subarray(at, at + length));
    const isReplacement = lead === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
    const isWell = isReplacement || !character.includes(REPLACEMENT);
    text += isWell ? character : `%${lead.toString(16).toUpperCase()}`;
    at += isWell ? length : 1;
  }
  return text;
}
