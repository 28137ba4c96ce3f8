// Decodes the text of one body to the window: transfer encoding, then charset and joined lines, then HTML, XML or JSON (A6, A8, A9, X9,
// A16). Each piece of the body goes through all three steps before the next one is read, and each step writes the rows of its source map
// (src/scan/source-map.ts). A body in quoted-printable, ISO-8859-1 and HTML, in three calls of `passPart` (# is the byte E9):
//
//   source        TRANSFER_REGION   CONVERT_REGION   window
//   http://a/=E   http://a/         http://a/        http://a/       `=E` waits in the source
//   =E9?b&am      #?b&am            é?b&am           http://a/é?b    `&am` waits in CONVERT_REGION
//   p;c           p;c               &amp;c           http://a/é?b&c
//
// Each part of this has a failure that it prevents:
//
// 1. Undecided bytes wait before the step that reads them: in the source, or at the start of a region (`transferWaiting`,
//    `convertWaiting`). Otherwise a cut inside of `=E9` or `&amp;` would make text of it. At the end of the body (`isEnd`) it is text.
// 2. `startPart` forgets what the last body has left open, such as a group of base64 or a shift to Japanese characters. Otherwise the
//    next body would begin in the middle of it.
// 3. A piece has at most PIECE_BYTES. Before each piece the reader asks once whether there is room (`hasStepRoom` in pipe.ts). The rows of
//    a larger piece could need more.
// 4. Plain text without any encoding goes from the source to the window, 64 KiB at a time (`putSource`). In a charset of one byte, runs of
//    ASCII do (`plainEnd`). Most mail is such text, and each step would copy it. Without a conversion the last step reads TRANSFER_REGION.
// 5. Flowed lines are joined in the step of the charset (`readFlowed`). Before that, the bytes `--` of a signature could be a Japanese
//    character.
// 6. The first bytes wait until the charset is decided (`decideCharset`): a page may name its own in its first 1024 bytes. Otherwise the
//    text before its name would be read in another charset.
// 7. `decodeRun` stops where base64 changes to text. Otherwise the footer of a mailing list would be read as base64.
// 8. The host collects packed files and bodies in codings of HTTP (C178, A12), and gives their text back later: its decoders cannot stop
//    between two calls of the core. A message in a transfer encoding (C177) comes back as a source, because it has a header and parts.

import { AMPERSAND } from "../bytes/characters.ts";
import { copyUnquotedRun, putText, sourceEnd, to as windowEnd } from "../html/decoded.ts";
import { readClosedReference } from "../html/reference.ts";
import { readBackslash } from "../json/strings.ts";
import * as mail from "../layout/mail.ts";
import { CONVERT_REGION, MAP_SCALE_ONE, MAP_SCALE_UTF16, TRANSFER_REGION } from "../layout/memory.ts";
import { findNonAscii } from "../platform/kernel.ts";
import { copyBytes, load8 } from "../platform/memory.ts";
import { base64End, beginBase64, endBase64, findLines, isOtherNext, readBase64 } from "./base64.ts";
import { beginChunks, chunksEnd, readChunks } from "./chunked.ts";
import { collectCoded, decodeBody, isCodedFull, readCoded } from "./coded.ts";
import * as content from "./content.ts";
import * as converted from "./converted.ts";
import { collectMessage, endEncodedMessage, messageBound, noteBodyStart } from "./encoded-message.ts";
import { beginFlowed, readFlowed } from "./flowed.ts";
import { readFolded } from "./folded.ts";
import { beginNames, endPiece, readEscaped, readNames } from "./json-names.ts";
import { beginMultiByte, readCharacters } from "./multi-byte.ts";
import { beginCharset, decideCharset, pageCharset } from "./one-byte.ts";
import * as pipe from "./pipe.ts";
import { quotedEnd, readQuotedPrintable } from "./quoted-printable.ts";
import { enter, fields, format, MODE_BETWEEN, MODE_BODY, MODE_DECODED } from "./reader.ts";
import { hasLength } from "./source.ts";
import { beginUtf16, isUtf16, readUtf16 } from "./utf16.ts";

/** How a text is read. PART_NONE: no text is open. */
export const PART_NONE: i32 = 0;
export const PART_TEXT: i32 = 1;
export const PART_HTML: i32 = 2; // HTML or XML
export const PART_SKIP: i32 = 3; // The bytes are only counted
export const PART_JSON: i32 = 4;
/** A message in a transfer encoding (C177), or an attachment that is unpacked (C178): its bytes are collected. */
export const PART_MESSAGE: i32 = 5;

