// The decoder of mail, news, web archives and JSON, and of text, HTML and XML in a charset other than UTF-8.
import { RECORD_START, RECORD_WORDS } from "#core/layout/codes.js";
import * as results from "#core/layout/decoded.js";
import * as mail from "#core/layout/mail.js";
import * as layout from "#core/layout/memory.js";
import { CORE_REASONS, countOmission, type Omission, type OmissionReason } from "../base/omission.ts";
import { loadCharset, setCharset } from "../core/charsets.ts";
import type { Core } from "../core/core.ts";
import type { Location, MatchLocations } from "../matches/batch.ts";
import { USUAL_FIELDS } from "../options/fields.ts";
import type { ScanCounts, ScanOptions, ScanRange } from "../scan/scan.ts";
import { type Decoded, fillDecoderTables, SourceBytes } from "../scan/source-decoder.ts";
import { type BodyDecoder, type BodyUnpackerFor, CodedBodies, UnpackedBodies } from "./coded-bodies.ts";
import { EncodedMessages } from "./encoded-messages.ts";
import { JsonMessages } from "./json-messages.ts";
import { descriptionAt, type MessageLog, NO_BODY } from "./message-log.ts";
import { Provenance } from "./provenance.ts";
import { SourceMaps } from "./source-maps.ts";

const FORMATS = {
  mbox: mail.FORMAT_MBOX,
  eml: mail.FORMAT_EML,
  news: mail.FORMAT_NEWS,
  rnews: mail.FORMAT_RNEWS,
  emlx: mail.FORMAT_EMLX,
  mmdf: mail.FORMAT_MMDF,
  warc: mail.FORMAT_WARC,
  arc: mail.FORMAT_ARC,
  utf16: mail.FORMAT_TEXT,
  "utf16-html": mail.FORMAT_HTML,
  "utf16-xml": mail.FORMAT_XML,
  "utf16-json": mail.FORMAT_JSON,
  json: mail.FORMAT_JSON,
  text: mail.FORMAT_TEXT,
  html: mail.FORMAT_HTML,
  xml: mail.FORMAT_XML,
  folded: mail.FORMAT_FOLDED,
  ldif: mail.FORMAT_LDIF,
} as const;
const DIALECTS = { auto: mail.DIALECT_RD, rd: mail.DIALECT_RD, o: mail.DIALECT_O, cl: mail.DIALECT_CL } as const;
/** Bits of the header fields that give the base of relative links (C107). */
const FIELDS_OF_LINKS = (1 << mail.FIELD_CONTENT_LOCATION) | (1 << mail.FIELD_CONTENT_BASE);

const LINE_FEED = 0x0a;
const ADDRESS_MAX = 0x7fffffff;

/** Only messages that start in [from, to) are read. The input starts at `offset`, at most LOOK_BACK before `from`. */
type MessageRange = Pick<ScanRange, "offset" | "from" | "to">;
const ALL_MESSAGES: MessageRange = { offset: 0, from: 0, to: Number.POSITIVE_INFINITY };

/** Formats whose matches are in no message. */
const OUTSIDE: readonly (keyof typeof FORMATS)[] = ["utf16", "utf16-html", "utf16-xml", "text", "html", "xml", "folded", "ldif"];

/** The decoders that the core lacks: of bodies of web archives (A12), and of attachments (C178). */
export interface Bodies {
  readonly decode: BodyDecoder;
  readonly unpackerFor: BodyUnpackerFor;
}

/** Decodes one source, piece by piece (A2 to A14, A16, A18). */
export class MailDecoder {
  readonly context = layout.CONTEXT_RAW;
  readonly lookBack: number;
  readonly #core: Core;
  readonly #range: MessageRange;
  readonly #counts: ScanCounts;
  readonly source: SourceBytes;
  /** Undefined if no locations are wanted. */
  readonly map: SourceMaps | undefined;
  readonly #provenance: Provenance | undefined;
  readonly #omissions: OmissionLog;
  readonly #json: JsonMessages | undefined;
  readonly #coded: CodedBodies;
  readonly #encoded: EncodedMessages;
  readonly #unpacked: UnpackedBodies;
  /** Whether to read to the end of the source, because bodies in the range share a limit with bodies after it. */
  #runsToEnd = false;
  /** Decoded offset of the start of the last message. */
  #messageStart = 0;
  #openFrom = Number.POSITIVE_INFINITY;
  /** Number of the last message that `takeMessages` has returned. */
  #taken = 0;

