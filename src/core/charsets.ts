// The charsets that text can be read in (A18). One-byte charsets are tables of 128 characters, made by the platform's TextDecoder.
import * as mail from "#core/layout/mail.js";
import { CHARSET_TABLE, LABEL_REGION, NAMED_CHARSET_TABLE } from "#core/layout/memory.js";
import { remembering } from "../base/arrays.ts";
import type { Core } from "./core.ts";
import { decodeLatin1 } from "./text.ts";

const UNICODE = ["utf-8", "utf-16le", "utf-16be"] as const;
/** Charsets of the Encoding Standard, three of ISO 8859 that it reads as charsets of Windows, and four that it does not decode. */
export const CHARSETS = [
  ...UNICODE,
  ...["gbk", "gb18030", "big5", "euc-kr", "shift_jis", "euc-jp", "iso-2022-jp", "iso-2022-kr", "iso-2022-cn", "hz-gb-2312", "utf-7"],
  ...["iso-8859-1", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-8-i"],
  ...["iso-8859-9", "iso-8859-10", "iso-8859-11", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16"],
  ...["windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257"],
  ...["windows-1258", "windows-874", "koi8-r", "koi8-u", "ibm866", "macintosh", "x-mac-cyrillic"],
] as const;

export type Charset = (typeof CHARSETS)[number];

/** Conversions of charsets without a table. All but those of UTF-8 and UTF-16 are CONVERT_ASSUMED. */
const CONVERSIONS: Partial<Record<Charset, number>> = {
  "utf-8": mail.CONVERT_NONE,
  "utf-16le": mail.CONVERT_UTF16_LE,
  "utf-16be": mail.CONVERT_UTF16_BE,
  gbk: mail.CONVERT_GB,
  gb18030: mail.CONVERT_GB,
  big5: mail.CONVERT_BIG5,
  "euc-kr": mail.CONVERT_EUC_KR,
  shift_jis: mail.CONVERT_SHIFT_JIS,
  "euc-jp": mail.CONVERT_EUC_JP,
  "iso-2022-jp": mail.CONVERT_ISO_2022,
  "iso-2022-kr": mail.CONVERT_ISO_2022,
  "iso-2022-cn": mail.CONVERT_ISO_2022,
  "hz-gb-2312": mail.CONVERT_HZ,
  "utf-7": mail.CONVERT_UTF_7,
};

/** The characters of the bytes 80 to 9F in windows-1252, with controls where it has none. HTML reads `&#x80;` to `&#x9F;` like this. */
export const WINDOWS_1252_80_TO_9F =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

const LATIN_10 = "\u00a0ĄąŁ€„Š§š©Ș«Ź\u00adźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ";
/** Corrections where Node's TextDecoder differs from the Encoding Standard. Node does not know ISO 8859-16. */
const CORRECTIONS: Partial<Record<Charset, readonly (readonly [firstByte: number, characters: string])[]>> = {
  "windows-1252": [[0x80, WINDOWS_1252_80_TO_9F]],
  "windows-874": [
    [0xdb, "\ufffd\ufffd\ufffd\ufffd"],
    [0xfc, "\ufffd\ufffd\ufffd\ufffd"],
  ],
  "windows-1253": [[0xaa, "\ufffd"]],
  "windows-1255": [[0xca, "\u05ba"]],
  "koi8-u": [
    [0xae, "\u045e"],
    [0xbe, "\u040e"],
  ],
  "iso-8859-16": [[0xa0, LATIN_10]],
};

/** Charsets for which no TextDecoder is made: the core decodes them without a table, or a platform does not know them. */
const OWN: readonly Charset[] = [...UNICODE, ...(["iso-8859-16", "iso-2022-kr", "iso-2022-cn", "hz-gb-2312", "utf-7"] as const)];
const FIRST = 0x80;
const BYTES = 0x80;

/** Returns the charset of a name in OWN, or of a label of the Encoding Standard: `windows-1252` for `latin1`; else undefined. */
export function charsetOf(label: string): Charset | undefined {
  const name = label.trim().toLowerCase();
  const own = OWN.find((charset) => charset === name);
  if (own !== undefined) return own;
  try {
    const { encoding } = new TextDecoder(name);
    return CHARSETS.find((charset) => charset === encoding);
  } catch {
    return undefined;
  }
}

/** Returns the characters of the bytes 80 to FF in a charset of one byte; U+FFFD where there is none. */
export function charactersOf(charset: Charset): string {
  const bytes = Uint8Array.from({ length: BYTES }, (_, index) => FIRST + index);
  const isOwn = OWN.includes(charset);
  const characters = isOwn ? Array.from(bytes, (byte) => String.fromCharCode(byte)) : [...new TextDecoder(charset).decode(bytes)];
  for (const [firstByte, corrected] of CORRECTIONS[charset] ?? []) {
    characters.splice(firstByte - FIRST, corrected.length, ...corrected);
  }
  return characters.join("");
}

/** Prepares a core for texts in a charset; returns the bits CONVERT_*. */
export function setCharset(core: Pick<Core, "words">, charset: Charset): number {
  const conversion = CONVERSIONS[charset];
  if (conversion === undefined) core.words.set(tableOf(charset), CHARSET_TABLE >> 2);
  const isCertain = UNICODE.some((name) => name === charset);
  return (conversion ?? mail.CONVERT_ONE_BYTE) | (isCertain ? 0 : mail.CONVERT_ASSUMED);
}

const tableOf = remembering(
  (charset: Charset) => Int32Array.from(charactersOf(charset), (character) => character.charCodeAt(0)),
  CHARSETS.length,
);

/** Labels of windows-1252 that say ASCII: a text with them has no other characters, or does not tell its charset. */
const ASCII = /^(?:ascii|ansi_x3\.4-1968)$/i;

/** Returns the table of the charset of one byte that a label names; null if it names none. Asking the platform takes ten times as long. */
const namedTable = remembering((label: string) => {
  const charset = ASCII.test(label) ? undefined : charsetOf(label);
  return charset === undefined || CONVERSIONS[charset] !== undefined ? null : tableOf(charset);
}, 256);

/** Writes the table of the charset that a part names, with `length` bytes in LABEL_REGION; returns false if it is none of one byte. */
export function loadCharset({ bytes, words }: Pick<Core, "bytes" | "words">, length: number): boolean {
  const table = namedTable(decodeLatin1(bytes, LABEL_REGION, LABEL_REGION + length));
  if (table !== null) words.set(table, NAMED_CHARSET_TABLE >> 2);
  return table !== null;
}
