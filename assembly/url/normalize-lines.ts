// Many URLs at once: reads one URL a line, and writes one normalized URL a line.

import { LF } from "../bytes/characters.ts";
import * as code from "../layout/codes.ts";
import * as layout from "../layout/memory.ts";
import { multiply } from "../platform/arith.ts";
import { findLineFeed } from "../platform/kernel.ts";
import { store8, storeWord } from "../platform/memory.ts";
import { setProfile } from "./percent.ts";
import { writeNormal, writeWhole } from "./split.ts";

/** Most bytes that the output of a URL has beyond three times the length of the URL: for A-labels and over-stores. */
export const ROOM: i32 = 0x10040;

/**
 * Normalizes the lines of [start, end), each with its LF, to lines in OUTPUT_REGION by PROFILE_*. A refused URL gives an empty line and a
 * row in REJECTED_REGION. Sets RESULT_OUTPUT_END, RESULT_LINES and RESULT_REJECTED. Returns `start` for the next call, or `end`. (N)
 */
export function normalizeLines(start: i32, end: i32, profile: i32): i32 {
  const isAsWritten = profile == layout.PROFILE_NONE;
  setProfile(profile);
  let p = start;
  let at = layout.OUTPUT_REGION;
  let rejected = 0;
  let lines = 0;
  while (p < end && rejected < layout.REJECTED_ROWS_MAX) {
    const lineEnd = findLineFeed(p, end);
    if (at + multiply(lineEnd - p, 3) + ROOM > layout.OUTPUT_REGION + layout.OUTPUT_BYTES) break;
    const written = isAsWritten ? writeWhole(p, lineEnd, at) : writeNormal(p, lineEnd, at);
    if (written < 0) {
      const row = layout.REJECTED_REGION + multiply(rejected++, code.REJECTED_WORDS << 2);
      storeWord(row + (code.REJECTED_START << 2), p);
      storeWord(row + (code.REJECTED_END << 2), lineEnd);
      storeWord(row + (code.REJECTED_REASON << 2), -written);
      storeWord(row + (code.REJECTED_LINE << 2), lines);
    } else {
      at = written;
    }
    store8(at++, LF);
    p = lineEnd + 1;
    assert(lineEnd < end && at <= layout.OUTPUT_REGION + layout.OUTPUT_BYTES);
    lines++;
  }
  storeWord(layout.RESULT_LINES, lines);
  storeWord(layout.RESULT_REJECTED, rejected);
  storeWord(layout.RESULT_OUTPUT_END, at);
  return p;
}