  /** Adds its counters to `counts`. */
  constructor(format: keyof typeof FORMATS, bodies: Bodies, core: Core, options: ScanOptions, scanned: ScanRange, counts: ScanCounts) {
    const { mbox, parts, charset, asked, output, rejected } = options;
    const read = options.read ?? new Set([...USUAL_FIELDS, ...asked]);
    const range = scanned.byMessage === true ? scanned : ALL_MESSAGES;
    const isWhole = scanned.byMessage === true || (scanned.from === 0 && scanned.to >= Number.MAX_SAFE_INTEGER);
    // Whether the locations of matches are wanted, in the source and in messages.
    const collects = output !== "lines" || rejected || !isWhole;
    this.#core = core;
    this.#range = range;
    this.#counts = counts;
    // The first line of a source is read like a line after an empty line.
    this.source = new SourceBytes(core, range.offset, range.offset === 0 ? LINE_FEED : 0);
    this.#coded = new CodedBodies(core, this.source, bodies.decode);
    this.#encoded = new EncodedMessages(core, this.source);
    this.#unpacked = new UnpackedBodies(core, this.#coded, bodies.unpackerFor);
    const json = format === "json" ? options.jsonMapping : undefined;
    const isMapped = !isWhole || rejected || json !== undefined || read.has("start") || read.has("end");
    this.map = collects ? new SourceMaps(read, isMapped) : undefined;
    const log = this.map?.log;
    this.#provenance =
      log === undefined || OUTSIDE.includes(format) ? undefined : new Provenance(core, log, read, range.from > 0 ? undefined : 0);
    this.#omissions = new OmissionLog(counts, log, rejected);
    this.#json = json && new JsonMessages(core, this.source, this.map, json, read, counts, rejected);
    this.lookBack = collects ? mail.FIELD_BYTES_MAX : 0;
    fillDecoderTables(core);
    const bits = log === undefined ? 0 : log.bits | (options.links ? FIELDS_OF_LINKS : 0);
    if (log !== undefined) setNames(core, log.named);
    const convert = format.startsWith("utf16") ? mail.CONVERT_UTF16 : format === "json" ? mail.CONVERT_NONE : setCharset(core, charset);
    core.callbacks.loadCharset = (length) => loadCharset(core, length);
    const quotes = this.#provenance !== undefined && read.has("quote") && format !== "warc" && format !== "arc";
    core.beginMail(FORMATS[format], DIALECTS[mbox], parts === "all", convert, bits, range.from > 0, range.offset === 0, quotes);
  }

