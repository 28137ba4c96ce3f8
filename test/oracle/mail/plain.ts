/**
 * What stands in plain text: encoded files (A7), enclosed messages of a digest (A13), flowed lines (A9).
 */
import { decodedFrom, type Source, sliceOf } from "../source.ts";
import { type Field, isField, readHeader } from "./header.ts";
import { matchAt } from "./texts.ts";

/** A text, or an encoded file that is skipped. */
export type Piece = { text: Source; skipped: "uuencode" | "yenc" | null };

const UU_BEGIN = /(?<![^\n])begin [0-7]{3,4} [^\n]*\n([^\n]*)/g;
const UU_END = /(?<![^\n])end\r?(?:\n|$)/g;
const YENC_BEGIN = /(?<![^\n])=ybegin [^\n]*/g;
const YENC_END = /(?<![^\n])=yend [^\n]*(?:\n|$)/g;
const HYPHENS = /(?<=(?:^|\n)\r?\n)-{30}\r?\n\r?\n/g;

/** The first match of an expression at or behind an offset, or null. */
function findFrom(expression: RegExp, bytes: string, from: number): RegExpExecArray | null {
  expression.lastIndex = from;
  return expression.exec(bytes);
}

/** A7: whether a line of a uuencoded file has the length that its first byte says. */
function isUuLine(line: string): boolean {
  const first = line.charCodeAt(0) - 32;
  return first >= 0 && first <= 64 && line.length === 1 + 4 * Math.ceil((first % 64) / 3);
}

/** The offset of the next uuencoded file, or of the end. */
function findUu(bytes: string, from: number): number {
  for (let begin = findFrom(UU_BEGIN, bytes, from); begin !== null; begin = findFrom(UU_BEGIN, bytes, begin.index + 1)) {
    if (isUuLine((begin[1] ?? "").replace(/\r$/, ""))) {
      return begin.index;
    }
  }
  return bytes.length;
}

/** A7: a plain text cut at the encoded files in it, each from its first line to its last, or to the end of the text. */
export function withoutFiles(text: Source): Piece[] {
  const { bytes } = text;
  const pieces: Piece[] = [];
  let at = 0;
  while (at < bytes.length) {
    const uu = findUu(bytes, at);
    const yenc = findFrom(YENC_BEGIN, bytes, at)?.index ?? bytes.length;
    const begin = Math.min(uu, yenc);
    const last = begin < bytes.length ? findFrom(uu < yenc ? UU_END : YENC_END, bytes, begin) : null;
    const end = last === null ? bytes.length : last.index + last[0].length;
    pieces.push({ text: sliceOf(text, at, begin), skipped: null });
    if (begin < bytes.length) {
      pieces.push({ text: sliceOf(text, begin, end), skipped: uu < yenc ? "uuencode" : "yenc" });
    }
    at = end;
  }
  return pieces;
}

/** A13: a plain text cut at the messages of a digest: the fields of each, if it is one, and its text. */
export function enclosedOf(text: Source): { fields: Field[]; body: Source }[] {
  const { bytes } = text;
  const found: { fields: Field[]; body: Source }[] = [];
  let fields: Field[] = [];
  let at = 0;
  for (let line = findFrom(HYPHENS, bytes, 0); line !== null; line = findFrom(HYPHENS, bytes, line.index + 1)) {
    const behind = line.index + line[0].length;
    if (line.index >= at && isField(bytes.slice(behind))) {
      found.push({ fields, body: sliceOf(text, at, line.index) });
      const header = readHeader(text, behind, bytes.length, false);
      fields = header.fields;
      at = header.body;
    }
  }
  return [...found, { fields, body: sliceOf(text, at, bytes.length) }];
}

/** A9: the lines of a text with DelSp joined. */
export function fromFlowed(text: Source): Source {
  const { bytes } = text;
  return decodedFrom(text, (at) => {
    const seam = matchAt(/ \r?\n(>*) ?/y, bytes, at);
    if (seam === null) {
      return null;
    }
    const [, marks = "", content = ""] = /^(>*) ?(.*)$/s.exec(bytes.slice(bytes.lastIndexOf("\n", at) + 1, at + 1)) ?? [];
    const isFlowed = content.endsWith(" ") && content !== "-- ";
    return isFlowed && marks === seam[1] ? { bytes: "", width: seam[0].length } : null;
  });
}
