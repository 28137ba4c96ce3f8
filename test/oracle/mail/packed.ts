/**
 * Attachments that are zip archives, gzip or zstd data, or PDFs (C178): the texts that are in them. Zip64 is not read here.
 */
import { crc32 } from "node:zlib";
import { sourceOf } from "../source.ts";
import { fromMarkedUtf16 } from "./charsets.ts";
import { type Decoded, deflateStart, inflate, zstd } from "./codings.ts";
import { typeOf } from "./split.ts";

/** A text in an attachment, as a byte string. */
export interface Member {
  bytes: string;
  type: "text" | "html" | "xml" | "json" | "eml" | "folded" | "ldif";
}

/** What was unpacked of data, whether that is all of it, and what follows the data. */
interface Unpacked {
  text: string;
  isWhole: boolean;
  rest: string;
}

const START_BYTES = 64;
const DEPTH_MAX = 8;
const MEMBERS_MAX = 64;
const FILE_BYTES = 30;
const END_BYTES = 22;
const FILE = "PK\x03\x04";
const END = "PK\x05\x06";
const ENTRY = "PK\x01\x02";
const DESCRIPTOR = "PK\x07\x08";
const GZIP = "\x1f\x8b\x08";
const ZSTD = "\x28\xb5\x2f\xfd";
/** A11: other containers by their first bytes. */
const OTHERS = ["\xfd7zXZ\0", "\x1f\x9d", '\x04"M\x18', "LZIP\x01", "7z\xbc\xaf'\x1c", "Rar!\x1a\x07", "MSCF\0\0", "!BDN"].concat([
  "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
  "SQLite format 3\0",
  "ElfFile\0",
  "L\0\0\0\x01\x14\x02\0",
]);
const OTHER = /^(?:BZh[1-9]1A|#! [a-z0-9]{1,8}unbatch\r?\n|[^\n]{257}ustar)/;

const numberAt = (bytes: string, at: number, count: number): number =>
  Buffer.from(bytes.slice(at, at + count), "latin1").readUIntLE(0, count);
const sumOf = (bytes: string): number => crc32(Buffer.from(bytes, "latin1"));
const isMore = (bytes: string): boolean => /[^\0]/.test(bytes);

/** C178: whether an attachment is unpacked, by the start of its base64. */
export function startsPacked(base64: string): boolean {
  return /^[\t-\r ]*(?:UEsDB|H4sI|KLUv\/|JVBER)/.test(base64.slice(0, START_BYTES));
}

/** C321: the texts of the object streams of a PDF. */
function objectTexts(pdf: string): string[] {
  const pieces = pdf.split(/(?<=stream\r?\n)/);
  const streams = pieces.slice(1).map((piece, index) => ({ head: pieces[index].slice(pieces[index].lastIndexOf("obj")), piece }));
  const objects = streams.filter(({ head }) => /\/ObjStm/.test(head) && /\/FlateDecode/.test(head));
  const texts = objects.map(({ piece }) => inflate(piece.slice(2)).text);
  return [...linksOf(pdf), ...texts.flatMap((text) => [text, ...linksOf(text)])];
}

/** C321: the strings of links that are not written as they are, decoded. */
function linksOf(text: string): string[] {
  const links: string[] = [];
  for (const { index, 0: name } of text.matchAll(/\/URI[\0\t\n\f\r ]*(?=[<(])/g)) {
    const rest = text.slice(index + name.length);
    const [, hex] = /^<([0-9A-Fa-f\0\t\n\f\r ]{0,16384})>/.exec(rest) ?? [];
    const [, literal = ""] = /^\(((?:\\[\s\S]|[^\\()])*)\)/.exec(rest) ?? [];
    if (hex !== undefined) {
      const digits = `${hex.replace(/[\0\t\n\f\r ]/g, "")}0`;
      links.push(Buffer.from(digits.slice(0, digits.length - (digits.length % 2)), "hex").toString("latin1"));
    } else if (literal.length <= 16384 && /(?<!\\)(?:\\\\)*\\[\r\n0-7]/.test(literal)) {
      const isBreak = (code: string): boolean => /^[\r\n]/.test(code);
      const decoded = (code: string): string => (/^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8) % 256) : code);
      links.push(literal.replace(/\\(\r\n|[0-7]{1,3}|[\s\S])/g, (_, code: string) => (isBreak(code) ? "" : decoded(code))));
    }
  }
  return links.join("\n") === "" ? [] : [links.join("\n")];
}