  decode(high: number, limit: number, base: number, final: boolean): Decoded {
    const encoded = this.#encoded;
    this.#json?.read(base, final);
    if (!encoded.isOpen && !final && !this.source.isReady) return { high, isFull: false, isOver: false, openFrom: this.#openFrom };
    const { words } = this.#core;
    let stop: number;
    let isInside: boolean;
    let at = high;
    do {
      isInside = encoded.isOpen;
      stop = this.#decodeNext(at, limit, base, final);
      at = words[results.DECODED_END >> 2];
    } while (stop === layout.STOP_MESSAGE || (isInside && stop !== layout.STOP_FULL));
    const isAtEnd = stop === layout.STOP_OWNED;
    const continues = isAtEnd && !this.#coded.isNewAt(this.#range.to);
    if (continues) this.#runsToEnd = true;
    if (this.#json !== undefined) this.#openFrom = this.#json.openFrom();
    return { high: at, isFull: continues || stop === layout.STOP_FULL, isOver: isAtEnd && !continues, openFrom: this.#openFrom };
  }

  /** Makes the core decode a piece of the source, or of the innermost encoded message or text; returns STOP_*. */
  #decodeNext(high: number, limit: number, base: number, final: boolean): number {
    const { words } = this.#core;
    const encoded = this.#encoded;
    const { source, isOpen: isInside } = encoded;
    const sourceBase = isInside ? encoded.base : source.base;
    const isLast = isInside ? encoded.isGiven : final;
    const from = clamp(this.#range.from - sourceBase);
    const to = this.#runsToEnd ? ADDRESS_MAX : clamp(this.#range.to - sourceBase);
    const stop = this.#core.decodeMail(source.start, source.end, isLast, high, limit, from, to);
    this.#count();
    this.map?.take(this.#core, base, sourceBase);
    const start = words[results.DECODED_MESSAGE_START >> 2];
    if (start > 0) this.#messageStart = base + start;
    const open = words[results.DECODED_OPEN_MESSAGE >> 2];
    this.#omissions.take(this.#core, sourceBase, final ? 0 : open);
    this.#openFrom = this.map !== undefined && open > 0 ? this.#messageStart : Number.POSITIVE_INFINITY;
    if (stop === layout.STOP_MESSAGE || encoded.isAfter) source.pass();
    else source.take(stop === layout.STOP_INPUT);
    if (stop === layout.STOP_MESSAGE) {
      if (!isInside) encoded.base = sourceBase;
      const member = this.#unpacked.take();
      if (member?.isFirst === false) encoded.close();
      encoded.open(member?.text ?? this.#coded.take());
    } else if (isInside && stop !== layout.STOP_FULL) encoded.advance();
    return stop;
  }

  locationsOf(rows: Int32Array, base: number, windowBase: number, decoded?: (offset: number) => number): MatchLocations | undefined {
    const locations = this.#provenance?.locationsOf(rows, base, windowBase, decoded);
    if (this.#json === undefined || locations === undefined) return locations;
    const offsetOf = (row: number): number => base + rows[row * RECORD_WORDS + RECORD_START];
    return this.#json.locationsOf(locations, (row) => decoded?.(offsetOf(row)) ?? offsetOf(row));
  }

  takeMessages(isEnd: boolean): Location[] {
    if (this.#json !== undefined) return this.#json.takeMessages();
    const log = this.map?.log;
    if (log === undefined) return [];
    const open = isEnd ? 0 : this.#core.words[results.DECODED_OPEN_MESSAGE >> 2];
    const last = Math.min(open > 0 ? open - 1 : Number.POSITIVE_INFINITY, this.#counts.archive[mail.COUNT_MESSAGES]);
    const messages: Location[] = [];
    while (this.#taken < last) messages.push(log.messageOf(++this.#taken));
    return messages;
  }

  takeOmissions(): Omission[] {
    return [...this.#omissions.takeListed(), ...(this.#json?.takeOmissions() ?? [])];
  }

  #count(): void {
    const { archive } = this.#counts;
    for (let counter = 0; counter < mail.COUNT_WORDS; counter++) {
      archive[counter] = archive[counter] + this.#core.words[(results.DECODED_COUNTS >> 2) + counter];
    }
  }
}

/** Writes the names of the header fields that are read by name to the core. */
function setNames(core: Core, names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    const row = layout.HEADER_NAMES + index * layout.HEADER_NAME_ROW_BYTES;
    core.bytes[row] = name.length;
    for (let at = 0; at < name.length; at++) core.bytes[row + 1 + at] = name.charCodeAt(at);
  }
}

function clamp(address: number): number {
  return Math.min(Math.max(address, 0), ADDRESS_MAX);
}

/** An omission of an archive (A15): it waits for the header of its message, which may hold the message ID. */
interface OpenOmission {
  readonly omission: Omission;
  /** Number of its message; 0: it belongs to none. */
  readonly message: number;
}

/** Counts omissions, and lists them in the order of the source. */
class OmissionLog {
  readonly #counts: ScanCounts;
  readonly #log: MessageLog | undefined;
  readonly #isListed: boolean;
  #open: OpenOmission[] = [];
  #listed: Omission[] = [];

  /** Adds to `counts`; takes message IDs from `log`. */
  constructor(counts: ScanCounts, log: MessageLog | undefined, isListed: boolean) {
    this.#counts = counts;
    this.#log = log;
    this.#isListed = isListed;
  }

  /** Takes the rows of the core. `openMessage`: the number of the message whose header the core still reads, or 0. */
  take({ words, bytes }: Core, sourceBase: number, openMessage: number): void {
    const count = words[results.DECODED_OMISSIONS >> 2];
    for (let row = 0; row < count; row++) {
      const at = layout.OMISSION_REGION + row * mail.OMISSION_ROW_BYTES;
      const word = (field: number): number => words[(at + field) >> 2];
      const reason = CORE_REASONS[word(mail.OMISSION_COUNTER) - mail.COUNT_DEEP_MULTIPART] as OmissionReason;
      const text = word(mail.OMISSION_TEXT);
      const { type, name } = text === 0 ? NO_BODY : descriptionAt(bytes, text);
      const start = sourceBase + word(mail.OMISSION_SOURCE);
      const omission = { reason, start, ...(type && { text: type }), ...(name && { name }) };
      this.#open.push({ omission, message: word(mail.OMISSION_MESSAGE) });
    }
    if (this.#open.length === 0) return;
    const waiting = openMessage === 0 ? -1 : this.#open.findIndex(({ message }) => message === openMessage);
    for (const { message, omission } of this.#open.splice(0, waiting < 0 ? this.#open.length : waiting)) {
      const id = this.#log?.messageIdOf(message);
      const described = id === undefined ? omission : { ...omission, message_id: id };
      countOmission(this.#counts.omitted, described);
      if (this.#isListed) this.#listed.push(described);
    }
  }

  /** Returns the listed omissions since the last call. */
  takeListed(): Omission[] {
    return this.#listed.splice(0);
  }
}
