// The scan: goes from trigger to trigger, and calls a reader at each: of delimited URLs, candidates, schemeless text or attribute values.

import { findLastDelimiter } from "../bytes/ascii.ts";
import { BACKSLASH, COLON, ESC, LESS, PERCENT, SPACE } from "../bytes/characters.ts";
import { SET_COLON } from "../bytes/classes.ts";
import { configureValues, dropValues, freeValues, moveValuesDown, valueAt } from "../html/values.ts";
import * as layout from "../layout/memory.ts";
import * as rule from "../layout/notes.ts";
import { findEncodedColon } from "../platform/callbacks.ts";
import { findInSet } from "../platform/kernel.ts";
import { load8, storeWord } from "../platform/memory.ts";
import { note } from "../platform/note.ts";
import { findTrigger, resetTriggers } from "../platform/trigger.ts";
import { isSchemeByte } from "../url/scheme.ts";
import { readCandidate, readEncoded, readEscapedColon } from "./candidate.ts";
import { moveContextDown, startContext } from "./context.ts";
import { AT_BYTES, isAfterName } from "./cut.ts";
import { readAngled, readDelimited, readLess } from "./delimited.ts";
import { configureEmit } from "./emit.ts";
import { findEncoded, resetEncoded } from "./encoded.ts";
import { resetEscaped } from "./escaped.ts";
import { resetOpaque } from "./opaque.ts";
import { findLess, findNameStart } from "./prefix.ts";
import { resetRefang } from "./refang.ts";
import { findSchemelessStart, openWord, readIpv6, readSchemeless, resetSchemeless } from "./schemeless.ts";
import * as state from "./state.ts";
import { readValue } from "./url-value.ts";
import { resetWindowsPath } from "./windows-path.ts";

/** OPTION_* bits of text inside a match: delimited URLs are not looked for there (C62). */
const INSIDE: i32 = layout.OPTION_DECODED | layout.OPTION_NESTED;
/** OPTION_* bits for which readColons is not enough: they add triggers, or exclude some (OPTION_DECODED). */
const OTHER_TRIGGERS: i32 = layout.OPTION_DECODED | layout.OPTION_EVERY_COLON | layout.OPTION_ENCODED | layout.OPTION_SCHEMELESS;

/** The address from which the scan continues. Every match that starts before it is decided. */
let position: i32 = 0;

/**
 * Prepares the core for another input, whose text begins at the start of the window. Forgets the last input. `options`: OPTION_* bits.
 * `profile`: PROFILE_* for `emit`. `separator`: the byte after each line. `context`: CONTEXT_* at the start of a text with such bytes; 0
 * for any other text.
 */
export function configure(options: i32, urlBytesMax: i32, profile: i32, separator: i32, context: i32): void {
  state.configure(options, urlBytesMax);
  startContext(context);
  configureValues((options & layout.OPTION_ELEMENTS) != 0, (options & layout.OPTION_LINKS) != 0);
  configureEmit(profile, separator);
  resetRefang();
  position = layout.WINDOW_REGION;
  storeWord(layout.RESULT_POSITION, position);
}

/** Moves all addresses down by `distance`. To be called before the bytes of the window are moved. */
export function moveDown(distance: i32): void {
  moveContextDown(distance);
  state.moveDown(distance);
  moveValuesDown(distance);
  assert(distance >= 0 && position - distance >= layout.WINDOW_REGION);
  position -= distance;
  storeWord(layout.RESULT_POSITION, position);
}

/**
 * Scans the window from RESULT_POSITION to `high`. `final`: the input ends at `high`. Sets RESULT_POSITION, RESULT_RECORDS and
 * RESULT_REJECTED. Reports only matches that start in [ownFrom, ownTo). Returns STOP_*. (X1 to X14)
 */
