// Schemeless text (X10): `www.` and `ftp.` names, mail addresses, domain names, IP addresses. The longest one that starts at a byte wins.

import { classOf, findByte, isAlpha, isAlphanumeric, isDigit } from "../bytes/ascii.ts";
import { APOSTROPHE, AT, COLON, DOT, HYPHEN, NON_ASCII, PERCENT, PLUS, SQUARE_OPEN, UNDERSCORE } from "../bytes/characters.ts";
import { CLASS_BEFORE_SCHEMELESS, CLASS_WORD, SET_AUTHORITY, SET_SCHEMELESS, SET_STOP } from "../bytes/classes.ts";
import { startsAuthority } from "../bytes/keyword.ts";
import { FIRST_BYTE_LEAST, isJoiner } from "../bytes/utf8.ts";
import { KIND_DOMAIN, KIND_EMAIL, KIND_IP, KIND_WWW, REASON_BAD_HOST, REASON_NONE } from "../layout/codes.ts";
import { OPTION_DOMAIN, OPTION_EMAIL, OPTION_IP, OPTION_WWW } from "../layout/memory.ts";
import { X2_REFUSED, X5_PUNCTUATION } from "../layout/notes.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8 } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import { ENCODED_BYTES_MAX, hasEncoded, isAtext } from "../url/address.ts";
import { authorityEnd, findAuthorityEnd, isHostName, isTriplet, parseAuthority, startsComponent, userinfoEnd } from "../url/authority.ts";
import { isIpv4 } from "../url/ip-literal.ts";
import { isSchemeByte } from "../url/scheme.ts";
import { isInScheme, resetInScheme } from "./candidate.ts";
import { isCutByColor } from "./colors.ts";
import { closedEnd, findEnd, startCandidate, trailingBound, trimEnd } from "./end.ts";
import { findBracket, findLiteralEnd, isIpv6Tail, mayFollowAddress } from "./ip-address.ts";
import { isInMessageId, isInReceived, resetMessageIds } from "./message-id.ts";
import { countLabels, findGluedText, findNameEnd, hasHostPrefix, isAfterName, isPublicDomain, mayEndDomain, portBound } from "./name.ts";
import { isAfterSequence, isInSequence, isQuoted } from "./prefix.ts";
import { ruleOfKind, schemeOf } from "./schemeless-kinds.ts";
import * as state from "./state.ts";

/** Cache: the `.` or `@` whose word was searched for starts last, because a word may have many starts. */
let wordMark: i32 = 0;
/** Cache: the start of a run of bytes of local parts, and the address up to which it was read. */
let localStart: i32 = 0;
let localEnd: i32 = 0;
/** Cache: the last `@` after such a run that is in no address. */
let failedAt: i32 = 0;
/** Whether the local part is that of a delimited URL, where it may have any atext. */
let isWholeLocal: bool = false;
/** Cache: the start of a run of scheme characters after a name, and the address up to which it was read. */
let runStart: i32 = 0;
let runEnd: i32 = 0;
/** Result of readName, readRest or readAddress: KIND_*; the end after X5; the end before X5. */
let kind: i32 = 0;
let matchEnd: i32 = 0;
let beforeTrim: i32 = 0;
/** REASON_NONE, or REASON_* of a good name with a bad port. */
let reason: i32 = 0;

/** Clears the caches. To be called when the bytes of the window have changed. */
export function resetSchemeless(): void {
  wordMark = 0;
  runEnd = 0;
  localEnd = 0;
  failedAt = 0;
  resetInScheme();
  resetMessageIds();
}

function isWordByte(c: i32): bool {
  return c >= NON_ASCII || (classOf(c) & CLASS_WORD) != 0;
}

/** Whether mail addresses are searched, and a `'` between two letters is at `p`. (C96) */
function isInnerApostrophe(p: i32): bool {
  return load8(p) == APOSTROPHE && (state.options & OPTION_EMAIL) != 0 && isAlpha(load8(p - 1)) && isAlpha(load8(p + 1));
}

