// Between the bytes of a mail, news or web archive and the window: the core decodes what stands in SOURCE_REGION to the window's end.

import { RECORD_START, RECORD_WORDS } from "#core/layout/codes.js";
import * as mail from "#core/layout/mail.js";
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { fillMailTables } from "../core/mail-tables.ts";
import { fillReferences } from "../core/references.ts";
import { countOmission, OMISSION_REASONS, type Omission, type OmissionReason } from "../omission.ts";
import type { MboxDialect } from "../options.ts";
import type { Location, MatchLocations } from "./batch.ts";
import type { Decoded, SourceDecoder } from "./decoder.ts";
import type { Segment } from "./message-log.ts";
import type { ScanCounts } from "./scan.ts";
import { SourceBytes } from "./source-bytes.ts";
import { SourceMaps } from "./source-maps.ts";

const FORMATS = {
  mbox: mail.MAIL_FORMAT_MBOX,
  eml: mail.MAIL_FORMAT_EML,
  news: mail.MAIL_FORMAT_NEWS,
  rnews: mail.MAIL_FORMAT_RNEWS,
  warc: mail.MAIL_FORMAT_WARC,
  utf16: mail.MAIL_FORMAT_UTF16,
} as const;
const DIALECTS = { auto: mail.MAIL_DIALECT_RD, rd: mail.MAIL_DIALECT_RD, o: mail.MAIL_DIALECT_O, cl: mail.MAIL_DIALECT_CL } as const;
/** Fields that can be told, by their names in records. @see docs/rules.md A10 */
const COLLECTED = {
  from: mail.FIELD_FROM,
  subject: mail.FIELD_SUBJECT,
  newsgroups: mail.FIELD_NEWSGROUPS,
  list_id: mail.FIELD_LIST_ID,
} as const;

/** A format that this decoder reads. */
type MailFormat = keyof typeof FORMATS;
/** A field of messages that records can have beyond message_id and date. */
type CollectedField = keyof typeof COLLECTED;

/** What a decoder is asked for. */
interface MailSettings {
  readonly format: MailFormat;
  readonly mbox: MboxDialect;
  /** Whether parts that are no text are read (A4). */
  readonly allParts: boolean;
  readonly told: readonly CollectedField[];
  /** Whether places are wanted: of matches in the source, and in messages. */
  readonly collects: boolean;
  /** Whether everything that is left out is listed. */
  readonly lists: boolean;
}

/** Only messages that start in [from, to) are read; the source is given from `offset` on, which is at most LOOK_BEHIND before `from`. */
interface MessageRange {
  readonly offset: number;
  readonly from: number;
  readonly to: number;
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const MARK = 0x3e;
const COLON = 0x3a;
/** quote marks are looked for at the start of lines of this length at most: RFC 5322 allows 998. */
const LINE_BYTES_MAX = 1000;
const ADDRESS_MAX = 0x7fffffff;
/** Longest name of a field that is told. */
const NAME_BYTES_MAX = 1000;
/** Number of a message that none has. */
const NO_MESSAGE = -1;
/** Number of a place where there is none. */
const NO_LOCATION = -1;

/** The reasons of COUNT_* from COUNT_DEEP_MULTIPART on. @see docs/rules.md A15 */
const ARCHIVE_OMISSIONS = OMISSION_REASONS.slice(OMISSION_REASONS.indexOf("deep-multipart"));

/** Something that was left out, with the number of its message. */
interface OpenOmission {
  readonly reason: OmissionReason;
  readonly start: number;
  readonly message: number;
}

/** Decodes one source, piece by piece. @see docs/rules.md A2 to A14 */
export class MailDecoder implements SourceDecoder {
  readonly #counts: ScanCounts;
  readonly context = layout.CONTEXT_RAW;
  readonly #core: Core;
  readonly #settings: MailSettings;
  readonly #range: MessageRange;
  readonly #source: SourceBytes;
  /** Where texts come from; undefined where nobody asks. */
  readonly #sourceMaps: SourceMaps | undefined;
  // How far the two texts in the middle have come.
  #text = 0;
  #transferred = 0;
  /** What was left out of messages whose header is not at its end yet. */
  #open: OpenOmission[] = [];
  #omissions: Omission[] = [];
  /** Decoded offset of the last message. */
  #messageFrom = 0;
  /** Offset of the last match whose line was looked for, and where that line starts, or where the search for it ended. */
  #line = { offset: 0, start: 0 };
  /** The header field that was looked for last. */
  #field = { offset: 0, name: "" };

