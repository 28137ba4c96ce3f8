// The location of a match in a message (A10): the message, its part, the header field, and the quote marks before the line.
import { RECORD_START, RECORD_WORDS } from "#core/layout/codes.js";
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { decodeLatin1 } from "../core/text.ts";
import type { Location, MatchLocations } from "./batch.ts";
import type { MessageLog, Segment } from "./message-log.ts";
import type { ReadField } from "./scan.ts";

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const QUOTE_MARK = 0x3e;
const COLON = 0x3a;
/** Most bytes before a match that are searched for the start of its line. RFC 5322 allows lines of 998 bytes. */
const LINE_BYTES_MAX = 1000;
/** Most bytes of the name of a header field that are shown. */
const NAME_BYTES_MAX = 1000;
/** Index of a location that does not exist. */
const NO_LOCATION = -1;

/** Number of the next scan with locations on this thread. */
let scans = 0;

/** Finds the locations of matches. Remembers the last match, so that a long line or field with many matches is searched once. */
export class Provenance {
  readonly #bytes: Uint8Array;
  readonly #log: MessageLog;
  readonly #messagesBefore: number | undefined;
  readonly #hasQuote: boolean;
  readonly #scan = scans++;
  /** Offset of the last match whose line was searched, and the offset at which the search stopped: the line's start, or a limit. */
  #line = { offset: 0, start: 0 };
  /** Offset of the last match in a header, and the name of its field. */
  #field = { offset: 0, name: "" };

  /** `messagesBefore`: number of messages in the source before the first one that is scanned, if known. */
  constructor(core: Core, log: MessageLog, asked: ReadonlySet<ReadField>, messagesBefore: number | undefined) {
    this.#bytes = core.bytes;
    this.#log = log;
    this.#hasQuote = asked.has("quote");
    this.#messagesBefore = messagesBefore;
  }

  /**
   * Returns the locations of the matches in `rows`, whose offsets count from `base`. Address 0 of the window is the offset `windowBase`.
   * `decoded` converts an offset to the one in the log, if a later step changed the window (X15).
   */
  locationsOf(rows: Int32Array, base: number, windowBase: number, decoded?: (offset: number) => number): MatchLocations {
    const of = new Int32Array(rows.length / RECORD_WORDS);
    const list: Location[] = [];
    let last: Location | undefined;
    let segment: Segment | undefined;
    /** Whether all matches of the segment have the location `last`. */
    let isSettled = false;
    for (let row = 0; row < of.length; row++) {
      const offset = base + rows[row * RECORD_WORDS + RECORD_START];
      const logged = decoded === undefined ? offset : decoded(offset);
      if (segment === undefined || logged >= segment.end) {
        segment = this.#log.segmentAt(logged);
        isSettled = false;
      }
      of[row] = NO_LOCATION;
      // JSON outside messages has locations too: the names of members (A16).
      if (segment === undefined || (segment.number === 0 && !segment.isJson)) continue;
      if (!isSettled) {
        const address = offset - windowBase;
        const isQuotable = this.#hasQuote && segment.isQuotable;
        const quote = isQuotable ? this.#quoteAt(offset, address) : 0;
        const isNamed = segment.where === "header:";
        const where = isNamed ? segment.where + this.#fieldNameAt(offset, address) : segment.where;
        isSettled = !isQuotable && !isNamed;
        if (last === undefined || !isAt(last, segment) || last.where !== where || last.quote !== quote) {
          const { message, time, messageIdField, number, part, address: ownAddress } = segment;
          last = { message, time, messageIdField, number, part, address: ownAddress, where, quote };
          list.push(last);
        }
      }
      of[row] = list.length - 1;
    }
    return { of, list, messagesBefore: this.#messagesBefore, scan: this.#scan };
  }

  /** Returns the number of quote marks that begin the line of the byte at `address`, whose offset is `offset`; 0 for a long line (X7). */
  #quoteAt(offset: number, address: number): number {
    const bytes = this.#bytes;
    const known = this.#line;
    const low = Math.max(layout.WINDOW_REGION, address - LINE_BYTES_MAX);
    const seen = known.offset < offset ? Math.max(low, address - (offset - known.offset)) : low;
    let line = address;
    while (line > seen && !endsLine(bytes[line - 1])) line--;
    if (line > low && line === seen && !endsLine(bytes[line - 1])) line = address - (offset - known.start);
    known.offset = offset;
    known.start = offset - (address - line);
    if (line < low || (line === low && !endsLine(bytes[line - 1]))) return 0;
    let count = 0;
    for (let at = line; at < address && (bytes[at] === QUOTE_MARK || bytes[at] === SPACE); at++) if (bytes[at] === QUOTE_MARK) count++;
    return count;
  }

  /** Returns the name of the header field that contains the byte at `address`, whose offset is `offset`. */
  #fieldNameAt(offset: number, address: number): string {
    const bytes = this.#bytes;
    const known = this.#field;
    const low = Math.max(layout.WINDOW_REGION, known.offset < offset ? address - (offset - known.offset) : 0);
    let at = address;
    while (at > low && bytes[at - 1] !== layout.CONTEXT_RAW) at--;
    if (at > low) {
      let start = at;
      while (start < address && bytes[start] <= SPACE) start++;
      let end = start;
      while (end < start + NAME_BYTES_MAX && bytes[end] !== COLON && bytes[end] > SPACE) end++;
      const name = decodeLatin1(bytes, start, end);
      known.name = name === "From" && isFromLine(bytes, end) ? "From_" : name;
    }
    known.offset = offset;
    return known.name;
  }
}

/** Returns whether a location is in the message and the part of a segment. */
function isAt({ message, number, part, address }: Location, segment: Segment): boolean {
  return message === segment.message && number === segment.number && part === segment.part && address === segment.address;
}

function endsLine(byte: number): boolean {
  return byte === LINE_FEED || (byte > 0 && byte <= layout.CONTEXT_RAW);
}

/** Returns whether the line of the name that ends at `end` is a From_ line: a space follows, and no colon. */
function isFromLine(bytes: Uint8Array, end: number): boolean {
  let next = end;
  while (bytes[next] === SPACE || bytes[next] === TAB) next++;
  return bytes[end] === SPACE && bytes[next] !== COLON;
}
