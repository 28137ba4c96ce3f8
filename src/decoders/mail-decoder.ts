// The decoder of mail, news, web archives and JSON, and of text, HTML and XML in a charset other than UTF-8.
import { RECORD_START, RECORD_WORDS } from "#core/layout/codes.js";
import * as results from "#core/layout/decoded.js";
import * as mail from "#core/layout/mail.js";
import * as layout from "#core/layout/memory.js";
import { CORE_REASONS, countOmission, type Omission, type OmissionReason } from "../base/omission.ts";
import { loadCharset, setCharset } from "../core/charsets.ts";
import type { Core } from "../core/core.ts";
import { encodeInto } from "../core/text.ts";
import type { Location, MatchLocations } from "../matches/batch.ts";
import { USUAL_FIELDS } from "../options/fields.ts";
import type { ScanCounts, ScanOptions, ScanRange } from "../scan/scan.ts";
import { type Decoded, fillDecoderTables, SourceBytes } from "../scan/source-decoder.ts";
import { Mappings, SourceMap } from "../scan/source-map.ts";
import { type BodyDecoder, type BodyUnpackerFor, CodedBodies, MEMBER_FORMATS, unpackBodies } from "./coded-bodies.ts";
import { EncodedMessages } from "./encoded-messages.ts";
import { jsonLocator } from "./json-messages.ts";
import { type JsonMessage, JsonObjects } from "./json-objects.ts";
import { descriptionAt, MessageLog, NO_BODY } from "./message-log.ts";
import { locator } from "./provenance.ts";

