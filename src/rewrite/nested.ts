// URLs inside URLs (X11): a match's path, query and fragment are scanned by the same rules, literal and percent-decoded.
import * as code from "#core/layout/codes.js";
import { X11_NESTED } from "#core/layout/notes.js";
import { SCHEMES } from "#core/tables/schemes.js";
import type { Core } from "../core/core.ts";
import { decodeLatin1 } from "../core/text.ts";
import { type Batch, type MatchBatch, wordOf } from "../matches/batch.ts";
import { BatchBuilder, rowsWhere } from "../matches/batch-builder.ts";
import { schemeAt } from "../matches/field-values.ts";
import type { MakeStep, ScanOptions } from "../scan/scan.ts";
import { scanBytes } from "../scan/scanner.ts";
import { hexValue } from "../url/percent.ts";
import { isMarkedRedirector } from "../url/redirector-table.ts";
import { characterBytes } from "../url/text.ts";
import { rawTextAt } from "./url-forms.ts";

const DEPTH_MAX = 4;

const [ESC, SPACE, PERCENT, AMPERSAND, SLASH, COLON] = [0x1b, 0x20, 0x25, 0x26, 0x2f, 0x3a];
const [HASH, QUESTION, UPPER_K, BACKSLASH, LOWER_M, TILDE] = [0x23, 0x3f, 0x4b, 0x5c, 0x6d, 0x7e];
/** Lengths of `\u0026`, `\x26` and `%26` in bytes. */
const [UNIT_BYTES, BYTE_BYTES, TRIPLET_BYTES] = [6, 4, 3];
/** An escape: the braces or dollar signs around it in TeX (C208, C296), and its command. `\string` of TeX has its character after it. */
const COMMAND = /^([^\\]*)\\(st[a-z]*.|[a-z]+|.)/s;
/** Longest escape of a character of ASCII, in bytes: `\textasciitilde{}`, in braces. */
const COMMAND_BYTES_MAX = 32;

/** FLAG_* of a match that was cut (C142, C294). */
const CUT = code.FLAG_CUT | code.FLAG_LINE_CUT;

/**
 * Returns the step that adds the URLs inside matches, each after the one that holds it (X11). `inner`: the options for the scans of text
 * inside matches; `schemes`: those that are reported, or undefined for all. With `unwraps` nothing is added for redirectors, in which
 * inner URLs are found by their own marks (C206).
 */
export function addNested(inner: ScanOptions, schemes: ReadonlySet<string> | undefined, unwraps: boolean): MakeStep {
  const reportedIn = function* (outer: NestedMatch): Generator<NestedMatch> {
    if (unwraps && isMarkedRedirector(rawTextAt(outer.batch, outer.row))) return;
    for (const match of outer.inner) {
      if (schemes?.has(schemeAt(match.batch, match.row)) !== false) yield match;
      yield* reportedIn(match);
    }
  };
  return ({ core, window }) => {
    const find = nestedFinder(core, inner);
    return (batch) => {
      const outer = find(batch, window.bytes);
      if (![...outer.values()].some((match) => match.inner.length > 0)) return batch;
      const builder = new BatchBuilder(batch);
      const order: number[] = [];
      for (let row = 0; row < batch.count; row++) {
        order.push(row);
        const match = outer.get(row);
        if (match === undefined) continue;
        const cut = wordOf(batch, row, code.RECORD_FLAGS) & CUT;
        for (const { batch: from, row: fromRow, start, end } of reportedIn(match)) {
          const added = builder.addRow(from, fromRow, row);
          builder.setWord(added, code.RECORD_START, start);
          builder.setWord(added, code.RECORD_END, end);
          builder.setWord(added, code.RECORD_KIND, code.KIND_NESTED);
          if (end === match.end) builder.setWord(added, code.RECORD_FLAGS, builder.word(added, code.RECORD_FLAGS) | cut);
          core.trace?.addMatch(start, end, X11_NESTED);
          order.push(added);
        }
      }
      return builder.finish(order);
    };
  };
}

