/**
 * Web archives (A12): records of known length, the HTTP header of responses, chunked bodies.
 */
import { decodedFrom, type Source, sliceOf, sourceOf } from "../source.ts";
import { CODINGS, CODINGS_MAX, decodeBody, isUncoded, START_BYTES } from "./codings.ts";
import { type Field, isField, mediaTypeOf, readHeader } from "./header.ts";
import { addDecoded, addFields, isJsonType, isReadType, readRecordBody, type Sink } from "./mime.ts";
import { arcWordsOf, type Span } from "./split.ts";
import { isEmptyBody, readList } from "./structured.ts";
import { matchAt } from "./texts.ts";

/** A record: all of it, its header, and its block, which is absent where the header is cut. */
export interface WarcRecord extends Span {
  targetUri: string | null;
  date: string | null;
  type: string;
  fields: readonly Field[];
  block: Span | null;
}

const LINE = /[^\n]*(?:\n|$)/y;
const FIELD_BYTES_MAX = 65_536;
const READ_RECORDS = /^(?:response|resource|conversion)$/;
const CHUNK_LINE = /([0-9A-F]*)(?:[ \t]*(?:;[^\n]*)?)(?:\r?\n|\r?$)/iy;
const CHUNK_LINE_BYTES_MAX = 1024;

/** What comes after the colon of the first field of a name that has a value. */
function bodyIn(fields: readonly Field[], name: string): string | null {
  const bodies = fields.flatMap((one) => (one.name.toLowerCase() === name ? [one.text.bytes.slice(one.text.bytes.indexOf(":") + 1)] : []));
  return bodies.find((body) => !isEmptyBody(body)) ?? null;
}

/** The same without white space and controls at its ends. */
function valueIn(fields: readonly Field[], name: string): string | null {
  return bodyIn(fields, name)?.replace(/^[\0- ]+|[\0- ]+$/g, "") ?? null;
}

/** The header of a record from the line after its version on: fields, and where the block begins, null at the end of the source. */
function readRecordHeader(source: Source, from: number): { fields: Field[]; block: number | null } {
  const { bytes } = source;
  const fields: Field[] = [];
  let at = from;
  while (at < bytes.length) {
    const line = matchAt(LINE, bytes, at)?.[0] ?? "";
    if (/^\r?\n$/.test(line)) {
      return { fields, block: at + line.length };
    }
    let end = at + line.length;
    if (isField(line)) {
      while (bytes[end - 1] === "\n" && /[ \t]/.test(bytes.charAt(end))) {
        end += matchAt(LINE, bytes, end)?.[0].length ?? 0;
      }
      if (end - at < FIELD_BYTES_MAX) {
        const name = /^[^ \t:]*/.exec(line)?.[0] ?? "";
        fields.push({ name, text: sliceOf(source, at, end) });
      }
    }
    at = end;
  }
  return { fields, block: null };
}

/** A12: the record of an ARC file that begins at an offset, null where none does. */
function arcRecordAt(bytes: string, at: number): WarcRecord | null {
  const line = matchAt(LINE, bytes, at)?.[0] ?? "";
  const words = arcWordsOf(line);
  if (words === null) {
    return null;
  }
  const { url = "", date = "", rest = "", length } = words;
  const block = at + line.length;
  const end = Math.min(bytes.length, block + Number(length));
  const scheme = /^[^:]*/.exec(url)?.[0].toLowerCase() ?? "";
  const type = scheme === "filedesc" ? "warcinfo" : /^https?$/.test(scheme) ? "response" : "resource";
  const fields = [{ name: "Content-Type", text: sourceOf(`Content-Type: ${rest}`) }];
  return { start: at, end, fields, type, targetUri: url, date, block: { start: block, end } };
}

/** A12: the records of a web archive, and the texts between them that are of no record. */
export function splitWarc(source: Source, isArc: boolean): { records: WarcRecord[]; others: Span[] } {
  const { bytes } = source;
  const found: { records: WarcRecord[]; others: Span[] } = { records: [], others: [] };
  const isRecordAt = (start: number): boolean => (isArc ? arcRecordAt(bytes, start) !== null : bytes.startsWith("WARC/", start));
  let at = matchAt(/(?:\r?\n)*/y, bytes, 0)?.[0].length ?? 0;
  while (at < bytes.length) {
    let end = bytes.length;
    const arcRecord = isArc ? arcRecordAt(bytes, at) : null;
    if (!isRecordAt(at)) {
      end = at;
      do {
        end += matchAt(LINE, bytes, end)?.[0].length ?? 0;
      } while (end < bytes.length && !isRecordAt(end));
      found.others.push({ start: at, end });
    } else if (arcRecord !== null) {
      end = arcRecord.end;
      found.records.push(arcRecord);
    } else {
      const { fields, block } = readRecordHeader(source, at + (matchAt(LINE, bytes, at)?.[0].length ?? 0));
      const length = /^\d*/.exec(readList(bodyIn(fields, "content-length") ?? "")[0] ?? "")?.[0] ?? "";
      const [type = ""] = readList(bodyIn(fields, "warc-type") ?? "");
      end = block === null ? bytes.length : Math.min(bytes.length, block + Number(length));
      found.records.push({
        start: at,
        end,
        fields,
        type: type.toLowerCase(),
        targetUri: valueIn(fields, "warc-target-uri"),
        date: valueIn(fields, "warc-date"),
        block: block === null ? null : { start: block, end },
      });
    }
    at = end + (matchAt(/(?:\r?\n)*/y, bytes, end)?.[0].length ?? 0);
  }
  return found;
}