const FORMATS = {
  ...MEMBER_FORMATS,
  mbox: mail.FORMAT_MBOX,
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
  /** The steps of decoding (assembly/mail/body-part.ts): to the text, the transferred bytes, the source. Absent: no offsets are read. */
  readonly #steps: readonly [Mappings, Mappings, Mappings] | undefined;
  readonly map: SourceMap;
  // The number of bytes from the first two steps so far.
  #textBytes = 0;
  #transferredBytes = 0;
  /** Undefined if no locations are wanted. */
  readonly #log: MessageLog | undefined;
  readonly #locate: ReturnType<typeof locator> | undefined;
  readonly #omissions: ReturnType<typeof omissionLog>;
  readonly #objects: JsonObjects | undefined;
  /** Undefined if no locations are wanted: messages are only counted then. */
  readonly #json: ReturnType<typeof jsonLocator> | undefined;
  /** The messages in JSON that the last call of `decode` has found. */
  #found: readonly JsonMessage[] = [];
  readonly #coded: CodedBodies;
  readonly #encoded: EncodedMessages;
  readonly #takeUnpacked: ReturnType<typeof unpackBodies>;
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
    const json = format === "json" ? options.jsonMapping : undefined;
    // Whether the locations of matches are wanted, in the source and in messages.
    const collects = output !== "lines" || rejected || !isWhole;
    this.#core = core;
    this.#range = range;
    this.#counts = counts;
    // The first line of a source is read like a line after an empty line.
    this.source = new SourceBytes(core, range.offset, range.offset === 0 ? LINE_FEED : 0);
    this.#coded = new CodedBodies(core, this.source, bodies.decode);
    this.#encoded = new EncodedMessages(core, this.source);
    this.#takeUnpacked = unpackBodies(core, this.#coded, bodies.unpackerFor);
    const isMapped = !isWhole || rejected || (collects && (json !== undefined || read.has("start") || read.has("end")));
    this.#steps = isMapped ? [new Mappings(), new Mappings(), new Mappings()] : undefined;
    this.map = new SourceMap(...(this.#steps ?? []));
    const log = collects ? new MessageLog(read) : undefined;
    this.#log = log;
    this.#locate = log && !OUTSIDE.includes(format) ? locator(core, log, read, range.from > 0 ? undefined : 0) : undefined;
    this.#omissions = omissionLog(counts, log, rejected);
    this.#objects = json && new JsonObjects(json, (start) => this.#omissions.add({ reason: "large-object", start }));
    this.#json = this.#objects && log && jsonLocator(this.#objects, this.source, this.map, log, read);
    this.lookBack = collects ? mail.FIELD_BYTES_MAX : 0;
    fillDecoderTables(core);
    const bits = log === undefined ? 0 : log.bits | (options.links ? FIELDS_OF_LINKS : 0);
    if (log !== undefined) setNames(core, log.named);
    const convert = format.startsWith("utf16") ? mail.CONVERT_UTF16 : format === "json" ? mail.CONVERT_NONE : setCharset(core, charset);
    core.callbacks.loadCharset = (length) => loadCharset(core, length);
    const quotes = this.#locate !== undefined && read.has("quote") && format !== "warc" && format !== "arc";
    core.beginMail(FORMATS[format], DIALECTS[mbox], parts === "all", convert, bits, range.from > 0, range.offset === 0, quotes);
  }

  decode(high: number, limit: number, base: number, final: boolean): Decoded {
    const json = this.#json;
    if (this.#objects !== undefined) {
      this.#found = this.#objects.read(this.#core.bytes, this.source.base, this.source.end, final);
      this.#counts.archive[mail.COUNT_MESSAGES] += this.#found.length;
      const windowStart = Math.max(0, base + layout.WINDOW_REGION);
      this.#objects.drop(json === undefined ? Number.POSITIVE_INFINITY : this.map.startOf(windowStart));
    }
    if (!this.#encoded.isOpen && !final && !this.source.isReady) return { high, isFull: false, isOver: false, openFrom: this.#openFrom };
    let at = high;
    let stop: number;
    do {
      stop = this.#decodeNext(at, limit, base, final);
      at = this.#core.words[results.DECODED_END >> 2];
    } while (this.#nextSource(stop));
    const isAtEnd = stop === layout.STOP_OWNED;
    const continues = isAtEnd && !this.#coded.isNewAt(this.#range.to);
    if (continues) this.#runsToEnd = true;
    if (json !== undefined) this.#openFrom = json.openFrom();
    return { high: at, isFull: continues || stop === layout.STOP_FULL, isOver: isAtEnd && !continues, openFrom: this.#openFrom };
  }

  /** Makes the core decode a piece of the source, or of the innermost encoded message or text; returns STOP_*. */
  #decodeNext(high: number, limit: number, base: number, final: boolean): number {
    const encoded = this.#encoded;
    const { source } = encoded;
    // An encoded message has the offsets of its source, whose base does not change while the message is open.
    const sourceBase = this.source.base;
    const from = clamp(this.#range.from - sourceBase);
    const to = this.#runsToEnd ? ADDRESS_MAX : clamp(this.#range.to - sourceBase);
    const isLast = encoded.isOpen ? encoded.isGiven : final;
    const stop = this.#core.decodeMail(source.start, source.end, isLast, high, limit, from, to);
    this.#takeRows(base, sourceBase, final);
    if (stop === layout.STOP_MESSAGE || encoded.isAfter) source.pass();
    else source.take(stop === layout.STOP_INPUT);
    return stop;
  }

  /** Opens the message or text that the core has found, or goes on with the open one. Returns whether there is more to decode at once. */
  #nextSource(stop: number): boolean {
    const encoded = this.#encoded;
    if (stop === layout.STOP_MESSAGE) {
      const member = this.#takeUnpacked();
      if (member?.isFirst === false) encoded.close();
      encoded.open(member?.text ?? this.#coded.take());
      return true;
    }
    if (stop === layout.STOP_FULL || !encoded.isOpen) return false;
    encoded.advance();
    return true;
  }

  /** Takes the rows and counts of the core. `base` and `sourceBase`: the offsets of address 0 in the decoded bytes and in the source. */
  #takeRows(base: number, sourceBase: number, final: boolean): void {
    const { words } = this.#core;
    const { archive } = this.#counts;
    const result = (address: number): number => words[address >> 2];
    for (let counter = 0; counter < mail.COUNT_WORDS; counter++) archive[counter] += result(results.DECODED_COUNTS + 4 * counter);
    this.#log?.take(this.#core, base);
    if (this.#steps !== undefined) {
      const [toText, toTransferred, toSource] = this.#steps;
      toSource.addRows(words, layout.TRANSFER_MAP, result(results.DECODED_TRANSFER_ROWS), this.#transferredBytes, sourceBase);
      toTransferred.addRows(words, layout.CONVERT_MAP, result(results.DECODED_CONVERT_ROWS), this.#textBytes, this.#transferredBytes);
      toText.addRows(words, layout.MAP_REGION, result(results.DECODED_MAP_ROWS), base, this.#textBytes);
      this.#transferredBytes += result(results.DECODED_TRANSFERRED);
      this.#textBytes += result(results.DECODED_CONVERTED);
    }
    const start = result(results.DECODED_MESSAGE_START);
    if (start > 0) this.#messageStart = base + start;
    const open = result(results.DECODED_OPEN_MESSAGE);
    this.#omissions.take(this.#core, sourceBase, final ? 0 : open);
    this.#openFrom = this.#log !== undefined && open > 0 ? this.#messageStart : Number.POSITIVE_INFINITY;
  }

  drop(decoded: number): void {
    this.#log?.drop(decoded);
  }

  locationsOf(rows: Int32Array, base: number, decoded?: (offset: number) => number): MatchLocations | undefined {
    const locations = this.#locate?.(rows, base, decoded);
    if (this.#json === undefined || locations === undefined) return locations;
    const offsetOf = (row: number): number => base + rows[row * RECORD_WORDS + RECORD_START];
    return this.#json.locationsOf(locations, (row) => decoded?.(offsetOf(row)) ?? offsetOf(row));
  }

  takeMessages(isEnd: boolean): Location[] {
    if (this.#json !== undefined) return this.#found.map(this.#json.locationOf);
    const log = this.#log;
    if (log === undefined) return [];
    const open = isEnd ? 0 : this.#core.words[results.DECODED_OPEN_MESSAGE >> 2];
    const last = Math.min(open > 0 ? open - 1 : Number.POSITIVE_INFINITY, this.#counts.archive[mail.COUNT_MESSAGES]);
    const messages: Location[] = [];
    while (this.#taken < last) messages.push(log.messageOf(++this.#taken));
    return messages;
  }

  takeOmissions(): Omission[] {
    return this.#omissions.takeListed();
  }
}

/** Writes the names of the header fields that are read by name to the core. */
function setNames(core: Core, names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    const row = layout.HEADER_NAMES + index * layout.HEADER_NAME_ROW_BYTES;
    core.bytes[row] = encodeInto(name, core.bytes, row + 1);
  }
}

function clamp(address: number): number {
  return Math.min(Math.max(address, 0), ADDRESS_MAX);
}

/**
 * Counts omissions (A15) in `counts`, and lists them in the order of the source. One in a message waits for the header, which may hold the
 * ID that `log` reads.
 */
function omissionLog(counts: ScanCounts, log: MessageLog | undefined, isListed: boolean) {
  const waiting: { readonly omission: Omission; readonly message: number }[] = [];
  const listed: Omission[] = [];
  const add = (omission: Omission): void => {
    countOmission(counts.omitted, omission);
    if (isListed) listed.push(omission);
  };
  return {
    add,
    /** Takes the rows of the core. `openMessage`: the number of the message whose header the core still reads, or 0. */
    take({ words, bytes }: Core, sourceBase: number, openMessage: number): void {
      const end = layout.OMISSION_REGION + words[results.DECODED_OMISSIONS >> 2] * mail.OMISSION_ROW_BYTES;
      for (let row = layout.OMISSION_REGION; row < end; row += mail.OMISSION_ROW_BYTES) {
        const word = (field: number): number => words[(row + field) >> 2];
        const reason = CORE_REASONS[word(mail.OMISSION_COUNTER) - mail.COUNT_DEEP_MULTIPART] as OmissionReason;
        const text = word(mail.OMISSION_TEXT);
        const { type, name } = text === 0 ? NO_BODY : descriptionAt(bytes, text);
        const start = sourceBase + word(mail.OMISSION_SOURCE);
        const omission = { reason, start, ...(type && { text: type }), ...(name && { name }) };
        waiting.push({ omission, message: word(mail.OMISSION_MESSAGE) });
      }
      const open = waiting.findIndex(({ message }) => openMessage > 0 && message === openMessage);
      for (const { message, omission } of waiting.splice(0, open < 0 ? waiting.length : open)) {
        const id = log?.messageIdOf(message);
        add(id === undefined ? omission : { ...omission, message_id: id });
      }
    },
    /** Returns the listed omissions since the last call. */
    takeListed: (): Omission[] => listed.splice(0),
  };
}
