// The percent codec: bytes to triplets and back (P11). docs/percent.md lists the sets.
import { isBytes } from "../base/arrays.ts";
import { OptionError, StrayPercentError, wrongInput } from "../base/errors.ts";
import { shownValue } from "../base/shown.ts";
import { badChoice, badOption, SWITCH } from "../options/values.ts";
import { ENCODE_SETS, encodedBytes, type PercentEncodeSet } from "./percent-sets.ts";

const PERCENT = 0x25;
const STRAY_PERCENT = /%(?![\da-f]{2})/i;
const encoder = new TextEncoder();
const TRIPLETS = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`);

/**
 * Returns the UTF-8 of a text, or bytes, with the byte of each triplet instead of the triplet. A `%` without two hex digits stays. With
 * `strict` it throws StrayPercentError with the offset of the `%`, of a text in UTF-16 code units. A lone surrogate is U+FFFD. Throws
 * InputError if `input` is neither a string nor bytes, OptionError for a bad option. (P11)
 */
export function percentDecode(input: string | Uint8Array, options: { readonly strict?: boolean | undefined } = {}): Uint8Array {
  const strict = checkStrict(options);
  const bytes = typeof input === "string" ? encoder.encode(input) : Uint8Array.from(checkBytes(input));
  let written = bytes.indexOf(PERCENT);
  if (written < 0) return bytes;
  for (let at = written; at < bytes.length; at++) {
    let byte = bytes[at];
    if (byte === PERCENT) {
      const value = (hexValue(bytes[at + 1]) << 4) | hexValue(bytes[at + 2]);
      if (value >= 0) {
        byte = value;
        at += 2;
      } else if (strict) {
        throw new StrayPercentError(typeof input === "string" ? input.search(STRAY_PERCENT) : at);
      }
    }
    bytes[written++] = byte;
  }
  return bytes.slice(0, written);
}

/**
 * Returns the UTF-8 of a text, or bytes, as text with triplets (capital hex digits) for the bytes of a set. A lone surrogate is U+FFFD.
 * Throws InputError if `input` is neither a string nor bytes, OptionError for an unknown set. (P11)
 */
export function percentEncode(input: string | Uint8Array, set: PercentEncodeSet): string {
  const encoded = encodedBytes(set);
  if (encoded === undefined) {
    throw badChoice("set", set, ENCODE_SETS, `must be one of ${ENCODE_SETS.join(", ")}`);
  }
  if (typeof input === "string" && isPlain(input, encoded)) return input;
  const bytes = typeof input === "string" ? encoder.encode(input) : checkBytes(input);
  let text = "";
  for (const byte of bytes) text += encoded[byte] === 1 ? TRIPLETS[byte] : String.fromCharCode(byte);
  return text;
}

function isPlain(text: string, encoded: Uint8Array): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f || encoded[code] === 1) return false;
  }
  return true;
}

/** Returns the value of a hex digit, or -1. A byte after the end of the input is undefined, and gives -1 too. */
export function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function checkBytes(input: unknown): Uint8Array {
  if (isBytes(input)) return input;
  throw wrongInput("input", "a string or a Uint8Array", input);
}

function checkStrict(options: { readonly strict?: boolean | undefined }): boolean {
  if (typeof options !== "object" || options === null) throw badOption("options", `must be an object, not ${shownValue(options)}`);
  const unknown = Object.keys(options).find((name) => name !== "strict");
  if (unknown !== undefined)
    throw new OptionError("ERR_URLMILL_UNKNOWN_OPTION", unknown, "is not an option of percentDecode, which takes strict");
  return SWITCH.check(options.strict ?? false, "strict");
}
