// Detects the type of a text from its first bytes (A1).
import { decodeLatin1 } from "../core/text.ts";
import type { SourceType, TextType } from "../options/options.ts";

export const TYPE_BYTES = 65_536; // Most bytes at the start of a text that are needed to decide its type
/** Bytes that nearly always decide the type. More are needed only if all of them are header fields, and too few of mail. */
export const FIRST_BYTES = 8192;
const HTML_BYTES = 1024; // Bytes in which the start of a page is searched
const MAIL_FIELDS = new Set([
  ..."received return-path delivered-to message-id date from to subject newsgroups path mime-version".split(" "),
  ..."xref reply-to sender cc references in-reply-to organization lines bcc errors-to apparently-to envelope-to".split(" "),
  ..."x-original-to x-received x-mailer x-originating-ip received-spf authentication-results".split(" "),
  ..."dkim-signature domainkey-signature list-id list-unsubscribe".split(" "),
]);
const MAIL_PREFIX = /^(?:arc|resent|x-mozilla|x-ms-exchange)-/;
const CONTENT_TYPE = "content-type"; // Content-Type counts only together with MIME-Version, because HTTP has Content-Type too
const MIME_VERSION = "mime-version";
const MAIL_FIELDS_LEAST = 2; // Least number of different fields of mail in a header
const MAIL_FIELDS_OPEN_LEAST = 3; // Least number of them in a header that a line that is no field ends
/** The name and the colon of a header field, but not the start of a URL: a list of URLs is no header. */
const FIELD = /^([!-9;-~]+)[ \t]*:(?!\/\/)/;
const FIELD_AT = new RegExp(FIELD.source.slice(1), "y");
const SEPARATOR = "\x01\x01\x01\x01"; // The line before and after each message of an MMDF mailbox (A17)
const FROM_LINE_BYTES = 512;
const TIME = /(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?![\d:])/g;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
const SHORT_YEAR = /(?<!\d)\d\d$/;

/** Returns the type of a text. `start`: at least its first TYPE_BYTES bytes, or all. `type`: the option of the user. */
export function textTypeOf(type: SourceType, start: Uint8Array): TextType {
  return detectTextType(type, start, false) as TextType;
}

/** Returns the type of a text, or undefined if bytes after `start` may change it. `mayGrow`: whether there may be such bytes. */
export function detectTextType(type: SourceType, start: Uint8Array, mayGrow: boolean = start.length < TYPE_BYTES): TextType | undefined {
  if (type !== "auto" && !isUtf16(start)) return type === "maildir" ? "eml" : type;
  if (!isUtf16(start)) return recognizeType(start, mayGrow);
  // Half a character at the end is U+FFFD, unless more follows.
  if (type === "auto" && mayGrow && start.length % 2 === 1) return undefined;
  const inside = type === "auto" ? recognizeType(utf8Of(start.subarray(0, TYPE_BYTES), start.length >= TYPE_BYTES), mayGrow) : type;
  if (inside === "html" || inside === "xml" || inside === "json") return `utf16-${inside}`;
  return inside === undefined ? undefined : "utf16";
}