/** Whether mail addresses are searched, and a `%` inside a word, not of a triplet, is at `p`: a dot-atom may have it. (C140) */
function isInnerPercent(p: i32): bool {
  if (load8(p) != PERCENT || (state.options & OPTION_EMAIL) == 0 || isTriplet(p)) return false;
  return (classOf(load8(p - 1)) & classOf(load8(p + 1)) & CLASS_WORD) != 0;
}

/** Whether schemeless text may start at `p`. */
function isStart(p: i32): bool {
  const c = load8(p);
  if (c < FIRST_BYTE_LEAST && c != UNDERSCORE && !isAlphanumeric(c)) return false;
  return (classOf(load8(p - 1)) & CLASS_BEFORE_SCHEMELESS) == 0 ? !isInSequence(p) : isAfterLeader(p) || isAfterSequence(p);
}

/** Whether `www.` or `ftp.` is searched, is at `p`, and has `..` or `--` before it. (C95) */
function isAfterLeader(p: i32): bool {
  const before = load8(p - 1);
  if ((before != DOT && before != HYPHEN) || load8(p - 2) != before) return false;
  return (state.options & OPTION_WWW) != 0 && hasHostPrefix(p);
}

/** Returns the first address in [position, bound) where schemeless text may start, in a word that a `.` or `@` follows; else `bound`. */
export function findSchemelessStart(position: i32, bound: i32): i32 {
  let mark = wordMark > position ? wordMark : position;
  while (true) {
    mark = findInSet(mark, bound, SET_SCHEMELESS);
    if (mark >= bound) return bound;
    let p = position;
    if (mark != wordMark) {
      p = mark;
      while (p > position && isInWord(p - 1)) p--;
      wordMark = mark;
    }
    const next = load8(mark + 1);
    if (isWordByte(next) || next == PERCENT) {
      while (p < mark && !isStart(p)) p++;
      if (p < mark) return p;
    }
    mark++;
  }
}

/** Whether the byte at `p` may be inside a word. */
function isInWord(p: i32): bool {
  return isWordByte(load8(p)) || isInnerApostrophe(p) || isInnerPercent(p);
}

/** Returns the start of the word that ends at `end`, the end of an open window; at least `position`, at most urlBytesMax bytes back. */
export function openWord(position: i32, end: i32): i32 {
  let low = end - state.urlBytesMax;
  if (low < position) low = position;
  let p = end;
  while (p > low && isOpenByte(load8(p - 1))) p--;
  return p;
}

function isOpenByte(c: i32): bool {
  return isWordByte(c) || c == DOT || c == AT || ((c == APOSTROPHE || c == PERCENT) && (state.options & OPTION_EMAIL) != 0);
}

/** Reads schemeless text at `start`. Returns the address from which the scan continues, 0: there is none, NEED_INPUT or AFTER_RANGE. */
export function readSchemeless(start: i32): i32 {
  if (state.isOpenEnded(start)) return state.NEED_INPUT;
  if (start >= state.runLimit(start, start + 1)) return 0;
  const bound = state.lookAhead(start);
  const name = readName(start, bound);
  if (name < 0) return name;
  const nameKind = kind;
  const nameEnd = matchEnd;
  const nameBeforeTrim = beforeTrim;
  const nameReason = reason;
  const address = readAddress(start, bound);
  if (address < 0) return address;
  const isNameLonger = nameKind == KIND_WWW ? nameEnd >= matchEnd : nameEnd > matchEnd;
  if (name != 0 && (address == 0 || isNameLonger)) {
    kind = nameKind;
    matchEnd = nameEnd;
    beforeTrim = nameBeforeTrim;
    reason = nameReason;
  } else if (address == 0) {
    return 0;
  }
  return report(start);
}

/** Reads the IPv6 address with its first colon at `colon`; returns what readSchemeless does. (C98) */
export function readIpv6(colon: i32): i32 {
  if (state.isOpenEnded(colon)) return state.NEED_INPUT;
  const start = findBracket(colon);
  if (start < state.lastEnd || start >= state.runLimit(start, start + 1)) return 0;
  const end = findLiteralEnd(start);
  if (end == 0 || !mayFollowAddress(end) || isInReceived(start)) return 0;
  const found = readRest(start, end, state.lookAhead(start));
  return found > 0 ? report(start) : found;
}