/** Data of gzip: all its members, each with the checksum of its text. */
function gunzip(bytes: string): Unpacked {
  let text = "";
  let at = 0;
  let isWhole = true;
  for (let count = 0; isWhole; count++) {
    const start = deflateStart(bytes, at);
    if (start < 0) {
      return { text, isWhole: at > 0, rest: bytes.slice(at) };
    }
    const member = count < MEMBERS_MAX ? inflate(bytes.slice(start)) : { text: "", isWhole: false, taken: 0 };
    text += member.text;
    const sum = start + member.taken;
    at = sum + 8;
    isWhole = member.isWhole && at <= bytes.length && numberAt(bytes, sum, 4) === sumOf(member.text);
  }
  return { text, isWhole: false, rest: "" };
}

function unzstd(bytes: string): Unpacked {
  const { text, isWhole, taken } = zstd(bytes);
  return { text, isWhole: isWhole && taken <= bytes.length, rest: bytes.slice(taken) };
}

/** Where the descriptor of a stored file that begins at `start` is: its second number is the length before it. */
function descriptorOf(bytes: string, start: number): number {
  for (let at = bytes.indexOf(DESCRIPTOR, start); at >= 0; at = bytes.indexOf(DESCRIPTOR, at + 1)) {
    if (bytes.startsWith("PK", at + 16) && numberAt(bytes, at + 8, 4) === at - start) {
      return at;
    }
  }
  return Number.POSITIVE_INFINITY;
}

/** Whether a header is at an offset: of a file, of its entry in the directory, of the end. Its numbers are those that one may have. */
function isHeader(bytes: string, at: number): boolean {
  if (bytes.startsWith(END, at)) {
    return at + END_BYTES <= bytes.length && numberAt(bytes, at + 8, 2) <= numberAt(bytes, at + 10, 2);
  }
  const isFile = bytes.startsWith(FILE, at);
  const fields = at + (isFile ? 4 : 6);
  if ((!isFile && !bytes.startsWith(ENTRY, at)) || fields + 26 > bytes.length) {
    return false;
  }
  const nameBytes = numberAt(bytes, at + (isFile ? 26 : 28), 2);
  return bytes.charCodeAt(fields) <= 100 && numberAt(bytes, fields + 4, 2) <= 99 && nameBytes >= 1 && nameBytes <= 4096;
}

/** Where the first header is at or after an offset, or the end of the bytes. */
function headerAt(bytes: string, from: number): number {
  let at = bytes.indexOf("PK", from);
  while (at >= 0 && !isHeader(bytes, at)) {
    at = bytes.indexOf("PK", at + 1);
  }
  return at < 0 ? bytes.length : at;
}

/** The texts of an attachment, and whether they are all that is in it. */
export function unpack(body: string): { members: Member[]; isWhole: boolean } {
  const unpacking = new Unpacking();
  unpacking.read(body, 0);
  return unpacking;
}

class Unpacking {
  readonly members: Member[] = [];
  isWhole = true;

  /** A text that is not whole loses its last word. */
  addText(text: string, isRight: boolean, depth: number): void {
    this.isWhole &&= isRight;
    this.read(isRight ? text : text.replace(/[^\0- ]*$/, ""), depth);
  }

