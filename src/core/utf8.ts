// From bytes of UTF-8 to strings.

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Node's own way takes half as long as a TextDecoder does for a text as short as a URL. */
const slice =
  typeof Buffer === "undefined" ? undefined : (Buffer.prototype as { utf8Slice?: (start: number, end: number) => string }).utf8Slice;

/** Returns the text of the bytes [start, end), with U+FFFD for ill-formed UTF-8. A U+FEFF at its start is no byte order mark. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return slice === undefined ? decoder.decode(bytes.subarray(start, end)) : slice.call(bytes, start, end);
}