/** Reports the result of readName, readRest or readAddress at `start`; returns what readSchemeless does. */
function report(start: i32): i32 {
  if (state.isAfterRange(start)) return state.AFTER_RANGE;
  const limit = state.runLimit(start, beforeTrim);
  if (beforeTrim > limit) return state.skipOverlong(start, start, limit);
  note(ruleOfKind(kind), start, matchEnd);
  if (reason != REASON_NONE) {
    note(X2_REFUSED, start, beforeTrim);
    return state.addRejected(start, reason, matchEnd);
  }
  if (matchEnd < beforeTrim) note(X5_PUNCTUATION, matchEnd, beforeTrim);
  state.addRecord(start, matchEnd, 0, schemeOf(kind, start), kind, 0, 0);
  return matchEnd;
}

/** Returns the kind of the name [start, end): KIND_WWW, KIND_IP or KIND_DOMAIN, 0 for none. */
function kindOfName(start: i32, end: i32): i32 {
  if ((state.options & OPTION_WWW) != 0 && hasHostPrefix(start) && countLabels(start, end) > 2) return KIND_WWW;
  if (isIp(start, end)) return KIND_IP;
  if ((state.options & OPTION_DOMAIN) == 0 || load8(start) == UNDERSCORE) return 0;
  return isPublicDomain(start, end) ? KIND_DOMAIN : 0;
}

/** Returns what kindOfName does for a name in text, where no domain name starts after a non-ASCII character of a name. (C30) */
function kindInText(start: i32, end: i32): i32 {
  const named = kindOfName(start, end);
  return named == KIND_DOMAIN && isAfterName(start) ? 0 : named;
}

/** Whether IP addresses are searched, and [start, end) is one. Text after `[` is not checked: findLiteralEnd has checked it. */
function isIp(start: i32, end: i32): bool {
  return (state.options & OPTION_IP) != 0 && (load8(start) == SQUARE_OPEN || isIpv4(start, end));
}

function mayBeName(start: i32): bool {
  if ((state.options & OPTION_IP) != 0 && isDigit(load8(start))) return true;
  if ((state.options & OPTION_DOMAIN) != 0 && !isAfterName(start)) return true;
  return (state.options & OPTION_WWW) != 0 && hasHostPrefix(start);
}

/** Whether `@` or `://` is at `p`. No name ends before these. */
function isTaken(p: i32): bool {
  return load8(p) == AT || startsAuthority(p);
}

/** Returns the address after the scheme characters at `p`. Reads each character of a run once. */
function findRunEnd(p: i32, bound: i32): i32 {
  if (p < runStart || p >= runEnd) {
    runStart = p;
    runEnd = p;
  }
  while (runEnd < bound && isSchemeByte(load8(runEnd))) runEnd++;
  return runEnd;
}

/** Reads a name and the rest of its match (X2 to X5). Returns 1 with kind, matchEnd, beforeTrim and reason set, 0 or NEED_INPUT. */
function readName(start: i32, bound: i32): i32 {
  // A joiner stays only between two characters of the match (X4).
  if (!mayBeName(start) || isJoiner(start)) return 0;
  const nameEnd = findNameEnd(start, bound, false);
  if (state.isOpenEnded(nameEnd)) return state.NEED_INPUT;
  if (isTaken(nameEnd) || !isHostName(start, nameEnd)) return 0;
  if (load8(nameEnd) == PLUS || load8(nameEnd) == COLON) {
    const colon = findRunEnd(nameEnd, bound);
    if (state.isOpenEnded(colon)) return state.NEED_INPUT;
    // As in `a.com+b://c`. (C56)
    if (isInScheme(start, colon)) return 0;
  }
  // Checked before the end is searched, because a failing name must not cost a search.
  if (isIp(start, nameEnd) && (isIpv6Tail(start) || !mayFollowAddress(nameEnd) || isInReceived(start))) return 0;
  return readRest(start, nameEnd, bound);
}

