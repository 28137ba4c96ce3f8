// URLs inside URLs (X11): what stands in a match's path, query and fragment is scanned by the same rules, as it is and percent-decoded.
import * as code from "#core/tables/codes.js";
import type { Core } from "../core/core.ts";
import type { MatchBatch } from "./batch.ts";
import { AS_IS, BESIDE_DECODED, DECODED, LocatedText } from "./located-text.ts";
import type { ScanOptions } from "./scan.ts";
import { Scanner } from "./scanner.ts";

/** How deep URLs are looked for in each other. */
const DEPTH_MAX = 4;

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SLASH = 0x2f;
const COLON = 0x3a;
const GREATER = 0x3e;
const HASH = 0x23;
const QUESTION = 0x3f;
const SPACE = 0x20;
const QUOTE = 0x22;
const LESS = 0x3c;

/** A match and those inside it. */
export interface NestedMatch {
  /** Where its row stands. */
  readonly batch: MatchBatch;
  readonly row: number;
  /** Its span in the source, from the base of the outermost match's batch. */
  readonly start: number;
  readonly end: number;
  /** Its span in the text that it was found in. */
  readonly from: number;
  readonly to: number;
  readonly inner: NestedMatch[];
}

/** Matches that may hold others, by their row in the batch, and the text of their URLs. */
export interface OuterMatches {
  readonly matches: ReadonlyMap<number, NestedMatch>;
  readonly text: LocatedText;
}

/** Finds the URLs inside matches. */
export class NestedFinder {
  readonly #core: Core;
  readonly #options: ScanOptions;

  /** `options`: those of the scan that found the outer matches, without a filter and without a stage. */
  constructor(core: Core, options: ScanOptions) {
    this.#core = core;
    this.#options = options;
  }

  /** Finds the matches inside those that collectOuter has collected. Uses the core. @see docs/rules.md X11 */
  find({ matches, text }: OuterMatches): void {
    this.#descend([...matches.values()], text);
  }

  #descend(outermost: NestedMatch[], located: LocatedText): void {
    let owners = outermost;
    let text = located;
    for (let depth = 0; depth < DEPTH_MAX && owners.length > 0; depth++) {
      const inside = new LocatedText();
      const ends = owners.map((owner) => addInside(owner, text, inside));
      if (inside.length === 0) return;
      this.#scan(inside, owners, ends);
      owners = owners.flatMap(keepLeftmost).filter(({ batch, row }) => mayHoldUrl(batch, row));
      text = inside;
    }
  }

  /** Gives each owner what is found in its part of the text; `ends`: where these parts end. */
  #scan(text: LocatedText, owners: readonly NestedMatch[], ends: readonly number[]): void {
    let index = 0;
    const matches = (batch: MatchBatch): void => {
      for (let row = 0; row < batch.count; row++) {
        const from = batch.base + wordOf(batch, row, code.RECORD_START);
        const to = batch.base + wordOf(batch, row, code.RECORD_END);
        if (!isOwn(text, from + wordOf(batch, row, code.RECORD_SCHEME_LENGTH))) continue;
        while ((ends[index] as number) < to) index++;
        const [start, end] = [text.starts[from] as number, text.ends[to - 1] as number];
        (owners[index] as NestedMatch).inner.push({ batch, row, start, end, from, to, inner: [] });
      }
    };
    const scanner = new Scanner(this.#core, this.#options, { lines: () => undefined, matches, rejected: () => undefined });
    scanner.write(text.bytes.subarray(0, text.length));
    scanner.end();
  }
}

/** The matches of a batch that may hold others. `window`: the bytes from the batch's base on. */
export function collectOuter(batch: MatchBatch, window: Uint8Array): OuterMatches {
  const matches = new Map<number, NestedMatch>();
  const text = new LocatedText();
  for (let row = 0; row < batch.count; row++) {
    if (mayHoldUrl(batch, row)) matches.set(row, outerMatch(batch, row, window, text));
  }
  return { matches, text };
}

/** The field RECORD_* of a row. */
function wordOf(batch: MatchBatch, row: number, field: number): number {
  return batch.rows[row * code.RECORD_WORDS + field] as number;
}

/** Whether a colon stands behind the authority, or behind the scheme where there is none: most matches have none and cost no more. */
function mayHoldUrl(batch: MatchBatch, row: number): boolean {
  const raw = wordOf(batch, row, code.RECORD_RAW);
  const end = raw + wordOf(batch, row, code.RECORD_RAW_LENGTH);
  const inside = insideStart(batch.bytes, raw + wordOf(batch, row, code.RECORD_SCHEME_LENGTH), end);
  return findColon(batch.bytes, inside, end) < end;
}

