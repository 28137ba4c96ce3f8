/**
 * Charsets of several bytes a character (A8): those of China, Taiwan, Korea and Japan, and UTF-7, as UTF-8.
 */
import { decodedFrom, type Source } from "../source.ts";
import { bytesOf } from "../unicode.ts";
import { matchAt } from "./texts.ts";

/** Charsets that are decoded alike. */
type Kind = "gb" | "big5" | "euc-kr" | "shift_jis" | "euc-jp" | "iso-2022" | "hz" | "utf-7";

/** A piece of a text as it is read. */
interface Piece {
  bytes: string;
  width: number;
}

/** A8: the labels of each kind, in lower case, without `-` and `_` and what writers put before them. */
const LABELS: Readonly<Record<Kind, RegExp>> = {
  gb: /^(?:gb2312|gbk|gb18030|gb231280|euccn|chinese|(?:cp|ms|windows)936)$/,
  big5: /^(?:big5|big5hkscs|(?:cp|ms|windows)950)$/,
  "euc-kr": /^(?:euckr|korean|ksc5601.*|(?:cp|ms|windows)949)$/,
  shift_jis: /^(?:shiftjis|sjis|mskanji|(?:cp|ms|windows)(?:932|31j))$/,
  "euc-jp": /^(?:eucjp|ujis)$/,
  "iso-2022": /^(?:iso2022|cp5022)/,
  hz: /^hz(?:gb2312)?$/,
  "utf-7": /^(?:utf7|unicode[12][01]utf7)$/,
};
/** A8: what is no character, or not the same everywhere. */
const BROKEN = "\xFF";
/** C171: characters that are read. */
const READ = /^[\u4e00-\u9fa5\uac00-\ud7a3\u3041-\u3094\u30a1-\u30fe\u0391-\u03c9\u0401-\u0451\u3000-\u301b‘’“”…！＃-＆（-，．-］]$/;
const HTTP = /https?:\/\//iy;
/** U+200B as UTF-8. */
const ZERO_WIDTH_SPACE = "\xE2\x80\x8B";

/** Where C175 holds: in plain text, or in a page outside of tags and in charsets of seven bits; null: nowhere. */
export type Apart = "plain" | "page" | null;

/** C175: characters beyond ASCII set apart from visible ASCII before them, but not after a dot or `//`, nor in `<...>`. */
function setApart(bytes: string, read: (at: number) => Piece | null, apart: Apart): (at: number) => Piece | null {
  let before = "";
  let isInAngles = false;
  return (at) => {
    const piece = read(at);
    const text = piece?.bytes ?? bytes.charAt(at);
    const isCharacter = piece !== null && text > "\x7f" && text !== BROKEN && text !== SHIFT;
    const isApart = isCharacter && !isInAngles && /[!-~]$/.test(before) && !/(?:\.|\/\/)$/.test(before);
    if (text === "<" || text === ">" || (apart === "plain" && text <= " " && text > "\0")) {
      isInAngles = text === "<";
    }
    before = text === "" || text === SHIFT ? before : before.slice(-1) + text;
    return isApart ? { ...piece, bytes: ZERO_WIDTH_SPACE + text } : piece;
  };
}

/** A8: the kind of a charset; null where its text is read as it is. */
export function kindOf(charset: string): Kind | null {
  let label = charset.toLowerCase().replace(/[-_]/g, "");
  while (label.length > 3 && /^(?:x|cs|cn)/.test(label)) {
    label = label.replace(/^(?:x|cs|cn)/, "");
  }
  const found = Object.entries(LABELS).find(([, labels]) => labels.test(label));
  return found === undefined ? null : (found[0] as Kind);
}

/** C171: the syllables that Windows adds to EUC-KR, by their two bytes. */
const ADDED = new Map<number, string>();

function addedSyllable(pair: number): string {
  if (ADDED.size === 0) {
    const known = new Set<string>();
    for (let at = 0; at < 94 * 94; at++) {
      known.add(new TextDecoder("euc-kr").decode(Uint8Array.of(0xa1 + Math.floor(at / 94), 0xa1 + (at % 94))));
    }
    const added = Array.from({ length: 11172 }, (_, at) => String.fromCharCode(0xac00 + at)).filter((syllable) => !known.has(syllable));
    for (let lead = 0x81; added.length > 0; lead++) {
      for (let trail = 0x41; trail <= 0xfe; trail++) {
        if (/[A-Za-z\x81-\xfe]/.test(String.fromCharCode(trail)) && (lead < 0xa1 || trail < 0xa1)) {
          ADDED.set(256 * lead + trail, added.shift() ?? "");
        }
      }
    }
  }
  return ADDED.get(pair) ?? "";
}

