/**
 * The oracle of mail and JSON (A1 to A9, A12 to A14, A16 to A18): segments of messages, news and records, with the span of the source that
 * each of their bytes comes from; and what the oracle of texts finds in them. Containers are not opened here.
 */
import { type OracleMatch, type OracleOptions, oracleExtract } from "../index.ts";
import { readJson } from "../json.ts";
import { quoteDepths } from "../quotes.ts";
import { rulesOf } from "../rules.ts";
import { type Source, sliceOf, sourceOf } from "../source.ts";
import { fromMarkedUtf16, fromUnnamed, mayJoin } from "./charsets.ts";
import { fromLineOf, rawValueOf, readHeader, receivedOf } from "./header.ts";
import { addMessage, type Limit, type Sink } from "./mime.ts";
import { fromFolded } from "./plain.ts";
import {
  type Dialect,
  LEADING,
  type Span,
  splitEmlx,
  splitMbox,
  splitMmdf,
  splitNews,
  typeOf,
  withoutDots,
  withoutFromMarks,
} from "./split.ts";
import { bytesTaken } from "./texts.ts";
import { addRecord, splitWarc, type WarcRecord } from "./warc.ts";

export type { Limit } from "./mime.ts";

/** How a source is read: A1, A2 and A4. */
export interface MailOptions {
  type?: "text" | "html" | "mbox" | "eml" | "news" | "warc" | "json" | "xml" | "auto" | undefined;
  mbox?: Dialect | undefined;
  parts?: "text" | "all" | undefined;
  /** A18. */
  charset?: string | undefined;
}

/**
 * A run of text that is scanned as an input of its own: byte `at` of it comes from the bytes `[starts[at], ends[at])` of the source.
 * `where` and `part` are null where there is none; `message` counts from 1, 0 is no message.
 */
export interface Segment {
  bytes: Buffer;
  starts: Uint32Array;
  ends: Uint32Array;
  kind: "text" | "html" | "xml";
  where: string | null;
  part: string | null;
  message: number;
}

/** A message: its bytes in the source, and what comes after the colon of its fields, as a byte string (A10). */
export interface Message extends Span {
  messageId: string | null;
  date: string | null;
  /** What comes after `From ` in its From_ line, and after the last `;` of its first Received that has one. */
  fromLine?: string | null;
  received?: string | null;
  targetUri: string | null;
}

/** What is counted (A15); limits that were not met are absent. */
export interface MailCounts {
  messages: number;
  doubtful: number;
  partsSkipped: number;
  bytesSkipped: number;
  limits: Partial<Record<Limit, number>>;
}

/** What stands in a source, in its order; `messages[n - 1]` is the message of number n. */
export interface Mail {
  segments: Segment[];
  messages: Message[];
  counts: MailCounts;
}

/** A match in the source; `where`, `part` and `quote` are null where there is none, `message` is 0 there. */
export interface MailMatch extends OracleMatch {
  where: string | null;
  part: string | null;
  message: number;
  quote: number | null;
}

/** A10: quote marks are looked for in lines of this length at most. */
const LINE_BYTES_MAX = 1000;

/** Segments as they come, and what is counted. */
class Collected {
  readonly segments: Segment[] = [];
  readonly messages: Message[] = [];
  readonly counts: MailCounts = { messages: 0, doubtful: 0, partsSkipped: 0, bytesSkipped: 0, limits: {} };

