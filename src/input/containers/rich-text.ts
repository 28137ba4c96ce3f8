// The body of an Outlook message: compressed RTF (MS-OXRTFCP), which often contains an HTML page (MS-OXRTFEX).
import { readU32 } from "../../base/arrays.ts";
import { decodeLatin1 } from "../../core/text.ts";
import { decodeCharset } from "../../mail/words.ts";

const HEADER_BYTES = 16;
const COMPRESSED = 0x75465a4c;
const WINDOW_BYTES = 4096;
const WINDOW_START =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArial" +
  "Times New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

export const RICH_TEXT_BYTES_MAX = 2 ** 24; // Most bytes of a body, which is held in memory
const GROUPS_MAX = 10_000; // Most nested groups. Their states are held in memory
const EXPANSION_MAX = 9; // Most bytes of text for each compressed byte: a token of two bytes copies up to 17

/** Returns the RTF of a body that may be compressed, at most RICH_TEXT_BYTES_MAX bytes. */
export function decompressRichText(body: Uint8Array): Uint8Array {
  if (readU32(body, 8) !== COMPRESSED) return body.subarray(HEADER_BYTES, HEADER_BYTES + RICH_TEXT_BYTES_MAX);
  const start = WINDOW_START.length;
  const output = new Uint8Array(start + Math.min(RICH_TEXT_BYTES_MAX, EXPANSION_MAX * body.length));
  new TextEncoder().encodeInto(WINDOW_START, output);
  let length = start;
  for (let at = HEADER_BYTES; at < body.length && length < output.length; ) {
    const control = body[at++];
    for (let bit = 0; bit < 8 && at < body.length; bit++) {
      if (((control >> bit) & 1) === 0) {
        output[length++] = body[at++];
        continue;
      }
      const token = (body[at] << 8) | (body[at + 1] ?? 0);
      at += 2;
      const distance = (length - (token >> 4)) & (WINDOW_BYTES - 1);
      if (distance === 0) return output.subarray(start, length);
      // The window begins with blanks.
      const end = length + (token & 15) + 2;
      for (; length < end; length++) output[length] = output[length - distance] ?? 0x20;
    }
  }
  return output.subarray(start, length);
}

/** Destinations whose text is not part of the body. Unknown ones are marked (`\*`) and left out too. */
const HIDDEN = new Set("fonttbl colortbl stylesheet info pict object header footer headerl headerr footerl footerr pntext".split(" "));
const SHOWN = new Set(["htmltag", "fldinst"]); // Marked destinations whose text is wanted: tags of HTML, and the URL of a link
const BREAKS = { par: "\r\n", line: "\r\n", tab: "\t" };
const SIGNS = { lquote: "\u2018", rquote: "\u2019", ldblquote: "\u201c", rdblquote: "\u201d", bullet: "\u2022" };
const CHARACTERS = new Map(Object.entries({ ...BREAKS, ...SIGNS, endash: "\u2013", emdash: "\u2014" }));
/** Code pages of the character sets of fonts. */
const CODE_PAGES: ReadonlyMap<number, number> = new Map(
  "128 932, 129 949, 134 936, 136 950, 161 1253, 162 1254, 163 1258, 177 1255, 178 1256, 186 1257, 204 1251, 222 874, 238 1250"
    .split(", ")
    .map((row) => row.split(" ").map(Number) as [number, number]),
);
/** A control word with its number, an encoded byte (`\'hh`), a control symbol, a brace, ends of lines, or text. */
const TOKEN = /\\([a-zA-Z]+)(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([\s\S])|([{}])|[\r\n]+|[^\\{}\r\n]+/g;

/** The state of an RTF group. A nested group begins with a copy; the state is restored after it. */
interface Group {
  isHidden: boolean;
  /** Whether the text is RTF for HTML tags next to it (`\htmlrtf`), and not part of the page. */
  isInstead: boolean;
  /** Number of fallback characters after a Unicode character (`\uc`). They are skipped. */
  skips: number;
  codePage: number;
}

/** Returns the text of an RTF body, or the HTML page from which the RTF was made; `isWhole`: it was read to its end, not to a limit. */
export function textOfRichText(rtf: Uint8Array, label: (codePage: number) => string) {
  const source = decodeLatin1(rtf);
  const isHtml = source.slice(0, 4096).includes("\\fromhtml1");
  const fonts = new Map<number, number>();
  const groups: Group[] = [];
  let group: Group = { isHidden: false, isInstead: false, skips: 1, codePage: 1252 };
  // Each character of `pending` is a byte in the code page `pendingPage`.
  let [text, pending, pendingPage] = ["", "", 0];
  let [isMarked, isFontTable, font, skipped] = [false, false, 0, 0];
  const endBytes = (): void => {
    text += decodeCharset(label(pendingPage), pending);
    pending = "";
  };
  /** Adds characters, unless they are skipped or hidden. `isEncoded`: each is a byte in the code page of the group. */
  const give = (characters: string, isEncoded: boolean): void => {
    const kept = characters.slice(skipped);
    skipped -= characters.length - kept.length;
    if (kept === "" || group.isHidden || (group.isInstead && isHtml)) return;
    if (!isEncoded || pendingPage !== group.codePage) endBytes();
    pendingPage = group.codePage;
    if (isEncoded) pending += kept;
    else text += kept;
  };
  const obey = (word: string, value: number | undefined): void => {
    if (HIDDEN.has(word) || (isMarked && !SHOWN.has(word))) group.isHidden = true;
    if (word === "fonttbl") isFontTable = true;
    else if (word === "f" && value !== undefined) {
      font = value;
      if (!isFontTable) group.codePage = fonts.get(font) ?? fonts.get(-1) ?? 1252;
    } else if (word === "fcharset" && isFontTable) fonts.set(font, CODE_PAGES.get(value ?? 0) ?? fonts.get(-1) ?? 1252);
    else if (word === "ansicpg" && value !== undefined) {
      fonts.set(-1, value);
      group.codePage = value;
    } else if (word === "htmlrtf") group.isInstead = value !== 0;
    else if (word === "uc") group.skips = Math.max(0, value ?? 1);
    else if (word === "u" && value !== undefined) {
      skipped = 0;
      give(String.fromCharCode(value & 0xffff), false);
      skipped = group.skips;
    } else give(CHARACTERS.get(word) ?? "", false);
  };
  for (const [token, word, value, byte, symbol, brace] of source.matchAll(TOKEN)) {
    if (groups.length > GROUPS_MAX) break;
    if (brace !== undefined) skipped = 0;
    if (brace === "{") groups.push({ ...group });
    else if (brace === "}") {
      if (isFontTable && groups.length < 3) isFontTable = false;
      group = groups.pop() ?? group;
    } else if (word !== undefined) obey(word, value === undefined ? undefined : Number(value));
    else if (byte !== undefined) give(String.fromCharCode(Number.parseInt(byte, 16)), true);
    else if (symbol !== undefined && "\\{}".includes(symbol)) give(symbol, true);
    else if (symbol === "~") give(" ", true);
    else if (symbol === undefined && !/^[\r\n]/.test(token)) give(token, true);
    isMarked = symbol === "*";
  }
  endBytes();
  return { text, isHtml, isWhole: rtf.length < RICH_TEXT_BYTES_MAX && groups.length <= GROUPS_MAX };
}
