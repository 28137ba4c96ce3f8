// The location of a match in a message (A10): the message, its part, the header field, and how deep it is quoted.
import { RECORD_START, RECORD_WORDS } from "#core/layout/codes.js";
import { WHERE_HEADER, WHERE_HTML, WHERE_JSON } from "#core/layout/mail.js";
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { decodeLatin1 } from "../core/text.ts";
import { type Location, type MatchLocations, SIGNATURE } from "../matches/batch.ts";
import type { ReadField } from "../scan/scan.ts";
import type { MessageLog, Segment } from "./message-log.ts";

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
/** Offset of a line that is not there. */
const NOWHERE = Number.NEGATIVE_INFINITY;

/** Number of the next scan with locations on this thread. */
let scans = 0;

/** Returns the locations of the matches in `rows`, whose offsets count from `base`. `decoded`: as of SourceDecoder. */
type Locator = (rows: Int32Array, base: number, decoded?: (offset: number) => number) => MatchLocations;

/** `messagesBefore`: number of messages in the source before the first one that is scanned, if known. */
export function locator({ bytes }: Core, log: MessageLog, asked: ReadonlySet<ReadField>, messagesBefore: number | undefined): Locator {
  const hasQuote = asked.has("quote");
  const hasSignature = asked.has("signature");
  const scan = scans++;
  const quoteAt = quotes(bytes);
  const isInSignature = signatures(bytes);
  const fieldName = backwardSearch(Number.POSITIVE_INFINITY, "", (low, end) => {
    for (let at = end - 1; at >= low; at--) if (bytes[at] === layout.CONTEXT_RAW) return fieldNameAt(bytes, at + 1);
    return undefined;
  });

  return (rows, base, decoded) => {
    const of = new Int32Array(rows.length / RECORD_WORDS).fill(-1);
    const list: Location[] = [];
    let last: Location | undefined;
    let segment: Segment | undefined;
    /** Whether all matches of the segment have the location `last`. */
    let isSettled = false;
    for (let row = 0; row < of.length; row++) {
      const start = rows[row * RECORD_WORDS + RECORD_START];
      const offset = base + start;
      const logged = decoded === undefined ? offset : decoded(offset);
      if (segment === undefined || logged >= segment.end) {
        segment = log.segmentAt(logged);
        isSettled = false;
      }
      // JSON outside messages has locations too: the names of members (A16).
      if (segment === undefined || (segment.location.number === 0 && segment.kind !== WHERE_JSON)) continue;
      if (!isSettled) {
        const { kind, location } = segment;
        const address = layout.WINDOW_REGION + start;
        const isQuotable = hasQuote && kind !== WHERE_HEADER && kind !== WHERE_JSON;
        const depth = isQuotable && kind === WHERE_HTML ? log.quotes.depthAt(logged, segment.start) : 0;
        const quote = isQuotable && kind !== WHERE_HTML ? quoteAt(address, offset) : depth;
        const isNamed = location.where === "header:";
        const mayBeSigned = hasSignature && quote === 0 && location.where === "body";
        const whole = mayBeSigned && isInSignature(address, offset) ? SIGNATURE : location.where;
        const where = isNamed ? whole + fieldName(address, offset) : whole;
        isSettled = !isQuotable && !isNamed;
        if (last === undefined || !isSame(last, location) || last.where !== where || last.quote !== quote) {
          last = where === location.where && quote === 0 ? location : { ...location, where, quote };
          list.push(last);
        }
      }
      of[row] = list.length - 1;
    }
    return { of, list, messagesBefore, scan };
  };
}

/** Returns the number of quote marks that begin the line of a byte; 0 for a long line (X7). */
function quotes(bytes: Uint8Array): Search<number> {
  const lineStart = backwardSearch(LINE_BYTES_MAX + 1, NOWHERE, (low, end, offset) => {
    for (let at = end - 1; at >= low; at--) if (endsLine(bytes[at])) return offset - (end - at) + 1;
    return undefined;
  });
  return (address, offset) => {
    const length = offset - lineStart(address, offset);
    if (length > LINE_BYTES_MAX) return 0;
    let count = 0;
    for (let at = address - length; at < address && (bytes[at] === QUOTE_MARK || bytes[at] === SPACE); at++) {
      if (bytes[at] === QUOTE_MARK) count++;
    }
    return count;
  };
}

/** Returns whether a line `-- ` in the same text is at most SIGNATURE_BYTES_MAX before a byte. */
function signatures(bytes: Uint8Array): Search<boolean> {
  const lastLine = backwardSearch(SIGNATURE_BYTES_MAX, NOWHERE, (low, end, offset) => {
    for (let at = end - 1; at >= low; at--) {
      if (isMark(bytes[at]) || isRuler(bytes, at)) return NOWHERE;
      if (bytes[at] === HYPHEN && isSignatureLine(bytes, at)) return offset - (end - at);
    }
    return undefined;
  });
  return (address, offset) => offset - lastLine(address, offset) <= SIGNATURE_BYTES_MAX;
}

/** Searches before the byte at `address`, whose offset is `offset`. */
type Search<Found> = (address: number, offset: number) => Found;

/**
 * Returns a search from each match backwards, over at most `most` bytes. It stops at the match before, so that a long line or field with
 * many matches is searched once. `find` returns the last of something in the bytes [low, end); `offset` is the offset of `end`.
 */
function backwardSearch<Found>(
  most: number,
  none: Found,
  find: (low: number, end: number, offset: number) => Found | undefined,
): Search<Found> {
  let before = 0;
  let found = none;
  return (address, offset) => {
    const distance = offset - before;
    const isNear = distance >= 0 && distance < most;
    const low = Math.max(layout.WINDOW_REGION, address - (isNear ? distance : most));
    found = find(low, address, offset) ?? (isNear ? found : none);
    before = offset;
    return found;
  };
}

/** Returns whether two locations are in the same part of the same message. */
function isSame(one: Location, other: Location): boolean {
  const isInBody = one.part === other.part && one.body.type === other.body.type && one.body.name === other.body.name;
  return one.message === other.message && one.number === other.number && isInBody && one.address === other.address;
}

/** Returns the name of the header field whose text begins at an address. */
function fieldNameAt(bytes: Uint8Array, at: number): string {
  let start = at;
  while (bytes[start] <= SPACE) start++;
  let end = start;
  while (end < start + NAME_BYTES_MAX && bytes[end] !== COLON && bytes[end] > SPACE) end++;
  const name = decodeLatin1(bytes, start, end);
  return name === "From" && isFromLine(bytes, end) ? "From_" : name;
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
  return byte === LINE_FEED || isMark(byte);
}

// As in scan/context.ts. V8 does not inline a function of another bundle.
function isMark(byte: number): boolean {
  return byte > 0 && byte <= layout.CONTEXT_RAW;
}

/** Returns whether the line of the name that ends at `end` is a From_ line: a space follows, and no colon. */
function isFromLine(bytes: Uint8Array, end: number): boolean {
  let next = end;
  while (bytes[next] === SPACE || bytes[next] === TAB) next++;
  return bytes[end] === SPACE && bytes[next] !== COLON;
}