  /** JSON is as many segments as it has texts (A16). */
  add(text: Source, kind: Segment["kind"] | "json", where: string | null, part: string | null): void {
    if (kind === "json") {
      for (const piece of readJson(text.bytes)) {
        const { startOf, endOf } = piece.text;
        const located = {
          bytes: piece.text.bytes,
          startOf: (at: number) => text.startOf(startOf(at)),
          endOf: (at: number) => text.endOf(endOf(at) - 1),
        };
        this.add(located, "text", `json:${Buffer.from(piece.name, "latin1")}`, part);
      }
      return;
    }
    const { length } = text.bytes;
    if (length > 0) {
      const starts = new Uint32Array(length);
      const ends = new Uint32Array(length);
      for (let at = 0; at < length; at++) {
        starts[at] = text.startOf(at);
        ends[at] = text.endOf(at);
      }
      const message = where === null ? 0 : this.messages.length;
      this.segments.push({ bytes: Buffer.from(text.bytes, "latin1"), starts, ends, kind, where, part, message });
    }
  }

  sinkFor({ parts = "text", charset = "utf-8" }: MailOptions, isWeb = false): Sink {
    const { counts } = this;
    return {
      parts,
      charset,
      isWeb,
      add: (text, kind, where, part) => this.add(text, kind, where, part),
      count: (limit) => {
        counts.limits[limit] = (counts.limits[limit] ?? 0) + 1;
      },
      skip: (text, from, to) => {
        counts.bytesSkipped += bytesTaken(text, from, to);
      },
      skipPart: () => {
        counts.partsSkipped++;
      },
    };
  }
}

/** A9, C315: the text of a calendar, a card or LDIF. */
function unfolded(source: Source, charset: string, hasEscapes: boolean): Source {
  const text = fromUnnamed(source, charset, false);
  return mayJoin(charset, true) ? fromFolded(text, hasEscapes) : text;
}

/** Types of which what is before the first line is text. */
const TEXTS: readonly string[] = ["text", "html", "xml", "json", "folded", "ldif"];

/** C326: text in UTF-16 is HTML, XML, JSON or plain. */
function kindOf<Type extends string>(type: Type, isMarked: boolean): Type | "text" {
  return isMarked && !["html", "xml", "json"].includes(type) ? "text" : type;
}