/** C171: the character of two bytes in a charset as a TextDecoder names it, as UTF-8. */
function characterOf(charset: string, lead: number, trail: number): string {
  const pair = 256 * lead + trail;
  const isAddition =
    (charset === "gbk" && pair === 0xa3a0) ||
    (charset === "big5" && (pair < 0xa140 || pair > 0xf9d5 || (pair >= 0xc67f && pair <= 0xc93f)));
  const isAdded = charset === "euc-kr" && (lead < 0xa1 || trail < 0xa1);
  const character = isAddition ? "" : isAdded ? addedSyllable(pair) : new TextDecoder(charset).decode(Uint8Array.of(lead, trail));
  return READ.test(character) ? bytesOf(character) : BROKEN;
}

const katakana = (number: number): string => bytesOf(String.fromCharCode(0xff61 + number));

/** The sequences of several bytes of a charset of eight bits, the longest first, and what they are. */
const SEQUENCES: Readonly<Record<string, readonly (readonly [RegExp, (at: (index: number) => number) => string])[]>> = {
  gb: [
    [
      /[\x81-\xfe][0-9][\x81-\xfe][0-9]/y,
      (at) => {
        const point = (((at(0) - 0x81) * 10 + at(1) - 0x30) * 126 + at(2) - 0x81) * 10 + at(3) - 0x30 - 189_000 + 0x10000;
        return point >= 0x10000 && point <= 0x10ffff ? bytesOf(String.fromCodePoint(point)) : BROKEN;
      },
    ],
    [/[\x81-\xfe][\x40-\x7e\x80-\xfe]/y, (at) => characterOf("gbk", at(0), at(1))],
  ],
  big5: [[/[\x81-\xfe][\x40-\x7e\xa1-\xfe]/y, (at) => characterOf("big5", at(0), at(1))]],
  "euc-kr": [[/[\x81-\xfe][A-Za-z\x81-\xfe]/y, (at) => characterOf("euc-kr", at(0), at(1))]],
  shift_jis: [
    [/[\xa1-\xdf]/y, (at) => katakana(at(0) - 0xa1)],
    [/[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]/y, (at) => characterOf("shift_jis", at(0), at(1))],
  ],
  "euc-jp": [
    [/\x8f[\xa1-\xff][\xa1-\xff]/y, () => BROKEN],
    [/\x8e[\xa1-\xdf]/y, (at) => katakana(at(1) - 0xa1)],
    [/[\xa1-\xfe][\xa1-\xfe]/y, (at) => characterOf("euc-jp", at(0), at(1))],
  ],
};

function fromEightBits(text: Source, kind: Kind, isApart: boolean): Source {
  const { bytes } = text;
  const read = (at: number): Piece | null => {
    if (bytes.charCodeAt(at) < 0x80) {
      return null;
    }
    for (const [sequence, read] of SEQUENCES[kind] ?? []) {
      const found = matchAt(sequence, bytes, at)?.[0];
      // C172: `http://` begins with no second byte.
      if (found !== undefined && !(found.length === 2 && matchAt(HTTP, bytes, at + 1) !== null)) {
        return { bytes: read((index) => found.charCodeAt(index)), width: found.length };
      }
    }
    return { bytes: BROKEN, width: 1 };
  };
  return decodedFrom(text, isApart ? setApart(bytes, read, "plain") : read);
}

/** A sequence that shifts, where it is kept for what looks at the lines as they were. */
const SHIFT = "\xFE\x1b\xFE";
const SETS: Readonly<Record<string, string>> = { "@": "euc-jp", B: "euc-jp", A: "gbk", C: "euc-kr" };