export function scan(high: i32, final: bool, ownFrom: i32, ownTo: i32): i32 {
  state.openWindow(high, final, ownFrom, ownTo);
  assert(position >= layout.WINDOW_REGION && position <= high);
  resetTriggers();
  resetOpaque();
  resetEscaped();
  resetEncoded();
  resetWindowsPath();
  resetSchemeless();
  // The rows of the last scan have been read, so their values are no longer needed.
  freeValues();
  const stop = readTriggers();
  storeWord(layout.RESULT_POSITION, position);
  storeWord(layout.RESULT_RECORDS, state.records);
  storeWord(layout.RESULT_REJECTED, state.rejected);
  return stop;
}

/** Calls the reader of each trigger, value and start of schemeless text from `position` on. Returns STOP_*. */
function readTriggers(): i32 {
  if ((state.options & OTHER_TRIGGERS) == 0 && valueAt >= state.high) return readColons();
  const isDecoded = (state.options & layout.OPTION_DECODED) != 0;
  const everyColon = (state.options & layout.OPTION_EVERY_COLON) != 0;
  const encoded = (state.options & layout.OPTION_ENCODED) != 0;
  const schemeless = (state.options & layout.OPTION_SCHEMELESS) != 0 && !isDecoded;
  const end = triggersEnd();
  let colonAt = -1;
  let trigger = -1;
  while (position < end) {
    if (trigger < position) {
      if (colonAt < position) colonAt = everyColon ? findInSet(position, end, SET_COLON) : findTrigger(position, end);
      trigger = encoded ? findEncoded(position, colonAt) : colonAt;
    }
    if (valueAt < position) dropValues(position);
    const bound = valueAt < trigger ? valueAt : trigger;
    const at = schemeless ? findSchemelessStart(position, bound) : bound;
    if (at >= end) {
      position = schemeless && !state.final ? openWord(position, end) : end;
      break;
    }
    position = at;
    if (state.isFull()) return layout.STOP_FULL;
    if (isDecoded) {
      const colon = findEncodedColon(at);
      position = colon < end ? colon : end;
      if (colon != at) continue;
    }
    const next = at == valueAt ? readValue(at) : readAt(at, trigger);
    if (next < 0) return stopOf(next);
    assert(next == 0 || (next >= at && next <= state.high));
    position = next == 0 ? at + 1 : next;
  }
  return layout.STOP_END;
}

/**
 * Returns the address before which triggers are looked for. The filter looks at two bytes after a colon. The last byte of an open window
 * waits for the first of them. For the second one, the zeros after the window make any possible trigger a trigger.
 */
function triggersEnd(): i32 {
  return state.final ? state.high : state.high - 1;
}

/**
 * Does what readTriggers does if only the colons of findTrigger are triggers, as in most text. The loop is faster without the other cases.
 */
function readColons(): i32 {
  const end = triggersEnd();
  while (position < end) {
    position = findTrigger(position, end);
    if (position == end) break;
    if (state.isFull()) return layout.STOP_FULL;
    const next = readColon(position);
    if (next < 0) return stopOf(next);
    assert(next > position && next <= state.high);
    position = next;
  }
  return layout.STOP_END;
}

/** Returns STOP_* for the result of a reader that stops the scan: AFTER_RANGE or NEED_INPUT. */
function stopOf(next: i32): i32 {
  return next == state.AFTER_RANGE ? layout.STOP_OWNED : layout.STOP_INPUT;
}

/**
 * Reads the schemeless text at `at` if `at` is before `trigger`, else the delimited URL or candidate of the trigger. Returns what its
 * reader returns.
 */
function readAt(at: i32, trigger: i32): i32 {
  if (at < trigger) return readSchemeless(at);
  if (load8(at) != LESS) return readColon(at);
  return (state.options & INSIDE) == 0 ? readLess(at) : at + 1;
}

/**
 * Reads the percent-encoded URL whose `%3A` is at `colon`, or the IPv6 address whose first colon is there. Returns 0 if the colon may be
 * that of a scheme, else what readColon does.
 */
function readOther(colon: i32): i32 {
  if (load8(colon) == PERCENT) return readEncoded(colon);
  return (state.options & layout.OPTION_IP) != 0 ? readIpv6(colon) : 0;
}