/** Most bytes that are copied to the window at a time. */
const COPY_BYTES: i32 = 65536;

/** PART_* of the text. */
export let part: i32 = PART_NONE;
/** TRANSFER_* of the next bytes of the text. */
export let transfer: i32 = content.TRANSFER_IDENTITY;
/** CONVERT_* of the text. */
export let conversion: i32 = mail.CONVERT_NONE;
/** Number of bytes at the start of TRANSFER_REGION that wait for more. */
let transferWaiting: i32 = 0;
/** Number of bytes at the start of CONVERT_REGION that wait for more. */
let convertWaiting: i32 = 0;

/** Begins a text. `kind`: PART_*; `encoding`: TRANSFER_*; `convert`: CONVERT_*. */
export function startPart(kind: i32, encoding: i32, convert: i32): void {
  part = kind;
  transfer = encoding;
  conversion = convert;
  transferWaiting = 0;
  convertWaiting = 0;
  beginBase64();
  if (encoding != content.TRANSFER_CODED) beginChunks(true);
  beginFlowed();
  beginUtf16();
  beginCharset((convert & mail.CONVERT_ASSUMED) != 0);
  beginMultiByte(convert & mail.CONVERT_CHARSET);
  converted.beginText(isSetApart(kind, convert), kind == PART_HTML);
  if (kind == PART_JSON) beginNames();
}

/**
 * Whether characters beyond ASCII may end a match in a text of PART_* and CONVERT_*: it names a charset of several bytes but UTF-7, and in
 * HTML one of seven bits (C175).
 */
function isSetApart(kind: i32, convert: i32): bool {
  const charset = convert & mail.CONVERT_CHARSET;
  const first = kind == PART_TEXT ? mail.CONVERT_GB : kind == PART_HTML ? mail.CONVERT_ISO_2022 : mail.CONVERT_UTF_7;
  return (convert & mail.CONVERT_ASSUMED) == 0 && charset >= first && charset <= mail.CONVERT_HZ;
}

/**
 * Decodes source bytes of the text: [start, end), or the first of them. `isEnd`: the text ends at `end`. Returns the address after the
 * bytes read; `start`: more source is needed.
 */
export function passPart(start: i32, end: i32, isEnd: bool): i32 {
  if (part == PART_NONE || part == PART_SKIP) {
    if (part == PART_SKIP) pipe.count(mail.COUNT_BYTES_SKIPPED, end - start);
    return end;
  }
  if (part == PART_TEXT && transfer == content.TRANSFER_IDENTITY) {
    const bound = end - start < COPY_BYTES ? end : start + COPY_BYTES;
    const plain = plainEnd(start, bound);
    if (plain > start) {
      pipe.putSource(start, plain - start);
      return plain;
    }
  }
  const most = part == PART_JSON ? pipe.JSON_PIECE_BYTES : pipe.PIECE_BYTES;
  const stop = end - start < most ? end : start + most;
  if (part == PART_MESSAGE) return passMessage(start, stop, isEnd && stop == end);
  // A JSON source has no marks that end a text, so its bytes can wait in the source.
  if (format == mail.FORMAT_JSON && conversion == mail.CONVERT_NONE) return putJsonSource(start, stop, isEnd && stop == end);
  return passPiece(start, stop, isEnd && stop == end);
}

/** Returns the end of the bytes of a plain text at `start` that need no conversion: in a charset of one byte ASCII. */
function plainEnd(start: i32, bound: i32): i32 {
  if (conversion == mail.CONVERT_NONE) return bound;
  if ((conversion & ~mail.CONVERT_ASSUMED) != mail.CONVERT_ONE_BYTE || transferWaiting > 0) return start;
  const plain = findNonAscii(start, bound);
  if (plain > start) decideCharset(start, plain, mail.CONVERT_ONE_BYTE, false, true);
  return plain;
}

function passPiece(start: i32, stop: i32, isEnd: bool): i32 {
  if (transfer == content.TRANSFER_CODED) return passCoded(start, stop, isEnd);
  let p = decodeRun(start, stop, isEnd);
  while (hasSwitched && p < stop) p = decodeRun(p, stop, isEnd);
  return p;
}

