/**
 * Archives cut into messages: mbox (A2) and batches of news (A14); what a source is by its first bytes (A1).
 */
import { beginsJson } from "../json.ts";
import { decodedFrom, type Source } from "../source.ts";
import { fieldValue, isField, readHeader } from "./header.ts";
import { readList } from "./structured.ts";
import { matchAt } from "./texts.ts";

/** The dialect of an mbox (A2). */
export type Dialect = "auto" | "rd" | "o" | "cl";

/** A message between two offsets of an archive. */
export interface Span {
  start: number;
  end: number;
}

const FROM_LINE_BYTES_MAX = 512;
const FROM_LINE = /(?<![^\n\0])(?=From )/g;
const TIME = /(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?![\d:])/g;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
const LAST_TWO_DIGITS = /(?<!\d)\d\d$/;
/** A14: most bytes of a line before an article; what is after them is the article's. */
const RNEWS_BYTES_MAX = 1024;
const RNEWS = new RegExp(`(?=#! rnews (\\d+))[^\\n]{0,${RNEWS_BYTES_MAX - 1}}[\\s\\S]`, "y");
const NEXT_RNEWS = /(?<![^\n])#! rnews \d/g;
const LENGTH_LINE = /(\d{1,10}) *\r?\n/y;
const MARKS = "\x01".repeat(4);
const SEPARATOR = new RegExp(`(?<![^\\n])${MARKS}(?:\\r?\\n|$)`, "g");
const ARC_LINE = /^(?<url>[A-Z][A-Z0-9+.-]*:[^\n]*) [^ \n]* (?<date>\d{14}) (?<rest>[^ \n]* (?:(?:[^ \n]* ){5})?(?<length>\d+))$/i;
const ARC_LINE_BYTES_MAX = 8192;
const CONTENT_LENGTH_MAX = 0x60000;
/** A1: bytes of a source that are looked at, and those of one that begins with nothing but fields. */
const FIRST_BYTES = 8192;
const HEADER_BYTES = 65_536;
/** A1: names of fields of mail. */
const MAIL_NAMES = [
  "Received, Return-Path, Delivered-To, Message-ID, Date, From, To, Subject, Newsgroups, Path, MIME-Version, Xref, Reply-To, Sender, Cc,",
  "References, In-Reply-To, Organization, Lines, Bcc, Errors-To, Apparently-To, Envelope-To, X-Original-To, X-Received, X-Mailer,",
  "X-Originating-IP, Received-SPF, Authentication-Results, DKIM-Signature, DomainKey-Signature, List-Id, List-Unsubscribe,",
  "ARC-*, Resent-*, X-Mozilla-*, X-MS-Exchange-*",
];
const MAIL_NAME = new RegExp(`^(?:${MAIL_NAMES.join(" ").replaceAll(", ", "|").replaceAll("*", ".*")})$`, "i");

/** A2: what is after the `From ` of a well-formed line; null where it is none. */
function fromLineOf(line: string): "nothing" | "number" | "date" | null {
  const rest = line.slice("From ".length).replace(/ +$/, "");
  const hasTime = [...rest.matchAll(TIME)].some((time) => {
    const [before, behind] = [rest.slice(0, time.index), rest.slice(time.index + time[0].length)];
    return before !== "" && (YEAR.test(before) || YEAR.test(behind) || LAST_TWO_DIGITS.test(behind));
  });
  if (!line.startsWith("From ") || line.length > FROM_LINE_BYTES_MAX) {
    return null;
  }
  return rest === "" || rest === "-" ? "nothing" : /^-?\d+$/.test(rest) ? "number" : hasTime ? "date" : null;
}

/** A2: whether the line at an offset begins a message, or "doubtful". */
function fromLineAt(bytes: string, at: number, isAfterEmpty: boolean): boolean | "doubtful" {
  const [line = "", next = ""] = bytes.slice(at, at + 2 * FIRST_BYTES).split("\n");
  const form = fromLineOf(line.replace(/\r$/, ""));
  const isOfMail = isMailField(next) && MAIL_NAME.test(/^[^ \t:]*/.exec(next)?.[0] ?? "");
  if (form === null || (form === "nothing" && !isOfMail)) {
    return false;
  }
  const begins = isAfterEmpty ? form === "nothing" || isMailField(next) || next.startsWith(">From ") : form === "date" && isOfMail;
  return begins || "doubtful";
}

