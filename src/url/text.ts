// One URL on its way into the core's memory and back.
import { OUTPUT_REGION, REJOIN_REGION, STATE_OUTPUT_END } from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { REASONS, type Reason } from "../core/names.ts";
import { InputError } from "../errors.ts";

/** Longest URL, in bytes, that can be normalized or parsed; longer ones are `overlong`. */
export const URL_BYTES_LIMIT = 1 << 20;

const encoder = new TextEncoder();
// A component may begin with U+FEFF, which is no byte order mark there.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** What the decoder gives for ill-formed bytes; it may also stand in a text. */
const REPLACEMENT = "\ufffd";

/** Puts the URL at REJOIN_REGION; returns the address behind it, or -1 if it is too long. Throws InputError for what is no string. */
export function writeUrl(core: Core, url: string): number {
  if (typeof url !== "string") throw new InputError("url must be a string");
  const { read, written } = encoder.encodeInto(url, core.bytes.subarray(REJOIN_REGION, REJOIN_REGION + URL_BYTES_LIMIT));
  if (read < url.length) return -1;
  core.bytes.fill(0, REJOIN_REGION + written, REJOIN_REGION + written + 16);
  return REJOIN_REGION + written;
}

/** The text in [start, end) of the core's memory. */
export function textIn(core: Core, start: number, end: number): string {
  return decoder.decode(core.bytes.subarray(start, end));
}

/** Bytes of a URL as text; a byte of ill-formed UTF-8, which a string cannot hold, is encoded as itself. (C66) */
export function textOf(bytes: Uint8Array): string {
  const whole = decoder.decode(bytes);
  if (!whole.includes(REPLACEMENT)) return whole;
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] as number;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const character = decoder.decode(bytes.subarray(at, at + length));
    const isReplacement = lead === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
    const isWell = isReplacement || !character.includes(REPLACEMENT);
    text += isWell ? character : `%${lead.toString(16).toUpperCase()}`;
    at += isWell ? length : 1;
  }
  return text;
}

/** The name of REASON_*. */
export function reasonOf(number: number): Reason {
  return REASONS[number] as Reason;
}

/** What a URL may hold as it was written without a second look. */
const PLAIN = /^[!#-;=?-[\]^_a-~]*$/;

/**
 * A text as it was written, but for the characters that no URL can hold: these as triplets; null where it is longer than a URL may be.
 * Twice is once. @see docs/rules.md N
 */
export function asWritten(core: Core, text: string): string | null {
  if (PLAIN.test(text)) return text;
  const end = writeUrl(core, text);
  if (end < 0) return null;
  core.writeText(REJOIN_REGION, end);
  return textIn(core, OUTPUT_REGION, core.words[STATE_OUTPUT_END >> 2] as number);
}
