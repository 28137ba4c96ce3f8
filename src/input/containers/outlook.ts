// Outlook messages (`.msg`, MS-OXMSG): compound files whose streams are properties. A message is converted to MIME (RFC 2045) with bodies
// and attachments in base64, and then read like other mail (A21).
import { concat, readU16, readU32, readU64 } from "../../base/arrays.ts";
import { SourceError } from "../../base/errors.ts";
import { decodeLatin1 } from "../../core/text.ts";
import { decodeCharset } from "../../mail/words.ts";
import type { Steps } from "../steps.ts";
import type { ByteReader } from "./byte-reader.ts";
import { CompoundFile, type Storage } from "./compound-file.ts";
import { corrupt } from "./errors.ts";
import { overLimit } from "./limits.ts";
import { decompressRichText, RICH_TEXT_BYTES_MAX, textOfRichText } from "./rich-text.ts";

const FILE_BYTES_MAX = 2 ** 27; // Most bytes of a file, which is held in memory
const DEPTH_MAX = 8; // Most messages inside each other, including the outermost one
const BASE64_BYTES = 57 * 256; // Bytes that are encoded at a time: 256 lines of base64

const PROPERTIES = "__properties_version1.0"; // The stream with the rows of properties
const ATTACHMENT = "__attach_version1.0_"; // Start of the names of folders that hold an attachment
const ROW_BYTES = 16; // Bytes of a row of properties
const FILE_ROWS_AT = 32; // Bytes before the first row of the outermost message
const INNER_ROWS_AT = 24; // Bytes before the first row of a message in an attachment
const ATTACHMENT_ROWS_AT = 8; // Bytes before the first row of an attachment

/** The media type of an OLE object in an attachment, whose streams are one after the other. (C260) */
const OLE_TYPE = "application/x-ole-storage";
/** Types of properties: numbers in rows, digits in the names of streams. */
const LONG = 0x0003;
const TIME = 0x0040;
const STRING8 = "001E";
const UNICODE = "001F";
const BINARY = "0102";
const OBJECT = "000D";

/** Numbers of properties (MS-OXPROPS). */
const HEADERS = 0x007d;
const SENDER_NAME = 0x0c1a;
const SENDER_KIND = 0x0c1e;
const SENDER_ADDRESS = 0x0c1f;
const SENDER_SMTP = 0x5d01;
const BODY = 0x1000;
const RICH_TEXT = 0x1009;
const HTML = 0x1013;
const CONTENT = 0x3701;
const SHORT_NAME = 0x3704;
const LONG_NAME = 0x3707;
const MEDIA_TYPE = 0x370e;
const BODY_CODE_PAGE = 0x3fde;
const MESSAGE_CODE_PAGE = 0x3ffd;

/** Internet code pages: their character sets, and the Windows code pages of the same languages, if they are others. */
const CODE_PAGES = new Map(
  `932 shift_jis, 936 gbk, 949 euc-kr, 950 big5, 20127 us-ascii, 20866 koi8-r 1251, 20932 euc-jp 932, 21866 koi8-u 1251,
  28592 iso-8859-2 1250, 28595 iso-8859-5 1251, 28597 iso-8859-7 1253, 28599 iso-8859-9 1254, 50220 iso-2022-jp 932,
  50221 iso-2022-jp 932, 50222 iso-2022-jp 932, 51932 euc-jp 932, 51949 euc-kr 949, 54936 gb18030 936, 65001 utf-8 1252`
    .split(/,\s+/)
    .map((row) => row.split(" "))
    .map(([page, label, windows = page]) => [Number(page), { label, windows: Number(windows) }] as const),
);

/** Header fields that are not copied: the converted message has its own, because its bodies are written anew. */
const OWN_FIELD = /^(?:content-[!-9;-~]*|mime-version)[ \t]*:/i;
const FIELD = /^[!-9;-~]+[ \t]*:/;

/** Yields a message as MIME. Throws SourceError for other compound files, for too large ones, and at the end for unreadable parts. */
export function* readOutlook(reader: ByteReader): Steps<Uint8Array> {
  const { source } = reader;
  const bytes = yield* reader.take(FILE_BYTES_MAX + 1);
  if (bytes.length > FILE_BYTES_MAX) throw overLimit(source, `a file of OLE has more than ${FILE_BYTES_MAX} bytes`);
  const file = new CompoundFile(bytes);
  const damage = (): SourceError => corrupt(source, "a stream of its compound file ends too early", undefined, "everything else was read");
  if (file.root.read(PROPERTIES) === undefined) {
    if (file.isDamaged) throw damage();
    const reason = "is a file of OLE and no message of Outlook, so urlmill does not read it; unpack it first (soffice --cat)";
    throw new SourceError("ERR_URLMILL_METHOD", source, reason);
  }
  const message = new Message();
  for (const piece of message.write(file.root, FILE_ROWS_AT, 0)) {
    yield piece;
    yield* reader.pause();
  }
  if (message.limit !== undefined) throw overLimit(source, message.limit);
  if (file.isDamaged) throw damage();
}

