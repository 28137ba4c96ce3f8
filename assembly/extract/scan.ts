// The scan: from trigger to trigger through the window, handing each to the reader of wrappers or of candidates.

import { findInSetBackward, findTrigger, resetTriggers } from "../seam/kernel.ts";
import { load8, loadWord } from "../seam/memory.ts";
import { STATE_POSITION, STOP_END, STOP_FULL, STOP_INPUT, STOP_OWNED } from "../tables/areas.ts";
import { SET_HARD } from "../tables/classes.ts";
import { readCandidate } from "./candidate.ts";
import { resetOpaque } from "./opaque.ts";
import * as state from "./state.ts";
import { readWrapper } from "./wrapper.ts";

/**
 * Scans the window from STATE_POSITION on and writes a row for each match and each rejected candidate. Returns STOP_*;
 * STATE_POSITION then tells where to go on, and everything that starts before it has been decided.
 */
export function scan(): i32 {
  state.loadState();
  resetTriggers();
  resetOpaque();
  let position = loadWord(STATE_POSITION);
  let stop = STOP_END;
  // The trigger filter looks at the byte behind a colon, so the last byte of an open window waits.
  const end = state.final ? state.high : state.high - 1;
  while (position < end) {
    const trigger = findTrigger(position, end);
    if (trigger >= end) {
      position = end;
      break;
    }
    if (state.isFull()) {
      position = trigger;
      stop = STOP_FULL;
      break;
    }
    const next = load8(trigger) == 0x3c ? readWrapper(trigger) : readCandidate(trigger);
    if (next < 0) {
      position = trigger;
      stop = next == state.BEHIND_RANGE ? STOP_OWNED : STOP_INPUT;
      break;
    }
    position = next == 0 ? trigger + 1 : next;
  }
  state.saveState(position);
  return stop;
}

/**
 * Prepares the scan of a byte range: sets the state to a place at or before `from` from which the scan finds what a scan from the
 * start of the input would find from `from` on (X13): the last `<` that may open a wrapper, else the start of the stretch.
 */
export function synchronize(from: i32): void {
  state.loadState();
  let bound = from - 2 * state.urlBytesMax - 1;
  if (bound < state.low) bound = state.low;
  let p = from - 1;
  while (p >= bound && load8(p) != 0x3c) p--;
  if (p >= bound) {
    state.startAt(p, p + 1);
    return;
  }
  const stretchBound = from - state.urlBytesMax - 1;
  const hard = findInSetBackward(stretchBound < state.low ? state.low : stretchBound, from, SET_HARD);
  // Where no stretch starts that near, nothing is looked at but what starts a new one.
  if (hard >= state.low && hard >= stretchBound) state.startAt(hard + 1, hard + 1);
  else if (stretchBound < state.low) state.startAt(state.low, state.low);
  else state.startAt(from - state.urlBytesMax, stretchBound);
}
