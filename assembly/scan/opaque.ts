// Candidates without an authority: their end (X3 to X5), then their shape (X6). A failed candidate is remembered, so that later candidates
// in its unbroken run need not search again (X14).

import { classOf, findByte } from "../bytes/ascii.ts";
import * as char from "../bytes/characters.ts";
import { CLASS_BRACKET, CLASS_MARK, SET_DELIMITER, SET_STOP } from "../bytes/classes.ts";
import { HINT_CLEAN_ADDRESS, HINT_SHIFT, KIND_PLAIN, REASON_BAD_SHAPE } from "../layout/codes.ts";
import * as rule from "../layout/notes.ts";
import { SPECIAL_AT, SPECIAL_DOMAIN, SPECIAL_MAGNET, SPECIAL_MAILTO, SPECIAL_NEWS, SPECIAL_TEL_IN_TEXT } from "../layout/scheme-rows.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import {
  findCleanDomain,
  findLastAt,
  hasShape,
  isLocalTel,
  WITHOUT_AT,
  WITHOUT_CONTEXT,
  WITHOUT_EQUALS,
  WITHOUT_QUESTION,
} from "../url/shape.ts";
import { isCutByColor } from "./colors.ts";
import { specialInText } from "./context.ts";
import { closedEnd, findEnd, isAfterBar, lastCloser, noteEnd, startCandidate, trimEnd } from "./end.ts";
import { isQuoted } from "./prefix.ts";
import * as state from "./state.ts";

/** An address with zero bytes before it, which are no marks. */
const NOTHING_BEFORE: i32 = 16;

/** Start of the body of the last failed candidate. */
let failedStart: i32 = 0;
/** End of that candidate before X5. */
let failedEnd: i32 = 0;
/** End of that candidate after the cut at open brackets; 0: no candidate is remembered. */
let failedClosed: i32 = 0;
/** End of that candidate after X5, without regard to the marks before its scheme. */
let failedTrimmed: i32 = 0;
/** Last closing bracket of that candidate, as lastCloser gives it. */
let failedCloser: i32 = 0;
/** The address in the failed body that endsAsFailed has reached. */
let cursor: i32 = 0;
// Number of brackets of each kind that are open at `cursor`.
let round: i32 = 0;
let square: i32 = 0;
let curly: i32 = 0;
// WITHOUT_* bits about the text from failedStart to failedTrimmed.
let facts: i32 = 0;
/** End of the address in the body of the last failed mailto:, its `?` or failedTrimmed; 0: nothing is remembered. */
let failedAddress: i32 = 0;
/** The last `@` or `%40` before failedAddress; failedBody - 1: there is none. */
let failedAt: i32 = 0;
/** Start of the body for which failedAddress and failedAt were found. */
let failedBody: i32 = 0;
/**
 * If the failed text ends in `#`: the `#` before that one, or an address before the text; else 0. Bodies that start after it have an empty
 * fragment (C23).
 */
let lastHash: i32 = 0;

/** Forgets the failed candidate; to be called when the window has changed. */
export function resetOpaque(): void {
  failedEnd = 0;
  failedClosed = 0;
}

/** Reads the opaque candidate with its colon at `colon`. Returns the address from which the scan continues, or NEED_INPUT. */
export function readOpaque(scheme: i32, colon: i32, row: i32): i32 {
  const start = colon + 1;
  // Nothing after the colon: no need to look before the scheme.
  if ((classOf(load8(start)) & (1 << SET_DELIMITER)) != 0 && start <= state.runLimit(scheme, start)) return reject(scheme, colon);
  const special = specialInText(scheme, colon, row);
  const inside = start > failedStart && start < failedClosed;
  if (inside && isHopeless(special, start)) return reject(scheme, colon);
  const quoted = isQuoted(scheme);
  // A `'` or `|` before the scheme may end this candidate earlier.
  const ownEnd = quoted || isAfterBar(scheme);
  const known = !ownEnd && endsAsFailed(start);
  let end = failedEnd;
  let closed = failedClosed;
  let plainTrimmed = failedTrimmed;
  if (!known) {
    startCandidate(scheme);
    end = findEnd(start, state.lookAhead(scheme), SET_STOP, quoted);
    if (state.isOpen(end)) return state.NEED_INPUT;
    closed = closedEnd(start, end);
    plainTrimmed = trimEnd(NOTHING_BEFORE, start, closed, 0);
  }
  const limit = state.runLimit(scheme, end);
  if (end > limit) return state.skipOverlong(scheme, colon, limit);
  const cut = isCutByColor(end);
  if (cut < 0) return cut;
  const trimmed = plainTrimmed > start ? trimEnd(scheme, start, plainTrimmed, 0) : start;
  const domain = special == SPECIAL_MAILTO ? findCleanDomain(start, trimmed) : 0;
  const failed = domain == 0 && known && special == SPECIAL_MAILTO && failsAsMailto(scheme, start);
  if (
    cut == 0 &&
    (domain != 0 || (!failed && hasShape(special, start, trimmed, known ? facts : 0) && !isLabel(special, scheme, start, trimmed)))
  ) {
    noteEnd(trimmed, closed, end);
    note(rule.X6_SHAPE, start, trimmed);
    const hint = domain != 0 ? HINT_CLEAN_ADDRESS | ((domain - scheme) << HINT_SHIFT) : 0;
    state.addRecord(scheme, trimmed, colon - scheme, row, KIND_PLAIN, 0, hint);
    return trimmed;
  }
  if (!ownEnd) {
    if (!known) remember(start, end, closed, plainTrimmed, inside);
    if (cut != 0) return reject(scheme, colon);
    if (trimmed == failedTrimmed || !hasShape(special, start, failedTrimmed, facts)) rememberShape(special, start);
  }
  return reject(scheme, colon);
}