/** Reads the rest of the match after the name [start, nameEnd); returns what readName does. */
function readRest(start: i32, nameEnd: i32, bound: i32): i32 {
  reason = REASON_NONE;
  kind = 0;
  const text = findGluedText(start, nameEnd);
  if (text < nameEnd) {
    beforeTrim = text;
    matchEnd = text;
    kind = kindInText(start, text);
    return kind == 0 ? 0 : 1;
  }
  const cut = isCutByColor(nameEnd);
  if (cut != 0) {
    if (cut < 0) return cut;
    beforeTrim = nameEnd;
    matchEnd = nameEnd;
    reason = REASON_BAD_HOST;
    kind = kindInText(start, nameEnd);
    return kind == 0 ? 0 : 1;
  }
  startCandidate(start);
  let end = nameEnd;
  let isCut = false;
  const quoted = isQuoted(start);
  const c = load8(nameEnd);
  if (nameEnd < bound && (c == COLON || startsComponent(c))) {
    // As in readName, this is checked before the end is searched.
    if (c != COLON) kind = kindInText(start, nameEnd);
    if (c != COLON && kind == 0 && !mayBeTrimmed(start, nameEnd)) return 0;
    const region = findEnd(nameEnd, portBound(nameEnd, bound), SET_AUTHORITY, quoted);
    if (state.isOpenEnded(region)) return state.NEED_INPUT;
    reason = parseAuthority(start, findByte(start, region, AT));
    if (reason != REASON_NONE) {
      beforeTrim = authorityEnd;
      matchEnd = nameEnd;
      if (kind == 0) kind = kindInText(start, nameEnd);
      return kind == 0 ? 0 : 1;
    }
    end = authorityEnd;
    if (end == region && region < bound && startsComponent(load8(region))) {
      if (kind == 0) kind = kindInText(start, nameEnd);
      if (kind == 0 && !mayBeTrimmed(start, nameEnd)) return 0;
      const last = kind == 0 ? trailingBound(region, bound) : bound;
      startCandidate(start);
      end = findEnd(region, last, SET_STOP, quoted);
      isCut = end == last && last < bound;
    }
    if (state.isOpenEnded(end)) return state.NEED_INPUT;
    if (isCut) return 0;
  }
  beforeTrim = end;
  matchEnd = trimEnd(start, start, closedEnd(nameEnd, end), nameEnd);
  if (kind == 0 || matchEnd < nameEnd) kind = kindInText(start, matchEnd < nameEnd ? matchEnd : nameEnd);
  // `192.0.2.1:80abc` and `192.0.2.1:0.0` have no port.
  if (kind == KIND_IP && matchEnd <= nameEnd) return 0;
  return kind == 0 ? 0 : 1;
}

/** Whether [start, nameEnd) is a name only without the punctuation at its end, which X5 may remove with the text after it. */
function mayBeTrimmed(start: i32, nameEnd: i32): bool {
  const end = trimEnd(start, start, nameEnd, nameEnd);
  return end < nameEnd && kindInText(start, end) != 0;
}

/** Returns the `@` after the local part at `start`; `bound` if the local part reaches `bound`; 0 if no `@` follows, or failedAt (X10). */
function findLocalEnd(start: i32, bound: i32): i32 {
  if (start < localStart || start >= localEnd) {
    localStart = start;
    localEnd = start;
  }
  let before = localEnd > start ? load8(localEnd - 1) : DOT;
  while (localEnd < bound) {
    const c = load8(localEnd);
    if (c == DOT ? before == DOT : !isLocalByte(localEnd)) break;
    before = c;
    localEnd++;
  }
  if (localEnd >= bound) return bound;
  return load8(localEnd) == AT && before != DOT && localEnd != failedAt ? localEnd : 0;
}

/** Whether the byte at `p`, which is no dot, may be in a local part (C58, C96). */
function isLocalByte(p: i32): bool {
  const c = load8(p);
  if ((classOf(c) & CLASS_WORD) != 0 || isInnerApostrophe(p)) return true;
  return isWholeLocal ? isAtext(c) : isInnerPercent(p);
}