interface NestedMatch {
  readonly batch: MatchBatch;
  readonly row: number;
  /** Its span in the text of the scan, counted from the base of the outermost match's batch. */
  readonly start: number;
  readonly end: number;
  /** The text that holds its URL, and the span of the URL there. */
  readonly text: LocatedText;
  readonly from: number;
  readonly to: number;
  readonly inner: NestedMatch[];
}

/**
 * Returns the function that finds the matches of a batch that may hold others, by row, with the inner ones. `window`: the bytes from the
 * batch's base on.
 */
function nestedFinder(core: Core, options: ScanOptions): (batch: MatchBatch, window: Uint8Array) => ReadonlyMap<number, NestedMatch> {
  // By scheme number. A URL with an opaque scheme has no authority, even if `//` follows the scheme.
  const shapes = new Map([...SCHEMES, ...options.extraSchemes].map(({ name, shape }) => [name, shape]));
  const isOpaque = [...shapes.values()].map((shape) => shape === "opaque");

  /** Returns whether a `:` or `%3A` is after the scheme and the authority of a match, if it has these. Most matches have no such colon. */
  const mayHoldUrl = (batch: MatchBatch, row: number): boolean => {
    // The outer scan finds the URLs in a link by itself (C106).
    if (wordOf(batch, row, code.RECORD_KIND) === code.KIND_LINK) return false;
    const raw = wordOf(batch, row, code.RECORD_RAW);
    const end = raw + wordOf(batch, row, code.RECORD_RAW_LENGTH);
    return hasColon(batch.bytes, insideStart(batch, row, isOpaque, batch.bytes, raw, end), end);
  };

  /** Scans the texts inside the owners, as they are or percent-decoded, and gives each owner the matches in its text. */
  const scanInside = (owners: readonly NestedMatch[], decodes: boolean): void => {
    // The NUL after a part takes the room of the `&` or `#` there; the last part needs more.
    const text = new LocatedText(owners.reduce((room, { from, to }) => room + to - from + 1, 0));
    const ends = owners.map((owner) => {
      addInside(owner, insideStart(owner.batch, owner.row, isOpaque, owner.text.bytes, owner.from, owner.to), text, decodes);
      return text.length;
    });
    if (text.length === 0) return;
    let index = 0;
    const write = (batch: Batch): void => {
      if (batch.kind !== "matches") return;
      for (let row = 0; row < batch.count; row++) {
        const from = batch.base + wordOf(batch, row, code.RECORD_START);
        const to = batch.base + wordOf(batch, row, code.RECORD_END);
        while (ends[index] < to) index++;
        owners[index].inner.push({ batch, row, start: text.starts[from], end: text.ends[to - 1], text, from, to, inner: [] });
      }
    };
    const nextColon = decodes ? (offset: number) => findEncodedColon(text, offset) : undefined;
    scanBytes(core.inner, { ...options, nextColon }, write, text.bytes.subarray(0, text.length));
  };

  return (batch, window) => {
    const rows = rowsWhere(batch, (row) => mayHoldUrl(batch, row));
    const text = new LocatedText(rows.reduce((room, row) => room + wordOf(batch, row, code.RECORD_RAW_LENGTH), 0));
    const matches = new Map(rows.map((row) => [row, outerMatch(batch, row, window, text)]));
    let owners: readonly NestedMatch[] = [...matches.values()];
    for (let depth = 0; depth < DEPTH_MAX && owners.length > 0; depth++) {
      scanInside(owners, false);
      scanInside(owners, true);
      owners = owners.flatMap(keepLeftmost);
    }
    return matches;
  };
}