/** A2: whether a line begins a field and no URL. */
function isMailField(line: string): boolean {
  return isField(line) && !/^[^:]*:\/\//.test(line);
}

/** A2: the offsets of well-formed From_ lines, also directly after a NUL (C277), that begin messages, and of those that do not. */
function fromLinesOf(bytes: string): { splits: number[]; doubtful: number[] } {
  const isAfterEmpty = (at: number): boolean => at === 0 || /(?:^|\n)\r?\n$/.test(bytes.slice(Math.max(0, at - 3), at));
  const lines = [...bytes.matchAll(FROM_LINE)].map(({ index }) => ({ at: index, begins: fromLineAt(bytes, index, isAfterEmpty(index)) }));
  const having = (wanted: boolean | "doubtful"): number[] => lines.filter(({ begins }) => begins === wanted).map(({ at }) => at);
  return { splits: having(true), doubtful: having("doubtful") };
}

/** A2, `cl`: the offset at which the message that begins at `start` ends by its Content-Length, or null. */
function endByLength(source: Source, start: number): number | null {
  const { bytes } = source;
  const { fields, body } = readHeader(source, start, bytes.length, true);
  const [word = ""] = readList(fieldValue(fields, "content-length") ?? "");
  const [digits] = /^\d+/.exec(word) ?? [];
  const end = body + Number(digits);
  if (digits === undefined || Number(digits) > CONTENT_LENGTH_MAX || end > bytes.length) {
    return null;
  }
  const isLineStart = end === body || end === bytes.length || bytes[end - 1] === "\n";
  const afterEmptyLine = end + (matchAt(/\r?\n/y, bytes, end)?.[0].length ?? 0);
  const isEnd = (at: number): boolean => at === bytes.length || fromLineAt(bytes, at, true) === true;
  return (isLineStart ? [end, afterEmptyLine] : []).find(isEnd) ?? null;
}

/** A2: the messages of an mbox, and how many From_ lines were doubtful. */
export function splitMbox(source: Source, dialect: Dialect): { spans: Span[]; doubtful: number } {
  const length = source.bytes.length;
  const { splits, doubtful } = fromLinesOf(source.bytes);
  const spans: Span[] = [];
  let start = splits[0];
  const counted: Span[] = [];
  const headers: Span[] = [];
  while (start !== undefined && start < length) {
    const from = start;
    const byLength = dialect === "cl" ? endByLength(source, from) : null;
    const { body } = readHeader(source, from, length, true);
    const end = byLength ?? splits.find((at) => at > from && (source.bytes[at - 1] !== "\0" || at >= body)) ?? length;
    spans.push({ start: from, end });
    headers.push({ start: from, end: body });
    if (byLength !== null) {
      counted.push({ start: from, end });
    }
    start = end;
  }
  const isIn = (among: readonly Span[], at: number): boolean => among.some((span) => at >= span.start && at < span.end);
  const isNothing = (at: number): boolean => isIn(counted, at) || (source.bytes[at - 1] === "\0" && isIn(headers, at));
  const begun = new Set(spans.map((span) => span.start));
  return { spans, doubtful: doubtful.filter((at) => !isNothing(at) && !begun.has(at)).length };
}

/** A17: what is between separator lines, where there is anything. */
export function splitMmdf({ bytes }: Source): Span[] {
  const lines = [...bytes.matchAll(SEPARATOR)];
  const starts = [0, ...lines.map(({ index, 0: line }) => index + line.length)];
  const ends = [...lines.map(({ index }) => index), bytes.length];
  return starts.map((start, at) => ({ start, end: ends[at] ?? start })).filter(({ start, end }) => start < end);
}

/** A2: a message of an mbox without the `>` that was put before `From ` in its body, which begins at `from`. */
export function withoutFromMarks(text: Source, from: number, dialect: Dialect): Source {
  const marked = dialect === "o" ? /(?<![^\n])>From /y : /(?<![^\n])>{1,8}From /y;
  if (dialect === "cl" || !text.bytes.includes(">From ", from)) {
    return text;
  }
  return decodedFrom(text, (at) => (at >= from && matchAt(marked, text.bytes, at) !== null ? { bytes: "", width: 1 } : null));
}