/** Whether decodeRun stopped where base64 changes to text, or text to base64. */
let hasSwitched: bool = false;

/** Decodes [start, stop), or with base64 its first lines that are all base64 or all text; returns the end of the bytes read. */
function decodeRun(start: i32, stop: i32, isEnd: bool): i32 {
  hasSwitched = false;
  const to = TRANSFER_REGION + transferWaiting;
  let next = stop;
  let written = to;
  if (transfer == content.TRANSFER_QUOTED_PRINTABLE) {
    next = readQuotedPrintable(start, stop, to, isEnd);
    written = quotedEnd;
  } else if (transfer == content.TRANSFER_BASE64) {
    const lines = findLines(start, stop, false, isEnd);
    next = readBase64(start, lines, to, isEnd);
    written = base64End;
    if (isOtherNext && next == lines) {
      // Text before or after the base64, such as a list footer, is not decoded.
      endBase64(lines, written);
      written = base64End;
      transfer = content.TRANSFER_REST;
      hasSwitched = true;
    }
  } else if (transfer == content.TRANSFER_CHUNKED) {
    next = readChunks(start, stop, to, isEnd);
    written = chunksEnd;
  } else {
    const isRest = transfer == content.TRANSFER_REST;
    if (isRest) next = findLines(start, stop, true, isEnd);
    pipe.mapRun(start, MAP_SCALE_ONE);
    pipe.passRun(next - start, next - start);
    copyBytes(to, start, next - start);
    written = to + (next - start);
    if (isRest && isOtherNext) {
      beginBase64();
      transfer = content.TRANSFER_BASE64;
      hasSwitched = true;
    }
  }
  passTransferred(to, written, false);
  return next;
}

/** Collects the decoded bytes of [start, stop), or of its first bytes, up to MESSAGE_BYTES_MAX; returns the end of the bytes read. */
function passMessage(start: i32, stop: i32, isEnd: bool): i32 {
  noteBodyStart(start);
  const bound = messageBound();
  if (stop <= bound) return passPiece(start, stop, isEnd);
  const next = passPiece(start, bound, true);
  if (next == bound) endMessagePart(bound, true);
  return next;
}

/** Ends the body of a PART_MESSAGE at `stop`; `isCut`: the rest of the body is not read. */
function endMessagePart(stop: i32, isCut: bool): void {
  const isBase64 = transfer == content.TRANSFER_BASE64;
  if (isBase64) endBase64(stop, TRANSFER_REGION);
  if (isBase64) collectMessage(TRANSFER_REGION, base64End);
  part = PART_NONE;
  endEncodedMessage(stop, isCut);
}

function passCoded(start: i32, stop: i32, isEnd: bool): i32 {
  const next = collectCoded(start, stop, isEnd);
  if (isCodedFull(next) && !(isEnd && next == stop)) beginDecoded(next, true);
  return next;
}

function beginDecoded(end: i32, isCut: bool): void {
  decodeBody(end, isCut);
  transfer = content.TRANSFER_DECODED;
  enter(MODE_DECODED);
}

/** Reads the next bytes of the text of a coded body, which the host has decoded (A12), or ends that text; returns `p`. */
export function readDecodedText(p: i32): i32 {
  const to = TRANSFER_REGION + transferWaiting;
  const written = readCoded(to);
  if (written > to) {
    passTransferred(to, written, false);
    return p;
  }
  endPart(p);
  // The rest of a body that is too long is skipped.
  if (hasLength()) startPart(PART_SKIP, content.TRANSFER_IDENTITY, mail.CONVERT_NONE);
  enter(hasLength() ? MODE_BODY : MODE_BETWEEN);
  return p;
}

/** Ends the text before the source address `end`. If the host decodes or unpacks the body, the resulting text is read next. */
export function endPart(end: i32): void {
  if (part == PART_MESSAGE) {
    endMessagePart(end, false);
    return;
  }
  const isText = part != PART_NONE && part != PART_SKIP;
  if (isText && transfer == content.TRANSFER_CODED) {
    beginDecoded(end, false);
    return;
  }
  if (isText) {
    const to = TRANSFER_REGION + transferWaiting;
    const isBase64 = transfer == content.TRANSFER_BASE64;
    if (isBase64) endBase64(end, to);
    passTransferred(to, isBase64 ? base64End : to, true);
  }
  part = PART_NONE;
  if (conversion == mail.CONVERT_NONE) return;
  // The texts that follow are not converted.
  pipe.mapConverted(0, 0, MAP_SCALE_ONE);
  conversion = mail.CONVERT_NONE;
}