  /** What is counted is added to `counts`. */
  constructor(core: Core, settings: MailSettings, range: MessageRange, counts: ScanCounts) {
    this.#counts = counts;
    this.#core = core;
    this.#settings = settings;
    this.#range = range;
    // Line breaks before the first byte: there it starts behind an empty line.
    this.#source = new SourceBytes(core, range.offset, range.offset === 0 ? LINE_FEED : 0);
    this.#sourceMaps = settings.collects ? new SourceMaps() : undefined;
    fillReferences(core);
    fillMailTables(core.bytes);
    core.bytes.set(this.#firstState(), layout.MAIL_STATE);
    core.words[layout.STATE_HTML >> 2] = 0;
    core.words[layout.STATE_HTML_ELEMENT >> 2] = 0;
  }

  get received(): number {
    return this.#source.received;
  }

  get decoded(): number {
    return this.#source.taken;
  }

  get lookBack(): number {
    return this.#settings.collects ? mail.FIELD_BYTES_MAX : 0;
  }

  space(bytesWanted: number): Uint8Array<ArrayBuffer> {
    return this.#source.space(bytesWanted);
  }

  advance(count: number): void {
    this.#source.advance(count);
  }

  decode(high: number, limit: number, base: number, final: boolean): Decoded {
    const { words } = this.#core;
    if (!final && !this.#source.isReady) return { high, isFull: false, isOver: false, openFrom: this.#openFrom };
    const sourceBase = this.#source.base;
    this.#source.tell(final);
    words[layout.STATE_DECODED >> 2] = high;
    words[layout.STATE_DECODED_LIMIT >> 2] = limit;
    words[mail.MAIL_FROM >> 2] = clamp(this.#range.from - sourceBase);
    words[mail.MAIL_TO >> 2] = clamp(this.#range.to - sourceBase);
    words[mail.MAIL_MESSAGE_WINDOW >> 2] = 0;
    const stop = this.#core.decodeMail();
    const began = words[mail.MAIL_MESSAGE_WINDOW >> 2] as number;
    if (began > 0) this.#messageFrom = base + began;
    this.#count();
    if (this.#sourceMaps !== undefined) this.#takeRows(this.#sourceMaps, base, sourceBase);
    this.#omit(sourceBase, final);
    this.#source.take(stop === layout.STOP_INPUT);
    return {
      high: words[layout.STATE_DECODED >> 2] as number,
      isFull: stop === layout.STOP_FULL,
      isOver: stop === layout.STOP_OWNED,
      openFrom: this.#openFrom,
    };
  }

  startOf(decoded: number): number {
    return this.#sourceMaps?.startOf(decoded) ?? decoded;
  }

  endOf(decoded: number): number {
    return this.#sourceMaps?.endOf(decoded) ?? decoded;
  }

  firstFrom(source: number): number {
    return this.#sourceMaps?.firstFrom(source) ?? source;
  }

  drop(decoded: number): void {
    this.#sourceMaps?.drop(decoded);
  }

  locationsOf(rows: Int32Array, base: number, windowBase: number): MatchLocations | undefined {
    const log = this.#sourceMaps?.log;
    if (log === undefined || this.#settings.format === "utf16") return undefined;
    const of = new Int32Array(rows.length / RECORD_WORDS);
    const list: Location[] = [];
    let segment: Segment | undefined;
    let isNew = true;
    for (let row = 0; row < of.length; row++) {
      const offset = base + (rows[row * RECORD_WORDS + RECORD_START] as number);
      if (segment === undefined || offset >= segment.end) {
        segment = log.segmentAt(offset);
        isNew = true;
      }
      of[row] = NO_LOCATION;
      if (segment === undefined || segment.isOutside) continue;
      const address = offset - windowBase;
      const quote = segment.isHeader || segment.isHtml ? 0 : this.#quoteAt(offset, address);
      const where = segment.where === "header:" ? segment.where + this.#fieldNameAt(offset, address) : segment.where;
      const last = list.at(-1);
      if (isNew || last === undefined || last.where !== where || last.quote !== quote) {
        list.push({ message: segment.message, part: segment.part, where, quote });
        isNew = false;
      }
      of[row] = list.length - 1;
    }
    return { of, list };
  }

  /** Where the message begins of which fields may come that are told. */
  get #openFrom(): number {
    return this.#settings.collects && this.#isInHeader ? this.#messageFrom : Number.POSITIVE_INFINITY;
  }

  get #isInHeader(): boolean {
    const { words } = this.#core;
    return words[mail.MAIL_OUTERMOST >> 2] !== 0 && (words[mail.MAIL_HEADER_LEFT >> 2] as number) > 0;
  }

  #firstState(): Uint8Array {
    const { format, mbox, allParts, told, collects } = this.#settings;
    const state = new Int32Array((mail.MAIL_BOUNDARY - layout.MAIL_STATE) >> 2);
    const set = (address: number, value: number): void => {
      state[(address - layout.MAIL_STATE) >> 2] = value;
    };
    set(mail.MAIL_FORMAT, FORMATS[format]);
    set(mail.MAIL_DIALECT, DIALECTS[mbox]);
    set(mail.MAIL_ALL_PARTS, allParts ? 1 : 0);
    set(mail.MAIL_COLLECTS, collects ? 1 : 0);
    set(
      mail.MAIL_FIELDS,
      told.reduce((bits, field) => bits | (1 << COLLECTED[field]), (1 << mail.FIELD_MESSAGE_ID) | (1 << mail.FIELD_DATE)),
    );
    set(mail.MAIL_MODE, this.#range.from > 0 ? mail.MODE_SEEK : mail.MODE_START);
    set(mail.MAIL_FRESH, this.#range.offset === 0 ? 1 : 0);
    set(mail.MAIL_REMAINING, -1);
    return new Uint8Array(state.buffer);
  }

  #count(): void {
    const { words } = this.#core;
    const first = mail.MAIL_COUNTS >> 2;
    for (let counter = 0; counter < mail.COUNT_WORDS; counter++) {
      this.#counts.archive[counter] = (this.#counts.archive[counter] as number) + (words[first + counter] as number);
    }
    words.fill(0, first, first + mail.COUNT_WORDS);
  }

  /** Takes what the core has left out. What its message says of itself is known when the header of that is read. */
  #omit(sourceBase: number, final: boolean): void {
    const { words } = this.#core;
    const count = words[layout.STATE_OMISSIONS >> 2] as number;
    for (let row = 0; row < count; row++) {
      const at = (layout.OMISSION_REGION + row * mail.OMISSION_ROW_BYTES) >> 2;
      this.#open.push({
        reason: ARCHIVE_OMISSIONS[(words[at] as number) - mail.COUNT_DEEP_MULTIPART] as OmissionReason,
        start: sourceBase + (words[at + (mail.OMISSION_SOURCE >> 2)] as number),
        message: words[at + (mail.OMISSION_MESSAGE >> 2)] as number,
      });
    }
    if (this.#open.length === 0) return;
    const inHeader = !final && this.#isInHeader ? (words[mail.MAIL_MESSAGE >> 2] as number) : NO_MESSAGE;
    const known = this.#open.findIndex(({ message }) => message === inHeader);
    for (const { message, ...omission } of this.#open.splice(0, known < 0 ? this.#open.length : known)) {
      const id = this.#sourceMaps?.log.messageOf(message).message_id;
      const described = id === undefined ? omission : { ...omission, message_id: id };
      countOmission(this.#counts.omitted, described);
      if (this.#settings.lists) this.#omissions.push(described);
    }
  }

  takeOmissions(): Omission[] {
    return this.#omissions.splice(0);
  }

  #takeRows({ log, toText, toTransferred, toSource }: SourceMaps, base: number, sourceBase: number): void {
    const { words } = this.#core;
    const rows = (state: number): number => words[state >> 2] as number;
    toSource.addRows(words, layout.TRANSFER_MAP, rows(layout.STATE_TRANSFER_ROWS), this.#transferred, sourceBase);
    toTransferred.addRows(words, layout.CONVERT_MAP, rows(layout.STATE_CONVERT_ROWS), this.#text, this.#transferred);
    toText.addRows(words, layout.MAP_REGION, rows(layout.STATE_MAP_ROWS), base, this.#text);
    this.#transferred += rows(layout.STATE_TRANSFERRED);
    this.#text += rows(layout.STATE_CONVERTED);
    log.take(this.#core, base);
  }

  /** quote marks before the line of the byte at `address`, which is at `offset`. @see docs/rules.md X7 */
  #quoteAt(offset: number, address: number): number {
    const { bytes } = this.#core;
    const known = this.#line;
    const low = Math.max(layout.WINDOW_REGION, address - LINE_BYTES_MAX);
    // A line of many matches is looked at once.
    const seen = known.offset < offset ? Math.max(low, address - (offset - known.offset)) : low;
    let line = address;
    while (line > seen && !endsLine(bytes[line - 1] as number)) line--;
    if (line > low && line === seen && !endsLine(bytes[line - 1] as number)) line = address - (offset - known.start);
    known.offset = offset;
    known.start = offset - (address - line);
    if (line < low || (line === low && !endsLine(bytes[line - 1] as number))) return 0;
    let count = 0;
    for (let at = line; at < address && (bytes[at] === MARK || bytes[at] === SPACE); at++) if (bytes[at] === MARK) count++;
    return count;
  }

  /** Name of the header field that holds the byte at `address`, which is at `offset`. */
  #fieldNameAt(offset: number, address: number): string {
    const { bytes } = this.#core;
    const known = this.#field;
    // What stands before the last match that was asked about has been looked at.
    const low = Math.max(layout.WINDOW_REGION, known.offset < offset ? address - (offset - known.offset) : 0);
    let at = address;
    while (at > low && bytes[at - 1] !== layout.CONTEXT_RAW) at--;
    if (at > low) {
      let start = at;
      while (start < address && (bytes[start] as number) <= SPACE) start++;
      let end = start;
      while (end < start + NAME_BYTES_MAX && bytes[end] !== COLON && (bytes[end] as number) > SPACE) end++;
      known.name = isFromLine(bytes, start, end) ? "From_" : String.fromCharCode(...bytes.subarray(start, end));
    }
    known.offset = offset;
    return known.name;
  }
}

function clamp(address: number): number {
  return Math.min(Math.max(address, 0), ADDRESS_MAX);
}

function endsLine(byte: number): boolean {
  return byte === LINE_FEED || (byte > 0 && byte <= layout.CONTEXT_RAW);
}

/** Whether the name [start, end) is that of a From_ line: a space stands behind it, no colon. */
function isFromLine(bytes: Uint8Array, start: number, end: number): boolean {
  let next = end;
  while (bytes[next] === SPACE || bytes[next] === TAB) next++;
  return bytes[end] === SPACE && bytes[next] !== COLON && end - start === 4 && bytes[start] === 0x46;
}