/** A14: the articles of a batch, and the texts between them that are of no article. */
export function splitNews({ bytes }: Source): { articles: Span[]; others: Span[] } {
  const found: { articles: Span[]; others: Span[] } = { articles: [], others: [] };
  let at = 0;
  while (at < bytes.length) {
    const line = matchAt(RNEWS, bytes, at);
    if (line === null) {
      NEXT_RNEWS.lastIndex = at;
      const end = NEXT_RNEWS.exec(bytes)?.index ?? bytes.length;
      found.others.push({ start: at, end });
      at = end;
    } else {
      const start = at + line[0].length;
      const end = Math.min(start + Number(line[1]), bytes.length);
      found.articles.push({ start, end });
      at = end + (matchAt(/(?:\r?\n)*/y, bytes, end)?.[0].length ?? 0);
    }
  }
  return found;
}

/** A1: the message in a file of Apple Mail, from after the line with its length on. */
export function splitEmlx({ bytes }: Source): Span {
  const line = matchAt(LENGTH_LINE, bytes, 0) ?? ["", "0"];
  const start = line[0].length;
  return { start, end: Math.min(bytes.length, start + Number(line[1])) };
}

/** A12: the words of a line that begins a record of an ARC file, null of any other line. */
export function arcWordsOf(line: string): Readonly<Record<string, string>> | null {
  const isLong = line.length > ARC_LINE_BYTES_MAX - (line.endsWith("\n") ? 0 : 1);
  return isLong ? null : (ARC_LINE.exec(line.replace(/\r?\n?$/, ""))?.groups ?? null);
}

/** A14: an article whose lines had a `.` put before their own. */
export function withoutDots(text: Source): Source {
  return decodedFrom(text, (at) => (matchAt(/(?<![^\n])\.\./y, text.bytes, at) === null ? null : { bytes: "", width: 1 }));
}

/** A1: whether the first lines of a text are those of a message; `isCut`: the last line may go on. Null: fields, but too few of mail. */
function isHeader(bytes: string, isCut: boolean): boolean | null {
  const end = bytes.search(/(?<![^\n])\r?\n/);
  const lines = (end < 0 ? bytes : bytes.slice(0, end)).split("\n");
  const whole = end >= 0 || lines.at(-1) === "" || isCut ? lines.slice(0, -1) : lines;
  const other = whole.findIndex((line, index) => !isMailField(line) && (index === 0 || !/^[ \t]/.test(line)));
  const header = other < 0 ? whole : whole.slice(0, other);
  const names = new Set(header.map((line) => /^[^ \t:]*/.exec(line)?.[0].toLowerCase() ?? ""));
  const ofMail = [...names].filter((name) => MAIL_NAME.test(name) || (name === "content-type" && names.has("mime-version")));
  const isMail = ofMail.length >= (other < 0 ? 2 : 3);
  return !isMail && end < 0 && other < 0 ? null : isMail;
}

/** A1: whether a source that is a message from `from` on begins as one. */
function isEml(source: string, from: number): boolean {
  const isHeaderIn = (length: number): boolean | null => isHeader(source.slice(from, length), source.length >= length);
  const first = isHeaderIn(FIRST_BYTES);
  return (first === null && source.length >= FIRST_BYTES ? isHeaderIn(HEADER_BYTES) : first) === true;
}

/** A1: what a file is by its first bytes. */
export function fileTypeOf(source: string): ReturnType<typeof typeOf> {
  const type = typeOf(source);
  const start = source.slice(0, FIRST_BYTES);
  const { splits } = fromLinesOf(start);
  return type === "text" && splits.some((at) => at > 0) ? "mbox" : type;
}

/** A1: the start of a page without the white space, whole comments and programs before it. */
function withoutComments(start: string): string {
  const rest = start.replace(/^[\t-\r ]+/, "");
  const [open = ""] = /^(?:<!--|<\?(?:php)?[\t-\r =]|<%)/.exec(rest) ?? [];
  const close = open === "<!--" ? "-->" : open === "<%" ? "%>" : "?>";
  const end = open === "" ? -1 : rest.indexOf(close, open.length);
  return end < 0 ? rest : withoutComments(rest.slice(end + close.length));
}

/** C327: names of the first tag of a part of a page: without more, before no Markdown, and with an attribute too. */
const TAGS = [
  "head body title meta link base style script iframe frameset",
  "div table font center h1 h2 h3 h4 h5 h6 br",
  "a p img span ul ol form section article main nav header footer",
].map((names) => names.split(" "));