/**
 * Reads the delimited URL whose first name ends at `colon`, or the candidate whose scheme ends there. With OPTION_ENCODED `colon` may be
 * the address of `%3A`. Returns the address from which the scan continues, NEED_INPUT or AFTER_RANGE.
 */
function readColon(colon: i32): i32 {
  if ((state.options & (layout.OPTION_IP | layout.OPTION_ENCODED)) != 0) {
    const next = readOther(colon);
    if (next != 0) return next;
  }
  // Skips colons such as those of JSON, after a quotation mark.
  const before = load8(colon - 1);
  if (!isSchemeByte(before)) return before == BACKSLASH ? readEscapedColon(colon) : colon + 1;
  const run = findNameStart(colon);
  // With these options every `<` has been read already, or none is looked for.
  const less = (state.options & (layout.OPTION_EVERY_COLON | INSIDE)) == 0 ? findLess(run) : 0;
  if (less != 0) {
    const next = readDelimited(less, run, colon);
    if (next != 0) return next;
    note(rule.X7_NONE, less, run);
  }
  const after = load8(colon + 1);
  if (after <= SPACE && after != ESC) return colon + 1;
  if (after == LESS && (state.options & INSIDE) == 0) {
    const next = readAngled(run, colon);
    if (next != 0) return next;
    note(rule.X7_NONE, colon + 1, colon + 2);
  }
  return readCandidate(run, colon);
}

/**
 * Prepares the scan of a byte range: moves `position` to an address at or before `from`. A scan that begins there finds the same matches
 * from `from` on as a scan of the whole input. The address is the last `<` that may open a delimited URL. Without one, it is the start of
 * an unbroken run, which may begin with a scheme before a `<`. (X13)
 */
export function synchronize(from: i32): void {
  const bound = state.lookBack(from, 2 * state.urlBytesMax + 1);
  let p = from - 1;
  while (p >= bound && load8(p) != LESS) p--;
  // A `<` after a colon may be inside a match that ends after `from`, as in `news:<a@b.example>`.
  const isInside = p >= bound && load8(p - 1) == COLON && from - p <= state.urlBytesMax;
  if (p >= bound && !isInside) {
    startAt(p, p + 1);
    return;
  }
  const last = isInside ? p : from;
  // A line-wrapped match may cross line breaks before `last` (X8), so the scan starts before any such match.
  const end = beforeEscaped(state.joinsLines ? last - state.urlBytesMax : last);
  const runBound = end - state.urlBytesMax - 1;
  const low = state.lookBack(end, state.urlBytesMax + 1);
  const delimiter = findLastDelimiter(low, end);
  // In the last case no run starts near enough. Then the scan reports only matches in runs that start later.
  if (delimiter >= low) startAt(delimiter + 1, delimiter + 1);
  else if (runBound < low) startAt(low, low);
  else startAt(end - state.urlBytesMax, runBound);
}

/** Whether an escape of a match with escapes may begin at `p` (X16, C311), or a space of ` at ` may be there (C293). */
function isInnerDelimiter(p: i32): bool {
  const c = load8(p);
  return c == BACKSLASH || c == ESC || (c == SPACE && (isAfterName(p) || isAfterName(p - AT_BYTES + 1)));
}

/** Returns the lowest address at which a match with escapes that crosses `end` may start (C119), or `end` if no such match is possible. */
function beforeEscaped(end: i32): i32 {
  const low = state.lookBack(end, state.urlBytesMax + 1);
  let p = findLastDelimiter(low, end);
  if (p < low || !isInnerDelimiter(p)) return end;
  while (p >= low && isInnerDelimiter(p)) p = findLastDelimiter(low, p);
  return p >= low ? p + 1 : low;
}

function startAt(start: i32, run: i32): void {
  position = start;
  state.startAt(start, run);
  storeWord(layout.RESULT_POSITION, position);
}
