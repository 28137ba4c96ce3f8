// The scan: from trigger to trigger through the window, handing each to the reader of delimited URLs or of candidates.

import { LESS, SPACE } from "../bytes/characters.ts";
import { SET_COLON, SET_DELIMITER } from "../bytes/classes.ts";
import {
  OPTION_DECODED,
  OPTION_EVERY_COLON,
  OPTION_SCHEMELESS,
  STATE_ASKED,
  STATE_COLON,
  STATE_POSITION,
  STOP_COLON,
  STOP_END,
  STOP_FULL,
  STOP_INPUT,
  STOP_NAME,
  STOP_OWNED,
} from "../layout/memory.ts";
import { findInSet, findInSetBackward } from "../platform/kernel.ts";
import { load8, loadWord } from "../platform/memory.ts";
import { findTrigger, resetTriggers } from "../platform/trigger.ts";
import { isSchemeByte } from "../url/scheme.ts";
import { findNameStart, readCandidate } from "./candidate.ts";
import { readDelimited, readLess } from "./delimited.ts";
import { resetNames } from "./name.ts";
import { resetOpaque } from "./opaque.ts";
import { findLess } from "./prefix.ts";
import { findSchemelessStart, openWord, readSchemeless, resetSchemeless } from "./schemeless.ts";
import * as state from "./state.ts";

/** Before this address and behind the position no trigger stands, in a window in which a name has been asked about (STOP_NAME). */
let untriggered: i32 = 0;

/**
 * Scans the window from STATE_POSITION on and writes a row for each match and each rejected candidate. Returns STOP_*;
 * STATE_POSITION then tells where to go on, and everything that starts before it has been decided.
 */
export function scan(): i32 {
  state.loadState();
  resetTriggers();
  // The window is the one that the last call saw where that call asked for a colon.
  if (loadWord(STATE_COLON) == 0) resetOpaque();
  resetSchemeless();
  resetNames();
  if (loadWord(STATE_ASKED) == 0) untriggered = 0;
  let position = loadWord(STATE_POSITION);
  let stop = STOP_END;
  const bare = (state.options & OPTION_SCHEMELESS) != 0;
  // The trigger filter looks at the byte behind a colon, so the last byte of an open window waits; at the second one too, but the zeros
  // behind the window make a trigger of any colon that may be one.
  const end = state.final ? state.high : state.high - 1;
  let trigger = -1;
  while (position < end) {
    if (trigger < position) trigger = findNext(position, end);
    const at = bare ? findSchemelessStart(position, trigger) : trigger;
    if (at >= end) {
      position = bare && !state.final ? openWord(position, end) : end;
      break;
    }
    if (state.isFull()) {
      position = at;
      stop = STOP_FULL;
      break;
    }
    if ((state.options & OPTION_DECODED) != 0 && at != loadWord(STATE_COLON)) {
      position = at;
      stop = STOP_COLON;
      break;
    }
    const next = at < trigger ? readSchemeless(at) : load8(at) == LESS ? readLess(at) : readColon(at);
    if (next < 0) {
      position = at;
      stop = next == state.AFTER_RANGE ? STOP_OWNED : next == state.ASK ? STOP_NAME : STOP_INPUT;
      break;
    }
    position = next == 0 ? at + 1 : next;
  }
  state.saveState(position);
  return stop;
}

/** Reads the delimited URL whose first name the colon ends, or the candidate whose scheme it ends. */
function readColon(colon: i32): i32 {
  // As in JSON.
  if (!isSchemeByte(load8(colon - 1))) return colon + 1;
  const run = findNameStart(colon);
  // Every `<` has had its turn, or none counts.
  const less = (state.options & (OPTION_EVERY_COLON | OPTION_DECODED)) == 0 ? findLess(run) : 0;
  if (less != 0) {
    const next = readDelimited(less, run, colon);
    if (next != 0) return next;
  }
  return load8(colon + 1) <= SPACE ? colon + 1 : readCandidate(run, colon);
}

function findNext(position: i32, end: i32): i32 {
  if ((state.options & OPTION_EVERY_COLON) == 0) return findTrigger(position, end);
  // Many names may be asked about before the next colon: it is looked for once.
  untriggered = findInSet(position > untriggered ? position : untriggered, end, SET_COLON);
  return untriggered;
}

/**
 * Prepares the scan of a byte range: sets the state to a place at or before `from` from which the scan finds what a scan from the
 * start of the input would find from `from` on (X13): the last `<` that may open a delimited URL, else the start of the unbroken run.
 */
export function synchronize(from: i32): void {
  state.loadState();
  let bound = from - 2 * state.urlBytesMax - 1;
  if (bound < state.low) bound = state.low;
  let p = from - 1;
  while (p >= bound && load8(p) != LESS) p--;
  if (p >= bound) {
    state.startAt(p, p + 1);
    return;
  }
  // A line-wrapped match may run over the line breaks before `from` (X8), so that the scan starts before any that does.
  const end = state.joinsLines ? from - state.urlBytesMax : from;
  const runBound = end - state.urlBytesMax - 1;
  const delimiter = findInSetBackward(runBound < state.low ? state.low : runBound, end, SET_DELIMITER);
  // Where no unbroken run starts that near, nothing is looked at but what starts a new one.
  if (delimiter >= state.low && delimiter >= runBound) state.startAt(delimiter + 1, delimiter + 1);
  else if (runBound < state.low) state.startAt(state.low, state.low);
  else state.startAt(end - state.urlBytesMax, runBound);
}