/** A8: the seven bits of ISO 2022 and HZ; `isKept`: sequences become SHIFT; `apart`: where C175 holds. */
export function fromShifted(text: Source, isHz: boolean, isKept: boolean, apart: Apart): Source {
  const { bytes } = text;
  let set = "";
  let outSet = "";
  const read = (at: number): Piece | null => {
    const shift = shiftAt(at);
    if (shift > 0) {
      return { bytes: isKept ? SHIFT : "", width: shift };
    }
    if (isHz && set === "" && bytes.startsWith("~~", at)) {
      return { bytes: "~", width: 2 };
    }
    set = bytes[at] === "\n" ? "" : set;
    if (set === "" || !/[!-~]/.test(bytes.charAt(at))) {
      return null;
    }
    const byte = bytes.charCodeAt(at);
    if (set === "katakana") {
      return { bytes: byte < 0x60 ? katakana(byte - 0x21) : BROKEN, width: 1 };
    }
    if (!/[!-~]/.test(bytes.charAt(at + 1))) {
      return { bytes: BROKEN, width: 1 };
    }
    return { bytes: set === "other" ? BROKEN : characterOf(set, byte + 0x80, bytes.charCodeAt(at + 1) + 0x80), width: 2 };
  };
  return decodedFrom(text, apart === null ? read : setApart(bytes, read, apart));

  /** The length of the sequence that shifts at an offset, or 0. */
  function shiftAt(at: number): number {
    if (isHz) {
      const tilde = matchAt(/~[{}\n]/y, bytes, at)?.[0] ?? "";
      set = tilde === "" ? set : tilde === "~{" ? "gbk" : "";
      return tilde.length;
    }
    if (outSet !== "" && (bytes[at] === "\x0e" || bytes[at] === "\x0f")) {
      set = bytes[at] === "\x0e" ? outSet : "";
      return 1;
    }
    const found = bytes[at] === "\x1b" ? matchAt(/([ -/]{1,3})([0-~])/y, bytes, at + 1) : null;
    if (found === null) {
      return 0;
    }
    const [whole, before = "", last = ""] = found;
    if (before.startsWith("(")) {
      set = last === "I" ? "katakana" : "";
    } else if (before === "$" || before.startsWith("$(")) {
      set = SETS[last] ?? "other";
    } else if (before.startsWith("$)")) {
      outSet = SETS[last] ?? "other";
    }
    return 1 + whole.length;
  }
}

/** The text without the sequences that were kept. */
export function withoutShifts(text: Source): Source {
  return decodedFrom(text, (at) => (text.bytes.startsWith(SHIFT, at) ? { bytes: "", width: SHIFT.length } : null));
}

/** A8: UTF-7. */
function fromUtf7(text: Source): Source {
  const pieces = new Map<number, Piece>();
  return decodedFrom(text, (at): Piece | null => {
    const run = pieces.has(at) ? null : matchAt(/\+([A-Za-z0-9+/]*)(-?)/y, text.bytes, at);
    const [, digits = "", hyphen = ""] = run ?? [];
    if (run !== null && digits === "" && hyphen !== "") {
      return { bytes: "+", width: 2 };
    }
    const units = evenBytes(digits).swap16().toString("utf16le");
    let [count, from] = [0, at];
    for (const character of units) {
      count += character.length;
      const end = at + 1 + Math.ceil((16 * count) / 6);
      pieces.set(from, { bytes: bytesOf(character), width: end - from });
      from = end;
    }
    if (run !== null && from > at && at + run[0].length > from) {
      pieces.set(from, { bytes: "", width: at + run[0].length - from });
    }
    return pieces.get(at) ?? null;
  });
}

/** The bytes of whole units of 16 bits in digits of base64. */
function evenBytes(digits: string): Buffer {
  const bytes = Buffer.from(digits, "base64");
  return bytes.subarray(0, bytes.length & ~1);
}

/** A8: a text in a charset of several bytes; one with a byte order mark of UTF-8 is in UTF-8; `apart`: where C175 holds. */
export function fromMultiByte(text: Source, kind: Kind, apart: Apart): Source {
  if (text.bytes.startsWith("\xEF\xBB\xBF")) {
    return text;
  }
  return kind === "utf-7"
    ? fromUtf7(text)
    : kind === "hz" || kind === "iso-2022"
      ? fromShifted(text, kind === "hz", false, apart)
      : fromEightBits(text, kind, apart === "plain");
}
