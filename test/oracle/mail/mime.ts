/**
 * Messages taken apart (A3 to A9, A13): fields, parts, preambles and epilogues, each a segment.
 */
import { type Source, sliceOf, sourceOf } from "../source.ts";
import { fromCharset, fromUnnamed, isNamed, mayJoin } from "./charsets.ts";
import { fromBase64, fromQuotedPrintable, isLongField, withWordsDecoded } from "./encodings.ts";
import { encodingOf, type Field, fieldValue, isField, type MediaType, mediaTypeOf, readHeader, typeOfName, UNTOLD } from "./header.ts";
import { fromShifted, kindOf, withoutShifts } from "./multi-byte.ts";
import { startsPacked, unpack } from "./packed.ts";
import { enclosedOf, fromFlowed, fromFolded, withoutFiles } from "./plain.ts";
import { parameterOf, readStructured } from "./structured.ts";

/** What is counted by name (A15). */
export type Limit = "deep-multipart" | "no-boundary" | "long-field" | "uuencode" | "yenc" | "encoded-body";

/** Where the segments of a message go. `part` is null where there is none. */
export interface Sink {
  parts: "text" | "all";
  /** Of text that names none (A18). */
  charset: string;
  /** Of web archives more types are texts (A12). */
  isWeb: boolean;
  add: (text: Source, kind: "text" | "html" | "xml" | "json", where: string, part: string | null) => void;
  count: (limit: Limit) => void;
  skip: (text: Source, from: number, to: number) => void;
  skipPart: () => void;
}

/** Where a body ends: `level` is the index of the boundary that ends it, -1 at the end of the message. */
interface Cut {
  end: number;
  next: number;
  level: number;
  closes: boolean;
}

/** A body to be read: its boundaries, the innermost last, and the number of what it is the body of. */
interface Body {
  text: Source;
  from: number;
  boundaries: readonly string[];
  number: string | null;
}

const DELIMITER = /(?<![^\n])--([^\n]*)(?:\n|$)/g;
const BOUNDARY_BYTES_MAX = 256;
const MULTIPART_DEPTH_MAX = 32;
/** A10: most bytes of a field's name that are told. */
const NAME_BYTES_MAX = 1000;
const MESSAGE = /^message\/(?:rfc822|global|news)$/;
const HTML = /^(?:text\/(?:.*\+)?(?:x-)?(?:html?|amp-html)|application\/xhtml\+xml)$/;
const READ = /^(?:text|message)\//;
/** A12: subtypes, or what comes after their last `+`, that are texts in the web. */
const WEB = /^[^/]+\/(?:.*\+)?(?:x-)?javascript$/;
/** C195: the same of XML. */
const XML = /^(?!multipart\/|message\/)[^/]+\/(?:.*\+)?(?:x-)?xml$/;
/** A16: subtypes, or what comes after their last `+`, that are JSON. */
const JSON_TYPE = /^(?!multipart\/|message\/)[^/]+\/(?:.*\+)?(?:x-)?(?:json|ndjson|jsonl)$/;
/** A9: subtypes whose lines are folded. */
const FOLDED = /^[^/]+\/(?:.*\+)?(?:x-)?(?:v?calendar|ics|vcard|directory)$/;
/** C178: the types of texts in attachments. */
const MEMBER_TYPES = {
  text: "text/plain",
  html: "text/html",
  xml: "text/xml",
  json: "application/json",
  folded: "text/calendar",
  ldif: "text/plain",
} as const;
const UUENCODED = /^(?:x-)?uue(?:ncode)?$/;

/** The number of a part in a message or multipart. */
function numberIn(number: string | null, index: number): string {
  return number === null ? `${index}` : `${number}.${index}`;
}

/** A4: the first delimiter line of any of the boundaries at or after an offset; the innermost is tried first. */
function findCut({ text, from, boundaries }: Body): Cut {
  const { bytes } = text;
  DELIMITER.lastIndex = from;
  for (let line = DELIMITER.exec(bytes); line !== null; line = DELIMITER.exec(bytes)) {
    const content = (line[1] ?? "").replace(/\r$/, "");
    for (let level = boundaries.length - 1; level >= 0; level--) {
      const boundary = boundaries[level] ?? "";
      const rest = content.startsWith(boundary) ? /^(--)?[ \t]*$/.exec(content.slice(boundary.length)) : null;
      if (rest !== null) {
        const lineBreak = /\r?\n$/.exec(bytes.slice(from, line.index))?.[0].length ?? 0;
        return { end: line.index - lineBreak, next: line.index + line[0].length, level, closes: rest[1] !== undefined };
      }
    }
  }
  return { end: bytes.length, next: bytes.length, level: -1, closes: true };
}