/** Behind the authority, or behind the colon where there is none. */
function insideStart(bytes: Uint8Array, colon: number, end: number): number {
  let at = colon + 1;
  if (at + 1 >= end || bytes[at] !== SLASH || bytes[at + 1] !== SLASH) return at;
  at += 2;
  while (at < end && bytes[at] !== SLASH && bytes[at] !== QUESTION && bytes[at] !== HASH) at++;
  return at;
}

/** The first `:` or `%3A`, or `end`. */
function findColon(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (bytes[at] === COLON || (bytes[at] === PERCENT && at + 2 < end && decodedAt(bytes, at) === COLON)) return at;
  }
  return end;
}

/** The byte that the triplet at `at` stands for, or -1 where there is none. */
function decodedAt(bytes: Uint8Array, at: number): number {
  const [high, low] = [hexDigit(bytes[at + 1] as number), hexDigit(bytes[at + 2] as number)];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

// White space and reply marks inside a span are no part of the URL (X7), and no URL holds these bytes.
function isGap(byte: number): boolean {
  return byte <= SPACE || byte === GREATER;
}

/** Adds the URL of a row to `text`. */
function outerMatch(batch: MatchBatch, row: number, window: Uint8Array, text: LocatedText): NestedMatch {
  const [start, end] = [wordOf(batch, row, code.RECORD_START), wordOf(batch, row, code.RECORD_END)];
  const from = text.length;
  for (let at = start; at < end; at++) {
    const byte = window[at] as number;
    if (!isGap(byte)) text.add(byte, at, at + 1, AS_IS);
  }
  return { batch, row, start, end, from, to: text.length, inner: [] };
}

/**
 * Adds what may hold a URL inside a match, cut at each literal `&` and `#`: as it is, and decoded where that could show another one.
 * Returns where it ends in `inside`.
 */
function addInside(owner: NestedMatch, text: LocatedText, inside: LocatedText): number {
  const { bytes } = text;
  const colon = owner.from + wordOf(owner.batch, owner.row, code.RECORD_SCHEME_LENGTH);
  let at = insideStart(bytes, colon, owner.to);
  while (at < owner.to) {
    let end = at;
    while (end < owner.to && bytes[end] !== AMPERSAND && bytes[end] !== HASH) end++;
    if (findColon(bytes, at, end) < end) addSegment(text, at, end, inside);
    at = end + 1;
  }
  return inside.length;
}

function addSegment(text: LocatedText, start: number, end: number, inside: LocatedText): void {
  const literal = inside.length;
  for (let at = start; at < end; at++) {
    inside.add(text.bytes[at] as number, text.starts[at] as number, text.ends[at] as number, AS_IS);
  }
  const literalEnd = inside.length;
  separate(inside);
  if (!inside.bytes.subarray(literal, literalEnd).includes(PERCENT)) return;
  for (let at = literal; at < literalEnd; at++) {
    const byte = inside.bytes[at] as number;
    const decoded = byte === PERCENT && at + 2 < literalEnd ? decodedAt(inside.bytes, at) : -1;
    const from = inside.starts[at] as number;
    if (decoded >= 0) at += 2;
    const to = inside.ends[at] as number;
    // No wrappers are read inside: another hard byte stands in the place of `<`.
    if (decoded < 0) inside.add(byte, from, to, BESIDE_DECODED);
    else inside.add(decoded === LESS ? QUOTE : decoded, from, to, DECODED);
  }
  separate(inside);
}

// What stands before is a text of its own: nothing goes on over a NUL.
function separate(inside: LocatedText): void {
  inside.add(0, 0, 0, AS_IS);
}

/** Whether the URL with this colon is there as it is, or is percent-encoded: in its colon or in one of the slashes behind that. */
function isOwn({ bytes, origins }: LocatedText, colon: number): boolean {
  if (origins[colon] !== BESIDE_DECODED) return true;
  if (bytes[colon + 1] !== SLASH) return false;
  return origins[colon + 1] === DECODED || (bytes[colon + 2] === SLASH && origins[colon + 2] === DECODED);
}

/** Leaves a match the leftmost of those inside it, of two that start at one place the one that is not decoded; none overlap. */
function keepLeftmost({ inner }: NestedMatch): readonly NestedMatch[] {
  let end = 0;
  // What is not decoded stands first, and stays there.
  const found = inner.splice(0).sort((a, b) => a.start - b.start);
  for (const match of found) {
    if (match.start < end) continue;
    end = match.end;
    inner.push(match);
  }
  return inner;
}
