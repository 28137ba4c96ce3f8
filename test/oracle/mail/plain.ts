/**
 * What stands in plain text: encoded files (A7), enclosed messages of a digest (A13), flowed lines (A9).
 */
import { decodedFrom, type Source, sliceOf } from "../source.ts";
import { type Field, isField, readHeader } from "./header.ts";
import { matchAt } from "./texts.ts";

/** A text between two offsets, or an encoded file that is skipped. */
export interface Piece {
  from: number;
  to: number;
  skipped: "uuencode" | "yenc" | null;
}

const FILE = /(?<![^\n])(?:begin [0-7]{3,4} [^\n]*\n|=ybegin )/g;
const UU_END = /^end[ \t]*\r?\n?$/;
const YENC_END = /(?<![^\n])=yend[^\n]*(?:\n|$)/g;
const HYPHENS = /(?<=(?:^|\n)\r?\n)-{30}\r?\n\r?\n/g;
const LINE = /[^\n]*\n|[^\n]+$/y;
const LINE_BYTES_MAX = 512;

/** The first match of an expression at or after an offset, or null. */
function findFrom(expression: RegExp, bytes: string, from: number): RegExpExecArray | null {
  expression.lastIndex = from;
  return expression.exec(bytes);
}

/** A7: whether a line of a uuencoded file has the length that its first byte says: up to three characters fewer, or one more. */
function isUuLine(line: string): boolean {
  const first = line.charCodeAt(0) - 32;
  const beyond = line.replace(/\r?\n?$/, "").length - 1 - 4 * Math.ceil((first % 64) / 3);
  return first >= 0 && first <= 64 && beyond <= 1 && beyond >= -3;
}

/** A7: the offset after the uuencoded file whose lines begin at `from`, or null where the first is none of a file. */
function uuEnd(bytes: string, from: number): number | null {
  let at = from;
  for (let line = matchAt(LINE, bytes, at)?.[0]; line !== undefined; line = matchAt(LINE, bytes, at)?.[0]) {
    const isEnd = at > from && UU_END.test(line);
    if (!isEnd && (!isUuLine(line) || line.length > LINE_BYTES_MAX || (at === from && /^[ `]/.test(line)))) {
      return at === from ? null : at;
    }
    at += line.length;
    if (isEnd) {
      return at;
    }
  }
  return at === from ? null : at;
}

/** A7: a plain text cut at the encoded files in it. */
export function withoutFiles(whole: string, from: number, to: number): Piece[] {
  const bytes = whole.slice(0, to);
  const pieces: Piece[] = [];
  let at = from;
  for (let begin = findFrom(FILE, bytes, from); begin !== null; begin = findFrom(FILE, bytes, Math.max(at, begin.index + 1))) {
    const [line, { index }] = [begin[0], begin];
    const isUu = line.startsWith("begin");
    const end = isUu ? uuEnd(bytes, index + line.length) : (findFrom(YENC_END, bytes, index) ?? { index: to, 0: "" });
    if (end !== null && (!isUu || line.length <= LINE_BYTES_MAX)) {
      const after = typeof end === "number" ? end : end.index + end[0].length;
      pieces.push({ from: at, to: index, skipped: null }, { from: index, to: after, skipped: isUu ? "uuencode" : "yenc" });
      at = after;
    }
  }
  return [...pieces, { from: at, to, skipped: null }];
}

/** A13: a plain text cut at the messages of a digest: the fields of each, if it is one, and its text. */
export function enclosedOf(text: Source, from: number, to: number): { fields: Field[]; body: Source }[] {
  const bytes = text.bytes.slice(0, to);
  const found: { fields: Field[]; body: Source }[] = [];
  let fields: Field[] = [];
  let at = from;
  for (let line = findFrom(HYPHENS, bytes, from); line !== null; line = findFrom(HYPHENS, bytes, line.index + 1)) {
    const after = line.index + line[0].length;
    if (line.index >= at && isField(bytes.slice(after))) {
      found.push({ fields, body: sliceOf(text, at, line.index) });
      const header = readHeader(text, after, to, false);
      fields = header.fields;
      at = header.body;
    }
  }
  return [...found, { fields, body: sliceOf(text, at, to) }];
}

/** A9: the lines of a text with DelSp joined. */
export function fromFlowed(text: Source): Source {
  const { bytes } = text;
  return decodedFrom(text, (at) => {
    const lineBreak = matchAt(/ \r?\n(>*) ?/y, bytes, at);
    if (lineBreak === null) {
      return null;
    }
    const [, marks = "", content = ""] = /^(>*) ?(.*)$/s.exec(bytes.slice(bytes.lastIndexOf("\n", at) + 1, at + 1)) ?? [];
    const isFlowed = content.endsWith(" ") && content !== "-- ";
    return isFlowed && marks === lineBreak[1] ? { bytes: "", width: lineBreak[0].length } : null;
  });
}

/** A9: the lines of a calendar, a card or LDIF unfolded, and the escapes of its texts undone. */
export function fromFolded(text: Source, hasEscapes = true): Source {
  return decodedFrom(text, (at) => {
    const fold = matchAt(/\r?\n[ \t]/y, text.bytes, at)?.[0];
    const escaped = matchAt(/\\(?:\r?\n[ \t])?([nN\\,;:])/y, text.bytes, at);
    const meant = escaped?.[1]?.replace(/n/i, "\n") ?? "";
    return fold !== undefined
      ? { bytes: "", width: fold.length }
      : escaped === null || !hasEscapes
        ? null
        : { bytes: meant, width: escaped[0].length };
  });
}