/**
 * Converts the transferred bytes [from, end), and the bytes before `from` that wait, and writes them to the window. Those of a PART_MESSAGE
 * are collected instead. `isEnd`: the text ends.
 */
function passTransferred(from: i32, end: i32, isEnd: bool): void {
  assert(from - TRANSFER_REGION == transferWaiting && from <= end);
  if (part == PART_MESSAGE) {
    collectMessage(from, end);
    return;
  }
  if (conversion == mail.CONVERT_NONE) {
    pipe.passConverted(end - from);
    transferWaiting = putConverted(TRANSFER_REGION, end, isEnd);
    return;
  }
  const isWide = isUtf16(conversion);
  converted.beginConverted(CONVERT_REGION + convertWaiting, TRANSFER_REGION, end, isWide ? MAP_SCALE_UTF16 : MAP_SCALE_ONE);
  const read = isWide ? readUtf16(conversion, TRANSFER_REGION, end, isEnd) : convertBytes(TRANSFER_REGION, end, isEnd);
  transferWaiting = isEnd ? 0 : end - read;
  // Bytes that wait for the charset to be decided are not moved.
  if (read > TRANSFER_REGION) copyBytes(TRANSFER_REGION, read, transferWaiting);
  convertWaiting = putConverted(CONVERT_REGION, converted.at, isEnd);
}

/** Converts [start, end), which is not UTF-16, and joins its lines; returns the end of the bytes read. The rest waits. */
function convertBytes(start: i32, end: i32, isEnd: bool): i32 {
  const isPage = part == PART_HTML && (conversion & mail.CONVERT_ASSUMED) != 0;
  const charset = conversion & mail.CONVERT_CHARSET;
  if ((isPage || charset != mail.CONVERT_NONE) && !decideCharset(start, end, charset, isPage, isEnd)) return start;
  if (isPage && pageCharset != mail.CONVERT_NONE) {
    conversion = pageCharset;
    beginMultiByte(pageCharset);
    converted.beginText(isSetApart(PART_HTML, pageCharset), true);
  }
  if ((conversion & mail.CONVERT_FLOWED) != 0) return readFlowed(start, end, isEnd);
  const isLdif = (conversion & mail.CONVERT_LDIF) != 0;
  if (isLdif || (conversion & mail.CONVERT_FOLDED) != 0) return readFolded(start, end, isEnd, !isLdif);
  return readCharacters(start, end, isEnd);
}

/** Writes the text [start, end) to the window. Moves undecided bytes of HTML and JSON to `start`, and returns their number. */
function putConverted(start: i32, end: i32, isEnd: bool): i32 {
  if (part == PART_TEXT) {
    putText(start, end - start);
    return 0;
  }
  const waiting = part == PART_JSON ? putJson(start, end, isEnd) : pipe.putHtml(start, end, isEnd);
  copyBytes(start, waiting, end - waiting);
  return end - waiting;
}

/** Decodes the JSON [start, end), the last bytes of the converted text; `isEnd`: the text ends. Returns the end of the bytes read. */
function putJson(start: i32, end: i32, isEnd: bool): i32 {
  pipe.setConverted(end, end, isEnd);
  return readJson(start);
}

/** Decodes [start, end) of a JSON source, which has no encodings; returns what putJson does. */
function putJsonSource(start: i32, end: i32, isEnd: bool): i32 {
  pipe.setConverted(start, end, isEnd);
  const next = readJson(start);
  if (next > start) pipe.passSource(start, next - start);
  return next;
}

/** Decodes the source of html/decoded.ts from `start` on; returns the address after the bytes read. The rest waits for more bytes. */
function readJson(start: i32): i32 {
  const collects = fields != 0;
  let p = start;
  while (p < sourceEnd) {
    const plain = windowEnd;
    p = copyUnquotedRun(p);
    const escaped = windowEnd;
    if (collects) readNames(plain, escaped);
    if (p == sourceEnd) break;
    const next = load8(p) == AMPERSAND ? readClosedReference(p) : readBackslash(p);
    if (next < 0) break;
    if (collects) readEscaped(escaped, windowEnd);
    p = next;
  }
  if (collects) endPiece();
  return p;
}