/** A line of a chunked body: its bytes, and the length that it names, null of an empty one; null where it is neither. */
function chunkLineAt(bytes: string, at: number): { line: string; size: number | null } | null {
  const [line = "", digits = ""] = matchAt(CHUNK_LINE, bytes, at) ?? [];
  if (line === "" || line.length > CHUNK_LINE_BYTES_MAX || (digits === "" && !/^\r?\n?$/.test(line))) {
    return null;
  }
  return { line, size: digits === "" ? null : Number.parseInt(digits, 16) };
}

/** A12: a chunked body as one; what is no chunk, and what is after the last, stands as it is, in a line of its own. */
export function fromChunked(body: Source): Source {
  const { bytes } = body;
  let left = 0;
  let isOver = false;
  let isFirst = true;
  return decodedFrom(body, (at) => {
    const found = left > 0 || isOver ? null : chunkLineAt(bytes, at);
    if (found === null) {
      isOver ||= left === 0;
      left--;
      return null;
    }
    const after = at + found.line.length;
    const isLast = found.size === 0 || (found.size === null && !isFirst && after < bytes.length && chunkLineAt(bytes, after) === null);
    left = found.size ?? 0;
    isOver = found.size === 0;
    isFirst &&= found.size === null;
    return { bytes: isLast && found.line.endsWith("\n") ? "\n" : "", width: found.line.length };
  });
}

/** A12: the encodings of HTTP: chunks, and codings in the order in which they were applied, null with one that is not undone. */
function httpEncodingOf(fields: readonly Field[]): { isChunked: boolean; codings: string[] | null } {
  const words = (name: string): string[] => {
    const named = fields.filter((field) => field.name.toLowerCase() === name);
    const all = named.flatMap(({ text }) => readList(text.bytes.slice(text.bytes.indexOf(":") + 1))).map((word) => word.toLowerCase());
    return all.filter((word) => word !== "" && word !== "identity");
  };
  const transfer = words("transfer-encoding");
  const named = [...words("content-encoding"), ...transfer.filter((word) => word !== "chunked")];
  const codings = named.flatMap((word) => CODINGS[word] ?? []);
  const isUndone = codings.length === named.length && codings.length <= CODINGS_MAX;
  return { isChunked: transfer.includes("chunked"), codings: isUndone ? codings : null };
}

/** A12: the text of a coded body, of which each byte is made of the whole body; null of what cannot be decoded. */
function decodedBodyOf(body: Source, isChunked: boolean, codings: readonly string[], sink: Sink, isCounted: boolean): Source | null {
  const { text, isWhole } = decodeBody((isChunked ? fromChunked(body) : body).bytes, codings);
  if (!isWhole && !isCounted) {
    sink.count("encoded-body");
  }
  return isWhole || text !== "" ? { bytes: text, startOf: () => body.startOf(0), endOf: () => body.endOf(body.bytes.length - 1) } : null;
}

/** A12: the same of a body that begins with some bytes: the codings are dropped if these are text. */
function encodingOfBody(fields: readonly Field[], start: string): { isChunked: boolean; codings: string[] | null } {
  const named = httpEncodingOf(fields);
  return named.codings?.length !== 0 && isUncoded(start, named.codings?.at(-1) ?? null) ? { ...named, codings: [] } : named;
}

/** A12: a response, which begins at an offset: the header of HTTP, and a body. */
function addResponse(text: Source, start: number, sink: Sink): void {
  const line = matchAt(LINE, text.bytes, start)?.[0] ?? "";
  const isStatus = line !== "" && !isField(line) && !/^\r?\n$/.test(line) && line.length <= FIELD_BYTES_MAX;
  if (isStatus) {
    const name = /^[\0- ]*([^\0- :]*)/.exec(line)?.[1] ?? "";
    const isFromLine = name === "From" && /^[\0- ]*From /.test(line);
    sink.add(sliceOf(text, start, start + line.length), "text", `header:${isFromLine ? "From_" : name}`, null);
  }
  const { fields, body } = readHeader(text, start + (isStatus ? line.length : 0), text.bytes.length, false);
  addFields(fields, null, sink);
  const media = mediaTypeOf(fields, "text/plain");
  const { isChunked, codings } = encodingOfBody(fields, text.bytes.slice(body, body + START_BYTES));
  const isOfParts = /^(?:multipart\/|message\/(?:rfc822|global|news)$)/.test(media.type);
  if (!isChunked && codings?.length === 0) {
    readRecordBody(text, body, media, sink);
    return;
  }
  const isRead = isOfParts || isReadType(media.type, sink);
  if (isRead && (codings === null || isOfParts)) {
    sink.count("encoded-body");
  }
  const bytes = sliceOf(text, body, text.bytes.length);
  const decoded =
    !isRead || codings === null
      ? null
      : codings.length === 0
        ? fromChunked(bytes)
        : decodedBodyOf(bytes, isChunked, codings, sink, isOfParts);
  if (decoded === null) {
    sink.skipPart();
    sink.skip(text, body, text.bytes.length);
    return;
  }
  addDecoded(decoded, media.type.startsWith("multipart/") ? mediaTypeOf([], "text/plain") : media, null, sink);
}

/** A12: what is read of a record. */
export function addRecord(whole: Source, { type, fields, block }: WarcRecord, sink: Sink): void {
  if (block === null) {
    return;
  }
  const text = sliceOf(whole, 0, block.end);
  const isMetadata = type === "metadata" && isJsonType(mediaTypeOf(fields, "text/plain").type);
  if (!READ_RECORDS.test(type) && !isMetadata) {
    sink.skipPart();
    sink.skip(text, block.start, block.end);
  } else if (type === "response") {
    addResponse(text, block.start, sink);
  } else {
    readRecordBody(text, block.start, mediaTypeOf(fields, "text/plain"), sink);
  }
}