/** Reads a mail address. Returns 1 with kind, matchEnd, beforeTrim and reason set, 0 or NEED_INPUT. */
function readAddress(start: i32, bound: i32): i32 {
  if ((state.options & OPTION_EMAIL) == 0) return 0;
  const at = findLocalEnd(start, bound);
  if (at == 0) return 0;
  if (state.isOpenEnded(at)) return state.NEED_INPUT;
  if (at >= bound) return 0;
  const nameEnd = findNameEnd(at + 1, bound, false);
  if (state.isOpenEnded(nameEnd)) return state.NEED_INPUT;
  const text = findGluedText(at + 1, nameEnd);
  const end = text < nameEnd ? text : trimEnd(start, at + 1, nameEnd, nameEnd);
  if (isTaken(nameEnd) || !isAddressDomain(at + 1, end < nameEnd ? end : nameEnd)) {
    if (nameEnd < bound) failedAt = at;
    return 0;
  }
  if (end - start > ENCODED_BYTES_MAX && hasEncoded(start, at)) return 0;
  // The `'` may be a quotation mark, as in `u'joe@a.example'`.
  if (findByte(start, at, APOSTROPHE) < at && (load8(end) == APOSTROPHE || isQuoted(start))) return 0;
  if (isInMessageId(start)) return 0;
  const cut = text < nameEnd ? 0 : isCutByColor(nameEnd);
  if (cut < 0) return cut;
  kind = KIND_EMAIL;
  reason = cut == 0 ? REASON_NONE : REASON_BAD_HOST;
  beforeTrim = text;
  matchEnd = end;
  return 1;
}

/** Whether the host name [start, end) has two labels or more, no triplets, and the end of a domain, or is an IPv4 address. */
function isAddressDomain(start: i32, end: i32): bool {
  const isName = isHostName(start, end) && findByte(start, end, PERCENT) == end && countLabels(start, end) > 1;
  return isName && (mayEndDomain(start, end) || isIpv4(start, end));
}

/** Whether the authority [start, region) is only the host [start, nameEnd), perhaps with a port. */
function isWholeName(start: i32, nameEnd: i32, region: i32): bool {
  return isHostName(start, nameEnd) && parseAuthority(start, region) == REASON_NONE && authorityEnd == region && userinfoEnd < 0;
}

/** Returns the kind of the whole text [start, end), perhaps a copy, of a delimited URL that begins at `source`: KIND_*, 0: none. (C57) */
export function kindOfWhole(start: i32, end: i32, source: i32): i32 {
  const named = kindOfWholeName(start, end);
  return named != KIND_WWW && isWholeAddress(start, end) && !isInMessageId(source) ? KIND_EMAIL : named;
}

function kindOfWholeName(start: i32, end: i32): i32 {
  const c = load8(start);
  const isLiteral = c == SQUARE_OPEN && (state.options & OPTION_IP) != 0;
  if (c < NON_ASCII && c != UNDERSCORE && !isAlphanumeric(c) && !isLiteral) return 0;
  if ((state.options & (OPTION_WWW | OPTION_DOMAIN | OPTION_IP)) == 0) return 0;
  const nameEnd = isLiteral ? findLiteralEnd(start) : findNameEnd(start, end, true);
  if (nameEnd <= 0 || !isWholeName(start, nameEnd, findAuthorityEnd(start, end))) return 0;
  const named = kindOfName(start, nameEnd);
  return named != KIND_IP || mayFollowAddress(nameEnd) ? named : 0;
}

function isWholeAddress(start: i32, end: i32): bool {
  if ((state.options & OPTION_EMAIL) == 0 || (load8(start) != UNDERSCORE && !isAlphanumeric(load8(start)))) return false;
  localEnd = 0;
  isWholeLocal = true;
  const at = findLocalEnd(start, end);
  isWholeLocal = false;
  localEnd = 0;
  if (at == 0 || at >= end || findNameEnd(at + 1, end, true) != end) return false;
  return isAddressDomain(at + 1, end) && (end - start <= ENCODED_BYTES_MAX || !hasEncoded(start, at));
}