/** C327: whether HTML begins without its first tags. */
function isFragment(bytes: string): boolean {
  const start = withoutComments(bytes.slice(0, 1024));
  const [, name = ""] = /^<([a-z]+[1-6]?)(?=[\t-\r />])/i.exec(start) ?? [];
  const kind = TAGS.findIndex((names) => names.includes(name.toLowerCase()));
  const isMarked = bytes.includes("](") || bytes.split("\n").some((line, at) => at > 0 && /^(?:#{1,6} |```)/.test(line));
  const begins = kind === 2 ? !isMarked && /^<[a-z]+[\t-\r ][^<>]*=/i.test(start) : kind === 0 || (kind === 1 && !isMarked);
  return begins && fromLinesOf(bytes).splits.length === 0;
}

/** A1: what is before the first line of an archive. */
export const LEADING = /^(?:\xEF\xBB\xBF|\0{1,4096})?(?:[ \t]{0,256}\r?\n)*/;
const NAMED_ROOT = /^<(?:rss|feed|urlset|sitemapindex|rdf:rdf|mediawiki|opml|kml|gpx|xbel)[\t-\r />]/i;
type SourceType = "warc" | "arc" | "mbox" | "news" | "html" | "xml" | "json" | "eml" | "emlx" | "mmdf" | "text" | "folded" | "ldif";

/** A1: how HTML begins, and with a group what may be XML. */
const PAGE = new RegExp(
  "^(?:<!doctype (?:html|netscape-bookmark-file-1)|<html|" +
    "(<\\?xml|<(?:rss|feed|urlset|sitemapindex|rdf:rdf|mediawiki|opml|kml|gpx|xbel)[\\t-\\r />]|<[a-z][^<>]*))",
  "i",
);

/** A1: what a stream is by its first bytes. */
export function typeOf(source: string): SourceType {
  const start = source.slice(0, FIRST_BYTES);
  const bytes = start.replace(LEADING, "");
  const page = PAGE.exec(withoutComments(bytes.slice(0, 1024)));
  const end = bytes.indexOf("\n");
  if (end >= 0 && /^WARC\/[0-9][0-9.]*[ \t]*\r?$/.test(bytes.slice(0, end))) {
    return "warc";
  }
  if (/^filedesc:/.test(bytes) && end >= 0 && arcWordsOf(bytes.slice(0, end + 1)) !== null) {
    return "arc";
  }
  if (fromLineAt(bytes, 0, true) === true) {
    return "mbox";
  }
  const [first = "", second = ""] = bytes.split("\n");
  if (first.replace(/\r$/, "") === MARKS && (isMailField(second) || second.startsWith("From "))) {
    return "mmdf";
  }
  if (bytes.startsWith("#! rnews ")) {
    return "news";
  }
  const [, tag = ""] = page ?? [];
  const isOfXml = !/^<[a-z]/i.test(tag) || NAMED_ROOT.test(tag) || /^<[a-z][^\t-\r <>]*[\t-\r ](?:[^<>]*[\t-\r ])?xmlns[:=]/i.test(tag);
  if (page !== null && isOfXml) {
    const isXml = page[1] !== undefined && (page[1] !== "<?xml" || !/<html/i.test(bytes.slice(0, 1024)));
    return isXml ? "xml" : "html";
  }
  if (isFragment(bytes)) {
    return "html";
  }
  const isCut = source.length >= FIRST_BYTES;
  if (beginsJson(bytes, isCut)) {
    return "json";
  }
  const [begin = ""] = bytes.split("\n");
  if (bytes.includes("\n") && /^begin:v(?:calendar|card)[ \t]{0,256}\r?$/i.test(begin)) {
    return "folded";
  }
  const lines = bytes.slice(0, 1024).split("\n");
  if (/^dn:/i.test(lines.find((line) => !/^(?:[# ]|\r?$|version:)/i.test(line)) ?? "")) {
    return "ldif";
  }
  const leading = start.length - bytes.length;
  const message = matchAt(LENGTH_LINE, bytes, 0)?.[0].length ?? 0;
  if (message > 0) {
    return isEml(source, leading + message) ? "emlx" : "text";
  }
  // C328: lines of hosts on the way.
  const [onTheWay = ""] = /^(?:>From [^\n]*\n)*/.exec(bytes) ?? [];
  return isEml(source, leading + onTheWay.length) ? "eml" : "text";
}