  /** The file whose header is at `at`: where the next one may begin. A file that is not right ends before the next header. */
  readFile(bytes: string, at: number, depth: number, state: { hasMarks: boolean }): number {
    const field = (offset: number, count: number): number => numberAt(bytes, at + offset, count);
    const [flags, method, sum, packedSize, size] = [field(6, 2), field(8, 2), field(14, 4), field(18, 4), field(22, 4)];
    const start = at + FILE_BYTES + field(26, 2) + field(28, 2);
    const isOpen = (flags & 8) > 0;
    const isStored = method === 0;
    const isReadable = (flags & 1) === 0 && (isStored || method === 8);
    const unpackedUpTo = (end: number): Decoded => {
      const packed = bytes.slice(start, end);
      return isStored ? { text: packed, taken: packed.length, isWhole: true } : inflate(packed);
    };
    const marked = state.hasMarks && isOpen && isStored ? descriptorOf(bytes, start) : Number.POSITIVE_INFINITY;
    state.hasMarks &&= !isOpen || !isStored || marked < bytes.length;
    const packedEnd = !isOpen ? start + packedSize : isStored ? marked : bytes.length;
    const isKnown = isReadable && packedEnd <= bytes.length;
    const { text, taken, isWhole: isDecoded } = isKnown ? unpackedUpTo(packedEnd) : { text: "", taken: 0, isWhole: false };
    const end = start + (isOpen ? taken : packedSize);
    const after = bytes.slice(end, end + 18);
    const sumAt = after.startsWith(DESCRIPTOR) ? 4 : 0;
    const isNamed = isOpen
      ? after.startsWith("PK", sumAt + 12) && numberAt(after, sumAt, 4) === sumOf(text)
      : sum === sumOf(text) && size === text.length;
    if (isDecoded && isNamed) {
      this.addText(text, true, depth);
      return end;
    }
    const next = headerAt(bytes, start);
    const isEarlier = isDecoded && start + taken <= next;
    this.addText(isReadable && !isEarlier ? unpackedUpTo(Math.min(next, packedEnd)).text : text, false, depth);
    return next;
  }

  readZip(bytes: string, depth: number): void {
    const state = { hasMarks: true };
    let at = headerAt(bytes, 0);
    while (at < bytes.length) {
      if (bytes.startsWith(END, at)) {
        const end = at + END_BYTES + numberAt(bytes, at + 20, 2);
        const isCut = end > bytes.length;
        this.isWhole &&= !isCut;
        const after = bytes.slice(isCut ? at + 4 : end);
        if (isMore(after)) {
          this.read(after, depth);
        }
        return;
      }
      at = headerAt(bytes, bytes.startsWith(FILE, at) ? this.readFile(bytes, at, depth, state) : at + 4);
    }
    this.isWhole = false;
  }

  read(bytes: string, depth: number): void {
    const isOpened = depth < DEPTH_MAX;
    const isZip = bytes.startsWith(FILE) || bytes.startsWith(END);
    const decode = bytes.startsWith(GZIP) ? gunzip : bytes.startsWith(ZSTD) ? unzstd : null;
    if (isOpened && isZip) {
      this.readZip(bytes, depth + 1);
    } else if (isOpened && decode !== null) {
      const { text, isWhole: isRight, rest } = decode(bytes);
      this.addText(text, isRight, depth + 1);
      if (isRight && isMore(rest)) {
        this.read(rest, depth + 1);
      }
    } else if (bytes.startsWith("%PDF-")) {
      this.isWhole &&= depth === 0;
      this.members.push(...[bytes, ...objectTexts(bytes)].map((text) => ({ bytes: text, type: "text" as const })));
    } else if (/^(?:\xff\xfe|\xfe\xff)/.test(bytes)) {
      const text = fromMarkedUtf16(sourceOf(bytes)).bytes;
      const type = typeOf(text);
      this.members.push({ bytes: text, type: type === "html" || type === "xml" || type === "json" ? type : "text" });
    } else if (bytes !== "") {
      const isOther = isZip || decode !== null || OTHER.test(bytes) || OTHERS.some((start) => bytes.startsWith(start));
      const type = isOther ? "text" : typeOf(bytes);
      const isKnown =
        type === "text" || type === "html" || type === "xml" || type === "json" || type === "eml" || type === "folded" || type === "ldif";
      this.isWhole &&= isKnown && !isOther;
      this.members.push({ bytes, type: isKnown ? type : "text" });
    }
  }
}
