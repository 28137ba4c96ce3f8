// From bytes to strings, and back.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Node's own functions; undefined elsewhere. For a text as short as a URL they are faster than a TextDecoder. */
const { utf8Slice, latin1Slice, utf8Write } = (typeof Buffer === "undefined" ? {} : Buffer.prototype) as {
  readonly utf8Slice?: (start: number, end: number) => string;
  readonly latin1Slice?: (start: number, end: number) => string;
  readonly utf8Write?: (text: string, at: number) => number;
};

/** Returns the text of the bytes [start, end), with U+FFFD for ill-formed UTF-8. A U+FEFF at its start is no byte order mark. */
export function decodeUtf8(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return utf8Slice === undefined ? decoder.decode(bytes.subarray(start, end)) : utf8Slice.call(bytes, start, end);
}

const ARGUMENTS_MOST = 4096;

/** Returns the text of the bytes [start, end) in ISO 8859-1, with controls from 80 to 9F. Each byte gives one character. */
export function decodeLatin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  if (latin1Slice !== undefined) return latin1Slice.call(bytes, start, end);
  let text = "";
  for (let at = start; at < end; at += ARGUMENTS_MOST) {
    // Spread arguments are slower.
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, Math.min(at + ARGUMENTS_MOST, end)));
  }
  return text;
}

/** Returns the length of a text in UTF-8, in bytes. */
export function byteLength(text: string): number {
  return typeof Buffer === "undefined" ? encoder.encode(text).length : Buffer.byteLength(text);
}

/** Returns whether a text has more than `most` bytes in UTF-8. */
export function exceeds(text: string, most: number): boolean {
  return 3 * text.length > most && byteLength(text) > most;
}

/** Writes the UTF-8 of a text to `bytes` from `at` on, as far as it fits. Returns the number of bytes written. */
export function encodeInto(text: string, bytes: Uint8Array, at: number): number {
  return utf8Write === undefined ? encoder.encodeInto(text, bytes.subarray(at)).written : utf8Write.call(bytes, text, at);
}