/** Returns the name of the character set of a code page; `windows-1252` for an unknown one. */
function labelOf(codePage: number): string {
  const isOfIso = codePage >= 28591 && codePage <= 28606;
  const label = CODE_PAGES.get(codePage)?.label ?? (isOfIso ? `iso-8859-${codePage - 28590}` : `windows-${codePage}`);
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return "windows-1252";
  }
}

class Properties {
  readonly #storage: Storage;
  readonly #rows: Uint8Array;

  constructor(storage: Storage, rowsAt: number) {
    this.#storage = storage;
    this.#rows = storage.read(PROPERTIES)?.subarray(rowsAt) ?? new Uint8Array(0);
  }

  /** The character set of texts that are not in Unicode. If none is named, the one of Windows for the language of the HTML body. */
  get charset(): string {
    const page = this.number(BODY_CODE_PAGE) ?? 1252;
    return labelOf(this.number(MESSAGE_CODE_PAGE) ?? CODE_PAGES.get(page)?.windows ?? page);
  }

  get pageCharset(): string {
    return labelOf(this.number(BODY_CODE_PAGE) ?? this.number(MESSAGE_CODE_PAGE) ?? 1252);
  }

  number(property: number): number | undefined {
    const at = this.#row(property, LONG);
    return at === undefined ? undefined : readU32(this.#rows, at + 8);
  }

  /** Returns a time in the form of the Date field; undefined if it is missing or invalid. */
  date(property: number): string | undefined {
    const at = this.#row(property, TIME);
    // Units of 100 ns since 1601.
    const date = new Date(at === undefined ? Number.NaN : readU64(this.#rows, at + 8) / 10_000 - 11_644_473_600_000);
    return Number.isNaN(date.getTime()) ? undefined : date.toUTCString().replace("GMT", "+0000");
  }

  bytes(property: number, type: string): Uint8Array | undefined {
    return this.#storage.read(streamOf(property, type));
  }

  /** Returns a text property, decoded; undefined if it is missing. */
  text(property: number): string | undefined {
    const unicode = this.bytes(property, UNICODE);
    if (unicode !== undefined) return new TextDecoder("utf-16le").decode(unicode);
    const bytes = this.bytes(property, STRING8);
    return bytes === undefined ? undefined : decodeCharset(this.charset, decodeLatin1(bytes));
  }

  /** The message or the OLE object inside an attachment, if there is one. */
  get inner(): Storage | undefined {
    return this.#storage.storages.get(streamOf(CONTENT, OBJECT));
  }

  #row(property: number, type: number): number | undefined {
    for (let at = 0; at < this.#rows.length; at += ROW_BYTES)
      if (readU16(this.#rows, at) === type && readU16(this.#rows, at + 2) === property) return at;
    return undefined;
  }
}

const streamOf = (property: number, type: string): string => `__substg1.0_${property.toString(16).toUpperCase().padStart(4, "0")}${type}`;

class Message {
  /** Describes the limit that was exceeded; undefined if nothing was left out. */
  limit: string | undefined;

  /** Yields the message in `storage`, which is nested in `depth` other messages. `rowsAt`: offset of its first row of properties. */
  *write(storage: Storage, rowsAt: number, depth: number): Generator<Uint8Array> {
    const properties = new Properties(storage, rowsAt);
    // No line of base64 or of a header consists of `--` and this boundary.
    const boundary = `=_${depth}`;
    const next = `\r\n--${boundary}\r\n`;
    yield encoded(`MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n${headerOf(properties)}\r\n`);
    for (const { type, bytes } of this.#bodies(properties)) {
      yield encoded(`${next}Content-Type: ${type}\r\n`);
      yield* base64(bytes);
    }
    for (const [name, attachment] of storage.storages) {
      if (!name.startsWith(ATTACHMENT)) continue;
      const part = new Properties(attachment, ATTACHMENT_ROWS_AT);
      const { inner } = part;
      if (inner?.read(PROPERTIES) === undefined) {
        yield encoded(`${next}${attachmentHeader(part, inner === undefined ? "application/octet-stream" : OLE_TYPE)}`);
        yield* base64(inner === undefined ? (part.bytes(CONTENT, BINARY) ?? new Uint8Array(0)) : concat([...inner.readAll()]));
      } else if (depth + 1 === DEPTH_MAX) {
        this.limit = `more than ${DEPTH_MAX} messages are inside each other`;
      } else {
        yield encoded(`${next}Content-Type: message/rfc822\r\n\r\n`);
        yield* this.write(inner, INNER_ROWS_AT, depth + 1);
      }
    }
    yield encoded(`\r\n--${boundary}--\r\n`);
  }

  /** Returns the plain text and the HTML, which may be inside RTF. Other RTF is read as plain text if the message has neither. */
  #bodies(properties: Properties) {
    const inUtf8 = (kind: string, text: string) => ({ type: `text/${kind}; charset=utf-8`, bytes: encoded(text) });
    const text = properties.text(BODY) ?? "";
    const bodies = text.trim() === "" ? [] : [inUtf8("plain", text)];
    const page = properties.bytes(HTML, BINARY);
    if (page !== undefined) return [...bodies, { type: `text/html; charset=${properties.pageCharset}`, bytes: page }];
    const pageText = properties.text(HTML);
    if (pageText !== undefined) return [...bodies, inUtf8("html", pageText)];
    const packed = properties.bytes(RICH_TEXT, BINARY);
    if (packed === undefined) return bodies;
    const rich = textOfRichText(decompressRichText(packed), labelOf);
    if (!rich.isWhole) this.limit = `a body in RTF has ${RICH_TEXT_BYTES_MAX} bytes or more, or too many groups inside each other`;
    return rich.isHtml || bodies.length === 0 ? [...bodies, inUtf8(rich.isHtml ? "html" : "plain", rich.text)] : bodies;
  }
}

/** Returns the header that came with the message. If there is none (a draft), makes a header from the properties. */
function headerOf(properties: Properties): string {
  const given = properties.text(HEADERS) ?? "";
  let isKept = false;
  const lines = given.split(/\r?\n/).filter((line) => {
    // A line that begins with white space belongs to the field before it.
    if (!/^[ \t]/.test(line)) isKept = FIELD.test(line) && !OWN_FIELD.test(line);
    return isKept;
  });
  if (lines.length > 0) return `${lines.join("\r\n")}\r\n`;
  const address = properties.text(SENDER_SMTP) ?? (properties.text(SENDER_KIND) === "SMTP" ? properties.text(SENDER_ADDRESS) : undefined);
  const fields: [string, string | undefined][] = [
    ["From", [quoted(properties.text(SENDER_NAME)), address && `<${address}>`].filter(Boolean).join(" ")],
    ["To", properties.text(0x0e04)],
    ["Subject", properties.text(0x0037)],
    // The time when it was sent, or received.
    ["Date", properties.date(0x0039) ?? properties.date(0x0e06)],
    ["Message-ID", properties.text(0x1035)],
    ["In-Reply-To", properties.text(0x1042)],
    ["References", properties.text(0x1039)],
  ];
  return fields.map(([name, value]) => (value ? `${name}: ${oneLine(value)}\r\n` : "")).join("");
}

const oneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, " ").trim();
const quoted = (name: string | undefined): string | undefined => name && `"${name.replace(/["\\]/g, "\\$&")}"`;

/** `usual`: the media type if the attachment has none. */
function attachmentHeader(part: Properties, usual: string): string {
  const name = oneLine(part.text(LONG_NAME) ?? part.text(SHORT_NAME) ?? "").replace(/["\\]/g, "_");
  const given = part.text(MEDIA_TYPE)?.trim() ?? "";
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(given) ? given : usual;
  // A multipart attachment is a signed message, which has a header of its own.
  const isMessage = /^multipart\//i.test(type);
  return `Content-Type: ${isMessage ? "message/rfc822" : type}${name === "" ? "" : `; name="${name}"`}\r\n`;
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Yields the rest of a part: the Content-Transfer-Encoding field, an empty line, and `bytes` in base64. */
function* base64(bytes: Uint8Array): Generator<Uint8Array> {
  yield encoded("Content-Transfer-Encoding: base64\r\n\r\n");
  for (let at = 0; at < bytes.length; at += BASE64_BYTES) {
    const text = btoa(String.fromCharCode(...bytes.subarray(at, at + BASE64_BYTES)));
    yield encoded(text.replace(/.{1,76}/g, "$&\r\n"));
  }
}