/** Returns the offset after the scheme and the authority of a match, if it has these. Its URL is [start, end) of `bytes`. */
function insideStart(batch: MatchBatch, row: number, isOpaque: boolean[], bytes: Uint8Array, start: number, end: number): number {
  const length = wordOf(batch, row, code.RECORD_SCHEME_LENGTH);
  // The path of a mailto URL is its address (C61). Other schemeless text begins with its authority (X10).
  if (wordOf(batch, row, code.RECORD_KIND) === code.KIND_EMAIL) return start;
  let at = length === 0 ? start : start + length + 1;
  if (length > 0) {
    if (isOpaque[wordOf(batch, row, code.RECORD_SCHEME)] || bytes[at] !== SLASH || bytes[at + 1] !== SLASH) return at;
    at += 2;
  }
  while (at < end && bytes[at] !== SLASH && bytes[at] !== QUESTION && bytes[at] !== HASH) at++;
  return at;
}

/**
 * Adds to `inside` the parts of a match's text from `start` on that may hold URLs; each ends at a literal `&` or `#`. With `decodes` they
 * are percent-decoded, and those without a percent sign left out.
 */
function addInside({ text, to }: NestedMatch, start: number, inside: LocatedText, decodes: boolean): void {
  const { bytes } = text;
  for (let at = start, end = start; at < to; at = end + 1) {
    end = at;
    while (end < to && bytes[end] !== AMPERSAND && bytes[end] !== HASH) end++;
    const isScanned = hasColon(bytes, at, end) && (!decodes || bytes.subarray(at, end).includes(PERCENT));
    if (isScanned) inside.addPart(text, at, end, decodes);
  }
}

function hasColon(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === COLON || tripletAt(bytes, at, end) === COLON) return true;
  return false;
}

/** Returns the byte that the triplet at `at` encodes, or a negative number if no triplet is there. */
function tripletAt(bytes: Uint8Array, at: number, end: number): number {
  return bytes[at] === PERCENT && at + 2 < end ? (hexValue(bytes[at + 1]) << 4) | hexValue(bytes[at + 2]) : -1;
}

/** Returns a row of the batch as a match. Adds its raw form to `text`, each byte with its span in `window`. */
function outerMatch(batch: MatchBatch, row: number, window: Uint8Array, text: LocatedText): NestedMatch {
  const [start, end] = [wordOf(batch, row, code.RECORD_START), wordOf(batch, row, code.RECORD_END)];
  const from = text.length;
  const rawStart = wordOf(batch, row, code.RECORD_RAW);
  const raw = batch.bytes.subarray(rawStart, rawStart + wordOf(batch, row, code.RECORD_RAW_LENGTH));
  const isEscaped = (wordOf(batch, row, code.RECORD_HINT) & code.HINT_ESCAPED) !== 0;
  const isEncoded = wordOf(batch, row, code.RECORD_KIND) === code.KIND_NESTED;
  if (isEscaped) addEscaped(text, raw, window, start, isEncoded);
  else addCopied(text, raw, wordOf(batch, row, code.RECORD_SCHEME_LENGTH), window, start, end);
  return { batch, row, start, end, text, from, to: text.length, inner: [] };
}

/** Adds a raw form of which other bytes than white space (X7) are in the window as they are, but for slashes. */
function addCopied(text: LocatedText, raw: Uint8Array, schemeLength: number, window: Uint8Array, start: number, end: number): void {
  let index = 0;
  for (let at = start; at < end && index < raw.length; at++) {
    // The value of an attribute may lack slashes before the authority (C193).
    while (index < schemeLength + 3 && raw[index] === SLASH && isOther(window[at])) text.add(raw[index++], at, at);
    // In the value of an attribute a backslash may be a slash (X9).
    const isSame = window[at] === raw[index] || (window[at] === BACKSLASH && raw[index] === SLASH);
    if (isSame) text.add(raw[index++], at, at + 1);
  }
}

function isOther(byte: number): boolean {
  return byte > SPACE && byte !== SLASH && byte !== BACKSLASH;
}