/** A1 to A14: what stands in a source. */
export function readMail(source: Uint8Array, options: MailOptions = {}): Mail {
  const { type = "auto", mbox = "auto", charset = "utf-8" } = options;
  const raw = sourceOf(Buffer.from(source).toString("latin1"));
  const isMarked = /^(?:\xFE\xFF|\xFF\xFE)/.test(raw.bytes);
  const marked = isMarked ? fromMarkedUtf16(raw) : raw;
  const leading = LEADING.exec(marked.bytes)?.[0].length ?? 0;
  // A mark of UTF-8 and empty lines before an archive are nothing (A1); of a text they are bytes as others.
  const found = new Collected();
  const kind = kindOf(type === "auto" ? typeOf(marked.bytes) : type, isMarked);
  const whole = TEXTS.includes(kind) ? marked : sliceOf(marked, leading, marked.bytes.length);
  const addOutside = (text: Source): void => found.add(fromUnnamed(text, charset, false), "text", null, null);
  const readOne = ({ start, end }: Span): void => {
    const hasFromLine = kind === "mbox";
    const slice = sliceOf(whole, start, end);
    const text = type === "news" ? withoutDots(slice) : slice;
    const { fields, body } = readHeader(text, 0, text.bytes.length, true);
    const span = { start: start < end ? whole.startOf(start) : 0, end: start < end ? whole.endOf(end - 1) : 0 };
    const [messageId, date] = [rawValueOf(fields, "message-id"), rawValueOf(fields, "date")];
    found.messages.push({ ...span, messageId, date, fromLine: fromLineOf(fields), received: receivedOf(fields), targetUri: null });
    addMessage(hasFromLine ? withoutFromMarks(text, body, mbox) : text, fields, body, found.sinkFor(options));
  };
  if (kind === "json") {
    found.add(whole, kind, "json:", null);
  } else if (kind === "text" || kind === "html" || kind === "xml") {
    found.add(isMarked ? whole : fromUnnamed(whole, charset, kind !== "text" && charset !== "utf-8"), kind, null, null);
  } else if (kind === "folded" || kind === "ldif") {
    found.add(unfolded(whole, charset, kind === "folded"), "text", null, null);
  } else if (kind === "mbox") {
    const { spans, doubtful } = splitMbox(whole, mbox);
    found.counts.doubtful = doubtful;
    addOutside(sliceOf(whole, 0, spans[0]?.start ?? whole.bytes.length));
    spans.forEach(readOne);
  } else if (kind === "mmdf") {
    splitMmdf(whole).forEach(readOne);
  } else if (kind === "emlx") {
    const span = splitEmlx(whole);
    readOne(span);
    found.sinkFor(options).skip(whole, span.end, whole.bytes.length);
  } else if (kind === "warc" || kind === "arc") {
    const { records, others } = splitWarc(whole, kind === "arc");
    found.counts.doubtful = others.length;
    const readRecord = (record: WarcRecord): void => {
      const { start, end, date, targetUri } = record;
      found.messages.push({ start: whole.startOf(start), end: whole.endOf(end - 1), messageId: null, date, targetUri });
      addRecord(whole, record, found.sinkFor(options, true));
    };
    const readOther = ({ start, end }: Span): void => addOutside(sliceOf(whole, start, end));
    const steps = [
      ...records.map((record) => ({ at: record.start, read: () => readRecord(record) })),
      ...others.map((other) => ({ at: other.start, read: () => readOther(other) })),
    ];
    for (const { read } of steps.sort((a, b) => a.at - b.at)) {
      read();
    }
  } else {
    const isBatch = kind === "news" && whole.bytes.startsWith("#! rnews ");
    const one = whole.bytes === "" ? [] : [{ start: 0, end: whole.bytes.length }];
    const { articles, others } = isBatch ? splitNews(whole) : { articles: one, others: [] };
    found.counts.doubtful = others.length;
    for (const span of [...articles, ...others].sort((a, b) => a.start - b.start || a.end - b.end)) {
      if (articles.includes(span)) {
        readOne(span);
      } else {
        addOutside(sliceOf(whole, span.start, span.end));
      }
    }
  }
  found.counts.messages = found.messages.length;
  return { segments: found.segments, messages: found.messages, counts: found.counts };
}

/** A10, X7: the quote marks before a match, in the lines of a segment; null where there are none. */
function quoteOf({ bytes, kind, where }: Segment, start: number): number | null {
  const line = bytes.subarray(bytes.lastIndexOf("\n", start - 1) + 1, start).toString("latin1");
  const marks = (/^(?: *>)*/.exec(start === 0 ? "" : line)?.[0] ?? "").replaceAll(" ", "").length;
  return line.length > LINE_BYTES_MAX || kind !== "text" || where === null || /^(?:header|json):/.test(where) || marks === 0 ? null : marks;
}

/** A, X: the matches in a source. */
export function extractMail(source: Uint8Array, options: MailOptions & Omit<OracleOptions, "type" | "from" | "to"> = {}): MailMatch[] {
  const { segments, messages } = readMail(source, options);
  return segments.flatMap((segment) => {
    const { bytes, starts, ends, kind, where, part, message } = segment;
    const { matches } = oracleExtract(bytes, { ...options, type: kind === "text" ? undefined : kind });
    let quote: number | null = null;
    // Records of web archives have no From_ line, not even a missing one.
    const isPage = kind === "html" && messages[message - 1]?.fromLine !== undefined;
    const depths = isPage ? quoteDepths(bytes.toString("latin1"), rulesOf({ ...options, type: undefined })) : [];
    return matches.map((match) => {
      const span = { start: starts[match.start] ?? 0, end: ends[match.end - 1] ?? 0 };
      // A nested match stands where the one stands that it is in.
      quote =
        match.kind === "nested" ? quote : (quoteOf(segment, match.start) ?? depths.findLast(([at]) => at <= match.start)?.[1]) || null;
      return { ...match, ...span, where, part, message, quote };
    });
  });
}
