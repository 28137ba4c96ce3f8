// Many URLs at once: one a line in the window, one normalized URL a line out.

import * as code from "../layout/codes.ts";
import * as layout from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { findLineFeed } from "../platform/kernel.ts";
import { loadWord, store8, storeWord } from "../platform/memory.ts";
import { WANTS_IDN } from "./normalize.ts";
import { isAsWritten, loadProfile } from "./percent.ts";
import { writeNormal, writeWhole } from "./split.ts";

/** What may be written beyond three times the length of a line: A-labels, over-stores. */
const ROOM: i32 = 0x10040;

/**
 * Normalizes the lines from STATE_POSITION to STATE_HIGH, each with its LF, to OUTPUT_REGION behind STATE_OUTPUT_END, by STATE_PROFILE: a
 * line with STATE_SEPARATOR behind it for each. A refused URL gives an empty line and a row in REJECTED_REGION. Returns STOP_END, STOP_FULL
 * or STOP_IDN; STATE_POSITION then tells where to go on.
 */
export function normalizeLines(): i32 {
  loadProfile();
  const high = loadWord(layout.STATE_HIGH);
  const separator = loadWord(layout.STATE_SEPARATOR);
  let p = loadWord(layout.STATE_POSITION);
  let at = loadWord(layout.STATE_OUTPUT_END);
  let rejected = 0;
  let lines = 0;
  let stop = layout.STOP_END;
  while (p < high) {
    const end = findLineFeed(p, high);
    const isFull = at + multiply(end - p, 3) + ROOM > layout.OUTPUT_REGION + layout.OUTPUT_BYTES;
    if (isFull || rejected == layout.REJECTED_ROWS_MAX) {
      stop = layout.STOP_FULL;
      break;
    }
    const behind = isAsWritten ? writeWhole(p, end, at) : writeNormal(p, end, at);
    if (behind == WANTS_IDN) {
      stop = layout.STOP_IDN;
      break;
    }
    if (behind < 0) {
      const row = layout.REJECTED_REGION + multiply(rejected++, code.REJECTED_WORDS << 2);
      storeWord(row + (code.REJECTED_START << 2), p);
      storeWord(row + (code.REJECTED_END << 2), end);
      storeWord(row + (code.REJECTED_REASON << 2), -behind);
      storeWord(row + (code.REJECTED_LINE << 2), lines);
    } else {
      at = behind;
    }
    store8(at++, separator);
    p = end + 1;
    lines++;
  }
  storeWord(layout.STATE_LINES, lines);
  storeWord(layout.STATE_REJECTED, rejected);
  storeWord(layout.STATE_POSITION, p);
  storeWord(layout.STATE_OUTPUT_END, at);
  return stop;
}