/** Adds a raw form that is percent-encoded in the window (C146), or has escapes of JSON or TeX there (X16). */
function addEscaped(text: LocatedText, raw: Uint8Array, window: Uint8Array, start: number, isEncoded: boolean): void {
  let at = start;
  for (let index = 0; index < raw.length; ) {
    // A color stands for nothing (C311).
    while (window[at] === ESC) {
      while (window[at] !== LOWER_M && window[at] !== UPPER_K) at++;
      at++;
    }
    const encodedLength = window[at] === PERCENT ? TRIPLET_BYTES : 1;
    const length = isEncoded ? encodedLength : escapedLength(window, at, raw[index]);
    // A triplet encodes a byte, an escape a character.
    const next = index + (isEncoded || length === 1 ? 1 : characterBytes(raw[index]));
    while (index < next) text.add(raw[index++], at, at + length);
    at += length;
  }
}

/** Returns the length of `byte` at `at`, or of the escapes of the character that begins with it (X16). */
function escapedLength(window: Uint8Array, at: number, byte: number): number {
  if (window[at] === byte) return 1;
  const text = decodeLatin1(window, at, at + COMMAND_BYTES_MAX);
  const [whole = "", around = "", command = ""] = COMMAND.exec(text) ?? [];
  if (command === "/") return 2;
  // Four bytes of UTF-8 are two units of UTF-16.
  if (command.startsWith("u")) return characterBytes(byte) === 4 ? 2 * UNIT_BYTES : UNIT_BYTES;
  if (command.startsWith("x")) return characterBytes(byte) * BYTE_BYTES;
  const hasBraces = byte === TILDE && !command.startsWith("st") && text.startsWith("{}", whole.length);
  return whole.length + around.length + (hasBraces ? 2 : 0);
}

/** Returns the first colon from `start` on that was percent-encoded, or has an encoded slash after it; else the text's length. */
function findEncodedColon({ bytes, decoded, length }: LocatedText, start: number): number {
  for (let at = start; at < length; at++) {
    if (bytes[at] !== COLON) continue;
    if (decoded[at] === 1) return at;
    if (bytes[at + 1] === SLASH && (decoded[at + 1] === 1 || (bytes[at + 2] === SLASH && decoded[at + 2] === 1))) return at;
  }
  return length;
}

/** Keeps the leftmost inner matches, so that none overlap. If two start at one offset, keeps the literal one, which comes first. */
function keepLeftmost({ inner }: NestedMatch): readonly NestedMatch[] {
  for (const match of inner.splice(0).sort((a, b) => a.start - b.start)) {
    if (match.start >= (inner.at(-1)?.end ?? 0)) inner.push(match);
  }
  return inner;
}

/** A text of at most `room` bytes, with the span of each in the text of the scan, counted from the base of the outermost match's batch. */
class LocatedText {
  readonly bytes: Uint8Array;
  /** The span of each byte. That of a decoded triplet has three bytes. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** 1 if a triplet encodes the byte. */
  readonly decoded: Uint8Array;
  length = 0;

  constructor(room: number) {
    this.bytes = new Uint8Array(room);
    this.starts = new Int32Array(room);
    this.ends = new Int32Array(room);
    this.decoded = new Uint8Array(room);
  }

  add(byte: number, start: number, end: number, isDecoded = false): void {
    this.bytes[this.length] = byte;
    this.starts[this.length] = start;
    this.ends[this.length] = end;
    this.decoded[this.length] = isDecoded ? 1 : 0;
    this.length++;
  }

  /** Adds [start, end) of another text, percent-decoded if `decodes`, and a NUL, which no match crosses. */
  addPart(text: LocatedText, start: number, end: number, decodes: boolean): void {
    for (let at = start; at < end; at++) {
      const value = decodes ? tripletAt(text.bytes, at, end) : -1;
      const first = text.starts[at];
      if (value >= 0) at += 2;
      this.add(value < 0 ? text.bytes[at] : value, first, text.ends[at], value >= 0);
    }
    this.add(0, 0, 0);
  }
}
