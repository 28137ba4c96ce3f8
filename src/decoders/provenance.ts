// The location of a match in a message (A10): the message, its part, the header field, and how deep it is quoted.
import { RECORD_START, RECORD_WORDS } from "#core/layout/codes.js";
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { decodeLatin1 } from "../core/text.ts";
import { type DescribedMessage, type Location, type MatchLocations, SIGNATURE } from "../matches/batch.ts";
import type { ReadField } from "../scan/scan.ts";
import { type MessageLog, NO_BODY, type Segment } from "./message-log.ts";

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const QUOTE_MARK = 0x3e;
const COLON = 0x3a;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const UNDERSCORE = 0x5f;
const CR = 0x0d;
/** Most bytes before a match that are searched for the start of its line. RFC 5322 allows lines of 998 bytes. */
const LINE_BYTES_MAX = 1000;
/** Most bytes of the name of a header field that are shown. */
const NAME_BYTES_MAX = 1000;
/** Most bytes between the line `-- ` and a match below it. The text below may also be that of an earlier message. */
const SIGNATURE_BYTES_MAX = 2000;
/** Bytes of the shortest line that ends a signature; those in signatures themselves are mostly shorter. */
const RULER_BYTES_LEAST = 40;
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
  readonly #hasSignature: boolean;
  readonly #scan = scans++;
  /** Offset of the last match whose line was searched, and the offset at which the search stopped: the line's start, or a limit. */
  #line = { offset: 0, start: 0 };
  /** Offset of the last match that a line `-- ` was looked for, and the offset of that line; -1: none. */
  #signature = { offset: 0, line: -1 };
  /** Offset of the last match in a header, and the name of its field. */
  #field = { offset: 0, name: "" };

  /** `messagesBefore`: number of messages in the source before the first one that is scanned, if known. */
  constructor(core: Core, log: MessageLog, asked: ReadonlySet<ReadField>, messagesBefore: number | undefined) {
    this.#bytes = core.bytes;
    this.#log = log;
    this.#hasQuote = asked.has("quote");
    this.#hasSignature = asked.has("signature");
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
        const isQuotable = this.#hasQuote && (segment.isQuotable || segment.isHtml);
        const quote = !isQuotable ? 0 : segment.isHtml ? this.#log.quotes.depthAt(logged, segment.start) : this.#quoteAt(offset, address);
        const isNamed = segment.where === "header:";
        const mayBeSigned = this.#hasSignature && quote === 0 && segment.where === "body";
        const whole = mayBeSigned && this.#isInSignature(offset, address) ? SIGNATURE : segment.where;
        const where = isNamed ? whole + this.#fieldNameAt(offset, address) : whole;
        isSettled = !isQuotable && !isNamed;
        if (last === undefined || !isAt(last, segment) || last.where !== where || last.quote !== quote) {
          const { message, time, messageIdField, number, part, body, address: ownAddress } = segment;
          last = { message, time, messageIdField, number, part, body, address: ownAddress, where, quote };
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

  /** Returns whether a line `-- ` is before the byte at `address`, whose offset is `offset`, in the same text. */
  #isInSignature(offset: number, address: number): boolean {
    const [bytes, known] = [this.#bytes, this.#signature];
    const isNear = known.offset <= offset && offset - known.offset < SIGNATURE_BYTES_MAX;
    const low = Math.max(layout.WINDOW_REGION, address - (isNear ? offset - known.offset : SIGNATURE_BYTES_MAX));
    let line = isNear ? known.line : -1;
    for (let at = address - 1; at >= low; at--) {
      if ((bytes[at] > 0 && bytes[at] <= layout.CONTEXT_RAW) || isRuler(bytes, at)) line = -1;
      else if (bytes[at] !== HYPHEN || !isSignatureLine(bytes, at)) continue;
      else line = offset - (address - at);
      break;
    }
    known.offset = offset;
    known.line = line;
    return line >= 0 && offset - line <= SIGNATURE_BYTES_MAX;
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

/** Returns the location of message `number` itself. */
export function locationOf({ message, time, messageIdField }: DescribedMessage, number: number): Location {
  return { message, time, messageIdField, number, part: "", body: NO_BODY, address: "", where: "", quote: 0 };
}

/** Returns whether a location is in the message and the part of a segment. */
function isAt({ message, number, part, body, address }: Location, segment: Segment): boolean {
  const isInBody = part === segment.part && body.type === segment.body.type && body.name === segment.body.name;
  return message === segment.message && number === segment.number && isInBody && address === segment.address;
}

function isSignatureLine(bytes: Uint8Array, at: number): boolean {
  const end = bytes[at + 3];
  return endsLine(bytes[at - 1]) && bytes[at + 1] === HYPHEN && bytes[at + 2] === SPACE && (end === LINE_FEED || end === CR);
}

/** Whether a line ends at `at` that Mailman (`____`) or r-help (`-.-.`) writes before a list's footer, not directly after `-- `. */
function isRuler(bytes: Uint8Array, at: number): boolean {
  const pair = bytes[at] ^ bytes[at - 1];
  const isOfRuler = pair === 0 ? bytes[at] === UNDERSCORE : pair === (HYPHEN ^ DOT) && (bytes[at] === HYPHEN || bytes[at] === DOT);
  if (!isOfRuler || !(endsLine(bytes[at + 1]) || bytes[at + 1] === CR)) return false;
  let start = at - 1;
  while (bytes[start - 1] === bytes[start + 1]) start--;
  const before = start - (bytes[start - 2] === CR ? 5 : 4);
  const isFirst = bytes[before] === HYPHEN && isSignatureLine(bytes, before);
  return at + 1 - start >= RULER_BYTES_LEAST && endsLine(bytes[start - 1]) && !isFirst;
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