/** Returns whether a text begins with a byte order mark of UTF-16 (A8). */
function isUtf16(start: Uint8Array): boolean {
  return (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
}

/** Converts UTF-16 with a byte order mark to UTF-8. `isStart`: more text follows, so half a character at the end is left out. */
export function utf8Of(bytes: Uint8Array, isStart = false): Uint8Array {
  const utf16 = new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be");
  return new TextEncoder().encode(utf16.decode(bytes, { stream: isStart }));
}

// A file may begin inside a message: with the option `auto`, a plain text is an mbox if a From_ line in its first FIRST_BYTES bytes begins
// another one. The reader of a stream cannot wait for a From_ line.
export function fileTypeOf(type: SourceType, start: Uint8Array): TextType {
  const found = textTypeOf(type, start);
  return found === "text" && type === "auto" && hasMessage(latin1(start)) ? "mbox" : found;
}

function latin1(start: Uint8Array, bytesMax = FIRST_BYTES): string {
  return decodeLatin1(start, 0, Math.min(start.length, bytesMax));
}

const LINE_FEED = 0x0a;
const COLON = 0x3a;
const SLASH = 0x2f;
const TILDE = 0x7e;
const BLANK = new Set([0x20, 0x09]);

const MARKS = new Set([..."<{[#"].map((mark) => mark.charCodeAt(0))); // First bytes of HTML, XML, JSON and news batches

/** Returns whether the first word alone shows that a text is plain. For a short text, all rules would take longer than the scan. */
function beginsPlain(start: Uint8Array): boolean {
  if (MARKS.has(start[0])) return false;
  let at = 0;
  let isNumber = true;
  for (; isNameByte(start[at]); at++) isNumber &&= start[at] >= 0x30 && start[at] <= 0x39;
  if (isNumber || startsWith(start, "From ") || startsWith(start, ">From ") || startsWith(start, "WARC/") || startsWith(start, "filedesc:"))
    return false;
  while (BLANK.has(start[at])) at++;
  return start[at] !== COLON || (start[at + 1] === SLASH && start[at + 2] === SLASH);
}

function isNameByte(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0x20 && byte <= TILDE && byte !== COLON;
}

function startsWith(start: Uint8Array, word: string): boolean {
  for (let index = 0; index < word.length; index++) if (start[index] !== word.charCodeAt(index)) return false;
  return true;
}

/** Returns the type of a text, or undefined if `mayGrow` and bytes after `start` may change it. */
function recognizeType(start: Uint8Array, mayGrow: boolean): TextType | undefined {
  if (startsWith(start, "%PDF-")) return "pdf";
  // Only a header of mail is read beyond FIRST_BYTES.
  const isCut = start.length >= FIRST_BYTES;
  const isOpen = mayGrow && !isCut;
  if (beginsPlain(start)) return isOpen && !start.includes(LINE_FEED) ? undefined : "text";
  const text = latin1(start).replace(LEADING, "");
  if (BRACKET.test(text)) {
    if (JSON_START.test(mayGrow || isCut ? text : `${text}\n`)) return "json";
    if (isOpen && UNDECIDED.test(text)) return undefined;
  }
  if (isOpen && !text.includes("\n")) return undefined;
  if (WARC_LINE.test(text)) return "warc";
  if (ARC_LINE.test(text)) return "arc";
  if (text.startsWith("#! rnews ")) return "rnews";
  const fragment = fragmentOf(text);
  if (isOpen && (fragment !== null || (text.length < HTML_BYTES && PAGE.test(text)))) return undefined;
  const page = pageTypeOf(text.slice(0, HTML_BYTES));
  if (page !== undefined) return page;
  if (fragment !== null) return (fragment[1] !== undefined && MARKDOWN.test(text)) || hasMessage(text) ? "text" : "html";
  if (CARD.test(text)) return "folded";
  const entry = text.slice(0, HTML_BYTES).replace(LDIF_LINES, "");
  if (LDIF.test(entry)) return "ldif";
  if (isOpen && entry.length < text.length && text.length < HTML_BYTES && !entry.includes("\n")) return undefined;
  const message = text.replace(LENGTH_LINE, "");
  if (message.length < text.length) return headerType("emlx", message, start, mayGrow);
  const [first, second = "", third] = text.split("\n", 3);
  const isSeparator = first.replace(/\r$/, "") === SEPARATOR;
  const form = fromLineOf(first);
  if (isOpen && third === undefined && (isSeparator || form !== undefined)) return undefined;
  if (isSeparator) return FIELD.test(second) || second.startsWith("From ") ? "mmdf" : "text";
  if (form !== undefined) return beginsMessage(form, second, true) ? "mbox" : "text";
  return headerType("eml", text.replace(FROM_LINES, ""), start, mayGrow);
}

/** A byte order mark of UTF-8 or zeros, and lines of blanks. They may precede the first line that decides the type. */
const LEADING = /^(?:\xef\xbb\xbf|\0{1,4096})?(?:[ \t]{0,256}\r?\n)*/;

const WARC_LINE = /^WARC\/\d[\d.]*[ \t]*\r?\n/; // The first line of a web archive: a version, and nothing after it

const ARC_LINE = /^filedesc:[^\n]* [^ \n]* \d{14} [^ \n]* (?:(?:[^ \n]* ){5})?\d+\r?\n/; // The first line of an ARC file, of version 1 or 2

const LENGTH_LINE = /^\d{1,10} *\r?\n/; // The line before a message of Apple Mail: the length of the message

/** From_ lines of hosts on the way, before the header of a message without a From_ line of its own. */
const FROM_LINES = /^(?:>From [^\n]*\n)*/;

/** White space, comments and programs: browsers write a comment before a saved page, and templates begin with PHP or ASP. */
const SPACE_AND_COMMENTS =
  /^(?:[\t-\r ]|<!--(?:[^-]|-[^-]|--+[^->])*--+>|<\?(?:php)?[\t-\r =](?:[^?]|\?+[^?>])*\?+>|<%(?:[^%]|%+[^%>])*%+>)*/;

/** The first tags of common XML, which needs no declaration. */
const XML_ROOT = /^<(?:rss|feed|urlset|sitemapindex|rdf:rdf|mediawiki|opml|kml|gpx|xbel)[\t-\r />]/;
const NAMESPACE = /^<[a-z][^\t-\r <>]*[\t-\r ](?:[^<>]*[\t-\r ])?xmlns[:=]/; // A tag with a namespace, which is XML too

/** The first tag of a part of a page; captured if Markdown may begin so. An `<a>` without attribute may be a nickname in a log. (C327) */
const FRAGMENT = new RegExp(
  "^<(?:(?:head|body|title|meta|link|base|style|script|iframe|frameset)[\\t-\\r />]|((?:div|table|font|center|h[1-6]|br)[\\t-\\r />]|" +
    "(?:a|p|img|span|ul|ol|form|section|article|main|nav|header|footer)[\\t-\\r ][^<>]*=))",
  "i",
);
const MARKDOWN = /\n(?:#{1,6} |```)|\]\(/; // A heading, a fence or a link of Markdown

const CARD = /^begin:v(?:calendar|card)[ \t]{0,256}\r?\n/i; // The first line of a calendar or a card (A9)

/** The lines before the first entry of LDIF: comments, also folded ones, and a version. */
const LDIF_LINES = /^(?:#[^\n]*\n| [^\n]*\n|\r?\n|version:[^\n]*\n)*/i;
const LDIF = /^dn:/i;

const PAGE = /^(?:\s*<|[^\S\n]*\n)/; // The start of a page, of a part of one, or of white space before it

function pageTypeOf(text: string): "html" | "xml" | undefined {
  const begin = text.replace(SPACE_AND_COMMENTS, "").toLowerCase();
  const isXml = begin.startsWith("<?xml");
  if (/^(?:<!doctype (?:html|netscape-bookmark-file-1)|<html)/.test(begin) || (isXml && begin.includes("<html"))) return "html";
  return isXml || XML_ROOT.test(begin) || NAMESPACE.test(begin) ? "xml" : undefined;
}

/** Returns the match of FRAGMENT at the start of a text. Markdown, and mail that was cut in a page, may begin so too. */
function fragmentOf(text: string): RegExpExecArray | null {
  return FRAGMENT.exec(text.slice(0, HTML_BYTES).replace(SPACE_AND_COMMENTS, ""));
}

/** The form of a From_ line after its `From `; undefined if the line is no From_ line (A2). */
type FromLine = "nothing" | "number" | "date" | undefined;

function fromLineOf(text: string): FromLine {
  const line = text.replace(/\r$/, "");
  if (!line.startsWith("From ") || line.length > FROM_LINE_BYTES) return undefined;
  const rest = line.slice("From ".length).replace(/(?<! ) +$/, "");
  if (/^-?\d*$/.test(rest)) return /\d/.test(rest) ? "number" : "nothing";
  const time = [...rest.matchAll(TIME)].find(({ index }) => index > 0);
  const isDated = time !== undefined && (YEAR.test(rest) || SHORT_YEAR.test(rest.slice(time.index + time[0].length)));
  return isDated ? "date" : undefined;
}

/** Returns whether a message begins with a From_ line, which follows an empty line or none if `isAfterEmpty`, and the line `next`. (A2) */
function beginsMessage(form: FromLine, next: string, isAfterEmpty: boolean): boolean {
  const name = FIELD.exec(next)?.[1]?.toLowerCase();
  if (isAfterEmpty && (form === "number" || form === "date")) return name !== undefined || next.startsWith(">From ");
  return (isAfterEmpty ? form === "nothing" : form === "date") && name !== undefined && isMailName(name);
}

/** Returns whether a text has, after its first line, a From_ line that begins a message. */
function hasMessage(text: string): boolean {
  for (const [, empty, first = "", second = ""] of text.matchAll(/\n(\r?\n)?(From [^\n]*)(?=\n([^\n]*))/g)) {
    if (beginsMessage(fromLineOf(first), second, empty !== undefined)) return true;
  }
  return false;
}

function isMailName(name: string): boolean {
  return MAIL_FIELDS.has(name) || MAIL_PREFIX.test(name);
}

/**
 * Returns `type` if a text begins with a header of mail, else "text"; undefined if `mayGrow` and more bytes may change that. `header`: the
 * first FIRST_BYTES bytes of `start` without the lines before the header. If they are only fields, but too few of mail, the rest of `start`
 * is read too.
 */
function headerType(type: "eml" | "emlx", header: string, start: Uint8Array, mayGrow: boolean): TextType | undefined {
  const isCut = start.length >= FIRST_BYTES;
  if (!FIELD.test(header)) return mayGrow && !isCut && !header.includes("\n") ? undefined : "text";
  let fields = readFields(header, mayGrow || isCut);
  if (fields.end === "none" && (!isCut || fields.names < MAIL_FIELDS_LEAST)) {
    if (mayGrow) return undefined;
    const all = isCut ? latin1(start, TYPE_BYTES).replace(LEADING, "").replace(LENGTH_LINE, "").replace(FROM_LINES, "") : header;
    fields = readFields(all, start.length >= TYPE_BYTES);
  }
  return fields.names >= (fields.end === "other line" ? MAIL_FIELDS_OPEN_LEAST : MAIL_FIELDS_LEAST) ? type : "text";
}

/** The number of different fields of mail, and the line after the fields; `none` if the text has no line after them. */
type Fields = Readonly<{ names: number; end: "empty line" | "other line" | "none" }>;

/** Reads the fields up to the first line that is no field or is empty. `isCut`: the last line of `text` may be incomplete. */
function readFields(text: string, isCut: boolean): Fields {
  const names = new Set<string>();
  const count = (): number => names.size - (names.has(CONTENT_TYPE) && !names.has(MIME_VERSION) ? 1 : 0);
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf("\n", at);
    // The last line may be cut.
    if (feed < 0 && isCut) break;
    const first = text[at];
    if (first === "\n" || (first === "\r" && feed === at + 1)) return { names: count(), end: "empty line" };
    if (at === 0 || (first !== " " && first !== "\t")) {
      FIELD_AT.lastIndex = at;
      const name = FIELD_AT.exec(text)?.[1]?.toLowerCase();
      if (name === undefined) return { names: count(), end: "other line" };
      if (isMailName(name) || name === CONTENT_TYPE) names.add(name);
    }
    at = feed < 0 ? text.length : feed + 1;
  }
  return { names: count(), end: "none" };
}

// JSON begins with a bracket, but lists, logs and notes do too, so this test is strict (A1).

const BRACKET = /^[\t\n\r ]{0,1023}[[{]/; // White space and a bracket, in the first 1024 bytes
const SPACE = "[\\t\\n\\r ]*";
const STRING = '"(?:[^"\\\\\\n]|\\\\.)*"';
const EMPTY = `(?:\\{${SPACE}\\}|\\[${SPACE}\\])`;
const SCALAR = "(?:-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null)";
/** An array, up to its first value that is neither empty nor a number or literal. */
const ARRAY = `\\[${SPACE}(?:(?:${SCALAR}|${EMPTY})${SPACE},${SPACE})*`;
const VALUE = `${SPACE}["{[\\d\\-tfn]`; // White space and the first byte of a value
/** An object up to the first byte of its first value. Arrays may be around it. */
const MEMBER = `(?:${ARRAY})*\\{${SPACE}${STRING}${SPACE}:${VALUE}`;
/** An array up to its first string, and the text after it. */
const ITEM = `(?:${ARRAY})+${STRING}${SPACE}(?:,${VALUE}|\\](?=${SPACE}[,\\]]|[\\t\\r ]*\\n))`;
/** The start of JSON: MEMBER or ITEM. Empty values may precede it, each on a line of its own. */
const JSON_START = new RegExp(`^${SPACE}(?:${EMPTY}[\\t\\r ]*\\n${SPACE})*(?:${MEMBER}|${ITEM})`);
/** A text that may still begin JSON: before its first string it has only bytes that JSON allows there. */
const UNDECIDED = new RegExp(`^[\\s[\\]{},\\d.+\\-eEtrufalsn]*(?:"(?:[^"\\\\\\n]|\\\\.)*(?:\\\\?|"${SPACE}(?:[:,\\]]${SPACE})?))?$`);