/** Whether `news:*` is a label, as in `*My news:*`: it is neither alone on its line nor in quotes or brackets (X6). */
function isLabel(special: i32, scheme: i32, start: i32, end: i32): bool {
  const length = end - start;
  const isStar = load8(start) == char.ASTERISK && (length == 1 || (length == 2 && load8(start + 1) == char.HASH));
  if (special != SPECIAL_NEWS || !isStar) return false;
  const before = load8(scheme - 1);
  if (isLineEdge(before)) return !isLineEdge(load8(end));
  const quotes = (1 << SET_DELIMITER) | CLASS_BRACKET;
  return (
    before < char.NON_ASCII &&
    before != char.APOSTROPHE &&
    before != char.EQUALS &&
    (before == char.SPACE || before == char.TAB || (classOf(before) & quotes) == 0)
  );
}

function isLineEdge(c: i32): bool {
  return c < char.SPACE && c != char.TAB;
}

function reject(scheme: i32, colon: i32): i32 {
  note(rule.X6_REFUSED, scheme, colon + 1);
  return state.addRejected(scheme, REASON_BAD_SHAPE, colon + 1);
}

/** Remembers a failed candidate. `inside`: it is inside the failed candidate before it, so the facts still hold. */
function remember(start: i32, end: i32, closed: i32, plainTrimmed: i32, inside: bool): void {
  failedStart = start;
  failedEnd = end;
  failedClosed = closed;
  failedTrimmed = plainTrimmed;
  failedCloser = lastCloser;
  cursor = start;
  round = 0;
  square = 0;
  curly = 0;
  if (!inside) facts = 0;
  failedAddress = 0;
  lastHash = plainTrimmed > start && load8(plainTrimmed - 1) == char.HASH ? plainTrimmed - 2 : 0;
  while (lastHash >= start && load8(lastHash) != char.HASH) lastHash--;
}

/** Remembers the reasons for which the shape failed, if they hold for every later start too. */
function rememberShape(special: i32, start: i32): void {
  if (special == SPECIAL_AT || special == SPECIAL_DOMAIN || special == SPECIAL_NEWS) facts |= WITHOUT_AT;
  else if (special == SPECIAL_MAGNET) facts |= WITHOUT_QUESTION;
  else if (special == SPECIAL_TEL_IN_TEXT && isLocalTel(start, failedTrimmed)) facts |= WITHOUT_CONTEXT;
  else if (special == SPECIAL_MAILTO && !remembersMailto(start)) {
    failedAddress = findByte(start, failedTrimmed, char.QUESTION);
    failedAt = findLastAt(start, failedAddress);
    failedBody = start;
    facts |= failedAddress < failedTrimmed ? WITHOUT_EQUALS : WITHOUT_QUESTION;
  }
}

/**
 * Whether a body inside the body of the failed candidate must fail, wherever it ends. It does not end later than the failed one, because
 * a later start leaves fewer brackets open.
 */
function isHopeless(special: i32, start: i32): bool {
  if (special == SPECIAL_AT || special == SPECIAL_DOMAIN) return (facts & WITHOUT_AT) != 0;
  if (special == SPECIAL_MAGNET) return (facts & WITHOUT_QUESTION) != 0;
  return special == SPECIAL_MAILTO && (facts & WITHOUT_QUESTION) != 0 && start <= failedAddress && failedAt <= start;
}

/** Whether a mailto: must fail like the failed one, because it has the same last `@`, or none. Marks before a scheme may change the end. */
function failsAsMailto(scheme: i32, start: i32): bool {
  if (!remembersMailto(start)) return false;
  return failedAt <= start || (classOf(load8(scheme - 1)) & CLASS_MARK) == 0;
}

/** Whether the remembered facts about a mailto: hold for the body at `start`. */
function remembersMailto(start: i32): bool {
  return start <= failedAddress && (failedBody > lastHash || start <= lastHash);
}

/**
 * Whether a body from `start` on ends where the failed body ends, and starts before the open brackets that cut it. All brackets that were
 * opened between the two starts must be closed, or no bracket may be closed after `start`.
 */
function endsAsFailed(start: i32): bool {
  if (start < cursor || start >= failedClosed) return false;
  while (cursor < start) {
    cursor = findInSet(cursor, start, SET_STOP);
    if (cursor < start) {
      const c = load8(cursor);
      if ((classOf(c) & CLASS_BRACKET) != 0) countBracket(c);
      cursor++;
    }
  }
  return start > failedCloser || (round == 0 && square == 0 && curly == 0);
}

function countBracket(c: i32): void {
  if (c == char.ROUND_OPEN) round++;
  else if (c == char.ROUND_CLOSE) round--;
  else if (c == char.SQUARE_OPEN) square++;
  else if (c == char.SQUARE_CLOSE) square--;
  else if (c == char.CURLY_OPEN) curly++;
  else curly--;
}
