// Addresses (X10) that are the end of a userinfo: `secret@h.example` in `http://joe:secret@h.example:99999/`, a URL that is refused.
import * as code from "#core/layout/codes.js";
import { authorityStart, endsUserName, type Reading, readingsOf } from "../url/passwords.ts";
import type { MatchBatch } from "./batch.ts";

const PERCENT = 0x25;
const SLASH = 0x2f;
const COLON = 0x3a;
/** What announces an authority, or may do so when it is decoded: without it there is none. */
const POSSIBLE = /[/\\]{2}|[pws]s?:|%/i;
/** One character a byte. */
const decoder = new TextDecoder("latin1");

/** Text without white space, by the offsets at which it starts and ends. */
interface Run {
  readonly start: number;
  readonly end: number;
  /** Where its first colon is, or what may be an encoded one. */
  readonly colon: number;
}

/**
 * Returns the rows of a batch whose address may be a password and a host: an authority with a colon begins at most `bytesMax` bytes before
 * it, and no white space is between them. `window`: the bytes from the batch's base on. (C74)
 */
export function passwordAddresses({ rows, count }: MatchBatch, window: Uint8Array, bytesMax: number): ReadonlySet<number> {
  const found = new Set<number>();
  const last = count === 0 ? 0 : rows[(count - 1) * code.RECORD_WORDS + code.RECORD_END];
  let run: Run = { start: 0, end: -1, colon: 0 };
  let authorities: Int32Array | undefined;
  for (let row = 0; row < count; row++) {
    const at = row * code.RECORD_WORDS;
    if (rows[at + code.RECORD_KIND] !== code.KIND_EMAIL) continue;
    const start = rows[at + code.RECORD_START];
    if (start > run.end || start < run.start) {
      run = runAround(window, start, Math.max(last, start), 2 * bytesMax);
      authorities = undefined;
    }
    // Most addresses have none before them.
    if (start < run.colon) continue;
    authorities ??= authoritiesOf(decoder.decode(window.subarray(run.start, run.end)));
    const authority = authorities[start - run.start] ?? -1;
    if (authority >= 0 && start - run.start - authority <= bytesMax) found.add(row);
  }
  return found;
}

/** The text around `at`, from at most `before` bytes before it to `last` at most. */
function runAround(window: Uint8Array, at: number, last: number, before: number): Run {
  let [start, end] = [at, at];
  while (start > 0 && at - start < before && !isWhite(window[start - 1])) start--;
  while (end < last && !isWhite(window[end])) end++;
  let colon = start;
  while (colon < end && window[colon] !== COLON && window[colon] !== PERCENT) colon++;
  return { start, end, colon };
}

/** The start of the last authority before each character that has a colon and may go on to there, -1 where there is none. */
function authoritiesOf(run: string): Int32Array {
  const found = new Int32Array(run.length + 1).fill(-1);
  if (POSSIBLE.test(run)) for (const reading of readingsOf(run)) addAuthorities(reading, found);
  return found;
}

function addAuthorities({ codes, starts }: Reading, found: Int32Array): void {
  const isColon = (index: number): boolean => codes[index] === COLON;
  // Of an authority without a colon yet, and of one with a colon.
  let [begun, open] = [-1, -1];
  for (let index = 0; index <= codes.length; index++) {
    const start = starts[index];
    found[start] = Math.max(found[start], open);
    const character = codes[index];
    const authority = index < codes.length ? authorityStart(codes, index, isColon) : -1;
    if (authority >= 0) begun = starts[authority];
    if (character === COLON && begun >= 0) [begun, open] = [-1, begun];
    else if (character === SLASH || isWhite(character)) [begun, open] = [-1, -1];
    // Behind a colon it may be a password's. Before one it is the text's: `"http://a.example","email":"joe@b.example"`.
    else if (endsUserName(character)) begun = -1;
  }
}

function isWhite(code: number): boolean {
  return code <= 0x20 || code === 0x7f;
}