/** A3: the fields of a header. */
export function addFields(fields: readonly Field[], part: string | null, sink: Sink): void {
  for (const { name, text } of fields) {
    const isFromLine = /^>?From_?$/.test(name) && /^>?From /.test(text.bytes) && !isField(text.bytes);
    if (isLongField(text) && !isFromLine) {
      sink.count("long-field");
    }
    sink.add(isFromLine ? text : withWordsDecoded(text), "text", `header:${name.slice(0, NAME_BYTES_MAX)}`, part);
  }
}

/** A8, A18: a text in the charset that its header names, or in that of the option. */
function inCharset(text: Source, media: MediaType, sink: Sink, isPage: boolean): Source {
  const charset = parameterOf(media, "charset") ?? "";
  return isNamed(charset) ? fromCharset(text, charset, isPage ? "page" : "plain") : fromUnnamed(text, sink.charset, isPage);
}

/** A8, A9, A18: a text as it is read. */
function converted(text: Source, media: MediaType, sink: Sink): Source {
  const named = parameterOf(media, "charset") ?? "";
  const charset = isNamed(named) ? named : sink.charset;
  const isJoined = ["format:flowed", "delsp:yes"].every((pair) => {
    const [name = "", value] = pair.split(":");
    return parameterOf(media, name)?.toLowerCase() === value;
  });
  const inUtf8 = inCharset(text, media, sink, false);
  if (FOLDED.test(media.type)) {
    return mayJoin(charset, true) ? fromFolded(inUtf8) : inUtf8;
  }
  if (!isJoined || !mayJoin(charset, false)) {
    return inUtf8;
  }
  const isShifted = kindOf(charset) === "iso-2022" && !text.bytes.startsWith("\xEF\xBB\xBF");
  return isShifted ? withoutShifts(fromFlowed(fromShifted(text, false, true, isNamed(named) ? "plain" : null))) : fromFlowed(inUtf8);
}

/** A7, A13: a plain text that stands as it is between two offsets. */
function addPlain(text: Source, from: number, to: number, media: MediaType, part: string | null, sink: Sink): void {
  for (const piece of withoutFiles(text.bytes, from, to)) {
    if (piece.skipped !== null) {
      sink.count(piece.skipped);
      sink.skip(text, piece.from, piece.to);
      continue;
    }
    for (const { fields, body } of enclosedOf(text, piece.from, piece.to)) {
      addFields(fields, part, sink);
      sink.add(converted(body, media, sink), "text", "body", part);
    }
  }
}

/** A16: whether a type is JSON. */
export function isJsonType(type: string): boolean {
  return JSON_TYPE.test(type);
}

/** A4, A12: whether a part of a type is a text. */
function isTextType(type: string, sink: Sink): boolean {
  return READ.test(type) || HTML.test(type) || JSON_TYPE.test(type) || XML.test(type) || (sink.isWeb && WEB.test(type));
}

/** A4, A12: whether a part of a type is read. */
export function isReadType(type: string, sink: Sink): boolean {
  return isTextType(type, sink) || sink.parts === "all";
}

/** A8, A9, X9: a text whose transfer encoding is undone. */
export function addDecoded(text: Source, media: MediaType, part: string | null, sink: Sink): void {
  if (HTML.test(media.type)) {
    sink.add(inCharset(text, media, sink, true), "html", "html", part);
  } else if (XML.test(media.type)) {
    sink.add(inCharset(text, media, sink, true), "xml", "html", part);
  } else if (JSON_TYPE.test(media.type)) {
    sink.add(fromCharset(text, parameterOf(media, "charset") ?? "", null), "json", "json:", part);
  } else {
    sink.add(converted(text, media, sink), "text", "body", part);
  }
}

