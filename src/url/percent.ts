// The percent codec: bytes to triplets and back, and its named sets (P11). docs/percent.md shows the sets as a table.
import { isBytes, remembering } from "../base/arrays.ts";
import { OptionError, StrayPercentError, wrongInput } from "../base/errors.ts";
import { shownValue } from "../base/shown.ts";
import { ALPHA, DIGIT, SUB_DELIMS, UNRESERVED } from "../core/tables.ts";
import { badChoice, badOption, SWITCH } from "../options/values.ts";

// Sets of RFC 3986 list the characters that stay.
const SEGMENT = `${UNRESERVED}${SUB_DELIMS}:@`;

// Sets of RFC 1738 section 5: sets of schemes list the characters that stay, classes list the characters that become triplets.
const SAFE = "$-_.+";
const EXTRA = "!*'(),";
const RESERVED = ";/?:@&=";
const NATIONAL = "{}|\\^~[]`";
const PUNCTUATION = '<>#%"';
const UCHAR = `${ALPHA}${DIGIT}${SAFE}${EXTRA}`;

// Sets of the URL Standard list the characters that become triplets. From PATH on, each contains the one before it.
const FRAGMENT = ' "<>`';
const QUERY = ' "#<>';
const PATH = `${QUERY}?^\`{}`;
const USERINFO = `${PATH}/:;=@[\\]|`;
const COMPONENT = `${USERINFO}$%&+,`;

const STAYS = {
  "rfc3986-unreserved": UNRESERVED,
  "rfc3986-userinfo": `${UNRESERVED}${SUB_DELIMS}:`,
  "rfc3986-user": `${UNRESERVED}${SUB_DELIMS}`,
  "rfc3986-host": `${UNRESERVED}${SUB_DELIMS}`,
  "rfc3986-segment": SEGMENT,
  "rfc3986-segment-nc": `${UNRESERVED}${SUB_DELIMS}@`,
  "rfc3986-path": `${SEGMENT}/`,
  "rfc3986-query": `${SEGMENT}/?`,
  "rfc3986-fragment": `${SEGMENT}/?`,
  "rfc1738-uchar": UCHAR,
  "rfc1738-xchar": `${UCHAR}${RESERVED}`,
  "rfc1738-login": `${UCHAR};?&=`,
  "rfc1738-ftp": `${UCHAR}?:@&=`,
  "rfc1738-file": `${UCHAR}?:@&=`,
  "rfc1738-http": `${UCHAR};:@&=`,
  "rfc1738-gopher": `${UCHAR}${RESERVED}`,
  "rfc1738-mailto": `${UCHAR}${RESERVED}`,
  "rfc1738-news": `${UCHAR};/?:&=`,
  "rfc1738-nntp": `${ALPHA}${DIGIT}-.+_`,
  "rfc1738-wais": UCHAR,
  "rfc1738-search": `${UCHAR};:@&=`,
  "rfc1738-prospero": `${UCHAR}?:@&=`,
  "rfc1738-field": `${UCHAR}?:@&`,
} as const;

const GOES = {
  "rfc1738-safe": SAFE,
  "rfc1738-extra": EXTRA,
  "rfc1738-reserved": RESERVED,
  "rfc1738-national": NATIONAL,
  "rfc1738-punctuation": PUNCTUATION,
  "rfc1738-unsafe": ` ${PUNCTUATION}${NATIONAL}`,
  "whatwg-c0-control": "",
  "whatwg-fragment": FRAGMENT,
  "whatwg-query": QUERY,
  "whatwg-special-query": `${QUERY}'`,
  "whatwg-path": PATH,
  "whatwg-userinfo": USERINFO,
  "whatwg-component": COMPONENT,
  "whatwg-form": `${COMPONENT}!'()~`,
} as const;

/**
 * The name of a set of bytes that become triplets (P11). Every set contains controls and the bytes above 7E.
 *
 * - `rfc3986-*`: the characters that the component's production does not allow, and `%`. `segment-nc` is a segment without a colon, `user`
 *   the text before the colon of a userinfo; `unreserved` encodes all but the unreserved characters.
 * - `rfc1738-*` of a scheme or a production: the characters that section 5 does not allow there, and `%`. `login` is a user or a password,
 *   `search` the text after the `?` of http and wais, `field` a name or value of prospero; `ftp`, `file`, `http` and `prospero` are one
 *   segment of a path, `news` is the text before the `@` of a message-id, `nntp` a group.
 * - `rfc1738-safe`, `extra`, `reserved`, `national`, `punctuation`: the characters of that class; `unsafe`: the space, and the characters
 *   that section 2.2 always encodes.
 * - `whatwg-*`: the percent-encode sets of the URL Standard; only `component` and `form` contain `%`.
 */
export type PercentEncodeSet = keyof typeof STAYS | keyof typeof GOES;

const SETS: ReadonlyMap<string, string> = new Map(Object.entries({ ...STAYS, ...GOES }));

export const ENCODE_SETS = [...SETS.keys()] as readonly PercentEncodeSet[];

/** Returns a set as 256 bytes: 1 for a byte that becomes a triplet. Returns undefined if there is no such set. */
const encodedBytes = remembering((set: string) => {
  const characters = SETS.get(set);
  if (characters === undefined) return undefined;
  const stays = set in STAYS;
  const isKept = (byte: number): boolean => byte >= 0x20 && byte <= 0x7e && characters.includes(String.fromCharCode(byte)) === stays;
  return Uint8Array.from({ length: 256 }, (_, byte) => (isKept(byte) ? 0 : 1));
}, SETS.size);

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
