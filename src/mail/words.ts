// The text of header fields: folding white space, the encoded words of RFC 2047, comments (RFC 5322 3.2.2).
import { remembering } from "../base/arrays.ts";
import { decodeLatin1 } from "../core/text.ts";

// The bytes 80 to 9F of windows-1252. ISO 8859-1 has controls there, and so has windows-1252 at the bytes that it leaves undefined.
const WINDOWS_1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

// An encoded word: charset, optional language (RFC 2231), encoding, text. The text contains no start of another word, so that each is read
// once. In `==?=`, which ends base64, the second `=` is padding. V8 keeps a state for each byte of a word: a field has at most 64 KiB.
const ENCODED_WORD = /=\?([^\s?*]{1,64})(?:\*[^\s?]{0,64})?\?([bq])\?((?:=*[^=?]|\?+[^=?])*(?:=*|\?*?))\?=/gi;
const BLANK = /^[ \t\r\n]*$/;
// Nearly every field is printed ASCII, and has nothing to decode and no white space to remove but at its edges.
const PRINTED = /^[ -~]*$/;
// The separators 1C to 1F are white space too: some archives use them as line breaks.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches controls
const SPACES = /[\t-\r\x1c- \x85\u2028\u2029]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches controls
const OTHER_CONTROLS = /[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches ESC
const SHIFT_BEFORE_SHIFT = /\x1b[($][@-J](?=\x1b)/g;

const utf8 = new TextDecoder("utf-8", { fatal: true });
const CHARSETS_KEPT = 256; // Most names of charsets whose decoders are kept: input may have any number

/**
 * Returns the text of a header field. Encoded words are decoded, 8-bit bytes are read as UTF-8 or else, like unknown charsets, as
 * windows-1252. White space is collapsed and trimmed, other controls are removed. Adjacent encoded words in one charset are decoded
 * together: mailers split characters between words. (A10)
 */
export function decodeHeaderText(bytes: Uint8Array): string {
  const raw = decodeLatin1(bytes);
  const usual = usualText(raw);
  if (usual !== undefined) return usual;
  const text = raw.includes("=?") ? decodeWords(raw) : (utf8Of(bytes) ?? windows1252Of(raw));
  return text.replace(OTHER_CONTROLS, "").replace(SPACES, " ").trim();
}

/** Reads a field as `decodeHeaderText` does if it only needs trimming, else returns undefined. `raw` has a character for each byte. */
export function usualText(raw: string): string | undefined {
  return PRINTED.test(raw) && !raw.includes("=?") && !raw.includes("  ") ? raw.trim() : undefined;
}

/**
 * Returns a field's text with `mark` instead of each outermost comment, and the contents of these comments. Comments nest, and a backslash
 * in a comment quotes the next character. An unbalanced parenthesis is text. Nothing between `<` and `>`, or between `quote` and the next
 * `quote`, is a comment. (A10)
 */
export function takeComments(field: string, mark = " ", quote?: string): { text: string; comments: string[] } {
  if (!field.includes("(")) return { text: field, comments: [] };
  const open: number[] = [];
  const spans: { start: number; end: number }[] = [];
  let angle = field.indexOf("<");
  let quoted = 0;
  for (let at = 0; at < field.length; at++) {
    const character = field[at];
    if (character === "(") open.push(at);
    else if (character === "\\" && open.length > 0) at += 1;
    else if (character === quote && open.length === 0 && quoted >= 0) {
      quoted = field.indexOf(quote, at + 1);
      if (quoted > 0) at = quoted;
    } else if (character === "<" && open.length === 0 && angle >= 0) {
      angle = field.indexOf(">", at);
      if (angle > 0) at = angle;
    } else if (character === ")") {
      const start = open.pop();
      if (start === undefined) continue;
      while ((spans.at(-1)?.start ?? -1) > start) spans.pop();
      spans.push({ start, end: at + 1 });
    }
  }
  let text = "";
  let end = 0;
  for (const span of spans) {
    text += field.slice(end, span.start) + mark;
    end = span.end;
  }
  return { text: text + field.slice(end), comments: spans.map((span) => field.slice(span.start + 1, span.end - 1)) };
}

export function nonEmpty(text: string): string | undefined {
  return text === "" ? undefined : text;
}

function decodeWords(raw: string): string {
  const isUtf8 = utf8Of(bytesOf(raw)) !== undefined;
  const decodeText = (text: string): string => (isUtf8 ? utf8.decode(bytesOf(text)) : windows1252Of(text));
  let [shown, end, charset] = ["", 0, ""];
  // The bytes of words in `charset`, one character for each byte.
  let pending = "";
  for (const { index, 0: word, 1: name, 2: encoding, 3: text } of raw.matchAll(ENCODED_WORD)) {
    const between = raw.slice(end, index);
    const follows = charset !== "" && BLANK.test(between);
    if (!follows || name.toLowerCase() !== charset) {
      shown += decodeCharset(charset, pending);
      pending = "";
    }
    if (!follows) shown += decodeText(between);
    charset = name.toLowerCase();
    pending += encoding.toLowerCase() === "b" ? decodeBase64(text) : decodeQ(text);
    end = index + word.length;
  }
  return shown + decodeCharset(charset, pending) + decodeText(raw.slice(end));
}

function decodeQ(text: string): string {
  return text.replaceAll("_", " ").replace(/=([\dA-F]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Decodes base64: skips characters outside its alphabet and keeps the whole bytes of an incomplete group. */
function decodeBase64(text: string): string {
  let decoded = "";
  for (const run of text.replace(/[^A-Za-z\d+/=]/g, "").split(/=+/)) decoded += atob(run.length % 4 === 1 ? run.slice(0, -1) : run);
  return decoded;
}

/** Returns the text of bytes, each a character of `binary`. Node's decoder of windows-1252 takes the bytes 80 to 9F for controls. */
export function decodeCharset(charset: string, binary: string): string {
  if (binary === "") return "";
  const decoder = decoderOf(charset);
  if (decoder === undefined) return windows1252Of(binary);
  // Each word of ISO-2022-JP shifts back to ASCII, but the decoder treats two shifts in a row as an error.
  return decoder.decode(bytesOf(decoder.encoding === "iso-2022-jp" ? binary.replace(SHIFT_BEFORE_SHIFT, "") : binary));
}

/** Returns the decoder of a charset; undefined: it is unknown, or windows-1252, which is also the encoding of ISO-8859-1 and US-ASCII. */
const decoderOf = remembering((charset: string): TextDecoder | undefined => {
  try {
    const decoder = new TextDecoder(charset);
    return decoder.encoding === "windows-1252" ? undefined : decoder;
  } catch {
    return undefined;
  }
}, CHARSETS_KEPT);

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function windows1252Of(binary: string): string {
  return binary.replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80]);
}

function bytesOf(binary: string): Uint8Array {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