/** A6: a text whose transfer encoding is undone. */
function transferred(encoded: Source, encoding: string): Source {
  return encoding === "base64" ? fromBase64(encoded) : encoding === "quoted-printable" ? fromQuotedPrintable(encoded) : encoded;
}

/** A4, A6, A8: a part that is neither multipart nor a message that is followed. */
function addPart(text: Source, from: number, to: number, media: MediaType, encoding: string, part: string | null, sink: Sink): void {
  const isUuencoded = UUENCODED.test(encoding);
  const isRead = isReadType(media.type, sink);
  if (isUuencoded || !isRead) {
    if (isUuencoded && isRead) {
      sink.count("uuencode");
    }
    sink.skipPart();
    sink.skip(text, from, to);
    return;
  }
  const encoded = sliceOf(text, from, to);
  const bytes = transferred(encoded, encoding);
  if (bytes === encoded && !HTML.test(media.type) && !XML.test(media.type) && !JSON_TYPE.test(media.type)) {
    addPlain(text, from, to, media, part, sink);
  } else {
    addDecoded(bytes, media, part, sink);
  }
}

/** A4: the boundary of a multipart; null where it has none that can be used. */
function boundaryOf(media: MediaType): string | null {
  const boundary = parameterOf(media, "boundary")?.replace(/[\t-\r ]+$/, "") ?? "";
  return boundary.length >= 1 && boundary.length <= BOUNDARY_BYTES_MAX ? boundary : null;
}

/** A4, A5: the parts of a multipart, which may be the body of a message. `depth` counts the multiparts around it. */
function readMultipart(body: Body, boundary: string, isDigest: boolean, depth: number, sink: Sink): Cut {
  const { text, from, boundaries, number } = body;
  const inner = [...boundaries, boundary];
  let cut = findCut({ ...body, boundaries: inner });
  // C314: the one text that Eudora keeps.
  const [, page] = /^[\t-\r ]*<x-(html|rich|flowed)>/i.exec(text.bytes.slice(from, Math.min(cut.end, from + 64))) ?? [];
  if (page === undefined || page.toLowerCase() === "html") {
    const isPage = page !== undefined;
    const where = isPage ? "html" : "preamble";
    sink.add(fromUnnamed(sliceOf(text, from, cut.end), sink.charset, isPage), isPage ? "html" : "text", where, number);
  } else {
    addPlain(text, from, cut.end, mediaTypeOf([], "text/plain"), number, sink);
  }
  for (let index = 1; cut.level === boundaries.length && !cut.closes; index++) {
    cut = readPart({ text, from: cut.next, boundaries: inner, number: numberIn(number, index) }, isDigest, depth, sink);
  }
  if (cut.level === boundaries.length) {
    const last = findCut({ ...body, from: cut.next });
    sink.add(fromUnnamed(sliceOf(text, cut.next, last.end), sink.charset, false), "text", "epilogue", number);
    return last;
  }
  return cut;
}

/** A4: the body after a header; `leaf` is the number that it has when it is no multipart. */
function readBody(body: Body, fields: readonly Field[], part: string, isInDigest: boolean, depth: number, sink: Sink): Cut {
  const named = mediaTypeOf(fields, isInDigest ? "message/rfc822" : "text/plain");
  const file = parameterOf(readStructured(fieldValue(fields, "content-disposition") ?? ""), "filename");
  const media = named.type === UNTOLD ? { ...named, type: typeOfName(file) } : named;
  return readContent(body, media, encodingOf(fields), part, depth, sink);
}

/** A4: a body of a type in a transfer encoding. */
function readContent(body: Body, media: MediaType, encoding: string, part: string | null, depth: number, sink: Sink): Cut {
  const { text, from } = body;
  const isMultipart = media.type.startsWith("multipart/");
  const boundary = boundaryOf(media);
  if (isMultipart && boundary !== null && depth < MULTIPART_DEPTH_MAX) {
    return readMultipart(body, boundary, media.type === "multipart/digest", depth + 1, sink);
  }
  const isDecoded = /^(?:base64|quoted-printable)$/.test(encoding);
  const isIdentity = !isDecoded && !UUENCODED.test(encoding);
  const isFollowed = MESSAGE.test(media.type) && isIdentity;
  if (isFollowed && depth < MULTIPART_DEPTH_MAX) {
    // A message that is the only part of another counts as a multipart of one part.
    return readMessage({ ...body, number: part }, part === body.number ? depth : depth + 1, sink);
  }
  const cut = findCut(body);
  if (MESSAGE.test(media.type) && isDecoded && depth < MULTIPART_DEPTH_MAX) {
    readEncodedMessage(sliceOf(text, from, cut.end), encoding, part, depth + 1, sink);
    return cut;
  }
  const isOther = !isMultipart && !MESSAGE.test(media.type) && !isTextType(media.type, sink);
  const isPacked = isOther && sink.parts === "all" && encoding === "base64" && startsPacked(text.bytes.slice(from, cut.end));
  if (isPacked && depth < MULTIPART_DEPTH_MAX) {
    readPacked(sliceOf(text, from, cut.end), part, depth + 1, sink);
    return cut;
  }
  if (isPacked) {
    sink.count("deep-multipart");
  }
  if (isMultipart) {
    sink.count(boundary === null ? "no-boundary" : "deep-multipart");
    addPart(text, from, cut.end, mediaTypeOf([], "text/plain"), "", part, sink);
    return cut;
  }
  if (MESSAGE.test(media.type) && (isIdentity || isDecoded)) {
    sink.count("deep-multipart");
  }
  addPart(text, from, cut.end, media, encoding, part, sink);
  return cut;
}

/** A4: a part of a multipart. */
function readPart(body: Body, isInDigest: boolean, depth: number, sink: Sink): Cut {
  const { fields, body: from } = readHeader(body.text, body.from, findCut(body).end, false);
  addFields(fields, body.number, sink);
  return readBody({ ...body, from }, fields, body.number ?? "", isInDigest, depth, sink);
}

/** A4, A5: a message in a part. */
function readMessage(body: Body, depth: number, sink: Sink): Cut {
  const { fields, body: from } = readHeader(body.text, body.from, findCut(body).end, true);
  addFields(fields, body.number, sink);
  return readBody({ ...body, from }, fields, numberIn(body.number, 1), false, depth, sink);
}

/** C177: a message in a transfer encoding, of which each byte is made of the whole body. Nothing around it ends anything in it. */
function readEncodedMessage(encoded: Source, encoding: string, number: string | null, depth: number, sink: Sink): void {
  const whole = wholeOf(encoded, transferred(encoded, encoding).bytes);
  readMessage({ text: whole, from: 0, boundaries: [], number }, depth, inWhole(sink));
}

/** C178: an attachment that is unpacked, of which each byte is made of the whole body. */
function readPacked(encoded: Source, number: string | null, depth: number, sink: Sink): void {
  const { members, isWhole } = unpack(fromBase64(encoded).bytes);
  for (const { bytes, type } of members) {
    const whole = wholeOf(encoded, bytes);
    if (type === "eml") {
      readMessage({ text: whole, from: 0, boundaries: [], number }, depth, inWhole(sink));
    } else {
      const isLdif = type === "ldif" && mayJoin(sink.charset, true);
      addDecoded(isLdif ? fromFolded(whole, false) : whole, mediaTypeOf([], MEMBER_TYPES[type]), number, inWhole(sink));
    }
  }
  if (!isWhole) {
    sink.count("encoded-body");
  }
}

/** Bytes that are made of a whole body, and where what is in them goes. */
function wholeOf(encoded: Source, bytes: string): Source {
  return { bytes, startOf: () => encoded.startOf(0), endOf: () => encoded.endOf(encoded.bytes.length - 1) };
}

function inWhole(sink: Sink): Sink {
  return { ...sink, isWeb: false, skip: (text, from, to) => sink.skip(sourceOf(text.bytes), from, to) };
}

/** A12: the body of a record of a web archive, which has no number; it begins at `from` and ends with `text`. */
export function readRecordBody(text: Source, from: number, media: MediaType, sink: Sink): void {
  readContent({ text, from, boundaries: [], number: null }, media, "", null, 0, sink);
}

/** A3 to A9, A13: a whole message, of which the header has been read. */
export function addMessage(text: Source, fields: readonly Field[], from: number, sink: Sink): void {
  addFields(fields, null, sink);
  readBody({ text, from, boundaries: [], number: null }, fields, "1", false, 0, sink);
}
